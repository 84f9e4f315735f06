"""The metric's Space: its card, its examples and its app."""

from __future__ import annotations

import doctest
import re
import sys
from pathlib import Path

import pytest
import yaml

import xlgo_metric
from xlgo_metric import app

FOLDER = Path(xlgo_metric.path())
if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def test_the_examples_of_the_card_hold() -> None:
    result = doctest.testfile(str(FOLDER / "README.md"), module_relative=False)
    assert result.failed == 0
    assert result.attempted >= 10


def test_the_cards_head_is_what_a_space_needs() -> None:
    head = yaml.safe_load((FOLDER / "README.md").read_text(encoding="utf-8").split("---\n")[1])
    assert head["sdk"] == "gradio"
    assert re.fullmatch(r"\d+\.\d+\.\d+", head["sdk_version"])
    assert (FOLDER / head["app_file"]).is_file()
    assert {"evaluate", "metric"} <= set(head["tags"])


def test_the_requirements_are_those_of_the_package() -> None:
    root = Path(__file__).parents[2]
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    allowed = set(project["dependencies"])
    wanted = set((FOLDER / "requirements.txt").read_text(encoding="utf-8").splitlines())
    assert wanted <= allowed
    assert {"evaluate>=0.4.6", "scipy>=1.13"} <= wanted


@pytest.mark.parametrize(
    ("number", "status"), list(enumerate(["correct", "correct", "wrong", "truncated"]))
)
def test_the_app_grades_its_examples(number: int, status: str) -> None:
    verdict, grade = app.judge(*app.EXAMPLES[number])
    assert verdict.startswith(f"**{status}**: ")
    assert grade["status"] == status


@pytest.mark.parametrize(
    "reference",
    ["", "{", "[]", "5", "[" * 100_000, '{"task": "dsa"}', '{"task": "x", "answer": {}}',
     '{"task": ["dsa"], "answer": {}}', '{"family": "x", "task": "dsa", "answer": {}}'],
)  # fmt: skip
def test_the_app_survives_any_reference(reference: str) -> None:
    verdict, grade = app.judge('{"state": "E2679"}', reference)
    assert verdict.startswith("**This reference cannot be used:** ")
    assert grade == {}


def test_the_page_is_built() -> None:
    gradio = pytest.importorskip("gradio")
    assert isinstance(app.build(), gradio.Interface)

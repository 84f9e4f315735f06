"""The metric's Space: its card, its examples and its app."""

import doctest
import html
import json
import re
import sys
from pathlib import Path

import pytest
import yaml

import xlgo_dataset as xd
import xlgo_metric
from xlgo_cli import cli
from xlgo_cli.language import gallery
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


EXAMPLE = re.compile(
    r"<summary>[^\n]*<code>([^\n]*)</code></summary>\n\n"
    r'(?:````text\n(.*?)\n````|<pre dir="rtl">(.*?)</pre>)\n\n',
    re.DOTALL,
)


@pytest.fixture(scope="module")
def page() -> str:
    return gallery.page()


def test_every_puzzle_is_there_in_every_language_and_can_be_solved(page: str) -> None:
    for task in xd.TASKS:
        section = page.split(f"## {task}\n")[1].split("\n## ", maxsplit=1)[0]
        answer = re.search(r"````json\n(.*?)\n````", section, re.DOTALL)
        assert answer is not None
        languages = []
        for row_id, text, right_to_left in EXAMPLE.findall(section):
            languages.append(row_id.rsplit("-", 1)[1])
            prompt = text or html.unescape(right_to_left)
            assert bool(right_to_left) == (languages[-1] == "ar")
            assert xd.solve(xd.read(task, prompt, languages[-1])) == json.loads(answer[1])
        assert tuple(languages) == xd.LANGUAGES


def test_the_command_writes_the_page(page: str, tmp_path: Path) -> None:
    out = tmp_path / "gallery.md"
    assert cli.main(["gallery", "--out", str(out)]) == 0
    assert out.read_text(encoding="utf-8") == page

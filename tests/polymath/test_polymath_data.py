"""Loading, prompts and rows of PolyMath."""

import json

import huggingface_hub
import pytest

import xlgo_dataset as xd
from tests.looping import looped
from xlgo_dataset.families.polymath import problems as polymath

from .fixture import FIXTURE


def rows(languages, **options):
    return list(
        xd.family("polymath").rows("polymath", languages, polymath_path=str(FIXTURE), **options)
    )


def test_all_languages_and_levels_are_read():
    found = rows(polymath.LANGUAGES)
    cells = {(row["language"], json.loads(row["reference"])["level"]) for row in found}
    assert len(cells) == 18 * 4
    assert len(found) == 18 * 5  # two problems in low, one in each other level
    assert len({row["id"] for row in found}) == len(found)


@looped("control", polymath.CONTROLS)
@looped("language", polymath.LANGUAGES)
def test_prompt_is_problem_instruction_and_control(language, control):
    texts = polymath.INSTRUCTIONS
    prompt = polymath.prompt("Q?", language, control)
    expected = ["Q?", texts["answer"][language]]
    if control != "none":
        expected.append(texts["control"][control][language])
    assert prompt.split("\n\n") == expected
    assert r"$\boxed{}$" in expected[1]


def test_hub_is_asked_for_the_data_files_once(monkeypatch):
    asked = []

    def download(repository, *, repo_type, revision, allow_patterns):
        asked.append((repository, repo_type, revision, allow_patterns))
        return str(FIXTURE)

    monkeypatch.setattr(huggingface_hub, "snapshot_download", download)
    row = next(xd.family("polymath").rows("polymath", ["th", "en"], levels="high"))
    assert asked == [("Qwen/PolyMath", "dataset", None, ["*.jsonl", "*.json", "*.parquet"])]
    assert row == rows(["th"], levels="high")[0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": "low"}, "unknown option 'level'"),
        ({"levels": "middle"}, "levels='middle' must be names of low"),
        ({"control": "latin"}, "control='latin' must be one of none"),
        ({"split": "train"}, "unknown split 'train'"),
    ],
)
def test_wrong_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        rows(["en"], **options)

"""The part of the page that says what conditions change."""

from __future__ import annotations

import json
from typing import Any

import pytest

import xlgo_dataset as xd
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.report.experiments import sentence
from xlgo_cli.report.write import write_all
from xlgo_metric.comparison.compare import Cell

from .logs import sample, write_run

CHANCES = {"plain": (2, 6), "english_rules": (3, 6), "english_lines": (9, 10)}
"""Of the ten questions of each level, those that are right in Telugu (lower and upper level)."""


def asked() -> list[Any]:
    """Rows of two levels in English and Telugu, those in Telugu under conditions too."""
    options: dict[str, Any] = {"levels": 2, "per_level": 20, "c_min": 8, "c_max": 16}
    found = []
    for row in xd.family_of("slt").rows("slt", ("en", "te"), split="test", **options):
        for name in CHANCES if row["language"] == "te" else ("plain",):
            reference = json.loads(row["reference"])
            if name != "plain":
                reference["condition"] = name
            right = row["index"] < (18 if row["language"] == "en" else CHANCES[name][row["level"]])
            found.append((row | {"reference": json.dumps(reference)}, right))
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("why")
    wrong = '{"chain": [1, 2]}'
    samples = [
        sample(row, row["answer"] if right else wrong, number)
        for number, (row, right) in enumerate(asked())
    ]
    write_run(path, samples=samples)
    return path


def test_the_page_says_what_conditions_change(folder) -> None:
    page = write_all(score_folder(folder), folder).read_text("utf-8")
    assert "Sources of the gap" in page
    assert "English lines: accuracy rises by" in page
    scores = json.loads((folder / "report" / "scores.json").read_text("utf-8"))
    cells = scores["families"]["xlgobench"]["why"]["contrasts"]
    (lines,) = (cell for cell in cells if cell["other"] == "english_lines")
    assert lines["is_significant"]
    assert "## What each condition changes" in (folder / "report" / "tables.md").read_text("utf-8")


def test_plain_figures_of_a_folder_are_those_without_conditions(folder, tmp_path) -> None:
    plain = [
        sample(row, row["answer"] if right else '{"chain": [1, 2]}', number)
        for number, (row, right) in enumerate(asked())
        if "condition" not in json.loads(row["reference"])
    ]
    write_run(tmp_path, samples=plain)
    with_, without = score_folder(folder), score_folder(tmp_path)
    assert with_.score["headline"] == without.score["headline"]
    first, second = (
        set(zip(*(s.table.frame[name] for name in ("language", "question", "correct"))))
        for s in (with_, without)
    )
    assert first == second
    assert with_.count > without.count
    first, second = (s.score["families"]["xlgobench"] for s in (with_, without))
    for key in second.keys() - {"signature"}:
        assert first[key] == second[key], key


def cell(difference: float, baseline: str, other: str, claimed: bool = True) -> Cell:
    low, high = difference - 0.05, difference + 0.05
    where = {"task": "slt", "language": "te"}
    return Cell(
        where, baseline, other, 90, 90, 0.5, 0.5 + difference, (9, 3), difference, low, high, 0.001,
        claimed,
    )  # fmt: skip


def gap(difference: float, claimed: bool = True) -> Cell:
    return cell(difference, "english", "plain", claimed)


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        ([gap(0.2), cell(-0.15, "plain", "english_lines"),
          cell(-0.05, "plain", "english_rules", False)],
         "Telugu is behind English (+20.0 points, 95% interval +15.0 to +25.0); English lines: "
         "accuracy rises by 15.0 points (95% interval +10.0 to +20.0)."),
        ([gap(0.2), cell(0.19, "english", "length_matched")],
         "English text of the length of Telugu: accuracy falls by 19.0 points (95% interval +14.0"),
        ([gap(0.2), cell(-0.2, "plain", "english_lines", False)],
         "no condition changes the accuracy significantly"),
        ([gap(0.03, False), cell(-0.02, "plain", "english_lines", False)], "no significant gap"),
        ([gap(0.03, False), cell(-0.2, "plain", "romanised")],
         "Telugu in Latin letters: accuracy rises by 20.0 points"),
        ([gap(-0.1), cell(0.1, "plain", "english_rules")], "Telugu is ahead of English"),
    ],
)  # fmt: skip
def test_a_sentence_claims_what_was_measured(cells, told) -> None:
    assert told in sentence("slt", "te", cells, "English")

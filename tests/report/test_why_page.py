"""The part of the page that says what conditions change."""

from __future__ import annotations

import json
from typing import Any

import pytest

import xlgo_dataset as xd
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.report.grid import of_conditions, with_gaps
from xlgo_cli.report.write import write_all

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


def test_the_page_shows_what_conditions_change(folder) -> None:
    scored = score_folder(folder)
    page = write_all(scored, folder).read_text("utf-8")
    assert "Sources of the gap in SLT" in page
    (grid,) = of_conditions(with_gaps(scored.score)["xlgobench"])
    solved = {name: (20 * (low + high)) / 800 for name, (low, high) in CHANCES.items()}
    for name in ("english_rules", "english_lines"):
        cell = grid.cells["te", name]
        assert cell.n == 40
        assert cell.difference == pytest.approx(solved[name] - solved["plain"])
    assert list(grid.cells) == [("te", "english_rules"), ("te", "english_lines")]
    assert grid.cells["te", "english_lines"].is_significant
    (row,) = grid.view()
    shown = dict(zip(grid.columns, row["cells"], strict=True))
    assert (shown["english_lines"]["kind"], shown["english_lines"]["mark"]) == ("behind", "●")
    assert grid.behind == "accuracy rises"
    assert "Sources of the gap in SLT" in (folder / "report" / "tables.md").read_text("utf-8")


def test_a_condition_that_only_the_log_knows_has_its_name(folder) -> None:
    section = with_gaps(score_folder(folder).score)["xlgobench"]
    contrasts = json.loads(json.dumps(section["why"]["contrasts"]).replace("english_lines", "<b>"))
    (grid,) = of_conditions({**section, "why": {"contrasts": contrasts}})
    assert [heading.title for heading in grid.columns.values()] == ["English rules", "<b>"]


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

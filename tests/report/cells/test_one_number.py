"""One cell shows the same values wherever it stands, and a number has one rounding.

Answers of every family are made right or wrong at random. Expected texts are made by ``decimal``
from the cell's own numbers, not by the code that writes them.
"""

from __future__ import annotations

import csv
import html
import random
import re
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.report.logs import rows, write_answers
from xlgo_cli.display import labels
from xlgo_cli.display.formats import tex
from xlgo_cli.logs.graded_run import GradedRun, score_folder
from xlgo_cli.notebook.functions import Scores
from xlgo_cli.report.findings import brief
from xlgo_cli.report.grid import OVER_TASKS, gaps_of, verdicts_of, with_gaps
from xlgo_cli.report.write import write_files
from xlgo_metric.comparison import Cell

LANGUAGES = ("en", "ar", "te", "yo")
TASKS = ("slt", "dsa")
CHANCES = {"en": 0.8, "ar": 0.65, "te": 0.3, "yo": 0.5}


def shown(fraction: float, *, signed: bool = True, digits: int = 1) -> str:
    """A fraction in points, halves away from zero."""
    exact = Decimal(f"{fraction:.12g}") * 100
    value = exact.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    sign = "−" if value < 0 else "+" if signed and value else ""
    return f"{sign}{abs(value)}"


def write(folder: Path, model: str, seed: int) -> Path:
    chance = random.Random(seed)
    asked = [row for task in TASKS for row in rows(task, LANGUAGES)]
    return write_answers(
        folder, asked, lambda row: chance.random() < CHANCES[row["language"]], model=model
    )


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    top = tmp_path_factory.mktemp("random")
    return [write(top / name, f"acme/{name}", seed) for seed, name in enumerate(("one", "two"))]


@pytest.fixture(scope="module")
def scored(folders: list[Path]) -> GradedRun:
    return score_folder(folders[0])


@pytest.fixture(scope="module")
def report(scored: GradedRun, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_files(scored, tmp_path_factory.mktemp("page"), samples=False).parent


@pytest.fixture(scope="module")
def cells(scored: GradedRun) -> dict[tuple[str, str], Cell]:
    """By language and task, and over all tasks."""
    (part,) = with_gaps(scored.score).values()
    found = {(code, task): cell for (task, code), cell in gaps_of(part).items()}
    found |= {(code, OVER_TASKS): cell for code, cell in verdicts_of(part).items()}
    assert len(found) == 9
    return found


def table_rows(text: str, title: str) -> dict[str, list[str]]:
    """The rows of a table in Markdown, by their first cell."""
    part = text.split(f"## {title}\n")[1].split("\n## ", maxsplit=1)[0]
    lines = [line.strip("| ").split(" | ") for line in part.splitlines() if line.startswith("|")]
    return {row[0]: row for row in (lines[0], *lines[2:])}


def test_markdown_and_latex_have_the_numbers_of_the_cell(report: Path, cells: Any) -> None:
    found = table_rows((report / "tables.md").read_text("utf-8"), "Gaps to English")
    heads = found["Language"]
    in_tex = (report / "tables.tex").read_text("utf-8")
    for (code, task), cell in cells.items():
        short = labels.task(task).short if task else "All tasks"
        mark = "●" * cell.is_significant or "?" * bool(cell.refused)
        text = shown(cell.difference) + (f" {mark}{'†' * cell.flagged}".rstrip())
        text += f", {shown(cell.ci_low)} to {shown(cell.ci_high)}" if cell.interval else ""
        row = found[labels.language(code).name]
        assert row[heads.index(short)] == text
        assert tex(text) in in_tex


def test_the_page_and_the_terminal_have_them(report: Path, scored: GradedRun, cells: Any) -> None:
    page = (report / "report.html").read_text("utf-8")
    heat = page.split('<table class="heat">')[1].split("</table>")[0]
    by_name = {}
    for row in re.findall(r"<tr><th scope=\"row\">(.*?)</tr>", heat, re.DOTALL):
        name = re.split(r"[ <]", row.strip())[0]
        by_name[name] = re.findall(r"<td.*?</td>", row, re.DOTALL)
    lines = {line.split(",")[0]: line for line in brief(scored.score, width=200).splitlines()}
    for (code, task), cell in cells.items():
        name, place = labels.language(code).name, [OVER_TASKS, *TASKS].index(task)
        text = html.unescape(re.sub(r"<[^>]+>", " ", by_name[name][place]))
        assert shown(cell.difference) in text.split()
        if cell.interval:
            assert f"{shown(cell.ci_low)} to {shown(cell.ci_high)}" in text
        if task:
            assert f" {shown(cell.difference)} " in lines[name] + " "


def test_csv_and_frame_have_them_in_full(report: Path, scored: GradedRun, cells: Any) -> None:
    with (report / "tables" / "gaps.csv").open(encoding="utf-8", newline="") as file:
        found = {(row["other"], row["task"]): row for row in csv.DictReader(file)}
    assert found.keys() == cells.keys()
    frame = {(row["language"], row["task"]): row for row in Scores(scored).rows()}
    for place, cell in cells.items():
        for name in ("difference", "ci_low", "ci_high", "p_value", "accuracy"):
            text, value = found[place][name], getattr(cell, name)
            assert (float(text) if text else None) == value, (place, name)
            if place[1] and name != "accuracy":
                assert frame[place][name] == value

"""One cell shows the same values wherever it stands, and a number has one rounding.

Answers of every family are made right or wrong at random. Expected texts are made by ``decimal``
from the cell's own numbers, not by the code that writes them.
"""

from __future__ import annotations

import csv
import html
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.frozen.scores import scored as stored
from xlgo_cli.cli import main
from xlgo_cli.display import labels
from xlgo_cli.display.formats import tex
from xlgo_cli.export.model_index import model_index
from xlgo_cli.logs.graded_run import GradedRun, score_folder
from xlgo_cli.notebook.functions import Scores
from xlgo_cli.report.grid import OVER_TASKS, gaps_of, verdicts_of, with_gaps
from xlgo_cli.report.screen import brief
from xlgo_cli.report.write import Content, write_files
from xlgo_metric.comparison import Cell
from xlgo_metric.core import Status
from xlgo_metric.score_dict import Score
from xlgo_metric.scoring import summarize
from xlgo_metric.table import Table

from ..logs import rows, sample, write_run

LANGUAGES = ("en", "ar", "te", "yo")
TASKS = ("slt", "dsa")
CHANCES = {"en": 0.8, "ar": 0.65, "te": 0.3, "yo": 0.5}
FAMILIES = ("puzzles", "simple", "polymath", "korbench")
"""Stored runs whose answers are right or wrong."""


def shown(fraction: float, *, signed: bool = True, digits: int = 1) -> str:
    """A fraction in points, halves away from zero."""
    exact = Decimal(f"{fraction:.12g}") * 100
    value = exact.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    sign = "−" if value < 0 else "+" if signed and value else ""
    return f"{sign}{abs(value)}"


def write(folder: Path, model: str, seed: int) -> Path:
    chance = random.Random(seed)
    for task in TASKS:
        wrong = {"slt": '{"chain": [0]}', "dsa": '{"state": "A1000"}'}[task]
        lines = []
        for number, row in enumerate(rows(task, LANGUAGES)):
            is_right = chance.random() < CHANCES[row["language"]]
            lines.append(sample(row, row["answer"] if is_right else wrong, number))
        write_run(folder, model=model, task=task, samples=lines)
    return folder


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


def test_the_hub_has_the_rounding_of_the_page(scored: GradedRun) -> None:
    (entry,) = model_index(scored, "acme/xlgo")["model-index"]
    (part,) = with_gaps(scored.score).values()
    seen = 0
    for result in entry["results"]:
        task, code = result["dataset"]["config"].rsplit("_", 1)
        cell = part["tasks"][task]["languages"][code]
        for metric in result["metrics"]:
            value = cell[metric["type"]]
            assert f"{metric['value']:.1f}".replace("-", "−") == shown(value, signed=False)
            seen += 1
    assert seen >= len(TASKS) * len(LANGUAGES)


def test_leaderboard_and_compare_say_what_each_page_says(
    folders: list[Path], tmp_path: Path, capsys: Any
) -> None:
    assert main(["leaderboard", *map(str, folders), "--out", str(tmp_path)]) == 0
    with (tmp_path / "gaps.csv").open(encoding="utf-8", newline="") as file:
        found = {(row["model"], row["other"], row["task"]): row for row in csv.DictReader(file)}
    page = html.unescape((tmp_path / "index.html").read_text("utf-8"))
    gaps: dict[str, dict[tuple[str, str], Cell]] = {}
    for folder in folders:
        scored = score_folder(folder)
        (part,) = with_gaps(scored.score).values()
        own = gaps[scored.run.model] = {
            (code, task): one for (task, code), one in gaps_of(part).items()
        }
        own |= {(code, ""): one for code, one in verdicts_of(part).items()}
        for (code, task), cell in own.items():
            row = found[scored.run.model, code, task]
            assert float(row["difference"]) == pytest.approx(cell.difference, abs=1e-12)
            assert shown(float(row["difference"])) == shown(cell.difference)
            assert shown(cell.difference) in page
    capsys.readouterr()
    assert main(["compare", *map(str, folders), "--out", str(tmp_path / "c.html")]) == 0
    printed = capsys.readouterr().out
    page = html.unescape((tmp_path / "c.html").read_text("utf-8"))
    first, second = gaps.values()
    for code, task in first:
        if not task:
            continue
        gain = second[code, task].accuracy - first[code, task].accuracy
        (line,) = [
            one
            for one in printed.splitlines()
            if labels.language(code).name in one and one.split()[0] == labels.task(task).short
        ]
        assert shown(gain) in line.split()
        assert f">{shown(gain)}<" in page


def at_random(name: str) -> GradedRun:
    """A stored run with other verdicts."""
    found, chance = stored(name), random.Random(name)
    records = []
    for key, record in found.records:
        right = chance.random() < (0.7 if key[2] == "en" else 0.45)
        status: Status = "correct" if right else "wrong"
        grade = replace(record.grade, correct=right, status=status, strict=right, in_form=right)
        records.append((key, replace(record, grade=grade)))
    score = Score({**found.score, **summarize(record for _, record in records)})
    return replace(found, records=records, score=score)


def numbers_of(table: Table) -> Iterator[list[str]]:
    """What each row must show of shares and differences, in the order of the columns."""
    for row in table.rows:
        yield [
            shown(
                value,
                signed=column.kind == "difference" or column.signed,
                digits=1 if column.digits is None else column.digits,
            )
            for column, value in zip(table.columns, row)
            if column.kind in ("share", "difference") and value is not None
        ]


@pytest.mark.parametrize("name", FAMILIES)
def test_every_table_of_every_family_rounds_alike(name: str, tmp_path: Path) -> None:
    scored = at_random(name)
    write_files(scored, tmp_path, samples=False)
    _, every = Content.of(scored).tables()
    in_tex = (tmp_path / "tables.tex").read_text("utf-8").split(r"\midrule")[1:]
    parts = re.split(r"^## ", (tmp_path / "tables.md").read_text("utf-8"), flags=re.MULTILINE)[1:]
    assert len(parts) == len(in_tex) == len(every)
    checked = 0
    for table, text, latex in zip(every, parts, in_tex):
        lines = [line for line in text.splitlines() if line.startswith("|")][2:]
        of_tex = latex.split(r"\bottomrule")[0].strip().split("\\\\\n")
        assert len(table.rows) == len(lines)
        assert len(table.rows) <= len(of_tex)  # with the head of the next table
        for wanted, line, tex_line in zip(numbers_of(table), lines, of_tex, strict=False):
            for number in wanted:
                plain = number.replace("−", "-")
                assert re.search(rf"(?<![\d.]){re.escape(number)}(?![\d.])", line), (number, line)
                assert plain in tex_line.replace("$-$", "-"), (number, tex_line)
                checked += 1
    assert checked >= 20


def test_a_quick_page_holds_few_numbers(report: Path) -> None:
    """With the coordinates of its pictures: a run of two tasks in seven languages has 12 panels."""
    text = (report / "report.html").read_text("utf-8")
    body = re.sub(r"<(script|style)\b.*?</\1>", "", text, flags=re.DOTALL)
    pictures = re.findall(r"<svg\b.*?</svg>", body, re.DOTALL)
    numbers = [len(re.findall(r"\d+(?:\.\d+)?", part)) for part in (body, *pictures)]
    panels = len(TASKS) * (len(LANGUAGES) - 1)
    assert numbers[0] - sum(numbers[1:]) + 12 * sum(numbers[1:]) / panels <= 4000

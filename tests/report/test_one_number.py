"""One cell shows the same values wherever it stands, and a number has one rounding.

The answers of stored runs are made right or wrong at random, several to a question. Expected texts
are made by ``decimal`` from the cell's own numbers, not by the code that writes them.
"""

import html
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from tests.frozen.scores import scored as stored
from xlgo_cli.display import labels
from xlgo_cli.display.formats import tex
from xlgo_cli.export.publish import model_index
from xlgo_cli.leaderboard.page import site_of
from xlgo_cli.leaderboard.standings import _entry, board, choose
from xlgo_cli.logs.graded_run import GradedRun
from xlgo_cli.notebook.functions import Scores
from xlgo_cli.page.comparison import comparison, page, table
from xlgo_cli.page.findings import brief
from xlgo_cli.page.write import Content, write_files
from xlgo_metric.comparison import Cell
from xlgo_metric.scoring import Score, summarize
from xlgo_metric.table import Table


def shown(fraction: float, *, signed: bool = True, digits: int = 1) -> str:
    """A fraction in points, halves away from zero."""
    value = Decimal(f"{100 * Decimal(f'{fraction:.12g}')}").quantize(
        Decimal(1).scaleb(-digits), ROUND_HALF_UP
    )
    return f"{'−' if value < 0 else '+' if signed and value else ''}{abs(value)}"


@cache
def at_random(run: str, model: str, repeats: int = 2) -> GradedRun:
    """A stored run with other verdicts, as if each question had been asked so often."""
    found, chance = stored(run), random.Random(run + model)
    records = []
    for key, record in found.records:
        for repeat in range(repeats):
            right = chance.random() < (0.7 if key[2] == "en" else 0.45)
            status: Any = "correct" if right else "wrong"
            grade = replace(record.grade, correct=right, status=status, strict=right, in_form=right)
            records.append(((*key[:4], repeat), replace(record, grade=grade)))
    score = Score({**found.score, **summarize(record for _, record in records)})
    return replace(found, run=replace(found.run, model=model), records=records, score=score)


@pytest.mark.parametrize("run", ["puzzles", "simple", "polymath"])
def test_a_cell_has_the_same_values_in_all_media(run: str, tmp_path: Path) -> None:
    scored = at_random(run, "acme/one")
    content = Content.of(scored)
    text = write_files(scored, tmp_path, samples=False, content=content).read_text("utf-8")
    heats = re.findall(r'<table class="heat">(.*?)</table>', html.unescape(text), re.DOTALL)
    parts = (tmp_path / "tables.md").read_text("utf-8").split("\n## ")
    in_tex = (tmp_path / "tables.tex").read_text("utf-8")
    csv = pd.read_csv(tmp_path / "tables" / "gaps.csv", keep_default_na=False)
    in_csv = {(row["other"], row["task"]): row for row in csv.to_dict("records")}
    frame = {(row["language"], row["task"]): row for row in Scores(scored).rows()}
    screens = {
        line.split(",")[0].split("  ")[0]: line.split()
        for line in brief(scored.score, width=200).splitlines()
    }
    for heat, part, grid in zip(heats, parts, content.grids, strict=False):
        lines = (line.strip("| ").split(" | ") for line in part.splitlines() if line[:1] == "|")
        found = {cells[0]: cells for cells in lines}  # the heads of the table among them
        for (code, task), cell in grid.cells.items():
            name, place = labels.language(code).name, [*grid.columns].index(task)
            mark = ("●" * cell.is_significant or "?" * bool(cell.refused)) + "†" * cell.flagged
            limits = f"{shown(cell.ci_low)} to {shown(cell.ci_high)}" if cell.interval else ""
            words = f"{shown(cell.difference)} {mark}".rstrip() + f", {limits}" * bool(limits)
            assert found[name][found["Language"].index(grid.columns[task].short)] == words
            assert tex(words) in in_tex
            row = re.search(rf'<th scope="row">\s*{name}\b(.*?)</tr>', heat, re.DOTALL)
            of_page = re.sub(r"<[^>]+>", " ", re.findall(r"<td.*?</td>", row[1], re.DOTALL)[place])
            assert shown(cell.difference) in of_page.split()
            assert limits in of_page
            assert not task or shown(cell.difference) in screens[name]
            values = {key: getattr(cell, key) for key in ("difference", "ci_low", "p_value")}
            assert {key: in_csv[code, task][key] or None for key in values} == pytest.approx(values)
            assert not task or values.items() <= frame[code, task].items()
    assert sum(len(grid.cells) for grid in content.grids) == len(in_csv) > 1
    numbers = re.findall(r"\d+(?:\.\d+)?", re.sub(r"(?s)<(script|style|svg).*?</\1>", "", text))
    assert len(numbers) <= 4000


@pytest.mark.parametrize("run", ["puzzles", "simple", "polymath"])
def test_models_beside_each_other_have_the_numbers_of_their_own_pages(run: str) -> None:
    runs = [at_random(run, "acme/one"), at_random(run, "acme/two", repeats=1)]
    gaps: dict[tuple[str, str, str], Cell] = {
        (one.run.model, code, task): cell
        for one in runs
        for grid in Content.of(one).grids
        for (code, task), cell in grid.cells.items()
    }
    on_board = board(choose([_entry(one, Path(one.run.model)) for one in runs]))
    assert [*on_board.accuracy] == sorted(on_board.accuracy, reverse=True)
    ranked = html.unescape(site_of(on_board, "Models").page)
    for (index, _, task, code), cell in on_board.gaps.items():
        own = gaps[on_board.entries[index].name, code, task]
        assert (cell.n, cell.difference) == (own.n, pytest.approx(own.difference))
        assert shown(own.difference) in ranked
    found = comparison(runs[0], runs[1])
    printed, beside = {(*row[:2],): row for row in table(found).shown()}, html.unescape(page(found))
    for code, task in {(code, task) for _, code, task in gaps if task}:
        first, second = (gaps[one.run.model, code, task].accuracy for one in runs)
        row = printed[labels.task(task).short, labels.language(code).name][4:7]
        rates = (f"{shown(share, signed=False)}%" for share in (first, second))
        assert (*row,) == (*rates, shown(second - first))
        assert shown(second - first) in beside


def test_the_hub_has_the_rounding_of_the_page() -> None:
    scored = at_random("puzzles", "acme/one")
    tasks = scored.score["families"]["xlgobench"]["tasks"]
    for result in (results := model_index(scored, "xlgo")["model-index"][0]["results"]):
        task, code = result["dataset"]["config"].rsplit("_", 1)
        for metric in result["metrics"]:
            value = tasks[task]["languages"][code][metric["type"]]
            assert f"{metric['value']:.1f}".replace("-", "−") == shown(value, signed=False)
    assert len(results) == sum(len(task["languages"]) for task in tasks.values())


def numbers_of(table: Table) -> Iterator[list[str]]:
    """What each row must show of shares and differences, in the order of the columns."""
    for row in table.rows:
        yield [
            shown(value, signed=column.kind == "difference" or column.signed,
                  digits=1 if column.digits is None else column.digits)
            for column, value in zip(table.columns, row)
            if column.kind in ("share", "difference") and value is not None
        ]  # fmt: skip


@pytest.mark.parametrize("run", ["puzzles", "simple", "polymath", "korbench", "lit"])
def test_every_table_of_every_family_rounds_alike(run: str, tmp_path: Path) -> None:
    scored: Any = stored(run) if run == "lit" else at_random(run, "acme/one")
    content = Content.of(scored)
    write_files(scored, tmp_path, samples=False, content=content)
    in_tex = (tmp_path / "tables.tex").read_text("utf-8").split(r"\midrule")[1:]
    parts = re.split(r"^## ", (tmp_path / "tables.md").read_text("utf-8"), flags=re.MULTILINE)[1:]
    checked = 0
    for one, text, latex in zip(content.tables()[1], parts, in_tex, strict=True):
        lines = [line for line in text.splitlines() if line.startswith("|")][2:]
        of_tex = latex.split(r"\bottomrule")[0].replace("$-$", "−").strip().split("\\\\\n")
        for wanted, *texts in zip(numbers_of(one), lines, of_tex, strict=False):
            for number, line in ((number, line) for number in wanted for line in texts):
                assert re.search(rf"(?<![\d.]){re.escape(number)}(?![\d.])", line), (number, line)
                checked += 1
    assert checked >= 40

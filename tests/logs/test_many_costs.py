"""Costs of several families, tasks, languages and models."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.report.logs import response, rows, sample, write_run
from xlgo_cli.logs.costs import Costs, cost_line, cost_table
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.logs.lines import Sample, SampleFile, reply_of

FILE = SampleFile(Path("samples.jsonl"), "xlgo", "2026-03-01", "m")
ASKED = {
    ("xlgobench", "slt", "en"): 4, ("xlgobench", "slt", "te"): 2, ("xlgobench", "slt", "ar"): 3,
    ("xlgobench", "dsa", "en"): 1, ("xlgobench", "dsa", "te"): 5,
    ("polymath", "polymath", "en"): 2, ("polymath", "polymath", "te"): 3,
    ("polymath", "polymath", "ar"): 2,
    ("xlgobench", "t_rank", "ar"): 6,
}  # fmt: skip
"""Questions of a cell; the last task was not asked in English."""


def tokens(cell: tuple[str, str, str], number: int) -> tuple[int, int, int]:
    """Of the prompt, of the answer and of the thinking in it."""
    family, task, code = cell
    return 10 * len(task) + 7 * number + 100 * (code == "te"), 30 + number + len(family), number


def samples(cell: tuple[str, str, str], **more: Any) -> Iterator[Sample]:
    for number in range(ASKED[cell]):
        sent, received, thought = tokens(cell, number)
        usage = {
            "prompt_tokens": sent, "completion_tokens": received, "reasoning_tokens": thought,
        }  # fmt: skip
        said = {"usage": usage, "counted_by": "server", "seconds": 0.5 + number} | more
        reference: dict[str, object] = {"family": cell[0], "task": cell[1], "language": cell[2]}
        text = "x" * received
        yield Sample(FILE, number, reference, text, "p" * sent, reply=reply_of(said, text))


@cache
def cost() -> Any:
    costs = Costs()
    for cell in ASKED:
        for one in samples(cell):
            costs.count(cell, one)
    return costs.as_json()


def total(place: int, *, code: str = "", task: str = "") -> int:
    return sum(
        tokens(cell, number)[place]
        for cell, n in ASKED.items()
        for number in range(n)
        if code in ("", cell[2]) and task in ("", cell[1])
    )


def test_every_cell_and_every_sum() -> None:
    for (family, task, code), n in ASKED.items():
        cell = cost()["tasks"][family][task][code]
        sums = [total(place, code=code, task=task) for place in range(3)]
        assert (cell["answers"], cell["requests"], cell["counted"]) == (n, n, n)
        assert [cell[name] for name in ("tokens_in", "tokens_out", "thinking")] == sums
        assert (cell["characters_in"], cell["characters_out"]) == (sums[0], sums[1])
        assert cell["seconds"] == pytest.approx(0.5 * n + n * (n - 1) / 2)


def test_one_cell_without_tokens_or_seconds_leaves_the_others() -> None:
    costs = Costs()
    for cell in ASKED:
        lost = cell == ("xlgobench", "dsa", "te")
        more = {"usage": None, "seconds": None} if lost else {"counted_by": "tokenizer"}
        for one in samples(cell, **more):
            costs.count(cell, one)
    found = costs.as_json()
    assert (found["unit"], found["counted_by"]) == ("characters", "tokenizer")
    line = cost_line({"cost": found})
    assert line.startswith(f"{total(0):,} characters in, {total(1):,} out (token counts")
    rows = {(row[0], row[1]): row[5:] for row in cost_table(found).rows}
    assert sum(row == (None,) for row in rows.values()) == 1
    assert rows["DSA", "Telugu"] == (None,)
    both = Costs()
    for cell in ASKED:
        own = "tokenizer" if cell[2] == "ar" else "server"
        for one in samples(cell, counted_by=own):
            both.count(cell, one)
    told = both.as_json()
    assert (told["unit"], told["counted_by"]) == ("tokens", "server+tokenizer")
    assert "(counted with the model's tokenizer)" in cost_line({"cost": told})


def test_prompts_that_were_cut_are_counted_by_task_and_language() -> None:
    costs = Costs()
    for cell in ASKED:
        for one in samples(cell, prompt_cut=cell[2] == "te"):
            costs.count(cell, one)
        for one in samples(cell, state="missing", prompt_cut=True):
            costs.count(cell, one)
    sums = costs.frame.groupby(["task", "language"])[["is_there", "is_cut"]].sum()
    assert sums["is_there"].to_dict() == {cell[1:]: n for cell, n in ASKED.items()}
    cut = {cell[1:]: n * (cell[2] == "te") for cell, n in ASKED.items()}
    assert sums["is_cut"].to_dict() == cut


IN = {"en": 100, "ar": 230, "te": 400}
OUT = {"en": 10, "ar": 12, "te": 45}
"""Tokens of every prompt and answer of a language."""


def made(folder: Path) -> list[dict[str, Any]]:
    """A run of three languages with the usage of all answers."""
    asked = rows()
    samples = [sample(row, response(row), n) for n, row in enumerate(asked)]
    for row, one in zip(asked, samples):
        usage = {
            "prompt_tokens": IN[row["language"]],
            "completion_tokens": OUT[row["language"]],
            "reasoning_tokens": 3,
        }
        one["answers"] = [{"state": "answered", "usage": usage, "seconds": 0.25}]
    write_run(folder, samples=samples)
    return asked


def test_tokens_and_seconds_of_every_language(tmp_path: Path) -> None:
    asked = made(tmp_path)
    cost = score_folder(tmp_path).score["cost"]
    assert (cost["unit"], cost["counted_by"]) == ("tokens", "server")
    cells = cost["tasks"]["xlgobench"]["slt"]
    for code, of_prompt in IN.items():
        own = [row for row in asked if row["language"] == code]
        n, cell = len(own), cells[code]
        assert cell["answers"] == n
        assert (cell["tokens_in"], cell["tokens_out"]) == (n * of_prompt, n * OUT[code])
        assert (cell["thinking"], cell["seconds"]) == (3 * n, 0.25 * n)
        assert cell["characters_in"] == sum(len(row["prompt"]) for row in own)
    assert cost_line({"cost": cost}).startswith("17,520 tokens in, 1,608 out")

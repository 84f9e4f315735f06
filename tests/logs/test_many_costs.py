"""Costs of several families, tasks, languages and models."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from xlgo_cli.logs.costs import Costs, cost_line, cost_table
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


def counted(more: Callable[[Any], dict[str, Any]] = lambda cell: {}) -> Costs:
    """The costs of all cells, whose samples may have ``more``."""
    costs = Costs()
    for cell in ASKED:
        for one in samples(cell, **more(cell)):
            costs.count(cell, one)
    return costs


def total(place: int, *, code: str = "", task: str = "") -> int:
    return sum(
        tokens(cell, number)[place]
        for cell, n in ASKED.items()
        for number in range(n)
        if code in ("", cell[2]) and task in ("", cell[1])
    )


def test_every_cell_and_every_sum() -> None:
    cost: Any = counted().as_json()
    for (family, task, code), n in ASKED.items():
        cell = cost["tasks"][family][task][code]
        sums = [total(place, code=code, task=task) for place in range(3)]
        assert (cell["answers"], cell["requests"], cell["counted"]) == (n, n, n)
        assert [cell[name] for name in ("tokens_in", "tokens_out", "thinking")] == sums
        assert (cell["characters_in"], cell["characters_out"]) == (sums[0], sums[1])
        assert cell["seconds"] == pytest.approx(0.5 * n + n * (n - 1) / 2)


def test_one_cell_without_tokens_or_seconds_leaves_the_others() -> None:
    lacking = ("xlgobench", "dsa", "te")
    nothing, other = {"usage": None, "seconds": None}, {"counted_by": "tokenizer"}
    cost: Any = counted(lambda cell: nothing if cell == lacking else other).as_json()
    assert (cost["unit"], cost["counted_by"]) == ("characters", "tokenizer")
    line = cost_line({"cost": cost})
    assert line.startswith(f"{total(0):,} characters in, {total(1):,} out (token counts")
    rows = {(row[0], row[1]): row[5:] for row in cost_table(cost).rows}
    assert [cell for cell, row in rows.items() if row == (None,)] == [("DSA", "Telugu")]
    cost = counted(lambda cell: other if cell[2] == "ar" else {}).as_json()
    assert (cost["unit"], cost["counted_by"]) == ("tokens", "server+tokenizer")
    assert "(counted with the model's tokenizer)" in cost_line({"cost": cost})


def test_prompts_that_were_cut_are_counted_by_task_and_language() -> None:
    costs = counted(lambda cell: {"prompt_cut": cell[2] == "te"})
    for cell in ASKED:
        for one in samples(cell, state="missing", prompt_cut=True):
            costs.count(cell, one)
    sums = costs.frame.groupby(["task", "language"])[["is_there", "is_cut"]].sum()
    assert sums["is_there"].to_dict() == {cell[1:]: n for cell, n in ASKED.items()}
    cut = {cell[1:]: n * (cell[2] == "te") for cell, n in ASKED.items()}
    assert sums["is_cut"].to_dict() == cut

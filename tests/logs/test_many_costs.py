"""Costs of several families, tasks, languages and models."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from xlgo_cli.logs.costs import Costs, Price, judge_cost, read_prices
from xlgo_cli.logs.lines import Sample, SampleFile, reply_of
from xlgo_cli.report.screen import cost_line, cost_table

EUROS = Price(2.0, 10.0, "EUR")
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
    return costs.as_json(8000.0, EUROS)


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
        assert cell["money"] == pytest.approx((2 * sums[0] + 10 * sums[1]) / 1e6)


def test_the_line_and_the_table_of_a_whole_run() -> None:
    sent, received = total(0), total(1)
    line = cost_line({"cost": cost()})
    assert line == (
        f"{sent:,} tokens in, {received:,} out; 2 h 13 min; "
        f"{(2 * sent + 10 * received) / 1e6:.2g} EUR"
    )
    assert "2 h" not in cost_line({"cost": {**cost(), "wall_seconds": None}})
    judge = judge_cost("critic", "dear", {"answers": 3, "requests": 4, "timed": 3}, None)
    assert cost_line({"cost": {**cost(), "judge": judge}}) == f"{line}; the judge: 4 requests"
    table = cost_table(cost())
    rows = {row[:2]: row[2:] for row in table.rows}
    assert len(rows) == len(table.rows) == len(ASKED)
    names = {"slt": "SLT", "dsa": "DSA", "polymath": "PolyMath", "t_rank": "T-Rank"}
    shorts = {name.casefold(): name for name, _ in rows}
    languages = {"en": "English", "te": "Telugu", "ar": "Arabic"}
    for (_, task, code), n in ASKED.items():
        short = shorts[names[task].casefold()]
        spent = total(0, code=code, task=task), total(1, code=code, task=task)
        assert rows[short, languages[code]] == (
            n, *spent, pytest.approx(0.5 * n + n * (n - 1) / 2),
            pytest.approx((2 * spent[0] + 10 * spent[1]) / 1e6),
        )  # fmt: skip
    assert "Tokens as the server counted them" in table.caption


def test_one_cell_without_tokens_or_seconds_leaves_the_others() -> None:
    costs = Costs()
    for cell in ASKED:
        lost = cell == ("xlgobench", "dsa", "te")
        more = {"usage": None, "seconds": None} if lost else {"counted_by": "tokenizer"}
        for one in samples(cell, **more):
            costs.count(cell, one)
    found = costs.as_json(None, EUROS)
    assert (found["unit"], found["counted_by"]) == ("characters", "tokenizer")
    priced = {
        (family, task, code)
        for family, tasks in found["tasks"].items()
        for task, languages in tasks.items()
        for code, entry in languages.items()
        if "money" in entry
    }
    assert priced == set(ASKED) - {("xlgobench", "dsa", "te")}
    line = cost_line({"cost": found})
    assert line.startswith(f"{total(0):,} characters in, {total(1):,} out (token counts")
    assert line.endswith("no cost estimate: token counts are incomplete")
    rows = {(row[0], row[1]): row[5:] for row in cost_table(found).rows}
    assert sum(row == (None, None) for row in rows.values()) == 1
    assert rows["DSA", "Telugu"] == (None, None)
    both = Costs()
    for cell in ASKED:
        own = "tokenizer" if cell[2] == "ar" else "server"
        for one in samples(cell, counted_by=own):
            both.count(cell, one)
    told = both.as_json(None, None)
    assert (told["unit"], told["counted_by"], told["price"]) == ("tokens", "server+tokenizer", None)
    assert "(counted with the model's tokenizer)" in cost_line({"cost": told})


def test_prompts_that_were_cut_are_counted_by_task_and_language() -> None:
    costs = Costs()
    for cell in ASKED:
        for one in samples(cell, prompt_cut=cell[2] == "te"):
            costs.count(cell, one)
        for one in samples(cell, state="missing", prompt_cut=True):
            costs.count(cell, one)
    assert costs.asked == {cell[1:]: n for cell, n in ASKED.items()}
    assert +costs.cut == {cell[1:]: n for cell, n in ASKED.items() if cell[2] == "te"}


def test_each_model_has_its_own_price_and_the_judge_may_have_none(tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    path.write_text(
        'currency = "EUR"\ninput = 1\noutput = 2\n'
        "[models.dear]\ninput = 10\noutput = 20\n[models.dearer]\ninput = 100\noutput = 200\n"
    )
    prices = read_prices(path)
    assert {name: prices.of(name).of(3_000_000, 500_000) for name in ("dear", "dearer", "any")} == {
        "dear": 40.0,
        "dearer": 400.0,
        "any": 4.0,
    }
    spent = {"answers": 2, "counted": 2, "tokens_in": 1_000_000, "tokens_out": 500_000}
    found = judge_cost("critic", "dear", spent, prices)
    assert (found["judge"], found["model"]) == ("critic", "dear")
    assert (found["money"], found["currency"]) == (20.0, "EUR")
    assert "money" not in judge_cost("critic", "dear", {**spent, "counted": 1}, prices)
    assert "currency" not in judge_cost("critic", "dear", {**spent, "counted": 1}, prices)
    path.write_text("[models.dear]\ninput = 10\noutput = 20\n")
    assert "money" not in judge_cost("critic", "other", spent, read_prices(path))
    with pytest.raises(ValueError, match="no price of 'other': there are dear"):
        read_prices(path).of("other")

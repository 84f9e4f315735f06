"""Costs of several families, tasks, languages and models."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.report.logs import response, rows, sample, write_run
from xlgo_cli.cli import main
from xlgo_cli.logs.costs import Costs, Price, judge_cost, read_prices
from xlgo_cli.logs.graded_run import score_folder
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


IN = {"en": 100, "ar": 230, "te": 400}
OUT = {"en": 10, "ar": 12, "te": 45}
"""Tokens of every prompt and answer of a language."""


def made(folder: Path, *, leave_out: int = 0) -> list[dict[str, Any]]:
    """A run of three languages with the usage of all answers but the last few."""
    asked = rows()
    samples = [sample(row, response(row), n) for n, row in enumerate(asked)]
    for row, one in list(zip(asked, samples))[: len(samples) - leave_out]:
        usage = {
            "prompt_tokens": IN[row["language"]],
            "completion_tokens": OUT[row["language"]],
            "reasoning_tokens": 3,
        }
        one["answers"] = [{"state": "answered", "usage": usage, "seconds": 0.25}]
    write_run(folder, samples=samples)
    return asked


def test_tokens_seconds_and_money_of_every_language(tmp_path: Path) -> None:
    asked = made(tmp_path)
    prices = tmp_path / "prices.toml"
    prices.write_text('currency = "EUR"\n[models."acme/lingua"]\ninput = 0.15\noutput = 0.6\n')
    cost = score_folder(tmp_path, prices=read_prices(prices)).score["cost"]
    assert (cost["unit"], cost["counted_by"]) == ("tokens", "server")
    cells = cost["tasks"]["xlgobench"]["slt"]
    for code, of_prompt in IN.items():
        own = [row for row in asked if row["language"] == code]
        n, cell = len(own), cells[code]
        assert cell["answers"] == n
        assert (cell["tokens_in"], cell["tokens_out"]) == (n * of_prompt, n * OUT[code])
        assert (cell["thinking"], cell["seconds"]) == (3 * n, 0.25 * n)
        assert cell["characters_in"] == sum(len(row["prompt"]) for row in own)
        exact = (Fraction(15, 100) * of_prompt + Fraction(6, 10) * OUT[code]) * n / 10**6
        assert cell["money"] == pytest.approx(float(exact), rel=1e-12)
    assert cost_line({"cost": cost}).startswith("17,520 tokens in, 1,608 out")


def test_money_is_given_only_where_all_tokens_are_known(tmp_path: Path) -> None:
    uncounted = made(tmp_path / "run", leave_out=1)[-1]["language"]
    prices = tmp_path / "p.json"
    prices.write_text('{"input": 10, "output": 100}')
    score = score_folder(tmp_path / "run", prices=read_prices(prices)).score
    cells = score["cost"]["tasks"]["xlgobench"]["slt"]
    assert {code for code, cell in cells.items() if "money" not in cell} == {uncounted}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("p.toml", "input = 1", "p.toml: give `input` and `output`"),
        ("p.toml", "input = -1\noutput = 2", "a price must be 0 or more, got -1"),
        ("p.toml", "input = true\noutput = 2", "a price must be 0 or more, got True"),
        pytest.param("p.toml", "a = " + "[" * 5_000, "not valid TOML (nested", id="deep TOML"),
        pytest.param("p.json", "[" * 5_000, "not valid JSON (nested", id="deep JSON"),
        ("p.toml", "", "no prices in it"),
        ("p.toml", "inputs = 3", "give `input` and `output`"),
        ("p.toml", "= 3", "not valid TOML"),
        ("p.json", "[1]", "give `input` and `output`"),
        ("p.json", '{"models": {"other": {"input": 1, "output": 2}}}', "no price of 'acme/lingua'"),
    ],
)
def test_a_price_list_that_cannot_be_used_is_told(
    name: str, text: str, message: str, tmp_path: Path, capsys
) -> None:
    write_run(tmp_path / "run")
    (tmp_path / name).write_text(text)
    assert main(["score", str(tmp_path / "run"), "--prices", str(tmp_path / name)]) == 2
    printed = capsys.readouterr().err
    assert message in printed
    assert printed.count("\n") == 1

"""What a run took: tokens, seconds and money, added up by hand."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from xlgo_cli.cli import main
from xlgo_cli.logs.costs import _of_chain, read_prices
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.report.screen import cost_line

from ..report.logs import response, rows, sample, write_run

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


def test_without_all_counts_characters_are_given_and_said_to_be(tmp_path: Path) -> None:
    made(tmp_path, leave_out=1)
    score = score_folder(tmp_path).score
    assert score["cost"]["unit"] == "characters"
    characters = sum(len(row["prompt"]) for row in rows())
    assert f"{characters:,} characters in" in cost_line(score)
    assert "token counts unavailable" in cost_line(score)


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


def test_one_price_for_any_model(tmp_path: Path, capsys) -> None:
    made(tmp_path / "run")
    prices = tmp_path / "p.json"
    prices.write_text('{"input": 10, "output": 100}')
    assert main(["score", str(tmp_path / "run"), "--json", "--prices", str(prices)]) == 0
    cells = json.loads(capsys.readouterr().out)["cost"]["tasks"]["xlgobench"]["slt"]
    total = sum(cell["money"] for cell in cells.values())
    assert total == pytest.approx((17520 * 10 + 1608 * 100) / 1e6)


def test_characters_of_chains_are_those_that_were_sent():
    rounds = [{"state": "answered", "text": "x" * n} for n in (10, 20, 30)]
    chain = json.dumps({"kind": "self_correction", "rounds": rounds})
    spent = _of_chain(chain, "p" * 100, "")
    assert spent is not None
    assert (spent["characters_in"], spent["characters_out"]) == (100 + 110 + 130, 60)
    hops = [
        {"state": "answered", "text": "y" * 30},
        {"state": "error"},
        {"state": "answered", "text": "y" * 20},
    ]
    spent = _of_chain(
        json.dumps({"kind": "translation", "hops": hops}), "p" * 60 + "t" * 40, "t" * 40
    )
    assert spent is not None
    # The frame of 60 around the text, and around the first translation.
    assert (spent["characters_in"], spent["requests"]) == (100 + 90, 2)

"""What tasks without complexities ask, against their rows and a run of their chains."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd

pytest.importorskip("lm_eval")

from tests.chat_server import ChatServer, message
from tests.lit.chains.client import RUN, items, model
from tests.lit.chains.running import run_chains
from xlgo_cli.cli import main
from xlgo_cli.harness.preflight.size import BYTES_PER_TOKEN
from xlgo_lm_eval.answers import Answers

rows: Any = partial(xd.family("lit").rows, languages=["en"])


CHAINS = 7


def plan(capsys: Any, *more: str) -> list[dict[str, Any]]:
    assert main(["plan", "--tasks", "lit_e_asia", "--limit", str(CHAINS), "--json", *more]) == 0
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    return found


def test_chains_cost_what_a_run_of_them_sends(capsys: Any, tmp_path: Path) -> None:
    """A model that repeats the original, so that every answer is as long as the plan has it."""
    asked, judged = plan(capsys)
    originals = [json.loads(str(row["reference"]))["original"] for row in list(rows("lit_e_asia"))]
    respond = lambda prompt, body: (  # noqa: E731
        200,
        message(next(text for text in originals if text in prompt)),
    )
    with ChatServer(respond) as server, Answers(tmp_path / "l.jsonl", RUN) as answers:
        run_chains(model(server.url, 2), items(CHAINS), answers)
    assert asked["who"] == "model"
    assert asked["questions"] == CHAINS
    assert asked["requests"] == len(server.prompts)
    sent = sum(len(prompt.encode()) for prompt in server.prompts)
    # Each prompt is rounded down to whole tokens.
    assert sent / BYTES_PER_TOKEN - len(server.prompts) < asked["tokens_in"]
    assert asked["tokens_in"] <= sent / BYTES_PER_TOKEN
    # A judge has two questions about each chain.
    assert judged["who"] == "judge"
    assert judged["requests"] == 2 * CHAINS


def test_prices_and_answers(capsys: Any, tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text("input = 1.0\noutput = 2.0\n[models.critic]\ninput = 10.0\noutput = 0.0\n")
    more = "--prices", str(prices), "--judge", "critic", "--answer-tokens", "100"
    asked, judged = plan(capsys, *more)
    assert asked["tokens_out"] == 100 * 5 * CHAINS
    assert asked["price"] == pytest.approx((asked["tokens_in"] + 2 * asked["tokens_out"]) / 1e6)
    assert judged["price"] == pytest.approx(judged["tokens_in"] / 1e5)
    assert [one["who"] for one in plan(capsys, "--judge", "none")] == ["model"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--tasks", "lit_africa,slt"], "plan these apart"),
        (["--tasks", "lit_africa", "--limit", "0"], "--limit: must be an integer from 1"),
        (["--tasks", "lit_africa", "--prices", "nowhere.toml"], "nowhere.toml"),
    ],
)
def test_mistakes(arguments: list[str], words: str, capsys: Any) -> None:
    assert main(["plan", *arguments]) == 2
    assert words in capsys.readouterr().err

"""What chains and their judge cost: what the servers said, model and judge apart."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("lm_eval")

from tests.chat_server import ChatServer, message
from xlgo_cli.cli import main
from xlgo_cli.logs.costs import Costs, read_prices
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.simulate.simulator import Simulator
from xlgo_lm_eval.lit.chains import Translation
from xlgo_lm_eval.replies import Answer

pytestmark = pytest.mark.filterwarnings("ignore")


def test_tokens_are_those_of_all_requests_and_the_judge_stands_apart(
    profile: Path, tmp_path: Path, capsys: Any
) -> None:
    simulator = Simulator(str(profile))
    told = {"toy": [0, 0, 0], "judge": [0, 0, 0]}

    def respond(prompt: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        text = simulator.answer(prompt)
        usage = {"prompt_tokens": len(prompt) // 4, "completion_tokens": len(str(text)) // 4}
        if prompt.startswith(("Translate", "You compare")):
            sums = told[body["model"]]
            sums[0] += 1
            sums[1] += usage["prompt_tokens"]
            sums[2] += usage["completion_tokens"]
        return 200, message(text) | {"usage": usage}

    prices = tmp_path / "prices.toml"
    prices.write_text(
        'currency = "EUR"\n[models.toy]\ninput = 1.0\noutput = 2.0\n'
        "[models.judge]\ninput = 10.0\noutput = 20.0\n"
    )
    out = tmp_path / "out"
    with ChatServer(respond) as server:
        where = f"base_url={server.url},num_concurrent=4,max_length=65536"
        code = main([
            "run", "--model", "xlgo-chat-completions", "--model_args", f"model=toy,{where}",
            "--apply_chat_template", "--tasks", "lit_africa", "--limit", "3", "--judge",
            "local-chat-completions", "--judge-args", f"model=judge,{where}",
            "--prices", str(prices), "--output_path", str(out),
        ])  # fmt: skip
    assert code == 0
    requests, ins, outs = told["toy"]
    assert requests == 3 * 5
    cost = score_folder(out, prices=read_prices(prices)).score["cost"]
    found = cost["tasks"]["lit"]["lit_africa"]["en"]
    assert (found["answers"], found["requests"]) == (3, 15)
    assert (found["tokens_in"], found["tokens_out"]) == (ins, outs)
    assert found["money"] == pytest.approx((ins + 2 * outs) / 1e6)
    judge = cost["judge"]
    # One of the requests was the trial, which is in no ledger.
    assert judge["requests"] == told["judge"][0] - 1 == 6
    assert 0 < told["judge"][1] - judge["tokens_in"] < 800
    assert judge["money"] == pytest.approx(
        (10 * judge["tokens_in"] + 20 * judge["tokens_out"]) / 1e6
    )
    line = " ".join(capsys.readouterr().out.split())
    assert f"15 requests, {ins:,} tokens in, {outs:,} out" in line
    assert f"the judge: 6 requests, {judge['tokens_in']:,} tokens in" in line


@pytest.mark.parametrize("source", ["tokenizer", "server"])
def test_who_counted_the_tokens_of_a_chain_is_told(source: str) -> None:
    """A model of this machine has no server that counts."""
    usage = {"prompt_tokens": 7, "completion_tokens": 3}
    answer = Answer("<translation>x</translation>", usage=usage, counted_by=source)
    outcome = Translation("x", ("en", "te", "en"), ("E", "T", "E")).outcome([answer, answer])
    sample: Any = SimpleNamespace(
        reference={"original": "x"}, response=json.dumps(outcome), prompt="x", reply=Answer("")
    )
    costs = Costs()
    costs.count(("lit", "lit_e_asia", "en"), sample)
    told = costs.as_json(None, None)
    assert (told["unit"], told["counted_by"]) == ("tokens", source)
    assert told["tasks"]["lit"]["lit_e_asia"]["en"]["tokens_in"] == 14

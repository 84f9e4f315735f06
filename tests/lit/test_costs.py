"""What chains cost: what the server of the model said, not that of the judge."""

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lm_eval")

from tests.chat_server import ChatServer, message
from xlgo_cli.cli import main
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.simulate.simulator import Simulator

pytestmark = pytest.mark.filterwarnings("ignore")


def test_tokens_are_those_of_all_requests_but_the_judges(
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

    out = tmp_path / "out"
    with ChatServer(respond) as server:
        where = f"base_url={server.url},num_concurrent=4,max_length=65536"
        code = main([
            "run", "--model", "xlgo-chat-completions", "--model_args", f"model=toy,{where}",
            "--apply_chat_template", "--tasks", "lit_africa", "--limit", "3", "--judge",
            "local-chat-completions", "--judge-args", f"model=judge,{where}",
            "--output_path", str(out),
        ])  # fmt: skip
    assert code == 0
    requests, ins, outs = told["toy"]
    assert requests == 3 * 5
    cost = score_folder(out).score["cost"]
    found = cost["tasks"]["lit"]["lit_africa"]["en"]
    assert (found["answers"], found["requests"]) == (3, 15)
    assert (found["tokens_in"], found["tokens_out"]) == (ins, outs)
    assert told["judge"][0] == 1 + 3 * 2  # a trial, and two questions on each answer
    line = " ".join(capsys.readouterr().out.split())
    assert f"15 requests, {ins:,} tokens in, {outs:,} out" in line

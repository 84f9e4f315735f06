"""A judge is asked about each chain when it ends, and cannot harm the run."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("lm_eval")

from tests.chat_server import ChatServer, answering, message
from xlgo_cli.harness.judging.asking import JudgeBeside, JudgeModel, item_of
from xlgo_dataset.families.lit.translator import Translator
from xlgo_lm_eval.answers import Answers
from xlgo_lm_eval.asking import asker
from xlgo_lm_eval.chains import Item
from xlgo_lm_eval.recorded import Recorded
from xlgo_metric.judge import Question

from .client import RUN, items, model

LOSSY = Translator({"default": 0.1}, seed=3)
JUDGE = JudgeModel("local-chat-completions", {"model": "j"}, {"max_gen_toks": 16})


class Critic(JudgeBeside):
    """Asks two questions about each chain."""

    async def judge(self, chain: Any) -> None:
        self._chain = chain
        await super().judge(chain)


@pytest.fixture(autouse=True)
def _two_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    def questions(reference: Any, response: str) -> list[Question]:
        final = json.loads(response)["final"]
        return [
            Question(
                "q", "v1", f"Judge {n}: {final}", lambda text: text == "good", lambda text: "?"
            )
            for n in range(2)
        ]

    monkeypatch.setattr("xlgo_cli.harness.judging.asking.questions_about", questions)


def run(server: ChatServer, folder: Path, chains: list[Item]) -> tuple[list[Any], JudgeBeside]:
    with (
        Answers(folder / "run.ndjson", RUN) as answers,
        Answers(folder / "judge.ndjson", {"model": "judge"}) as replies,
    ):
        critic = Critic(asker(model(server.url, 2), replies), JUDGE)
        lm = Recorded(model(server.url, 2), answers, ended=critic.judge, judge=critic.asker)
        requests = [SimpleNamespace(item=item, repeats=1) for item in chains]
        return [json.loads(text) for text in lm.generate_chain(requests)], critic


@pytest.mark.parametrize(("code", "reply"), [(200, "good"), (404, "gone")])
def test_chains_are_judged_while_others_go_on(code: int, reply: str, tmp_path: Path) -> None:
    translate = answering(LOSSY)

    def respond(prompt: str, body: dict[str, Any]) -> tuple[int, dict[str, Any] | bytes]:
        is_question = prompt.startswith("Judge") or prompt == "?"
        return (code, message(reply)) if is_question else translate(prompt, body)

    with ChatServer(respond) as server:
        outcomes, critic = run(server, tmp_path, items(24))
        # A judge that has gone, or says nothing readable, costs no translation.
        assert all(outcome["status"] == "ok" for outcome in outcomes)
        asked = [prompt for prompt in server.prompts if prompt.startswith("Judge")]
        assert len(server.prompts) - len(asked) >= 24 * 5
        if reply == "good":
            assert len(asked) == 48
            prompts = list(server.prompts)
            assert run(server, tmp_path, items(24))[0] == outcomes
            assert server.prompts == prompts  # nothing is asked again, of either model
        else:
            assert len(set(asked)) < 48
        assert critic.asker.is_closed == (reply == "gone")
    assert item_of(Question("q", "v", "p", bool, str), JUDGE).gen_kwargs["max_gen_toks"] == 16

"""Another model is asked about each chain when it ends, and cannot harm the run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lm_eval")

from tests.chat_server import ChatServer, answering, message
from xlgo_dataset.families.lit.translator import Translator
from xlgo_lm_eval.chains import Ask, Chain, Item
from xlgo_lm_eval.engine import run_chains
from xlgo_lm_eval.ledger import Ledger

from .client import GEN_KWARGS, RUN, items, model

LOSSY = Translator({"default": 0.1}, seed=3)


class Once:
    """One question."""

    def __init__(self, prompt: str) -> None:
        self._prompt = prompt

    def __call__(self, history: Sequence[Any]) -> Ask | None:
        return None if history else Ask(self._prompt)

    def outcome(self, history: Sequence[Any]) -> dict[str, Any]:
        return {"text": history[-1].text}


class Critic:
    """Asks two questions about each chain."""

    def __init__(self, lm: Any, ledger: Ledger) -> None:
        self.lm = lm
        self.ledger = ledger
        self.heard: list[str] = []
        self.error: Exception | None = None

    def items(self, chain: Chain) -> list[Item]:
        final = chain.outcome()["final"]
        prompts = [f"Judge {number}: {chain.item.chain} {final}" for number in range(2)]
        return [Item(prompt, "v", Once(prompt), GEN_KWARGS) for prompt in prompts]

    def finished(self, chain: Chain) -> None:
        self.heard.append(chain.outcome()["text"])

    def ended(self, error: Exception) -> None:
        self.error = error


@pytest.mark.parametrize("code", [200, 404])
def test_chains_are_judged_while_others_go_on(code: int, tmp_path: Path) -> None:
    translate = answering(LOSSY)

    def respond(prompt: str, body: dict[str, Any]) -> tuple[int, dict[str, Any] | bytes]:
        return (code, message("good")) if prompt.startswith("Judge") else translate(prompt, body)

    # Of 24 chains at two connections, parts of eight are under way together.
    with (
        ChatServer(respond) as server,
        Ledger(tmp_path / "run.jsonl", RUN) as ledger,
        Ledger(tmp_path / "judge.jsonl", {"model": "judge"}) as replies,
    ):
        critic = Critic(model(server.url, 2), replies)
        chains = run_chains(model(server.url, 2), items(24), ledger, beside=critic)
        prompts = list(server.prompts)
        # A judge that has gone costs no translation.
        assert all(chain.outcome()["status"] == "ok" for chain in chains)
        is_question = [prompt.startswith("Judge") for prompt in prompts]
        assert is_question.count(False) == 24 * 5
        first = is_question.index(True)
        assert is_question[:first].count(False) <= 24 * 5 / 2
        if code == 404:
            assert isinstance(critic.error, ConnectionError)
            assert not critic.heard
            return
        assert critic.error is None
        assert critic.heard == ["good"] * 48
        # What is recorded is not asked again, of either model.
        again = Critic(critic.lm, replies)
        run_chains(model(server.url, 2), items(24), ledger, beside=again)
        assert server.prompts == prompts
        assert again.heard == critic.heard


def test_judging_that_is_given_up_leaves_the_chains(tmp_path: Path) -> None:
    class Strict(Critic):
        def finished(self, chain: Chain) -> None:
            super().finished(chain)
            raise LookupError("enough")

        def items(self, chain: Chain) -> list[Item]:
            return [] if self.error else super().items(chain)

    translate = answering(LOSSY)

    def respond(prompt: str, body: dict[str, Any]) -> tuple[int, dict[str, Any] | bytes]:
        is_question = prompt.startswith("Judge")
        return (200, message("good")) if is_question else translate(prompt, body)

    with (
        ChatServer(respond) as server,
        Ledger(tmp_path / "run.jsonl", RUN) as ledger,
        Ledger(tmp_path / "judge.jsonl", {"model": "judge"}) as replies,
    ):
        critic = Strict(model(server.url, 2), replies)
        chains = run_chains(model(server.url, 2), items(24), ledger, beside=critic)
    assert all(chain.outcome()["status"] == "ok" for chain in chains)
    assert isinstance(critic.error, LookupError)
    assert 1 <= len(critic.heard) <= 2  # one for each connection

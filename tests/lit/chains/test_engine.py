"""The engine: 12 chains of 5 requests, failures that stay alone, what a resumed run asks for."""

import itertools
import json
from collections import Counter
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd

pytest.importorskip("lm_eval")

from lm_eval.api.model import LM

from tests.chat_server import ChatServer, message
from tests.lit.chains.running import run_chains
from tests.lit.made import share_left
from xlgo_dataset.families.lit import prompts
from xlgo_dataset.families.lit.translator import LOST, Translator
from xlgo_lm_eval.answers import Answers
from xlgo_lm_eval.chains import Ask, Item

from .client import GEN_KWARGS, RUN, items, model

rows: Any = partial(xd.family("lit").rows, languages=["en"])


LOSSY = Translator({"default": 0.1, "ko": 0.25}, seed=3)


class Plain(LM):
    """A model that answers by a function, with or without telling of each answer at once."""

    def __init__(self, answer: Any, tells: bool = True) -> None:
        super().__init__()
        self.answer = answer
        self.tells = tells
        self.sent: list[str] = []

    def generate_until(self, requests: list[Any], disable_tqdm: bool = False) -> list[str]:
        texts = []
        for request in requests:
            context, gen_kwargs = request.args
            self.sent.append(context)
            texts.append(self.answer(context))
            if self.tells:
                self.cache_hook.add_partial("generate_until", (context, gen_kwargs), texts[-1])
        return texts

    def apply_chat_template(self, chat_history: Any, add_generation_prompt: bool = True) -> str:
        return str(chat_history[-1]["content"])

    def loglikelihood(self, requests: Any) -> Any:
        raise AssertionError("chains are written")

    loglikelihood_rolling = loglikelihood


def by_hand(text: str, codes: list[str], names: list[str], answer: Any) -> list[str]:
    """What the hops of a chain must be, without the engine."""
    found = []
    for src, tgt in itertools.pairwise(names):
        text = answer(prompts.translation(text, src, tgt))
        found.append(text)
    return found


def originals(count: int) -> list[dict[str, Any]]:
    return [json.loads(str(row["reference"])) for row in list(rows("lit_e_asia"))[:count]]


@pytest.mark.parametrize("tells", [True, False])
def test_twelve_chains_of_five(tmp_path: Path, tells: bool) -> None:
    lm = Plain(LOSSY.answer, tells)
    hook = lm.cache_hook
    with Answers(tmp_path / "hops.jsonl", RUN) as answers:
        chains = run_chains(lm, items(12), answers)
    assert len(lm.sent) == 60
    assert lm.cache_hook is hook
    for chain, reference in zip(chains, originals(12)):
        outcome: Any = chain.outcome()
        codes, names = reference["chain"]["codes"], reference["chain"]["names"]
        assert [hop["text"] for hop in outcome["hops"]] == by_hand(
            reference["original"], codes, names, LOSSY.answer
        )
        assert outcome["status"] == "ok"
        # The loss is known without translating anything.
        words = left = len(reference["original"].split())
        for code in codes[1:]:
            rate = Fraction(1, 4) if code == "ko" else Fraction(1, 10)
            left -= int(left * rate + Fraction(1, 2))
        assert outcome["final"].count(LOST) == words - left
        assert share_left(outcome["final"], reference["original"]) == left / words


def numbered(count: int, hops: int = 3) -> list[Item]:
    """Chains whose prompts are ``chain hop``."""

    class Numbered:
        def __init__(self, number: int) -> None:
            self.number = number

        def __call__(self, history: Any) -> Ask | None:
            return Ask(f"{self.number} {len(history)}") if len(history) < hops else None

        def remaining(self, history: Any) -> int:
            return hops - len(history)

        def outcome(self, history: Any) -> dict[str, Any]:
            return {"texts": [answer.text for answer in history]}

    return [Item(f"chain {n}", Numbered(n), GEN_KWARGS) for n in range(count)]


@pytest.mark.parametrize("code", [400, 500])
@pytest.mark.parametrize("concurrent", [1, 8])
def test_one_poisoned_request_costs_one_chain(tmp_path: Path, code: int, concurrent: int) -> None:
    def respond(prompt: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if prompt == "37 1":
            return code, {"error": {"message": "no, sk-0123456789abcdef"}}
        return 200, message(f"re: {prompt}")

    with ChatServer(respond) as server:
        with Answers(tmp_path / "l.jsonl", RUN) as answers:
            chains = run_chains(model(server.url, concurrent), numbered(100), answers)
        sent = Counter(server.prompts)
    assert sent.pop("37 1") == (1 if code == 400 else 2)  # max_retries
    assert set(sent.values()) == {1}
    assert len(sent) == 298
    for number, chain in enumerate(chains):
        texts = [f"re: {number} {hop}" for hop in range(3)]
        assert chain.outcome()["texts"] == (["re: 37 0", ""] if number == 37 else texts)
    assert chains[37].history[-1].status == "error"
    assert chains[37].history[-1].error == f"HTTP {code}: no, [removed]"
    assert "sk-0123" not in (tmp_path / "l.jsonl").read_text()


@pytest.mark.parametrize("tells", [True, False])
def test_a_local_model_that_fails_as_a_whole(tmp_path: Path, tells: bool) -> None:
    def answer(prompt: str) -> str:
        if prompt == "5 1":
            raise RuntimeError("out of memory at https://host/x?key=abc Bearer abc")
        return f"re: {prompt}"

    lm = Plain(answer, tells)
    with Answers(tmp_path / "l.jsonl", RUN) as answers:
        with pytest.raises(RuntimeError, match="out of memory"):
            run_chains(lm, numbered(20), answers)
        kept = len(answers)
    assert (kept > 20) == tells  # what was answered before the failure
    with Answers(tmp_path / "l.jsonl", RUN) as answers:
        lm.answer, lm.sent = (lambda prompt: f"re: {prompt}"), []
        chains = run_chains(lm, numbered(20), answers)
    assert len(lm.sent) == 60 - kept
    assert [len(chain.history) for chain in chains] == [3] * 20


def test_a_server_that_has_gone_ends_the_run(tmp_path: Path) -> None:
    with ChatServer(lambda p, b: (401, {"error": "who are you"})) as server:
        lm = model(server.url, 4)
        with (
            Answers(tmp_path / "l.jsonl", RUN) as answers,
            pytest.raises(ConnectionError, match=r"none of the last 8 requests \(HTTP 401: "),
        ):
            run_chains(lm, numbered(100), answers)
        assert 8 <= len(server.prompts) <= 8 + 4


def test_states_come_from_the_server_and_end_a_chain(tmp_path: Path) -> None:
    said = {
        "0 0": message("half a tex", "length"),
        "1 0": message(None, "stop", reasoning_content="only thinking"),
        "2 0": message("", "content_filter"),
        "3 0": message(None, refusal="I will not"),
        "4 0": {"error": {"message": "overloaded"}},
        "5 0": {"choices": "nonsense"},
    }
    with (
        ChatServer(lambda p, b: (200, said[p])) as server,
        Answers(tmp_path / "l.jsonl", RUN) as answers,
    ):
        for concurrent in (1, 4):
            chains = run_chains(model(server.url, concurrent), numbered(6, hops=1), answers)
            states = [chain.history[-1].status for chain in chains]
            assert states == ["length", "empty", "refused", "refused", "error", "error"]
            assert chains[1].history[-1].reasoning == "only thinking"


def test_repetitions_and_fresh_tries_get_other_seeds(tmp_path: Path) -> None:
    class Fresh:
        def __call__(self, history: Any) -> Ask | None:
            return Ask("same", fresh=len(history)) if len(history) < 2 else None

        def remaining(self, history: Any) -> int:
            return 2 - len(history)

        def outcome(self, history: Any) -> dict[str, Any]:
            return {}

    with (
        ChatServer(lambda p, b: (200, message("x"))) as server,
        Answers(tmp_path / "l.jsonl", RUN) as answers,
    ):
        found = [Item("c", Fresh(), {**GEN_KWARGS, "seed": 7}, repeat=r) for r in range(2)]
        run_chains(model(server.url, 1), found, answers)
        assert sorted(body["seed"] for body in server.bodies) == [7, 8, 1_000_007, 1_000_008]


def test_of_what_waits_the_chain_with_the_most_left_goes_first(tmp_path: Path) -> None:
    class Known:
        def __init__(self, name: str, hops: int) -> None:
            self.name, self.hops = name, hops

        def __call__(self, history: Any) -> Ask | None:
            return Ask(f"{self.name} {len(history)}") if self.remaining(history) else None

        def remaining(self, history: Any) -> int:
            return self.hops - len(history)

        def outcome(self, history: Any) -> dict[str, Any]:
            return {}

    steps = [Known("a", 1), Known("b", 1), Known("c", 2), Known("long", 4)]
    asked = [Item(step.name, step, GEN_KWARGS) for step in steps]
    with (
        ChatServer(lambda p, b: (200, message("x"))) as server,
        Answers(tmp_path / "l.jsonl", RUN) as answers,
    ):
        run_chains(model(server.url, 1), asked, answers)
    # Of chains with as much left the earlier goes first.
    assert server.prompts == ["long 0", "long 1", "c 0", "long 2", "a 0", "b 0", "c 1", "long 3"]

"""The engine and its steps: 12 chains of 5 requests, failures that stay alone, answers by hand."""

import base64
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import datasets
import pytest
from lm_eval.api.model import LM
from lm_eval.models.openai_completions import LocalChatCompletion

import xlgo_dataset as xd
from tests.chat_server import ChatServer, message
from tests.clock import processor_seconds
from tests.looping import looped
from xlgo_dataset.families.lit import prompts
from xlgo_dataset.families.lit.translator import LOST, Translator
from xlgo_lm_eval.answers import MISSING, REFUSED, Answer, Answers, missing, read_reply
from xlgo_lm_eval.asking import asker, run
from xlgo_lm_eval.chains import Ask, Item, Step, Task, follow
from xlgo_lm_eval.lit.chains import Translation, read_hop

RUN = {"model": "toy"}
GEN_KWARGS = {"temperature": 1.0, "max_gen_toks": 4096, "until": []}


def items(count: int, task: str = "lit_e_asia") -> list[tuple[Item, Any]]:
    """Chains of a task, each with its reference."""
    found = []
    for row in list(xd.family("lit").rows(task, ["en"]))[:count]:
        reference = json.loads(str(row["reference"]))
        chain = reference["chain"]
        step = Translation(reference["original"], chain["codes"], chain["names"])
        found.append((Item(row["instance_id"], step, GEN_KWARGS), reference))
    return found


def model(url: str, concurrent: int) -> Any:
    return LocalChatCompletion(
        base_url=url, model="toy", num_concurrent=concurrent, max_retries=2, max_length=65536
    )


class Chain(NamedTuple):
    """A chain that was run."""

    item: Item
    history: Sequence[Answer]

    def outcome(self) -> dict[str, object]:
        return self.item.step.outcome(self.history)


def run_chains(lm: Any, items: Sequence[Item], answers: Answers) -> list[Chain]:
    """Chains of requests, run to their ends."""
    client = asker(lm, answers)
    jobs = [partial(follow, client, item, number) for number, item in enumerate(items)]
    return [Chain(*pair) for pair in zip(items, run(jobs, client))]


LOSSY = Translator({"default": 0.1, "ko": 0.25}, seed=3)


class Plain(LM):
    """A model that answers by a function, with or without telling of each answer at once."""

    def __init__(self, answer: Callable[[str], Any], tells: bool = True) -> None:
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

    loglikelihood = loglikelihood_rolling = None  # chains are written


@dataclass(frozen=True)
class Hops:
    """A step whose prompts are ``name hop``, or always the same, as a fresh try."""

    name: str
    hops: int = 3
    is_fresh: bool = False

    def __call__(self, history: Any) -> Ask | None:
        if not self.remaining(history):
            return None
        if self.is_fresh:
            return Ask(self.name, fresh=len(history))
        return Ask(f"{self.name} {len(history)}")

    def remaining(self, history: Any) -> int:
        return self.hops - len(history)

    def outcome(self, history: Any) -> dict[str, Any]:
        return {"texts": [answer.text for answer in history]}


def numbered(count: int, hops: int = 3) -> list[Item]:
    return [Item(f"chain {n}", Hops(str(n), hops), GEN_KWARGS) for n in range(count)]


@pytest.mark.parametrize("tells", [True, False])
def test_twelve_chains_of_five(tmp_path: Path, tells: bool) -> None:
    lm = Plain(LOSSY.answer, tells)
    hook, asked = lm.cache_hook, items(12)
    with Answers(tmp_path / "hops.jsonl", RUN) as answers:
        chains = run_chains(lm, [item for item, _ in asked], answers)
    assert len(lm.sent) == 60
    assert lm.cache_hook is hook
    for chain, (_, reference) in zip(chains, asked):
        outcome: Any = chain.outcome()
        texts = [reference["original"]]
        for src, tgt in pairwise(reference["chain"]["names"]):
            texts.append(LOSSY.answer(prompts.translation(texts[-1], src, tgt)))
        assert ([hop["text"] for hop in outcome["hops"]], outcome["status"]) == (texts[1:], "ok")
        # The loss is known without translating anything.
        words = left = len(reference["original"].split())
        for code in reference["chain"]["codes"][1:]:
            rate = Fraction(1, 4) if code == "ko" else Fraction(1, 10)
            left -= int(left * rate + Fraction(1, 2))
        assert outcome["final"].count(LOST) == words - left
        assert len(outcome["final"].split()) == words


@pytest.mark.parametrize(("code", "concurrent"), [(400, 8), (500, 1), (500, 8)])
def test_one_poisoned_request_costs_one_chain(tmp_path: Path, code: int, concurrent: int) -> None:
    def respond(prompt: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if prompt == "37 1":
            return code, {"error": {"message": "no, sk-0123456789abcdef"}}
        return 200, message(f"re: {prompt}")

    with ChatServer(respond) as server, Answers(tmp_path / "l.jsonl", RUN) as answers:
        chains = run_chains(model(server.url, concurrent), numbered(100), answers)
        sent = Counter(server.prompts)
    assert sent.pop("37 1") == (1 if code == 400 else 2)  # max_retries
    assert (set(sent.values()), len(sent)) == ({1}, 298)
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
    well = Plain("re: {}".format)
    with Answers(tmp_path / "l.jsonl", RUN) as answers:
        chains = run_chains(well, numbered(20), answers)
    assert (len(well.sent), [len(chain.history) for chain in chains]) == (60 - kept, [3] * 20)


def test_a_server_that_has_gone_ends_the_run(tmp_path: Path) -> None:
    with (
        ChatServer(lambda p, b: (401, {"error": "who are you"})) as server,
        Answers(tmp_path / "l.jsonl", RUN) as answers,
    ):
        with pytest.raises(ConnectionError, match=r"none of the last 8 requests \(HTTP 401: "):
            run_chains(model(server.url, 4), numbered(100), answers)
        assert 8 <= len(server.prompts) <= 8 + 4


def test_a_login_in_the_address_may_hold_encoded_signs(tmp_path: Path) -> None:
    with (
        ChatServer(lambda p, b: (200, message("x"))) as server,
        Answers(tmp_path / "l.jsonl", RUN) as answers,
    ):
        url = server.url.replace("//", "//me%40home:a%3Ab%2F@")
        run_chains(model(url, 1), numbered(1, hops=1), answers)
    login = base64.b64encode(b"me@home:a:b/").decode()
    assert server.sent == [("/v1/chat/completions", f"Basic {login}")]


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


@pytest.fixture
def sent(tmp_path: Path) -> Any:
    """Requests of chains, one at a time."""

    def bodies(asked: list[Item]) -> list[dict[str, Any]]:
        with (
            ChatServer(lambda p, b: (200, message("x"))) as server,
            Answers(tmp_path / "l.jsonl", RUN) as answers,
        ):
            run_chains(model(server.url, 1), asked, answers)
            return [body | {"prompt": p} for p, body in zip(server.prompts, server.bodies)]

    return bodies


def test_repetitions_and_fresh_tries_get_other_seeds(sent: Any) -> None:
    step, options = Hops("same", 2, is_fresh=True), {**GEN_KWARGS, "seed": 7}
    bodies = sent([Item("c", step, options, repeat=repeat) for repeat in range(2)])
    assert sorted(body["seed"] for body in bodies) == [7, 8, 1_000_007, 1_000_008]


def test_of_what_waits_the_chain_with_the_most_left_goes_first(sent: Any) -> None:
    hops = {"a": 1, "b": 1, "c": 2, "long": 4}
    bodies = sent([Item(name, Hops(name, n), GEN_KWARGS) for name, n in hops.items()])
    # Of chains with as much left the earlier goes first.
    order = ["long 0", "long 1", "c 0", "long 2", "a 0", "b 0", "c 1", "long 3"]
    assert [body["prompt"] for body in bodies] == order


def asked_twice(tmp_path: Path, step: Step, answer: Callable[[str], str]) -> tuple[list[str], Any]:
    """What was asked, and the outcome; run twice, so that it is also resumed."""
    lm = Plain(answer)
    with Answers(tmp_path / "a.ndjson", {"model": "m"}) as answers:
        (chain,) = run_chains(lm, [Item("c", step, {})], answers)
        asked = list(lm.sent)
        (again,) = run_chains(lm, [Item("c", step, {})], answers)
    if all(reply.status != "error" for reply in chain.history):
        assert lm.sent == asked
        assert again.outcome() == chain.outcome()
    json.dumps(chain.outcome())
    return asked, chain.outcome()


def in_turn(*answers: str) -> Callable[[str], str]:
    left = list(answers)
    return lambda prompt: left.pop(0)


TWO = Translation("Hi.", ("en", "te", "en"), ("English", "Telugu", "English"))


def test_a_translation_sees_only_the_last_text(tmp_path: Path) -> None:
    asked, outcome = asked_twice(
        tmp_path, TWO, in_turn("<think>hm</think>\n<text>\nనమస్తే\n</text>", "```\nHello.\n```")
    )
    assert asked == [
        prompts.translation("Hi.", "English", "Telugu"),
        prompts.translation("నమస్తే", "Telugu", "English"),
    ]
    assert (outcome["status"], outcome["final"]) == ("ok", "Hello.")
    assert [(hop["src"], hop["tgt"]) for hop in outcome["hops"]] == [("en", "te"), ("te", "en")]
    assert outcome["hops"][0]["reasoning"] == "hm"


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ("<think>I never come to an end", "empty"),
        ("<think>done</think>", "empty"),
        ("<text></text>", "empty"),
        (Answer("cut of", finish="length"), "length"),
        (Answer("", REFUSED, finish="content_filter"), "refused"),
        (missing("HTTP 500"), "error"),
    ],
)
def test_nothing_is_made_of_a_bad_hop(tmp_path: Path, answer: str, state: str) -> None:
    asked, outcome = asked_twice(tmp_path, TWO, in_turn(answer, answer))
    assert (len(set(asked)), outcome["status"], outcome["final"]) == (1, "failed@1", "")
    assert outcome["hops"][0]["state"] == state
    _, outcome = asked_twice(tmp_path / "second", TWO, in_turn("x", answer, answer))
    assert (outcome["status"], outcome["final"]) == ("failed@2", "")


def test_hostile_answers_are_read_quickly() -> None:
    for answer in ("<text>" * 200_000, "```\n" * 200_000, "<think>" * 200_000, "</think>" * 99_999):
        with processor_seconds(1):
            read_hop(Answer(answer))


def test_mistakes_in_a_task_file_are_said() -> None:
    rows = datasets.Dataset.from_list([{"id": "a", "prompt": "b", "reference": "{}"}])
    config: dict[str, Any] = {
        "task": "scratch", "custom_dataset": lambda **_: {"test": rows}, "test_split": "test",
        "output_type": "generate_until", "doc_to_text": "prompt", "doc_to_target": "id",
    }  # fmt: skip
    of_family = {"xlgo_family": "lit", "xlgo_task": "lit_e_asia", "version": 1}
    with pytest.raises(ValueError, match=r"metadata needs chain_step, one of .*translation"):
        Task(config=config | {"metadata": of_family | {"chain_step": "mine"}})
    task = Task(config=config | {"metadata": of_family | {"chain_step": "translation"}})
    with pytest.raises(ValueError, match="has no examples"):
        task.fewshot_context(rows[0], 2)
    # Grading may ask whether a base model went on with the text, or a chat was asked.
    stopped = Task(config=config | {"metadata": {"version": 1, "stop_without_chat": ["Q:"]}})
    for chat, until, noted in ((True, [], None), (False, ["Q:"], "completion")):
        doc = {**rows[0]}
        settings = {"apply_chat_template": chat, "metadata": ("scratch", 0, 1)}
        request = stopped.construct_requests(doc, "b", **settings)
        assert (request.arguments[1]["until"], doc.get("asked")) == (["\n\n", *until], noted)


@looped(
    "outputs",
    [
        None, [], {}, "text", 3, {"choices": None}, {"choices": [None]}, {"choices": {}},
        {"choices": [{"index": None, "message": []}]}, {"choices": [{"message": {"refusal": 3}}]},
        {"choices": [{"finish_reason": ["x"]}], "usage": [1]}, [[]],
        {"choices": [{"index": "x"}], "usage": {"total_tokens": "many"}},
    ],
)  # fmt: skip
def test_strange_replies_are_missing_or_say_nothing_beside_the_text(outputs: Any) -> None:
    def fails() -> list[str]:
        return [outputs["choices"][0]["message"]["content"]]

    assert read_reply(outputs, fails).state == MISSING
    answer = read_reply(outputs, lambda: ["text"])
    assert answer.state == MISSING or (answer, answer.finish, answer.usage) == ("text", None, None)

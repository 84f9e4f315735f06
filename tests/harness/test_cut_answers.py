"""Answers that reached the limit of tokens, thinking kept apart, and prompts that were cut."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from lm_eval.api.model import TemplateLM
from lm_eval.api.registry import MODEL_REGISTRY, register_model

import xlgo_dataset as xd
from tests.chat_server import ChatServer, message
from xlgo_cli.cli import main
from xlgo_cli.logs.graded_run import GradedRun, score_folder
from xlgo_lm_eval.answers import Answers
from xlgo_lm_eval.asking import ApiAsker, run
from xlgo_lm_eval.replies import Answer

ASK = ["--tasks", "xlgo_slt", "--languages", "en,te", "--complexities", "3", "--per_level", "6",
       "--text", "paper"]  # fmt: skip
LIMIT = 5

KINDS: list[tuple[str, str | None, str, str]] = [
    # what is said, thinking kept apart, finish reason: status
    ("RIGHT", None, "stop", "correct"),
    ("RIGHT", None, "length", "correct"),
    ("I begin by looking at", None, "length", "truncated"),
    ("I begin by looking at", None, "stop", "no_answer"),
    ("", "First I look RIGHT", "length", "truncated"),
    ("RIGHT", "First I look", "stop", "correct"),
]


def right(prompt: str) -> str:
    for language in ("en", "te"):
        try:
            return json.dumps(xd.solve(xd.read("slt", prompt, language)))
        except ValueError:
            continue
    raise AssertionError(prompt)


def index_of(prompt: str) -> int:
    """Which of the questions it is: the answers tell them apart."""
    return ORDER.index(right(prompt))


ORDER = [json.dumps(xd.solve(xd.generate("slt", complexity=3, index=i))) for i in range(6)]


def respond(prompt: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    (text, thinking, finish, _), answer = KINDS[index_of(prompt)], right(prompt)
    apart = {"reasoning_content": thinking.replace("RIGHT", answer)} if thinking else {}
    return 200, message(text.replace("RIGHT", answer), finish, **apart)


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with ChatServer(respond) as server:
        yield server.url


def statuses(scored: GradedRun) -> dict[str, dict[str, int]]:
    languages = scored.score["families"]["xlgobench"]["tasks"]["slt"]["languages"]
    return {
        code: {status: n for status, n in cell["statuses"].items() if n}
        for code, cell in languages.items()
    }


def test_finish_reasons_decide_what_is_cut_off(folder: Path, url: str) -> None:
    arguments = f"model=m,base_url={url},num_concurrent=4"
    command = ["run", *ASK, "--model", "local-chat-completions", "--apply_chat_template"]
    assert main([*command, "--model_args", arguments, "--output_path", "out"]) == 0
    scored = score_folder(Path("out"))
    expected: dict[str, int] = {}
    for *_, status in KINDS:
        expected[status] = expected.get(status, 0) + 1
    assert statuses(scored) == {"en": expected, "te": expected}
    # The harness's own table says the same, and its log holds the plain texts.
    [results] = Path("out").rglob("results_*.json")
    table = json.loads(results.read_text("utf-8"))["results"]["xlgo_slt"]
    assert table["truncated,none"] == pytest.approx(2 / 6)
    [path] = Path("out").rglob("samples_*.jsonl")
    texts = {json.loads(line)["resps"][0][0] for line in path.read_text("utf-8").splitlines()}
    assert "" in texts
    assert not any("think" in text for text in texts)
    # Thinking that the server keeps apart counts as thinking.
    lengths = scored.score["families"]["xlgobench"]["thinking"]["slt"]["mean_characters"]
    assert lengths["te"] == (len("First I look") + len(f"First I look {ORDER[4]}")) / 2
    page = (Path("out") / "report" / "report.html").read_text("utf-8")
    assert "backend:local-chat-completions|template:of the server" in page


class Words(TemplateLM):
    """A model whose tokens are words: it knows how many it takes and gives."""

    tokenizer_name = "words"
    max_length = 243
    max_gen_toks = 256

    @property
    def eot_token_id(self) -> int:
        return 0

    @classmethod
    def create_from_arg_obj(cls, *given: Any, **options: Any) -> Words:
        return cls()

    create_from_arg_string = create_from_arg_obj

    def tok_encode(self, string: str, *given: Any, **options: Any) -> list[int]:
        return [len(word) for word in string.split()]

    def generate_until(self, requests: list[Any], *given: Any) -> list[str]:
        return ["so it goes on" + " and on" * (LIMIT if n % 2 else 0) for n in range(len(requests))]

    def loglikelihood(self, requests: list[Any]) -> list[Any]:
        raise AssertionError

    loglikelihood_rolling = _loglikelihood_tokens = loglikelihood


@pytest.fixture
def words() -> str:
    if "xlgo-words" not in MODEL_REGISTRY:
        register_model("xlgo-words")(Words)
    return "xlgo-words"


def test_where_the_tokenizer_is_known_tokens_are_counted(folder: Path, words: str) -> None:
    prompts = {
        code: [
            len(xd.render(xd.generate("slt", complexity=3, index=i), code).split())
            for i in range(6)
        ]
        for code in ("en", "te")
    }
    room = Words.max_length - LIMIT - 4
    long = {code: sum(n > room for n in found) for code, found in prompts.items()}
    assert main(["run", *ASK, "--model", words, "--gen_kwargs", f"max_gen_toks={LIMIT + 4}",
                 "--output_path", "out"]) == 0  # fmt: skip
    assert long["en"] != long["te"]
    scored = score_folder(Path("out"))
    told = {problem.where: problem.message for problem in scored.problems.items}
    for code, name in (("en", "English"), ("te", "Telugu")):
        words_said = f"{long[code]} of 6 prompts have more tokens"
        place = f"Sequential Ledger Tracing, {name}"
        place = next((p for p in told if p.endswith(name)), place)
        assert (words_said in told.get(place, "")) == (long[code] > 0)
    # Every second answer has as many tokens as were allowed; questions go by turns.
    assert sum(found.get("truncated", 0) for found in statuses(scored).values()) == 6
    assert sum(found.get("no_answer", 0) for found in statuses(scored).values()) == 6


@pytest.mark.parametrize(
    "said", [None, [], "x", [7], [{"state": 3, "usage": "many", "finish": []}], [{"state": "odd"}]]
)
def test_whatever_stands_beside_an_answer_it_is_graded(tmp_path: Path, said: Any) -> None:
    sample = {
        "doc": {"reference": {"task": "slt", "answer": {"chain": [1]}}},
        "resps": [["so"]],
        "arguments": [["What?", {}]],
        "answers": said,
    }
    (tmp_path / "samples_x_2026-01-01T00-00-00.jsonl").write_text(json.dumps(sample))
    [(_, record)] = score_folder(tmp_path).records
    assert record.grade.status == "no_answer"


@pytest.mark.parametrize(("asked", "left"), [({}, 6), ({"max_gen_toks": 7}, 3)])
def test_a_long_tokenized_prompt_keeps_its_end(
    asked: dict[str, Any], left: int, tmp_path: Path
) -> None:
    """As the harness cuts it: the question stands at the end. 10 tokens less the answer's."""
    sent: list[Any] = []

    async def amodel_call(messages: list[Any], **_given: Any) -> list[Answer]:
        sent.extend(messages)
        return [Answer("4")]

    lm = SimpleNamespace(
        tokenized_requests=True, max_length=10, _max_gen_toks=4, add_bos_token=False,
        tok_encode=lambda contexts, **_: [list(range(20)) for _ in contexts],
        amodel_call=amodel_call, parse_generations=lambda outputs: outputs, base_url="http://h/v1",
        header={}, _concurrent=1, verify_certificate=True, timeout=1, max_retries=1,
    )  # fmt: skip
    with Answers(tmp_path / "a.ndjson", {}) as answers:
        client = ApiAsker(lm, answers)
        [answer] = run([lambda: client.ask("a long prompt", asked)], client)
    assert sent == [list(range(20 - left, 20))]
    assert answer.prompt_cut

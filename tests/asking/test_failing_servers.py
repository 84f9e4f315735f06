"""Servers that fail for half of one language: no failed request is an answer, in no rate."""

import json
import os
import re
import socket
import struct
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from functools import partial
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import pytest
from lm_eval.api.registry import MODEL_REGISTRY, register_model

import xlgo_dataset as xd
from tests.chat_server import ChatServer, answering, kill_after, message
from tests.harness.answering import Words
from tests.lit.conftest import write_texts
from xlgo_cli.cli import main
from xlgo_cli.logs.graded_run import GradedRun, score_folder
from xlgo_cli.simulate.simulator import Simulator
from xlgo_dataset.core.rng import Stream
from xlgo_lm_eval import asking
from xlgo_lm_eval.answers import Answer, Answers
from xlgo_lm_eval.asking import ApiAsker, ServerError
from xlgo_metric.comparison.compare import UNEQUAL

ASK = ["--tasks", "xlgo_slt", "--languages", "en,te", "--complexities", "3", "--per-level", "12",
       "--text", "paper"]  # fmt: skip
LIMITS = "num_concurrent=4,max_retries=1"


def right(prompt: str, language: str) -> str | None:
    try:
        return json.dumps(xd.solve(xd.read("slt", prompt, language)))
    except ValueError:
        return None


def solution(prompt: str) -> str:
    return next(filter(None, (right(prompt, language) for language in ("te", "en"))))


def body(choice: dict[str, Any]) -> dict[str, Any]:
    return {"choices": [{"index": 0, **choice}], "usage": {}}


TOOL = {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}

FAILURES: dict[str, tuple[int, Any, str, str]] = {
    # code and body of the reply, state, words that must be kept
    "error": (200, {"error": {"message": "backend busy"}}, "missing", "backend busy"),
    "error text": (200, {"error": "overloaded"}, "missing", "overloaded"),
    "error beside choices": (
        200, {"error": {"message": "half"}, **message("{}")}, "missing", "half"),
    "error in a choice": (
        200, body({"error": {"message": "cut"}, "message": {"content": "x"}}), "missing", "cut"),
    "no choices": (200, {"choices": []}, "missing", "holds no answer"),
    "null choices": (200, {"choices": None}, "missing", "holds no answer"),
    "absent choices": (200, {"detail": "model loading"}, "missing", "model loading"),
    "no message": (200, body({"finish_reason": "stop_now"}), "missing", "no content"),
    "null content": (200, message(None, "unknown"), "missing", "no content"),
    "null finish": (200, body({"finish_reason": None, "message": {"content": None}}), "missing",
                    "no content"),
    "empty content": (200, message("", "unknown"), "missing", "no content"),
    "finish error": (200, message("half an ans", "error"), "missing", "error"),
    "abort": (200, message("half an ans", "abort"), "missing", "abort"),
    "tool calls": (200, message(None, "tool_calls", tool_calls=[TOOL]), "missing", "tool_calls"),
    "tool call, stop": (200, message("", "stop", tool_calls=[TOOL]), "missing", "stop"),
    "list": (200, [], "missing", "holds no answer"),
    "not JSON": (200, b"<html>bad gateway</html>", "missing", "JSON"),
    "server error": (500, {"error": {"message": "CUDA error"}}, "missing", "HTTP 500"),
    "bad request": (400, {"error": {"message": "prompt too long"}}, "missing", "prompt too long"),
    "too many": (429, b"slow down", "missing", "slow down"),
    "filter": (200, message(None, "content_filter"), "refused", "content_filter"),
    "refusal": (200, message(None, "stop", refusal="I cannot help"), "refused", "refusal"),
    "filter in capitals": (200, message(None, "SAFETY"), "refused", "SAFETY"),
}  # fmt: skip


def sent_as(
    kind: str, data: bytes, handler: BaseHTTPRequestHandler, length: int | None = None
) -> None:
    """Send a reply of a type, that may be said to be longer than it is."""
    handler.send_response(200)
    handler.send_header("Content-Type", kind)
    handler.send_header("Content-Length", str(length or len(data)))
    handler.end_headers()
    handler.wfile.write(data)
    handler.wfile.flush()
    handler.close_connection = length is not None


def reset(handler: BaseHTTPRequestHandler) -> None:
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.close_connection = True
    os.close(handler.connection.detach())


def closed(handler: BaseHTTPRequestHandler) -> None:
    handler.close_connection = True


JSON = json.dumps(message("{}")).encode()
BROKEN: dict[str, tuple[int, Any, str]] = {
    # replies of which not even the HTTP or the JSON is whole, and words that must be kept
    "reset": (200, reset, "reset by peer"),
    "closed": (200, closed, "ServerDisconnectedError"),
    "half a body": (
        200,
        partial(sent_as, "application/json", JSON[:40], length=len(JSON)),
        "ClientPayloadError",
    ),
    "half JSON": (200, JSON[:40], "JSONDecodeError"),
    "no UTF-8": (200, b'{"choices": "\xff\xfe"}', "UnicodeDecodeError"),
    "nested": (200, b"[" * 100_000, "RecursionError"),
    "HTML": (200, partial(sent_as, "text/html", b"<html>login</html>"), "mimetype: text/html"),
    "plain text": (200, partial(sent_as, "text/plain", JSON), "mimetype: text/plain"),
    "too late": (200, lambda handler: time.sleep(2.5), "TimeoutError"),
    "choices of text": (200, {"choices": "none today"}, "none today"),
    "null in choices": (200, {"choices": [None]}, "holds no answer"),
    "a number": (200, message(12345), "holds no answer"),
    "bad gateway": (502, b"<html>bad gateway</html>", "HTTP 502: <html>bad"),
    "too large": (413, {"error": {"message": "body too large"}}, "body too large"),
    "gone": (404, {"error": {"message": "model was unloaded"}}, "model was unloaded"),
}


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")


def run(server: ChatServer, *more: str) -> int:
    return main([
        "run", *ASK, "--model", "local-chat-completions", "--apply_chat_template",
        "--model_args", f"model=m,base_url={server.url},timeout=2,{LIMITS}", "--out", "out", *more,
    ])  # fmt: skip


def test_no_failure_of_any_kind_is_an_answer(folder: Path, capfd: Any) -> None:
    """Every second Telugu question meets another fault, all in one run; then all is well."""
    kinds = [*FAILURES.values()]
    kinds += [(code, reply, "missing", words) for code, reply, words in BROKEN.values()]
    n, states = 2 * len(kinds), Counter(state for _, _, state, _ in kinds)
    prompts: dict[str, int] = {}

    def well(prompt: str, sent: dict[str, Any]) -> tuple[int, Any]:
        return 200, message(solution(prompt))

    def respond(prompt: str, sent: dict[str, Any]) -> tuple[int, Any]:
        if right(prompt, "te") is None:
            return well(prompt, sent)
        place = prompts.setdefault(prompt, len(prompts))
        return kinds[place // 2][:2] if place % 2 else well(prompt, sent)

    with ChatServer(respond) as server:
        assert run(server, "--per-level", str(n)) == 1
        scored = score_folder(Path("out"), partial=True)
        [results] = Path("out").rglob("results_*.json")
        table = json.loads(results.read_text("utf-8"))["results"]["xlgo_slt"]
        assert [main(["score", "out", *more]) for more in ([], ["--partial"])] == [1, 0]
        server.respond = well
        server.prompts.clear()
        for _ in range(2):
            assert run(server, "--per-level", str(n)) == 1  # what was refused stays so
            assert len(server.prompts) == states["missing"]  # and nothing else
    assert len(list(Path("out").rglob("results_*.json"))) == 1  # those of the same command
    assert score_folder(Path("out")).count == 2 * n - states["refused"]
    cells = scored.score["families"]["xlgobench"]["tasks"]["slt"]["languages"]
    assert {code: cell["accuracy"] for code, cell in cells.items()} == {"en": 1.0, "te": 1.0}
    [row] = scored.score["missing"]
    assert row.items() >= {"language": "te", "asked": n, **states}.items()
    reasons = "\n".join(reason["reason"] for reason in row["reasons"])
    assert [words for *_, words in kinds if words not in reasons] == []
    assert table["acc,none"] == 1.0  # the harness's own table leaves them out, too
    assert cells["te"]["difference"]["refused"] == UNEQUAL
    assert not {"slt_diff_te", "slt_p_te", "diff_te"} & scored.score["headline"].keys()


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


ORDER = [json.dumps(xd.solve(xd.generate("slt", complexity=3, index=i))) for i in range(6)]
"""The answers, which tell the questions apart."""


def respond(prompt: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    answer = solution(prompt)
    text, thinking, finish, _ = KINDS[ORDER.index(answer)]
    apart = {"reasoning_content": thinking.replace("RIGHT", answer)} if thinking else {}
    return 200, message(text.replace("RIGHT", answer), finish, **apart)


def statuses(scored: GradedRun) -> dict[str, dict[str, int]]:
    return {
        code: {status: n for status, n in cell["statuses"].items() if n}
        for code, cell in scored.score["families"]["xlgobench"]["tasks"]["slt"]["languages"].items()
    }


def test_finish_reasons_decide_what_is_cut_off(folder: Path) -> None:
    with ChatServer(respond) as server:
        assert run(server, "--per-level", "6") == 0
    scored = score_folder(Path("out"))
    expected = Counter(status for *_, status in KINDS)
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


class Counting(Words):
    """It knows how many tokens it takes and gives."""

    max_length, max_gen_toks = 243, 256

    @classmethod
    def create_from_arg_obj(cls, *given: Any, **options: Any) -> "Counting":
        return cls()

    create_from_arg_string = create_from_arg_obj

    def generate_until(self, requests: list[Any], *given: Any) -> list[str]:
        return ["so it goes on" + " and on" * (LIMIT if n % 2 else 0) for n in range(len(requests))]


@pytest.fixture
def words() -> str:
    if "xlgo-words" not in MODEL_REGISTRY:
        register_model("xlgo-words")(Counting)
    return "xlgo-words"


def test_where_the_tokenizer_is_known_tokens_are_counted(folder: Path, words: str) -> None:
    prompts = {
        code: [
            len(xd.render(xd.generate("slt", complexity=3, index=i), code).split())
            for i in range(6)
        ]
        for code in ("en", "te")
    }
    room = Counting.max_length - LIMIT - 4
    long = {code: sum(n > room for n in found) for code, found in prompts.items()}
    assert main([
        "run", *ASK, "--per-level", "6", "--model", words, "--gen_kwargs",
        f"max_gen_toks={LIMIT + 4}", "--output_path", "out",
    ]) == 0  # fmt: skip
    assert long["en"] != long["te"]
    scored = score_folder(Path("out"))
    for code, name in (("en", "English"), ("te", "Telugu")):
        said = f"{long[code]} of 6 prompts have more tokens"
        found = [one for one in scored.problems.items if said in one.message]
        assert any(one.where.endswith(name) for one in found) == (long[code] > 0)
    # Every second answer has as many tokens as were allowed; questions go by turns.
    both = sum(map(Counter, statuses(scored).values()), Counter[str]())
    assert both == {"truncated": 6, "no_answer": 6}


@pytest.mark.parametrize(
    "said", [None, [], "x", [7], [{"state": 3, "usage": "many", "finish": []}], [{"state": "odd"}]]
)
def test_whatever_stands_beside_an_answer_it_is_graded(tmp_path: Path, said: Any) -> None:
    (tmp_path / "samples_x_2026-01-01T00-00-00.jsonl").write_text(
        json.dumps(
            {
                "doc": {"reference": {"task": "slt", "answer": {"chain": [1]}}},
                "resps": [["so"]],
                "arguments": [["What?", {}]],
                "answers": said,
            }
        )
    )
    [(_, record)] = score_folder(tmp_path).records
    assert record.grade.status == "no_answer"


def answered(
    call: AsyncMock, asked: list[Any], path: Path, settings: dict[str, Any], **more: Any
) -> list[Answer]:
    """The answers of a model behind an interface that is a function."""
    lm = SimpleNamespace(**{
        "tokenized_requests": False, "amodel_call": call, "parse_generations": None,
        "base_url": "http://h/v1", "header": {}, "_concurrent": 1, "verify_certificate": True,
        "timeout": 1, "max_retries": 1, **more,
    })  # fmt: skip
    with Answers(path / "a.ndjson", {}) as answers:
        client = ApiAsker(lm, answers)
        return asking.run([partial(client.ask, context, settings) for context in asked], client)


@pytest.mark.parametrize(("asked", "left"), [({}, 6), ({"max_gen_toks": 7}, 3)])
def test_a_long_tokenized_prompt_keeps_its_end(
    asked: dict[str, Any], left: int, tmp_path: Path
) -> None:
    """As the harness cuts it: the question stands at the end. 10 tokens less the answer's."""
    call = AsyncMock(return_value=[Answer("4")])
    [answer] = answered(
        call, ["a long prompt"], tmp_path, asked, tokenized_requests=True, max_length=10,
        _max_gen_toks=4, add_bos_token=False,
        tok_encode=lambda contexts, **_: [list(range(20)) for _ in contexts],
    )  # fmt: skip
    assert call.await_args.kwargs["messages"] == [list(range(20 - left, 20))]
    assert (answer.prompt_cut, answer.counted_by) == (True, None)


@pytest.mark.parametrize(
    ("failure", "tries"),
    [*((ServerError(code, "no"), 9) for code in (408, 409, 425, 429, 500, 529)),
     (OSError("unreachable"), 9), *((ServerError(code, "no"), 1) for code in (400, 404, 413))],
)  # fmt: skip
def test_what_may_pass_is_tried_again_after_waits_of_at_most_ten_seconds(
    failure: Exception, tries: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Seconds are those from the last sending to the answer: no wait, and no other request."""
    now, waits, sessions = [0.0], list[float](), set[Any]()

    def call(session: Any, **_: Any) -> None:
        sessions.add((session.timeout.total, session.connector._ssl))
        now[0] += 3
        raise failure

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        now[0] += seconds

    monkeypatch.setattr(asking.asyncio, "sleep", sleep)
    monkeypatch.setattr(asking, "time", SimpleNamespace(time=lambda: now[0]))
    answers = answered(
        AsyncMock(side_effect=call), ["a", "b"], tmp_path, {},
        max_retries=9, timeout=7.5, verify_certificate=tries > 1,
    )  # fmt: skip
    assert [answer.seconds for answer in answers] == [3.0, 3.0]
    assert sorted(waits) == sorted([1, 1, 1, 2, 4, 8, 10, 10][: tries - 1] * 2)
    assert sessions == {(7.5, tries > 1)}


@pytest.mark.parametrize(
    ("codes", "said"),
    [([200] + [503] * 64, "last 64 requests (HTTP 503: at [address] not now)"),
     ([200] + [403] * 64, "last 64 requests (HTTP 403: at [address] not now): set the environment"),
     ([200] + [400] * 70, ""), ([200] + [429] * 63 + [200] + [429] * 63, ""),
     ([400] * 8, "last 8 requests (HTTP 400")],
)  # fmt: skip
def test_a_run_ends_where_the_next_request_would_fail_too(
    codes: list[int], said: str, tmp_path: Path
) -> None:
    failures = [ServerError(code, "at https://host/key not now") for code in codes]
    call = AsyncMock(side_effect=[[Answer("4")] if f.code == 200 else f for f in failures])
    raised = pytest.raises(ConnectionError, match=re.escape(said or "last"))
    with raised if said else nullcontext():
        answered(call, [str(n) for n in range(len(codes))], tmp_path, {})
    assert call.await_count == len(codes)


CONCURRENT = 4
CURVES = {"en": {"q": 8, "r": 0.04}, "te": {"q": 8, "r": 0.06}}
PROFILE = {"tasks": {"slt": CURVES}, "translation": {"loss": {"default": 0.1}}}
KILLED = {
    "adaptive": ["--tasks", "xlgo_slt", "--languages", "en,te", "--design", "adaptive",
                 "--budget", "40", "--c-min", "3", "--c-max", "7"],
    "judged": ["--tasks", "lit_e_asia", "--judge", "local-chat-completions"],
}  # fmt: skip


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ChatServer]:
    path = tmp_path / "profile.json"
    path.write_text(json.dumps(PROFILE))
    with ChatServer(answering(Simulator(str(path))), delay=0.02) as serving:
        yield serving


def command(server: ChatServer, kind: str, folder: Path, out: str) -> list[str]:
    given = f"model=m,base_url={server.url},num_concurrent={CONCURRENT}"
    more = list(KILLED[kind])
    if kind == "judged":
        write_texts(folder / "texts.jsonl")
        more += ["--metadata", json.dumps({"source": str(folder / "texts.jsonl")})]
        more += ["--judge-args", given]
    return [
        "run", "--model", "local-chat-completions", "--apply_chat_template", "--model_args", given,
        "--quiet", "--out", str(folder / out), *more,
    ]  # fmt: skip


def start(words: list[str]) -> subprocess.Popen[bytes]:
    """The command in a process of its own, which can be killed."""
    return subprocess.Popen(
        [sys.executable, "-m", "xlgo_cli", *words],
        env=os.environ | {"OPENAI_API_KEY": "none", "HF_HUB_OFFLINE": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def results(out: Path) -> dict[str, Any]:
    """What stands in the files, but for dates, durations and what servers said beside."""
    found: dict[str, Any] = {}
    for path in sorted(out.rglob("samples_*.jsonl")):
        lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        for line in lines:
            for answer in line["answers"]:
                answer.pop("seconds", None)
        task = path.name.rpartition("_")[0]
        assert task not in found  # one file of samples for each task
        found[task] = lines
    scores = json.loads((out / "report" / "scores.json").read_text("utf-8"))
    found["families"], found["headline"] = scores["families"], scores.get("headline")
    return found


@pytest.mark.parametrize(
    ("kills", "kind"),
    [
        (1, "adaptive"),
        # Chains that go on are shown without a kill in tests/lit/chains/test_engine.py.
        *(pytest.param(*case, marks=pytest.mark.slow)
          for case in ((1, "judged"), (20, "adaptive"), (20, "judged"))),
    ],
)  # fmt: skip
def test_killed_and_resumed(kills: int, kind: str, server: ChatServer, tmp_path: Path) -> None:
    assert main(command(server, kind, tmp_path, "whole")) == 0
    asked = Counter(server.prompts)
    total = sum(asked.values())
    server.prompts.clear()
    words = command(server, kind, tmp_path, "out")
    stream = Stream("kills", kills)
    for moment in sorted((stream.permutation(total - 8)[:kills] + 4).tolist()):
        # What was asked twice at a kill does not count as progress.
        kill_after(start(words), lambda: len(set(server.prompts)), moment, 0.03 * stream.uniform())
        time.sleep(0.1)
    assert main(words) == 0
    again = Counter(server.prompts)
    assert set(again) == set(asked)
    flying = (2 if kind == "judged" else 1) * CONCURRENT
    assert sum(again.values()) - total <= kills * flying  # each kill loses what flew
    assert results(tmp_path / "out") == results(tmp_path / "whole")

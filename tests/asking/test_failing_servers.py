"""Servers that fail for half of one language: no failed request is an answer, in no rate."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd
from tests.chat_server import TRIAL, ChatServer, message
from xlgo_cli.cli import main
from xlgo_cli.logs.graded_run import score_folder

ASK = ["--tasks", "xlgo_slt", "--languages", "en,te", "--complexities", "3", "--per-level", "12"]
LIMITS = "num_concurrent=4,max_retries=1"


def right(prompt: str, language: str) -> str | None:
    try:
        return json.dumps(xd.solve(xd.read("slt", prompt, language)))
    except ValueError:
        return None


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


def failing(kind: str) -> Callable[[str, dict[str, Any]], tuple[int, Any]]:
    """Right answers, but for every second Telugu question."""
    code, reply, *_ = FAILURES[kind]
    order = [json.dumps(xd.solve(xd.generate("slt", complexity=3, index=i))) for i in range(12)]

    def respond(prompt: str, sent: dict[str, Any]) -> tuple[int, Any]:
        if prompt == TRIAL:
            return 200, message("OK")
        if (answer := right(prompt, "te")) is not None and order.index(answer) % 2:
            return code, reply
        return 200, message(answer or right(prompt, "en"))

    return respond


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")


def run(server: ChatServer, *more: str) -> int:
    arguments = f"model=m,base_url={server.url},{LIMITS}"
    return main([
        "run", *ASK, "--model", "local-chat-completions", "--apply_chat_template",
        "--model_args", arguments, "--out", "out", *more,
    ])  # fmt: skip


@pytest.mark.parametrize("kind", FAILURES)
def test_no_failed_request_is_an_answer(kind: str, folder: Path, capfd: Any) -> None:
    *_, state, words = FAILURES[kind]
    with ChatServer(failing(kind)) as server:
        assert run(server) == 1
    printed = capfd.readouterr()
    assert words in printed.err
    summary = printed.out.partition("Summary\n")[2].splitlines()
    assert summary[0].startswith(f"- 6 answers are in no rate: Telugu 6 {state} (")
    scored = score_folder(Path("out"), partial=True)
    languages = scored.score["families"]["xlgobench"]["tasks"]["slt"]["languages"]
    assert {code: cell["accuracy"] for code, cell in languages.items()} == {"en": 1.0, "te": 1.0}
    [row] = scored.score["missing"]
    assert (row["language"], row["asked"], row[state]) == ("te", 12, 6)
    assert [words in reason["reason"] for reason in row["reasons"]] == [True]
    [results] = Path("out").rglob("results_*.json")
    table = json.loads(results.read_text("utf-8"))["results"]["xlgo_slt"]
    assert table["acc,none"] == 1.0  # the harness's own table leaves them out, too


def test_what_is_missing_is_asked_again_and_nothing_else(folder: Path, capfd: Any) -> None:
    with ChatServer(failing("error")) as server:
        assert run(server) == 1
        server.respond = lambda prompt, sent: (
            200, message(right(prompt, "te") or right(prompt, "en") or "OK")
        )  # fmt: skip
        before = len(server.questions())
        assert before == 24
        assert run(server) == 0
        assert len(server.questions()) == 30
        assert run(server) == 0
        assert len(server.questions()) == 30
    assert len(list(Path("out").rglob("samples_*.jsonl"))) == 1
    assert score_folder(Path("out")).count == 24


def test_partial_scores_the_rest(folder: Path, capfd: Any) -> None:
    with ChatServer(failing("error")) as server:
        assert run(server, "--partial") == 0
    assert main(["score", "out"]) == 1
    assert main(["score", "out", "--partial"]) == 0

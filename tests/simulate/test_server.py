"""``xlgo serve``: an OpenAI-compatible interface, with several requests in flight."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import Any

import pytest
from lm_eval import simple_evaluate

import xlgo_dataset as xd
from tests.harness.conftest import manager
from xlgo_cli.cli import main
from xlgo_cli.simulate.server import CHAT, HOST, MODELS, SimulatedServer
from xlgo_cli.simulate.simulator import Simulator

ASKED = {"messages": [{"role": "user", "content": "Hello"}]}


@pytest.fixture
def server() -> Iterator[SimulatedServer]:
    with SimulatedServer(Simulator("demo")) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def post(server: SimulatedServer, path: str, body: Any) -> tuple[int, Any]:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(server.url + path, data)) as reply:
            return reply.status, json.load(reply)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


@pytest.fixture
def prompt() -> str:
    return xd.render(xd.generate("slt", complexity=4), "hi")


def test_a_chat_gets_the_answer_of_the_simulator(server: SimulatedServer, prompt: str) -> None:
    expected = Simulator("demo").answer(prompt)
    code, chat = post(server, CHAT, {"messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Hello!"},
        {"role": "user", "content": [{"type": "text", "text": prompt}]},
    ]})  # fmt: skip
    assert code == 200
    assert chat["choices"][0]["message"] == {"role": "assistant", "content": expected}


def test_the_model_is_listed(server: SimulatedServer) -> None:
    with urllib.request.urlopen(server.url + MODELS) as reply:
        assert json.load(reply)["data"][0]["id"] == "xlgo-sim-demo"


@pytest.mark.parametrize(
    ("path", "body", "code", "message"),
    [
        (CHAT, b"{", 400, "must be JSON"),
        (CHAT, b"[" * 100_000, 400, "must be JSON"),
        (CHAT, {"prompt": "x"}, 400, "with messages"),
        (CHAT, {"messages": [{"role": "user", "content": 3}]}, 400, "message of text"),
        (CHAT, {"messages": [{"role": "user", "content": [{}]}]}, 400, "message of text"),
        (CHAT, [], 400, "with messages"),
        ("/v1/completions", {"prompt": "x"}, 404, "no such path"),
        (CHAT, {**ASKED, "n": 2}, 400, "n are not supported"),
        (CHAT, {**ASKED, "max_tokens": 0}, 400, "max_tokens must be"),
        (CHAT, {**ASKED, "max_tokens": "5"}, 400, "max_tokens must be"),
        (CHAT, {**ASKED, "max_completion_tokens": True}, 400, "max_tokens must be"),
        (CHAT, {**ASKED, "stream": True}, 400, "stream and n are not supported"),
    ],
)
def test_what_it_cannot_read_is_refused(
    server: SimulatedServer, path: str, body: Any, code: int, message: str
) -> None:
    found, reply = post(server, path, body)
    assert found == code
    assert message in reply["error"]["message"]


def test_several_requests_are_in_flight(
    server: SimulatedServer, prompt: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    everyone = threading.Barrier(10, timeout=120)
    answer = server.simulator.answer

    def together(text: str) -> str:
        """Goes on only when all ten requests are here."""
        everyone.wait()
        return answer(text)

    monkeypatch.setattr(server.simulator, "answer", together)
    body = {"messages": [{"role": "user", "content": prompt}]}
    with ThreadPoolExecutor(10) as pool:
        codes = list(pool.map(lambda _: post(server, CHAT, body)[0], range(10)))
    assert codes == [200] * 10


def test_the_harness_gets_the_same_through_the_server(server: SimulatedServer) -> None:
    metadata = {"preset": "smoke", "levels": 3, "per_level": 2, "languages": "en,te"}
    results = simple_evaluate(
        "local-chat-completions",
        {"model": "sim", "base_url": server.url + CHAT, "num_concurrent": 6},
        tasks=["xlgo_graph_sp"],
        apply_chat_template=True,
        bootstrap_iters=0,
        task_manager=manager(**metadata),
    )
    assert results is not None
    simulator = Simulator("demo")
    samples = results["samples"]["xlgo_graph_sp"]
    assert len(samples) == 12
    for sample in samples:
        (turn,) = json.loads(sample["arguments"][0][0][0])
        assert sample["resps"] == [[simulator.answer(turn["content"])]]


def test_a_server_that_could_not_answer_is_not_started(capsys) -> None:
    assert main(["serve", "--port", "99999"]) == 2
    assert "port 99999 cannot be used" in capsys.readouterr().err


def test_the_limit_of_tokens_is_honoured(server: SimulatedServer, prompt: str) -> None:
    expected = Simulator("demo").answer(prompt)
    chat: dict[str, Any] = {"messages": [{"role": "user", "content": prompt}]}
    code, reply = post(server, CHAT, {**chat, "max_tokens": 3})
    assert code == 200
    (choice,) = reply["choices"]
    assert (choice["message"]["content"], choice["finish_reason"]) == (expected[:12], "length")
    assert reply["usage"]["completion_tokens"] == 3
    (choice,) = post(server, CHAT, {**chat, "max_completion_tokens": 5000})[1]["choices"]
    assert (choice["message"]["content"], choice["finish_reason"]) == (expected, "stop")


@pytest.mark.parametrize(
    "sent", [b"", b"POST /v1/", b"POST /v1/completions HTTP/1.1\r\nContent-Length: 9\r\n\r\n{"]
)
def test_a_client_that_falls_silent_is_let_go(
    server: SimulatedServer, sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("xlgo_cli.simulate.server._Handler.timeout", 0.3)
    with socket.create_connection((HOST, server.server_port)) as client:
        client.sendall(sent)
        client.settimeout(60)
        assert client.recv(1000) == b""


def test_a_body_above_the_limit_is_refused_at_once(server: SimulatedServer) -> None:
    with socket.create_connection((HOST, server.server_port), timeout=5) as client:
        client.sendall(f"POST {CHAT} HTTP/1.1\r\nContent-Length: {10**12}\r\n\r\n".encode())
        assert client.recv(1000).startswith(b"HTTP/1.1 413 ")


def test_it_has_loaded_before_it_says_that_it_answers() -> None:
    words = [sys.executable, "-m", "xlgo_cli", "serve", "--port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = re.search(r"http://\S+?(?=;)", process.stdout.readline())
        assert url is not None
        body = json.dumps({"messages": [{"role": "user", "content": "Say OK."}]}).encode()
        began = perf_counter()
        with urllib.request.urlopen(url[0], data=body, timeout=30) as reply:
            reply.read()
        seconds = perf_counter() - began
        process.kill()
    assert seconds < 1.0

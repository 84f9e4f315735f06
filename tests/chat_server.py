"""An OpenAI-compatible server for the tests; it keeps what it gets."""

from __future__ import annotations

import json
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Respond = Callable[[str, dict[str, Any]], "tuple[int, Any]"]
"""Takes the last prompt and the whole body, returns an HTTP code and a body: JSON, bytes, or what
is called with the handler of the request instead."""


def message(text: object, finish: str = "stop", **more: Any) -> dict[str, Any]:
    return {
        "choices": [
            {
                "index": 0,
                "finish_reason": finish,
                "message": {"role": "assistant", "content": text, **more},
            }
        ],
        "usage": {"prompt_tokens": 3, "completion_tokens": 5, "total_tokens": 8},
    }


def kill_after(
    process: subprocess.Popen[Any], count: Callable[[], int], most: int, wait: float = 0.0
) -> None:
    """Kill a process some seconds after a count passes a number, unless it has ended by then."""
    begun = time.monotonic()
    while count() <= most and process.poll() is None:
        assert time.monotonic() - begun < 300
        time.sleep(0.001)
    time.sleep(wait)
    process.send_signal(signal.SIGKILL)
    process.wait()


def answering(model: Any) -> Respond:
    """Responses of a simulated model or translator, by its method ``answer``."""
    return lambda prompt, body: (200, message(model.answer(prompt)))


class ChatServer(ThreadingHTTPServer):
    """Answers on a thread for each connection.

    ``prompts``, ``bodies`` and ``sent`` (path and authorization) hold what arrived, in its order.
    """

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, respond: Respond, delay: float = 0.0) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.respond = respond
        self.delay = delay
        self.prompts: list[str] = []
        self.bodies: list[dict[str, Any]] = []
        self.sent: list[tuple[str, str | None]] = []
        self.url = f"http://127.0.0.1:{self.server_address[1]}/v1/chat/completions"

    def __enter__(self) -> ChatServer:
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients are killed in these tests."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    server: ChatServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = body["messages"][-1]["content"]
        self.server.prompts.append(prompt)
        self.server.bodies.append(body)
        self.server.sent.append((self.path, self.headers.get("Authorization")))
        if self.server.delay:
            time.sleep(self.server.delay)
        self._answer(*self.server.respond(prompt, body))

    def _answer(self, code: int, answer: Any) -> None:
        if callable(answer):
            answer(self)
            return
        data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
        self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""

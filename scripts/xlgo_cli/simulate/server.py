"""``xlgo serve``: the simulated model behind an OpenAI-compatible interface on this machine."""

import argparse
import contextlib
import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from ..arguments import Argument
from .simulator import Simulator

HOST = "127.0.0.1"
CHAT = "/v1/chat/completions"
MODELS = "/v1/models"

PATIENCE = 60.0
"""Seconds that a client may be silent in the middle of a request, or between two."""

_LARGEST_BODY = 64 << 20
_DIGITS = 12
"""Of a length that is read: enough for a body that is too large."""
_CHARACTERS_PER_TOKEN = 4
_LIMITS = ("max_tokens", "max_completion_tokens")
_FIRST = "Say OK."


ARGUMENTS = (
    Argument("--port", type=int, default=8000, help="port (default: 8000; 0: any free one)"),
    Argument("--profile", default="demo", help="name or path of a profile (default: demo)"),
    Argument("--seed", type=int, default=0, help="seed of the simulated answers (default: 0)"),
)


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted.

    Raises:
        ValueError: an unknown profile, or the port is taken or impossible.
    """
    simulator = Simulator(args.profile, args.seed)
    try:
        server = SimulatedServer(simulator, args.port)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ValueError(f"port {args.port} cannot be used: {reason}") from error
    simulator.answer(_FIRST)  # reads the wordings of every task, which takes seconds
    with server:
        print(f"{simulator.name} answers at {server.url}{CHAT}; stop it with Ctrl-C", flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever()
    return 0


class SimulatedServer(ThreadingHTTPServer):
    """A server with a thread for each connection.

    Args:
        simulator: what answers.
        port: 0 takes any free one.

    Raises:
        OSError: the port cannot be used.
    """

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, simulator: Simulator, port: int = 0) -> None:
        super().__init__((HOST, port), _Handler)
        self.simulator = simulator

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients may go away while they are being answered; anything else is printed."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

    @property
    def url(self) -> str:
        """The address, without a path."""
        return f"http://{HOST}:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = PATIENCE
    server: SimulatedServer

    def do_GET(self) -> None:
        if self.path == MODELS:
            model = {"id": self.server.simulator.name, "object": "model", "owned_by": "xlgo"}
            self._send(200, {"object": "list", "data": [model]})
        else:
            self._refuse(404, f"no such path {self.path!r}: use {MODELS} or {CHAT}")

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length[:_DIGITS]) > _LARGEST_BODY:
            self.close_connection = True
            self._refuse(413, f"give a body of at most {_LARGEST_BODY} bytes and its length")
            return
        raw = self.rfile.read(int(length))
        if self.path != CHAT:
            self._refuse(404, f"no such path {self.path!r}: use {CHAT}")
            return
        try:
            prompt, limit, streams = _request(raw)
        except ValueError as error:
            self._refuse(400, str(error))
            return
        completion = self._completion(prompt, limit, "delta" if streams else "message")
        if streams:
            event = json.dumps({**completion, "object": "chat.completion.chunk"})
            self._write(200, "text/event-stream", f"data: {event}\n\ndata: [DONE]\n\n")
        else:
            self._send(200, completion)

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing for each request."""

    def _completion(self, prompt: str, limit: int | None, part: str) -> dict[str, object]:
        response = self.server.simulator.answer(prompt)
        text = response if limit is None else response[: limit * _CHARACTERS_PER_TOKEN]
        sent, received = (len(part) // _CHARACTERS_PER_TOKEN for part in (prompt, text))
        choice = {
            "index": 0, "finish_reason": "stop" if text == response else "length",
            part: {"role": "assistant", "content": text},
        }  # fmt: skip
        return {
            "id": "xlgo-sim", "created": int(time.time()), "model": self.server.simulator.name,
            "object": "chat.completion", "choices": [choice],
            "usage": {"prompt_tokens": sent, "completion_tokens": received,
                      "total_tokens": sent + received},
        }  # fmt: skip

    def _refuse(self, code: int, message: str) -> None:
        self._send(code, {"error": {"message": message, "type": "invalid_request_error"}})

    def _send(self, code: int, content: dict[str, object]) -> None:
        self._write(code, "application/json", json.dumps(content, ensure_ascii=False))

    def _write(self, code: int, kind: str, text: str) -> None:
        data = text.encode()
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _request(raw: bytes) -> tuple[str, int | None, bool]:
    """What the user said last, which may come in parts, the limit of tokens, and whether to stream.

    Raises:
        ValueError: it is no chat, or asks for what is not supported.
    """
    try:
        body = json.loads(raw)
        content = [t["content"] for t in body["messages"] if t["role"] == "user"][-1]
        prompt = content if isinstance(content, str) else "".join(p["text"] for p in content)
    except (LookupError, TypeError, ValueError, RecursionError):
        raise ValueError(
            "the body must be JSON, with messages containing a user message of text"
        ) from None
    if body.get("n") not in (None, 1):
        raise ValueError("n is not supported: leave it out")
    limit = next((body[name] for name in _LIMITS if body.get(name) is not None), None)
    if limit is not None and (type(limit) is not int or limit < 1):
        raise ValueError(f"max_tokens must be an integer from 1, got {limit!r:.40}")
    return prompt, limit, bool(body.get("stream"))

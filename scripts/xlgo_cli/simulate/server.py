"""``xlgo serve``: the simulated model behind an OpenAI-compatible interface on this machine."""

from __future__ import annotations

import argparse
import json
import sys
import threading
import time
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from ..arguments import Argument
from .simulator import Simulator

HOST = "127.0.0.1"
CHAT = "/v1/chat/completions"
COMPLETIONS = "/v1/completions"
MODELS = "/v1/models"
_TO_ASK = f"{CHAT} or {COMPLETIONS}"

PATIENCE = 60.0
"""Seconds that a client may be silent in the middle of a request, or between two."""
MOST_CHOICES = 128
"""Of ``n``, as in OpenAI's interface."""

_LARGEST_BODY = 64 << 20
_DIGITS = 12
"""Of a length that is read: enough for a body that is too large."""
_CHARACTERS_PER_TOKEN = 4
_FIRST = "Say OK."


ARGUMENTS = (
    Argument("--port", type=int, default=8000, help="port (default: 8000; 0: any free one)"),
    Argument("--profile", default="demo", help="name or path of a profile (default: demo)"),
    Argument("--seed", type=int, default=0, help="seed of the simulated answers (default: 0)"),
    Argument(
        "--correlation",
        type=float,
        default=0.0,
        help="correlation of two languages' answers to a question, 0 to 1 (default: 0)",
    ),
    Argument("--delay", type=float, default=0.0, help="seconds to add to every response"),
)


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted.

    Raises:
        ValueError: an unknown profile, or the port is taken or impossible.
    """
    if args.delay < 0:
        raise ValueError(f"--delay must be 0 or more seconds, got {args.delay:g}")
    simulator = Simulator(args.profile, args.seed, args.correlation)
    try:
        server = SimulatedServer(simulator, args.port, args.delay)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ValueError(f"port {args.port} cannot be used: {reason}") from error
    simulator.answer(_FIRST)  # reads the wordings of every task, which takes seconds
    with server:
        print(f"{simulator.name} answers at {server.url}{CHAT}; stop it with Ctrl-C", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print(f"{simulator.name} has answered {server.answered} prompts")
    return 0


class SimulatedServer(ThreadingHTTPServer):
    """A server with a thread for each connection.

    Args:
        simulator: what answers.
        port: 0 takes any free one.
        delay: seconds to add to every response.

    Raises:
        OSError: the port cannot be used.
    """

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, simulator: Simulator, port: int = 0, delay: float = 0.0) -> None:
        super().__init__((HOST, port), _Handler)
        self.simulator = simulator
        self.delay = delay
        self.answered = 0
        self._lock = threading.Lock()

    def answer(self, prompts: list[str]) -> list[str]:
        """The responses to the prompts of one request."""
        time.sleep(self.delay)
        responses = [self.simulator.answer(prompt) for prompt in prompts]
        with self._lock:
            self.answered += len(responses)
        return responses

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
            self._refuse(404, f"no such path {self.path!r}: use {MODELS}, {_TO_ASK}")

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length[:_DIGITS]) > _LARGEST_BODY:
            self.close_connection = True
            self._refuse(413, f"give a body of at most {_LARGEST_BODY} bytes and its length")
            return
        raw = self.rfile.read(int(length))
        if self.path not in (CHAT, COMPLETIONS):
            self._refuse(404, f"no such path {self.path!r}: use {_TO_ASK}")
            return
        try:
            reply = self._completion(_body(raw))
        except ValueError as error:
            self._refuse(400, str(error))
        else:
            self._send(200, reply)

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing for each request."""

    def _completion(self, body: dict[str, Any]) -> dict[str, object]:
        chat = self.path == CHAT
        prompts = [_chat_prompt(body)] if chat else _plain_prompts(body)
        n = _integer(body, MOST_CHOICES, "n") or 1
        limit = _integer(body, None, "max_tokens", "max_completion_tokens")
        if body.get("stream"):
            raise ValueError("stream is not supported: leave it out")
        most = None if limit is None else limit * _CHARACTERS_PER_TOKEN
        # The simulated model always says the same to a prompt: its n choices are alike.
        untruncated = [text for text in self.server.answer(prompts) for _ in range(n)]
        texts = [text[:most] for text in untruncated]
        choices = [
            {"index": index, "finish_reason": "stop" if text == complete else "length"}
            | ({"message": {"role": "assistant", "content": text}} if chat else {"text": text})
            for index, (text, complete) in enumerate(zip(texts, untruncated))
        ]
        sent, received = _tokens(prompts), _tokens(texts)
        return {
            "id": "xlgo-sim", "created": int(time.time()), "model": self.server.simulator.name,
            "object": "chat.completion" if chat else "text_completion", "choices": choices,
            "usage": {"prompt_tokens": sent, "completion_tokens": received,
                      "total_tokens": sent + received},
        }  # fmt: skip

    def _refuse(self, code: int, message: str) -> None:
        self._send(code, {"error": {"message": message, "type": "invalid_request_error"}})

    def _send(self, code: int, content: dict[str, object]) -> None:
        data = json.dumps(content, ensure_ascii=False).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _body(raw: bytes) -> dict[str, Any]:
    try:
        body = json.loads(raw)
    except (ValueError, RecursionError):
        raise ValueError("the body is not JSON") from None
    return body if isinstance(body, dict) else {}


def _tokens(texts: Iterable[str]) -> int:
    return sum(len(text) // _CHARACTERS_PER_TOKEN for text in texts)


def _integer(body: dict[str, Any], most: int | None, *names: str) -> int | None:
    """The first of some entries of a body that is given, an integer from 1."""
    value = next((body[name] for name in names if body.get(name) is not None), None)
    if value is None or (type(value) is int and 1 <= value <= (most or value)):
        return value
    ends = f"from 1 to {most}" if most else "from 1"
    raise ValueError(f"{names[0]} must be an integer {ends}, got {value!r:.40}")


def _chat_prompt(body: dict[str, Any]) -> str:
    """What the user said last, which may come in parts."""
    try:
        content = [t["content"] for t in body["messages"] if t["role"] == "user"][-1]
        return content if isinstance(content, str) else "".join(part["text"] for part in content)
    except (LookupError, TypeError):
        raise ValueError("messages must be a list containing a user message of text") from None


def _plain_prompts(body: dict[str, Any]) -> list[str]:
    prompt = body.get("prompt")
    prompts = [prompt] if isinstance(prompt, str) else prompt
    if not isinstance(prompts, list) or not all(isinstance(text, str) for text in prompts):
        raise ValueError("prompt must be a string or list of strings (token IDs are not supported)")
    return prompts

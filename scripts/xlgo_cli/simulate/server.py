"""``xlgo serve``: the simulated model behind an OpenAI-compatible interface on this machine."""

from __future__ import annotations

import argparse
import json
import sys
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from ..arguments import Argument
from . import responses_api
from .simulator import Simulator

HOST = "127.0.0.1"
CHAT = "/v1/chat/completions"
COMPLETIONS = "/v1/completions"
RESPONSES = "/v1/responses"
MODELS = "/v1/models"
_TO_ASK = f"{CHAT}, {COMPLETIONS} or {RESPONSES}"

PATIENCE = 60.0
"""Seconds that a client may be silent in the middle of a request, or between two."""
MOST_CHOICES = 128
"""Of ``n``, as in OpenAI's interface."""

_LARGEST_BODY = 64 << 20
_CHARACTERS_PER_TOKEN = 4
_FIRST = "Say OK."


ARGUMENTS = (
    Argument("--port", type=int, default=8000, help="port (default: 8000; 0: any free one)"),
    Argument("--profile", default="demo", help="name or path of a profile (default: demo)"),
    Argument("--seed", type=int, default=0, help="seed of the simulated answers (default: 0)"),
    Argument(
        "--correlation", type=float, default=0.0,
        help="correlation of two languages' answers to a question, 0 to 1 (default: 0)",
    ),
    Argument("--wording", help="TOML file with a wording of the prompts"),
    Argument("--delay", type=float, default=0.0, help="seconds to add to every response"),
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted.

    Raises:
        ValueError: an unknown profile, or the port is taken or impossible.
    """
    if args.delay < 0:
        raise ValueError(f"--delay must be 0 or more seconds, got {args.delay:g}")
    simulator = Simulator(args.profile, args.seed, args.correlation, args.wording)
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


@dataclass(frozen=True)
class Asked:
    """What a request asks for beside its prompts.

    Attributes:
        n: choices for each prompt.
        limit: most tokens of an answer, of four characters each; ``None`` for no limit.
        stream: whether to answer as server-sent events.
        usage: whether the stream ends with the usage.
    """

    n: int = 1
    limit: int | None = None
    stream: bool = False
    usage: bool = False

    @classmethod
    def of(cls, body: dict[str, object]) -> Asked:
        """What a body asks for.

        Raises:
            ValueError: a value that is not allowed.
        """
        n, stream = body.get("n"), body.get("stream")
        limits = [body.get(name) for name in ("max_tokens", "max_completion_tokens")]
        limit = next((value for value in limits if value is not None), None)
        more = body.get("stream_options")
        if n is not None and not (type(n) is int and 1 <= n <= MOST_CHOICES):
            raise ValueError(f"n must be an integer from 1 to {MOST_CHOICES}, got {n!r:.40}")
        if limit is not None and not (type(limit) is int and limit >= 1):
            raise ValueError(f"max_tokens must be an integer from 1, got {limit!r:.40}")
        if stream not in (None, True, False):
            raise ValueError(f"stream must be true or false, got {stream!r:.40}")
        usage = isinstance(more, dict) and more.get("include_usage") is True
        return cls(n or 1, limit, bool(stream), usage)

    def cut(self, text: str) -> tuple[str, str]:
        """A response within the limit, and its finish reason."""
        most = None if self.limit is None else self.limit * _CHARACTERS_PER_TOKEN
        return (text, "stop") if most is None or len(text) <= most else (text[:most], "length")


class _TooLargeError(ValueError):
    """A body that is not read."""


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
        try:
            body = self._body()
        except _TooLargeError as error:
            self._refuse(413, str(error))
            return
        except ValueError as error:
            self._refuse(400, str(error))
            return
        if self.path not in (CHAT, COMPLETIONS, RESPONSES):
            self._refuse(404, f"no such path {self.path!r}: use {_TO_ASK}")
            return
        try:
            if self.path == RESPONSES:
                body = responses_api.as_chat(body)
            prompts = _plain_prompts(body) if self.path == COMPLETIONS else _chat_prompts(body)
            asked = Asked.of(body)
        except ValueError as error:
            self._refuse(400, str(error))
            return
        answers = self.server.answer(prompts)
        if self.path == RESPONSES:
            self._respond(prompts[0], *asked.cut(answers[0]), asked)
            return
        completion = self._completion(prompts, answers, asked)
        if asked.stream:
            self._stream(completion, asked)
        else:
            self._send(200, completion)

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing for each request."""

    def _body(self) -> Any:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal():
            self.close_connection = True
            raise ValueError("the body needs a Content-Length")
        if len(length) > len(str(_LARGEST_BODY)) or int(length) > _LARGEST_BODY:
            self.close_connection = True
            raise _TooLargeError(f"the body has {length:.20} bytes: at most {_LARGEST_BODY}")
        try:
            return json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            raise ValueError("the body is not JSON") from None

    def _completion(
        self, prompts: list[str], responses: list[str], asked: Asked
    ) -> dict[str, object]:
        chat = self.path == CHAT
        # The simulated model always says the same to a prompt: its n choices are alike.
        texts = [asked.cut(text) for text in responses for _ in range(asked.n)]
        choices = [
            {"index": index, "finish_reason": reason}
            | ({"message": {"role": "assistant", "content": text}} if chat else {"text": text})
            for index, (text, reason) in enumerate(texts)
        ]
        sent, received = _tokens(prompts), _tokens(text for text, _ in texts)
        return {
            "id": "xlgo-sim", "created": int(time.time()), "model": self.server.simulator.name,
            "object": "chat.completion" if chat else "text_completion", "choices": choices,
            "usage": {"prompt_tokens": sent, "completion_tokens": received,
                      "total_tokens": sent + received},
        }  # fmt: skip

    def _respond(self, prompt: str, text: str, finish: str, asked: Asked) -> None:
        """Answer a request of the Responses interface."""
        tokens = _tokens([prompt]), _tokens([text])
        whole = responses_api.response(self.server.simulator.name, text, finish, tokens)
        if asked.stream:
            self._send_events("".join(responses_api.events(whole, text)))
        else:
            self._send(200, whole)

    def _stream(self, completion: dict[str, Any], asked: Asked) -> None:
        """Send a completion as server-sent events, each choice in one piece."""
        chat = self.path == CHAT
        head = {name: completion[name] for name in ("id", "created", "model")}
        head["object"] = "chat.completion.chunk" if chat else "text_completion"
        events = []
        for choice in completion["choices"]:
            piece = {"delta": choice["message"]} if chat else {"text": choice["text"]}
            end: dict[str, object] = {"delta": {}} if chat else {"text": ""}
            for part, reason in ((piece, None), (end, choice["finish_reason"])):
                place = {"index": choice["index"], "finish_reason": reason}
                events.append(head | {"choices": [place | part]})
        if asked.usage:
            events.append(head | {"choices": [], "usage": completion["usage"]})
        lines = [json.dumps(event, ensure_ascii=False) for event in events]
        self._send_events("".join(f"data: {line}\n\n" for line in [*lines, "[DONE]"]))

    def _send_events(self, text: str) -> None:
        self.close_connection = True  # the end of the connection is the end of the stream
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(text.encode())

    def _refuse(self, code: int, message: str) -> None:
        self._send(code, {"error": {"message": message, "type": "invalid_request_error"}})

    def _send(self, code: int, content: dict[str, object]) -> None:
        data = json.dumps(content, ensure_ascii=False).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _tokens(texts: Iterable[str]) -> int:
    return sum(len(text) // _CHARACTERS_PER_TOKEN for text in texts)


def _chat_prompts(body: Any) -> list[str]:
    """What the user said last, in a list of one."""
    messages = body.get("messages") if isinstance(body, dict) else None
    turns = messages if isinstance(messages, list) else []
    for turn in turns[::-1]:
        if isinstance(turn, dict) and turn.get("role") == "user":
            return [_text(turn.get("content"))]
    raise ValueError("messages must be a list containing a user message")


def _text(content: Any) -> str:
    """The text of a turn, which may come in parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [part.get("text") if isinstance(part, dict) else None for part in content]
        texts = [part for part in parts if isinstance(part, str)]
        if len(texts) == len(content):
            return "".join(texts)
    raise ValueError("the content of a turn must be text")


def _plain_prompts(body: Any) -> list[str]:
    prompt = body.get("prompt") if isinstance(body, dict) else None
    prompts = [prompt] if isinstance(prompt, str) else prompt
    if not isinstance(prompts, list) or not all(isinstance(text, str) for text in prompts):
        raise ValueError("prompt must be a string or list of strings (token IDs are not supported)")
    return prompts

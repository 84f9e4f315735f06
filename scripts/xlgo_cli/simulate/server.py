"""``xlgo serve``: the simulated model behind an OpenAI-compatible interface on this machine."""

import argparse
import json
import socket
import time

from aiohttp import web
from aiohttp.typedefs import Handler

from ..arguments import Argument
from .simulator import Simulator

HOST = "127.0.0.1"
CHAT = "/v1/chat/completions"
MODELS = "/v1/models"

_LARGEST_BODY = 64 << 20
_LAST_PORT = 65535
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
    if not 0 <= args.port <= _LAST_PORT:
        raise ValueError(f"port {args.port} cannot be used: it must be 0 to {_LAST_PORT}")
    try:
        listening = socket.create_server((HOST, args.port))
    except OSError as error:
        raise ValueError(f"port {args.port} cannot be used: {error.strerror}") from error
    simulator.answer(_FIRST)  # reads the wordings of every task, which takes seconds
    url = f"http://{HOST}:{listening.getsockname()[1]}{CHAT}"
    print(f"{simulator.name} answers at {url}; stop it with Ctrl-C", flush=True)
    web.run_app(application(simulator), sock=listening, print=None, access_log=None)
    return 0


def application(simulator: Simulator) -> web.Application:
    """The interface of a simulated model."""

    async def models(_: web.Request) -> web.Response:
        model = {"id": simulator.name, "object": "model", "owned_by": "xlgo"}
        return web.json_response({"object": "list", "data": [model]})

    async def chat(request: web.Request) -> web.Response:
        if (request.content_length or 0) > _LARGEST_BODY:
            raise web.HTTPRequestEntityTooLarge(_LARGEST_BODY, request.content_length or 0)
        prompt, limit, is_streamed = _parsed(await request.read())
        if not is_streamed:
            return web.json_response(_completion(simulator, prompt, limit, "message"))
        # verifiers asks for a stream: the whole answer is its one event.
        chunk = _completion(simulator, prompt, limit, "delta") | {"object": "chat.completion.chunk"}
        events = f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n"
        return web.Response(text=events, content_type="text/event-stream")

    @web.middleware
    async def explained(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            return await handler(request)
        except web.HTTPException as error:
            code, message = error.status, f"{error.reason}: use {MODELS} or {CHAT}"
        except ValueError as error:
            code, message = 400, str(error)
        error_body = {"message": message, "type": "invalid_request_error"}
        return web.json_response({"error": error_body}, status=code)

    app = web.Application(client_max_size=_LARGEST_BODY, middlewares=[explained])
    app.add_routes([web.get(MODELS, models), web.post(CHAT, chat)])
    return app


def _completion(
    simulator: Simulator, prompt: str, limit: int | None, part: str
) -> dict[str, object]:
    response = simulator.answer(prompt)
    text = response if limit is None else response[: limit * _CHARACTERS_PER_TOKEN]
    sent, received = (len(p) // _CHARACTERS_PER_TOKEN for p in (prompt, text))
    choice = {
        "index": 0, "finish_reason": "stop" if text == response else "length",
        part: {"role": "assistant", "content": text},
    }  # fmt: skip
    return {
        "id": "xlgo-sim", "created": int(time.time()), "model": simulator.name,
        "object": "chat.completion", "choices": [choice],
        "usage": {"prompt_tokens": sent, "completion_tokens": received,
                  "total_tokens": sent + received},
    }  # fmt: skip


def _parsed(raw: bytes) -> tuple[str, int | None, bool]:
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

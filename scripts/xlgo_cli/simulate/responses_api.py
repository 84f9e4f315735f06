"""OpenAI's Responses interface (``/v1/responses``) for the simulated model: bodies and events."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

_MESSAGE = "msg-xlgo-sim"


def as_chat(body: object) -> object:
    """A request in the form of the chat interface: ``input`` as messages, and its limit.

    Raises:
        ValueError: there is no text of a user in ``input``.
    """
    if not isinstance(body, dict):
        return body
    given = body.get("input")
    if not isinstance(given, (str, list)):
        raise ValueError("input must be a text or a list of messages")
    messages = [{"role": "user", "content": given}] if isinstance(given, str) else given
    return body | {"messages": messages, "max_tokens": body.get("max_output_tokens"), "n": None}


def response(model: str, text: str, finish: str, tokens: tuple[int, int]) -> dict[str, object]:
    """One answer as a response object.

    Args:
        finish: ``stop``, or ``length`` for an answer that was cut off.
        tokens: of the prompt and of the answer.
    """
    cut = finish == "length"
    sent, received = tokens
    content = {"type": "output_text", "text": text, "annotations": []}
    message = {
        "type": "message", "id": _MESSAGE, "role": "assistant",
        "status": "incomplete" if cut else "completed", "content": [content],
    }  # fmt: skip
    return {
        "id": "xlgo-sim", "object": "response", "created_at": int(time.time()), "model": model,
        "status": message["status"], "error": None, "instructions": None, "metadata": {},
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        "output": [message], "parallel_tool_calls": True, "tool_choice": "auto", "tools": [],
        "usage": {
            "input_tokens": sent, "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": received, "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": sent + received,
        },
    }  # fmt: skip


def events(whole: dict[str, object], text: str) -> Iterator[str]:
    """A response as server-sent events, its text in one piece."""
    place = {"item_id": _MESSAGE, "output_index": 0, "content_index": 0}
    begun = whole | {"status": "in_progress", "output": [], "usage": None}
    empty = {"type": "message", "id": _MESSAGE, "role": "assistant", "content": []}
    part = {"type": "output_text", "text": "", "annotations": []}
    messages: list[dict[str, object]] = [
        {"type": "response.created", "response": begun},
        {
            "type": "response.output_item.added", "output_index": 0,
            "item": empty | {"status": "in_progress"},
        },
        {"type": "response.content_part.added", **place, "part": part},
        {"type": "response.output_text.delta", **place, "delta": text, "logprobs": []},
        {"type": "response.output_text.done", **place, "text": text, "logprobs": []},
        {"type": "response.content_part.done", **place, "part": part | {"text": text}},
        {"type": f"response.{whole['status']}", "response": whole},
    ]  # fmt: skip
    for number, event in enumerate(messages):
        line = json.dumps(event | {"sequence_number": number}, ensure_ascii=False)
        yield f"event: {event['type']}\ndata: {line}\n\n"

"""What a server said beside the text of an answer: why it ended, thinking, tokens.

The harness passes answers on as plain strings and logs texts. A ``Reply`` is such a string, so that
it can go wherever the harness takes one (filters, caches, logs), and holds the rest as attributes.
``write_lines`` puts the rest into a file beside the logs, a JSON line for each answer, which is
found by the SHA-256 of what was sent and of the text. The same file holds warnings of the harness
about prompts that it cut.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

_COUNTS = ("prompt_tokens", "completion_tokens", "total_tokens")
_FILTERED = "content_filter"

ASKED = "asked"
"""In a question and its reference: ``completion`` where no chat template was applied, if that
matters to the task's grading."""

LENGTH = "length"
"""The finish reason of an answer that reached the limit of tokens."""


class Reply(str):
    """The text of an answer, and what came with it.

    Attributes:
        finish: why the model stopped, in the words of its server (``stop``, ``length``, ...);
            ``None`` if it did not say.
        reasoning: thinking that the server gave apart from the text.
        usage: numbers of tokens: ``prompt_tokens``, ``completion_tokens``, ``total_tokens``,
            ``reasoning_tokens``; only those that the server gave.
        refused: the server held the answer back or marked it as a refusal.
    """

    finish: str | None
    reasoning: str | None
    usage: dict[str, int] | None
    refused: bool

    def __new__(
        cls,
        text: str,
        finish: str | None = None,
        reasoning: str | None = None,
        usage: Mapping[str, int] | None = None,
        refused: bool = False,
    ) -> Reply:
        """A string with attributes; the defaults let it be pickled as strings are."""
        reply = super().__new__(cls, text)
        reply.finish = finish
        reply.reasoning = reasoning
        reply.usage = dict(usage) if usage else None
        reply.refused = refused
        return reply


class Failed(str):
    """No answer: the request failed. Its text is empty.

    Attributes:
        reason: one line, without addresses or credentials.
        outage: the next request will most likely fail too (no connection, no permission, no such
            model), unlike a request that the server finds fault with.
    """

    reason: str
    outage: bool

    def __new__(cls, text: str = "", reason: str = "", outage: bool = True) -> Failed:
        """An empty string with attributes."""
        failed = super().__new__(cls, text)
        failed.reason = reason
        failed.outage = outage
        return failed


def replies(outputs: Any, texts: Sequence[str | None]) -> list[str]:
    """The texts that the harness read out of a response, with what it left behind.

    Args:
        outputs: the response of an OpenAI-compatible server as JSON, or a list of them; anything
            else is a response that says nothing beside the text.
        texts: what the harness made of it; ``None`` where the content was null.

    Returns:
        A ``Reply`` for each text, or a ``Failed`` if the response is an error report.
    """
    bodies = outputs if isinstance(outputs, list) else [outputs]
    if any(_is_error(body) for body in bodies):
        return [Failed(reason="the server sent an error report", outage=False) for _ in texts]
    found = [detail for body in bodies for detail in _details(body)]
    if len(found) != len(texts):
        found = [{} for _ in texts]
    return [
        text if isinstance(text, Reply) else Reply(text or "", **detail)
        for text, detail in zip(texts, found)
    ]


def _is_error(body: Any) -> bool:
    return isinstance(body, dict) and "error" in body and not body.get("choices")


def _details(body: Any) -> list[dict[str, Any]]:
    """Of each choice in the order of their numbers: finish, reasoning, usage, refused."""
    choices = body.get("choices") if isinstance(body, dict) else None
    if not isinstance(choices, list) or not all(isinstance(choice, dict) for choice in choices):
        return []
    numbers = [choice.get("index") for choice in choices]
    if sorted(map(str, numbers)) == sorted(map(str, range(len(choices)))):
        choices = sorted(choices, key=lambda choice: int(choice["index"]))
    # The usage of several answers at once belongs to none of them.
    usage = _usage(body.get("usage")) if len(choices) == 1 else None
    return [{**_detail(choice), "usage": usage} for choice in choices]


def _detail(choice: Mapping[str, Any]) -> dict[str, Any]:
    message = choice.get("message")
    message = message if isinstance(message, dict) else {}
    finish = _text(choice.get("finish_reason"))
    return {
        "finish": finish,
        "reasoning": _text(message.get("reasoning_content")) or _text(message.get("reasoning")),
        "refused": finish == _FILTERED or _text(message.get("refusal")) is not None,
    }


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _usage(value: Any) -> dict[str, int]:
    if not isinstance(value, dict):
        return {}
    counts = {name: value[name] for name in _COUNTS if isinstance(value.get(name), int)}
    details = value.get("completion_tokens_details")
    if isinstance(details, dict) and isinstance(details.get("reasoning_tokens"), int):
        counts["reasoning_tokens"] = details["reasoning_tokens"]
    return counts


FILE = "model_replies.ndjson"
"""Its name, in the folder of the results."""

SCHEMA = 1


def write_lines(path: Path, lines: Iterable[Mapping[str, object]]) -> None:
    """Add lines to a file; its folder is made.

    Raises:
        OSError: the file cannot be written.
    """
    text = "".join(f"{json.dumps({'schema': SCHEMA, **line})}\n" for line in lines)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


def append_line(path: Path, line: Mapping[str, object], *, lasting: bool = True) -> None:
    """Append a JSON object to a file of lines; after this call a kill does not lose it.

    Args:
        path: of the file, in a folder that is there.
        line: what to write.
        lasting: a power cut does not lose it either, which takes longer.

    Raises:
        OSError: the file cannot be written.
    """
    with path.open("ab") as file:
        file.write(json.dumps(line).encode() + b"\n")
        file.flush()
        if lasting:
            os.fsync(file.fileno())


def whole_lines(path: Path, *, cut: bool = False) -> list[bytes]:
    """The lines of a file without what a killed process has half written; none without a file.

    Args:
        path: of the file.
        cut: remove that from the file, too.

    Raises:
        OSError: the file cannot be read.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return []
    whole = data[: data.rfind(b"\n") + 1]
    if cut and whole != data:
        os.truncate(path, len(whole))
    return whole.splitlines()


def chat_sha(chat: Any) -> str:
    """SHA-256 of a chat as the harness logs it in ``arguments``: JSON text, perhaps in a list."""
    return text_sha(chat if isinstance(chat, str) else chat[0])


def text_sha(text: str) -> str:
    """SHA-256 of a text; half a character, as a server may send one, is part of it."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def sha256_of(path: Path) -> str:
    """SHA-256 of a file."""
    found = hashlib.sha256()
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            found.update(part)
    return found.hexdigest()


def digest(value: Any) -> str:
    """SHA-256, in hexadecimal digits, of a value as JSON with sorted names.

    Raises:
        TypeError: the value holds something that JSON cannot.
    """
    text = json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()

"""Answers of models, and what the body of a server's reply says: an answer, or none.

The harness passes answers on as plain strings. An ``Answer`` is such a string, so that it can go
wherever the harness takes one (filters, caches, logs), and holds what came with it. A request that
failed is no answer: its text is empty and its state ``missing``.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from .redaction import redacted

Line = dict[str, Any]
"""A line of a file of answers, as JSON values: an answer, or an event of the run."""

ANSWERED, REFUSED, MISSING = "answered", "refused", "missing"
"""States of an answer: it is there; the provider withheld it; the request failed."""

ASKED = "asked"
"""In a question and its reference: ``completion`` where no chat template was applied, if that
matters to the task's grading."""

LENGTH = "length"
"""The finish reason of an answer that reached the limit of tokens."""

_COUNTS = ("prompt_tokens", "completion_tokens", "total_tokens")
_FIELDS = ("state", "finish", "reasoning", "usage", "counted_by", "prompt_cut", "error", "seconds")
_LONGEST = 300

_ENDED = frozenset({"stop", "eos", "eos_token", "end_turn", "stop_sequence", "completed"})
"""Finish reasons with which an empty text is an answer."""
_LIMIT = frozenset({LENGTH, "max_tokens", "max_output_tokens", "model_length"})
_WITHHELD = frozenset({
    "content_filter", "refusal", "sensitive", "safety", "recitation", "prohibited_content",
    "blocklist", "spii",
})  # fmt: skip
"""Finish reasons with which the provider holds an answer back."""
_NONE = frozenset({
    "error", "tool_calls", "tool_use", "function_call", "malformed_function_call", "abort",
    "cancelled", "insufficient_system_resource", "network_error", "other",
})  # fmt: skip
"""Finish reasons with which nothing that came is an answer; nobody offers the models tools."""


class Answer(str):
    """The text of an answer, and what came with it.

    Attributes:
        state: ``answered``, ``refused`` or ``missing``.
        finish: why the model stopped, in the words of its server (``stop``, ``length``, ...);
            ``None`` if it did not say.
        reasoning: thinking that the server gave apart from the text.
        usage: numbers of tokens: ``prompt_tokens``, ``completion_tokens``, ``total_tokens``,
            ``reasoning_tokens``; only those that are known.
        counted_by: ``server`` or ``tokenizer``.
        prompt_cut: the prompt had more tokens than the model takes.
        error: why the answer is missing, in the words of the server or library.
        seconds: from sending the request to the answer.
    """

    state: str
    finish: str | None
    reasoning: str | None
    usage: dict[str, int] | None
    counted_by: str | None
    prompt_cut: bool | None
    error: str | None
    seconds: float | None

    def __new__(cls, text: str = "", state: str = ANSWERED, **more: Any) -> "Answer":
        """A string with attributes; the defaults let it be pickled as strings are."""
        # A server may cut an answer within a character; such a half has no UTF-8.
        answer = super().__new__(
            cls, text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
        )
        answer.__dict__.update(dict.fromkeys(_FIELDS), state=state, **more)
        return answer

    @property
    def text(self) -> str:
        """The text alone."""
        return str.__str__(self)

    @property
    def is_there(self) -> bool:
        """Whether there is an answer, which counts in rates."""
        return self.state == ANSWERED

    @property
    def status(self) -> str:
        """In a chain: ``ok``, ``empty``, ``length`` (cut off), ``refused`` or ``error``.

        Where the model says nothing of it, never ``length`` or ``refused``.
        """
        if self.state != ANSWERED:
            return "refused" if self.state == REFUSED else "error"
        if self.finish == LENGTH:
            return LENGTH
        return "ok" if self.strip() else "empty"

    def about(self) -> Line:
        """What came with the text, as JSON values, without what is not known."""
        return {name: value for name in _FIELDS if (value := self.__dict__[name]) is not None}

    @classmethod
    def from_row(cls, row: Line) -> "Answer":
        """The answer of a row with its ``text`` and what ``about`` says; others are ignored."""
        return cls(str(row.get("text", "")), **{k: row[k] for k in _FIELDS if k in row})


def missing(error: str, **more: Any) -> Answer:
    """An answer that is missing, and why, without credentials."""
    return Answer("", MISSING, error=redacted(" ".join(error.split())[:_LONGEST]), **more)


def read(body: Any, parse: Callable[[], Any]) -> Answer:
    """The answer in the body of a server's reply to one request.

    Args:
        body: the reply as JSON: of an OpenAI-compatible interface, or of any other that ``parse``
            understands.
        parse: what the harness's model makes of it: a list of texts.
    """
    body = body[0] if isinstance(body, list) and len(body) == 1 else body
    try:
        text = next(iter(parse()), None) if isinstance(body, dict) else None
    except (AssertionError, AttributeError, IndexError, KeyError, TypeError, ValueError):
        text = None
    if isinstance(text, Answer):  # by one of our models
        return text
    if isinstance(text, list):  # of parts, as Mistral's models that think send it
        texts = [part.get("text") for part in text if isinstance(part, dict)]
        text = "".join(part for part in texts if isinstance(part, str))
    choices = body.get("choices") if isinstance(body, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    choice = choice if isinstance(choice, dict) else {}
    if isinstance(body, dict) and (error := body.get("error") or choice.get("error")):
        return missing(f"the server sent an error: {words_of(error)}")
    if not (isinstance(body, dict) and (choice or text) and isinstance(text, str | None)):
        return missing(f"the server's reply holds no answer: {words_of(body)}")
    return _answer(text or "", choice, body)


def _answer(text: str, choice: Mapping[str, Any], body: Mapping[str, Any]) -> Answer:
    """The answer in a choice of a reply, as its finish reason and message say."""
    message = choice.get("message")
    message = message if isinstance(message, dict) else {}
    finish = _text(choice.get("finish_reason")) or _text(body.get("stop_reason"))
    reason = (finish or "").lower()
    more: dict[str, Any] = {
        "finish": LENGTH if reason in _LIMIT else finish,
        "reasoning": _text(message.get("reasoning_content")) or _text(message.get("reasoning")),
        "usage": _usage(body.get("usage")) or None,
    }
    if (refusal := _text(message.get("refusal"))) or reason in _WITHHELD:
        return Answer(text, REFUSED, error=f"refusal: {refusal}" if refusal else finish, **more)
    if reason in _NONE or message.get("tool_calls") or message.get("function_call"):
        return missing(f"no answer, but finish reason {finish}: {text}")
    if not text and reason not in _LIMIT and reason not in _ENDED:
        return missing(f"the reply has no content (finish reason {finish})")
    return Answer(text, **more)


def words_of(value: Any) -> str:
    """What a server said, in one line: the message of an error, or everything."""
    for name in ("error", "message"):
        if isinstance(value, dict) and value.get(name):
            value = value[name]
    return value if isinstance(value, str) else json.dumps(value, default=str)


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


def sha256_of(path: Path) -> str:
    """SHA-256 of a file."""
    with path.open("rb") as file:
        sha = hashlib.sha256()
        while part := file.read(1 << 20):
            sha.update(part)
    return sha.hexdigest()


def digest(value: Any) -> str:
    """SHA-256, in hexadecimal digits, of a value as JSON with sorted names.

    Raises:
        TypeError: the value holds something that JSON cannot.
    """
    text = json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()

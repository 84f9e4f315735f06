"""Reading the replies of judges: the errors or the score, or ``None`` for what cannot be read.

A reply that cannot be read is never taken for one without errors. Where there is doubt which part
of a reply is the answer, it counts as unread: asking again costs one request, a wrong perfect score
costs the result its worth. Work is bounded on any text.
"""

from __future__ import annotations

import json
import re
from typing import Any

from ....reading.thinking import split_thinking
from ..mqm import CATEGORIES, SEVERITIES, MqmError

MAX_REPLY = 200_000
"""Characters; an answer needs a hundredth of it."""
MAX_ERRORS = 300
_SCORE = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,6})?")


def read_mqm(text: str | None) -> tuple[MqmError, ...] | None:
    """The errors of a judge's reply; ``None`` if it cannot be read.

    The whole reply, or the one object in it (in a fenced block, or with prose beside it), without
    the thinking. Severities are trimmed and lower-cased; an unknown category becomes ``other``.
    """
    listed = _answer(text, "errors")
    if not isinstance(listed, list) or len(listed) > MAX_ERRORS:
        return None
    errors = [_error(item) for item in listed]
    readable = tuple(error for error in errors if error is not None)
    return readable if len(readable) == len(errors) else None


def read_direct(text: str | None) -> float | None:
    """The single score of a judge's reply, 0 to 100, by the same rules."""
    value = _answer(text, "score")
    if isinstance(value, str) and _SCORE.fullmatch(value.strip()):
        value = float(value)
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return float(value) if is_number and 0 <= value <= 100 else None


def _answer(text: str | None, key: str) -> Any:
    """What the answer has under ``key``; ``None`` without an answer that is beyond doubt."""
    reply = (text or "").strip()
    if len(reply) > MAX_REPLY:
        return None
    try:
        plain = _DECODER.decode(reply)  # first, since a quoted span may hold the marks of thinking
    except (ValueError, RecursionError):
        plain = None
    if isinstance(plain, dict) and key in plain:
        return plain[key]
    response = split_thinking(reply)
    return _within(response.answer, key) if response.closed else None


def _within(text: str, key: str) -> Any:
    """The same from a text that may hold prose beside the answer.

    Every brace must belong to an object with ``key``, all of them equal: with others beside it the
    object may be a quotation inside of a broken answer.
    """
    answers: list[Any] = []
    outside, position = "", 0
    while (start := text.find("{", position)) >= 0:
        outside += text[position:start]
        try:
            value, position = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            return None
        if key not in value:
            return None
        answers.append(value)
    outside += text[position:]
    if not answers or any(value != answers[0] for value in answers[1:]) or "}" in outside:
        return None
    listed = answers[0][key]
    # Errors that are told in prose make an empty list doubtful.
    return None if listed == [] and "severity" in outside.lower() else listed


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object with its keys in lower case; one with a key twice is no answer."""
    result = {key.strip().lower(): value for key, value in members}
    if len(result) < len(members):
        raise ValueError("a key occurs twice")
    return result


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_refuse, strict=False)


def _error(item: Any) -> MqmError | None:
    fields = item if isinstance(item, dict) else {}
    names = ("category", "severity", "original_span", "output_span", "explanation")
    category, severity, *spans = (
        value if isinstance(value := fields.get(name), str) else "" for name in names
    )
    category, severity = category.strip().lower(), severity.strip().lower()
    if severity not in SEVERITIES:
        return None
    return MqmError(category if category in CATEGORIES else "other", severity, *spans)

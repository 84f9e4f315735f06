"""Reading the replies of judges: errors that were checked, or the reason why there are none.

A reply that cannot be read is never taken for one without errors. Where there is doubt which part
of a reply is the answer, it counts as unread: asking again costs one request, a wrong perfect score
costs the result its worth. Work is bounded on any text.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import Any, Literal

from ....reading.thinking import split_thinking
from ..mqm import CATEGORIES, SEVERITIES, MqmError

Reason = Literal[
    "empty",  # the reply is empty
    "too_long",  # the reply is longer than an answer can be
    "unfinished_reasoning",  # the thinking never ends
    "no_json",  # no JSON object could be read
    "ambiguous",  # more than one part of the reply may be the answer
    "duplicate_key",  # an object has the same key twice
    "no_errors_list",  # the object has no list 'errors'
    "too_many_errors",  # the list of errors is longer than a text can have
    "error_not_an_object",  # an error is not an object
    "no_severity",  # an error has no severity
    "unknown_severity",  # an error has a severity that is not asked for
    "no_score",  # the object has no number 'score'
    "score_out_of_range",  # the score is not between 0 and 100
]
"""Why a reply could not be read."""

MAX_REPLY = 200_000
"""Characters; an answer needs a hundredth of it."""
MAX_ERRORS = 300
_MAX_TRIES = 5_000
_MAX_WORK = 2_000_000
_DEEP = 50_000  # what an attempt costs that ended in a recursion too deep
_LONGEST_NUMBER = 18
_FENCE = re.compile(r"```[a-zA-Z]{0,12}[ \t]{0,20}\r?\n")
_SCORE_TEXT = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,6})?")

Kind = Literal["mqm", "direct"]


@dataclass(frozen=True)
class Reply:
    """A reply as understood: ``reason`` is ``None`` if it could be read, else why not.

    Attributes:
        errors: of a judgement by MQM that could be read; else ``None``.
        score: of a direct judgement that could be read, 0 to 100; else ``None``.
    """

    reason: Reason | None
    errors: tuple[MqmError, ...] | None = None
    score: float | None = None

    @property
    def ok(self) -> bool:
        """The reply could be read."""
        return self.reason is None


class _Unread(Exception):
    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


class _Twice:
    """Stands for an object with a key twice."""


def read_mqm(text: str | None) -> Reply:
    """The errors of a judge's reply.

    The whole reply, then a fenced block, then the first object that can be decoded, without the
    thinking. Severities are trimmed and lower-cased; an unknown category becomes ``other``.
    """
    try:
        return Reply(None, errors=_errors(_answer(text, "errors")))
    except _Unread as error:
        return Reply(error.reason)


def read_direct(text: str | None) -> Reply:
    """The single score of a judge's reply, by the same rules."""
    try:
        return Reply(None, score=_score(_answer(text, "score")))
    except _Unread as error:
        return Reply(error.reason)


def _answer(text: str | None, key: str) -> dict[str, object]:
    """The object with ``key`` that is the answer."""
    whole = (text or "").strip()
    if not whole:
        raise _Unread("empty")
    if len(whole) > MAX_REPLY:
        raise _Unread("too_long")
    plain = _decode(whole)  # first, since a quoted span may hold the marks of thinking
    if isinstance(plain, _Twice):
        raise _Unread("duplicate_key")
    if isinstance(plain, dict) and key in plain:
        return plain
    response = split_thinking(whole)
    if not response.closed:
        raise _Unread("unfinished_reasoning")
    return _within(response.answer.strip(), key)


def _within(text: str, key: str) -> dict[str, object]:
    """The object with ``key`` in a text that may hold prose beside it."""
    if not text:
        raise _Unread("empty")
    objects, found_other = _objects(text)
    if any(isinstance(value, _Twice) for value, _, _ in objects):
        raise _Unread("duplicate_key")
    with_key = [(value, start, end) for value, start, end in objects if key in value]
    if not with_key:
        readable = bool(objects) or found_other
        raise _Unread(
            ("no_errors_list" if key == "errors" else "no_score") if readable else "no_json"
        )
    first = with_key[0]
    if any(value != first[0] for value, _, _ in with_key[1:]):
        raise _Unread("ambiguous")
    rest = []
    position = 0
    for _, start, end in with_key:
        rest.append(text[position:start])
        position = end
    rest.append(text[position:])
    # With braces beside it the object may be a quotation inside of a broken answer; errors that
    # are told in prose make an empty list doubtful.
    outside = "".join(rest).lower()
    listed = first[0][key]
    if "{" in outside or "}" in outside or (listed == [] and "severity" in outside):
        raise _Unread("ambiguous")
    return first[0]


def _objects(text: str) -> tuple[list[tuple[Any, int, int]], bool]:
    """The outermost objects that can be decoded, with their places; and whether others can."""
    fence = _FENCE.search(text)
    if fence is not None:
        end = text.find("```", fence.end())
        block = text[fence.end() : end if end >= 0 else len(text)]
        value = _decode(block.strip())
        if isinstance(value, (dict, _Twice)):
            start = fence.end() + len(block) - len(block.lstrip())
            stop = start + len(block.strip())
            more, other = _scan(text, stop)
            before, other_before = _scan(text[: fence.start()], 0)
            return [*before, (value, start, stop), *more], other or other_before
    return _scan(text, 0)


def _scan(text: str, position: int) -> tuple[list[tuple[Any, int, int]], bool]:
    objects: list[tuple[Any, int, int]] = []
    work = 0
    for _ in range(_MAX_TRIES):
        start = text.find("{", position)
        if start < 0:
            return objects, _decode(text) is not None  # a list, a number, a string
        try:
            value, end = _DECODER.raw_decode(text, start)
        except json.JSONDecodeError as error:
            work += error.pos - start + 1
            position = start + 1
        except (ValueError, RecursionError):
            work += _DEEP
            position = start + 1
        else:
            objects.append((value, start, end))
            work += end - start
            position = end
        if work > _MAX_WORK:
            break
    raise _Unread("no_json")


def _decode(text: str) -> Any:
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError):
        return None


def _object(members: list[tuple[str, Any]]) -> Any:
    keys = [key.strip().lower() for key, _ in members]
    if len(set(keys)) < len(keys):
        return _Twice()
    return dict(zip(keys, (value for _, value in members)))


def _integer(written: str) -> float:
    if len(written) > _LONGEST_NUMBER:
        raise ValueError("a number is too long")
    return float(written)


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_constant=_refuse, strict=False
)


def _errors(answer: dict[str, object]) -> tuple[MqmError, ...]:
    listed = answer["errors"]
    if not isinstance(listed, list):
        raise _Unread("no_errors_list")
    if len(listed) > MAX_ERRORS:
        raise _Unread("too_many_errors")
    return tuple(map(_error, listed))


def _error(item: Any) -> MqmError:
    if isinstance(item, _Twice):
        raise _Unread("duplicate_key")
    if not isinstance(item, dict):
        raise _Unread("error_not_an_object")
    severity = item.get("severity")
    if severity is None:
        raise _Unread("no_severity")
    severity = severity.strip().lower() if isinstance(severity, str) else ""
    if severity not in SEVERITIES:
        raise _Unread("unknown_severity")
    category = item.get("category")
    category = category.strip().lower() if isinstance(category, str) else ""
    spans = (item.get(key) for key in ("original_span", "output_span", "explanation"))
    return MqmError(
        category if category in CATEGORIES else "other",
        severity,
        *(span if isinstance(span, str) else "" for span in spans),
    )


def _score(answer: dict[str, object]) -> float:
    value = answer["score"]
    if isinstance(value, str) and _SCORE_TEXT.fullmatch(value.strip()):
        value = float(value)
    if not isinstance(value, float) or not math.isfinite(value):
        raise _Unread("no_score")
    if not 0 <= value <= 100:
        raise _Unread("score_out_of_range")
    return value

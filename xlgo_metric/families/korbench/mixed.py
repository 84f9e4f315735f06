r"""Take the answers to several questions out of a response that should be one JSON object.

``by_position`` follows the published code; ``by_key`` looks for ``"question1": …`` itself, so that
a trailing comma, a backslash of LaTeX or a brace in the prose cost no answer. Where the keys do not
number the questions, it goes by position, too.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from .extraction import is_template

MAX_LENGTH = 100_000
"""Only so much of the end of a response is searched for keys."""
MAX_VALUE = 20_000

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_KEY = re.compile(
    r"(?:[\"'“‘]\s{0,3}(?:question|q|answer|a)?[ _#.-]{0,2}(\d{1,3})\s{0,3}[\"'”’]"
    r"|(?<![A-Za-z])question[ _]?(\d{1,3})[\"'”’]?)\s{0,9}:",
    re.IGNORECASE,
)
_ANY_KEY = re.compile(r"[{,]\s{0,99}[\"“]([^\"“”\n]{1,300})[\"”]\s{0,9}:")
_BARE_END = re.compile(r",?\s{0,9}(?:\n|\}\s{0,9}(?:\n|\Z|`))")
_BLANK = re.compile(r"\\([nt])(?![a-z]|Left|Right|V[Dd])")
_POINTS = re.compile(r"(?:\\u[0-9A-Fa-f]{4}){1,9999}")
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’"}


def by_position(text: str) -> list[str] | None:
    """The values of the published reading as strings; ``None`` where it does not parse.

    The object reaches from the first ``{`` to the last ``}``; control characters are deleted.
    """
    parsed = _parsed(text)
    return None if parsed is None else [str(value) for value in parsed.values()]


def _parsed(text: str) -> dict[str, object] | None:
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        return None
    try:
        result: dict[str, object] = json.loads(_CONTROL.sub("", text[start : end + 1]))
    except (ValueError, RecursionError):
        return None
    return result


def by_key(text: str, count: int = 0) -> dict[int, str]:
    """The answers by number: the value behind the last key of each number, without its quotes.

    Args:
        text: a response.
        count: how many questions there are. If the keys do not number them from 1, and there are as
            many values as questions, their order numbers them.
    """
    text = text[-MAX_LENGTH:]
    result: dict[int, str] = {}
    for key, value in _members(text, _KEY):
        result[int(key[1] or key[2])] = value
    if count and not result.keys() >= set(range(1, count + 1)):
        values = _in_order(text)
        if len(values) == count:
            return dict(enumerate(values, 1))
    return result


def _members(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[re.Match[str], str]]:
    """Every key with its value, but those whose value is an example of the prompt."""
    keys = list(pattern.finditer(text))
    for index, key in enumerate(keys):
        stop = keys[index + 1].start() if index + 1 < len(keys) else len(text)
        value = _value(text[key.end() : min(stop, key.end() + MAX_VALUE)])
        if value and not is_template(value.strip().removeprefix("[[").removesuffix("]]")):
            yield key, value


def _in_order(text: str) -> list[str]:
    """The values of the object that a response holds, in its order."""
    result: Any = _parsed(text)
    if isinstance(result, dict) and len(result) == 1:
        (only,) = result.values()
        if isinstance(only, (dict, list)):
            result = only
    if isinstance(result, (dict, list)):
        return [str(value) for value in (result.values() if isinstance(result, dict) else result)]
    return [value for _, value in _members(text, _ANY_KEY)]


def _value(text: str) -> str:
    """What a text begins with: a string, or all up to the end of the line or of the object."""
    text = text.strip()
    closing = _QUOTES.get(text[:1])
    if closing:
        end = _closing_quote(text, closing)
        return _unescaped(text[1:end])
    end_of_value = _BARE_END.search(text)
    if end_of_value and not text.startswith("["):
        text = text[: end_of_value.start()]
    return text.strip().rstrip(",").strip()


def _closing_quote(text: str, quote: str) -> int:
    """Where the string ends: at the last quote that a comma, a bracket or the end follows."""
    for match in reversed(list(re.finditer(re.escape(quote), text[1:]))):
        rest = text[match.end() + 1 :].lstrip()
        if not rest or rest[0] in ",}]":
            return match.start() + 1
    return len(text)


def _unescaped(text: str) -> str:
    r"""The string that was meant: ``\"`` as a quote, but ``\frac`` as LaTeX."""
    if "\\" not in text:
        return text
    text = text.replace('\\"', '"').replace("\\\\", "\\")
    text = _POINTS.sub(lambda match: _decoded(match[0]), text)
    return _BLANK.sub(lambda match: "\n" if match[1] == "n" else "\t", text)


def _decoded(points: str) -> str:
    """Code points as JSON writes them; half of a pair is no character."""
    text = str(json.loads(f'"{points}"'))
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")

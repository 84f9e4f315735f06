r"""Take the answer out of a response: ``[[…]]``, a box, or single brackets.

``bracket`` and ``inner`` follow the published rules; ``answers`` mends what those miss. All are
linear in the length of the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from ...reading.lexicon import words_for
from ...reading.struck import standing

Level = Literal["clean", "logic", "math"]
NULL = "NULL"
"""What the published extraction gives where it finds nothing."""

_CUT = "### Question"  # a base model goes on with a question of its own
_PLACES = 200  # how many marks are tried from the end backwards
_WINDOW = 20_000  # no answer is longer
_PLACEHOLDER = re.compile(
    r"\W*(?:(?:your|the|final|encrypted|decrypted|my)\W{1,3})*(?:answers?|number)\W*"
    r"|\W*word1\s+word2.{0,20}|A=1,\s?B=2.{0,20}|[\s.…;\[\]]*|a\s?[-+]\s?b\s?.{0,20}",
    re.IGNORECASE,
)
_BOX = re.compile(r"\\?(?:boxed|fbox)\s{0,4}\{")
_DOUBLE = re.compile(r"\[\[[^\[\]]{0,2000}\]\]")
_BRACKET = re.compile(r"[\[\]]")


# The published rules


def _between(text: str, opening: str, closing: str) -> str | None:
    """What stands between the first ``opening`` and the next ``closing``.

    The same as a search for opening, shortest run, closing: if the first opening has no closing
    behind it, no other has one.
    """
    start = text.find(opening)
    if start < 0:
        return None
    start += len(opening)
    end = text.find(closing, start)
    return None if end < 0 else text[start:end]


def bracket(text: str, level: Level) -> str:
    r"""The published extraction: first ``[[…]]``, else ``$\boxed{…}$``, else ``[…]``.

    Args:
        text: a response or a reference answer.
        level: what is deleted from the answer. ``clean`` and ``logic`` put ``[[ ]]`` around it
            again, ``math`` does not.

    Returns:
        The answer, or ``NULL``.
    """
    found = _between(text, "[[", "]]")
    if found is None:
        found = _between(text, "$\\boxed{", "}$")
    else:
        found = found.strip()
    if found is None:
        found = _between(text, "[", "]")
        if found is None:
            return NULL
        found = found.strip()
    if level == "math":
        return _math(_without(found, '"\n[]$'))
    return f"[[{_without(found, _DELETED[level])}]]"


_DELETED = {"clean": '"\n []', "logic": '"\n .'}


def inner(text: str) -> str:
    """The body of the first ``[[…]]`` as it stands, else ``NULL``."""
    found = _between(text, "[[", "]]")
    return NULL if found is None else found


def _without(text: str, characters: str) -> str:
    return text.translate({ord(character): None for character in characters})


def _math(text: str) -> str:
    if "=" in text:
        text = text.rpartition("=")[2]
    for mark in (r"\(", r"\)", r"\[", r"\]"):
        text = text.replace(mark, "")
    text = _without_texts(text)
    for command in (r"\left", r"\right", r"\displaystyle"):
        text = text.replace(command, "")
    return text.replace("\\\\", "\\")


def _without_texts(text: str) -> str:
    r"""Without each ``\text{…}``, up to the first closing brace."""
    parts = []
    place = 0
    while (start := text.find(r"\text{", place)) >= 0:
        end = text.find("}", start)
        if end < 0:
            break
        parts.append(text[place:start])
        place = end + 1
    return "".join(parts) + text[place:]


# The mended rules


@dataclass(frozen=True)
class Found:
    """An answer that was found.

    Attributes:
        content: what stands between the marks, trimmed.
        kind: ``double`` (what was asked for), ``box`` or ``single``.
    """

    content: str
    kind: str


def last_answer(text: str) -> Found | None:
    r"""The last ``[[…]]`` that is no placeholder, else the last box, else the last ``[…]``.

    What follows a generated ``### Question`` is not read, nor is more than the last 20,000
    characters before it.
    """
    text = standing(text.partition(_CUT)[0][-_WINDOW:])
    words = words_for(None, text)
    found = list(_DOUBLE.finditer(text))[-_PLACES:]
    if words.aftermath(text[found[-1].end() if found else 0 :]).withdrawn:
        return None
    for match in found:
        if words.passed_over(text[: match.start()], text[match.end() :]):
            text = text[: match.start()] + " " * len(match[0]) + text[match.end() :]
    for find, kind in ((_double, "double"), (_box, "box"), (_single, "single")):
        content = find(text)
        if content is not None:
            return Found(content, kind)
    return None


def _double(text: str) -> str | None:
    """The last run in double brackets; brackets inside it may nest."""
    partners = _partners(text)
    end = len(text)
    for _ in range(_PLACES):
        stop = text.rfind("]]", 0, end)
        if stop < 0:
            return None
        start = partners.get(stop + 1, -1)
        if start < 0 or not text.startswith("[[", start) or start + 2 > stop:
            start = text.rfind("[[", 0, stop)  # half-open intervals do not balance
        if start < 0:
            end = stop + 1
            continue
        content = text[start + 2 : stop].strip()
        if not _PLACEHOLDER.fullmatch(content):
            opening = text.rfind("]]", 0, start)
            joined = opening >= 0 and words_for(None, text).joined(text[opening + 2 : start])
            first = _double(text[: opening + 2]) if joined else None
            return content if first is None else f"{first} or {content}"
        end = start
    return None


def _partners(text: str) -> dict[int, int]:
    """The place of the ``[`` that each ``]`` closes."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for match in _BRACKET.finditer(text):
        if match[0] == "[":
            opened.append(match.start())
        elif opened:
            found[match.start()] = opened.pop()
    return found


def _box(text: str) -> str | None:
    """What stands in the last box, its braces balanced."""
    for match in reversed(list(_BOX.finditer(text))[-_PLACES:]):
        depth, begin = 1, match.end()
        for brace in re.finditer(r"\\.|[{}]", text[begin:], re.DOTALL):
            depth += {"{": 1, "}": -1}.get(brace[0], 0)
            if not depth:
                content = text[begin : begin + brace.start()].strip()
                if not _PLACEHOLDER.fullmatch(content):
                    return content
                break
    return None


def _single(text: str) -> str | None:
    r"""The last run in single brackets; ``\[`` opens display mathematics and no answer."""
    end = len(text)
    for _ in range(_PLACES):
        stop = text.rfind("]", 0, end)
        if stop < 0:
            return None
        end = stop
        if stop and text[stop - 1] == "\\":
            continue
        start = text.rfind("[", 0, stop)
        if start < 0:
            return None
        if start and text[start - 1] == "\\":
            continue
        content = text[start + 1 : stop].strip()
        if content and not _PLACEHOLDER.fullmatch(content):
            return content
    return None


def unboxed(content: str) -> str:
    r"""An answer without a box around all of it: ``\boxed{5}`` as ``5``."""
    match = _BOX.match(content)
    if match and content.endswith("}"):
        return content[match.end() : -1].strip()
    return content

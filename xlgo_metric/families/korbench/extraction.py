r"""The published extraction: the first ``[[…]]``, a box, or single brackets.

Linear in the length of the text. ``found`` has the rules of mode ``default``.
"""

from __future__ import annotations

from typing import Literal

from ...language.language_text import without

Level = Literal["clean", "logic", "math"]
NULL = "NULL"
"""What the published extraction gives where it finds nothing."""


def _between(text: str, opening: str, closing: str) -> str | None:
    """The text between the first ``opening`` and the next ``closing``.

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
    result = _between(text, "[[", "]]")
    if result is None:
        result = _between(text, "$\\boxed{", "}$")
    else:
        result = result.strip()
    if result is None:
        result = _between(text, "[", "]")
        if result is None:
            return NULL
        result = result.strip()
    if level == "math":
        return _math(_without(result, '"\n[]$'))
    return f"[[{_without(result, _DELETED[level])}]]"


_DELETED = {"clean": '"\n []', "logic": '"\n .'}


def inner(text: str) -> str:
    """The body of the first ``[[…]]`` unchanged, else ``NULL``."""
    result = _between(text, "[[", "]]")
    return NULL if result is None else result


def _without(text: str, characters: str) -> str:
    return text.translate({ord(character): None for character in characters})


def _math(text: str) -> str:
    if "=" in text:
        text = text.rpartition("=")[2]
    for mark in (r"\(", r"\)", r"\[", r"\]"):
        text = text.replace(mark, "")
    text = without(text, r"\text{", "}", "")
    for command in (r"\left", r"\right", r"\displaystyle"):
        text = text.replace(command, "")
    return text.replace("\\\\", "\\")

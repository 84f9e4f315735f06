"""Finding answers in responses: everything here takes time linear in the text, whatever it holds.

Only the end of a response is read (``TAIL`` characters of it): the last match counts, and a longer
answer than that is no answer to any question of this family.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ...core import Reference
from ...reading.machine import unwrapped
from ...reading.normalise import fold
from ...reading.settling import Form
from ...reading.thinking import ENDS, split_thinking, standing

TAIL = 30_000
PLACES = 100
"""How many places are tried, from the last one backwards, before giving up."""

_QUOTES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "−": "-", "–": "-"})


@dataclass(frozen=True)
class Reply:
    """What a model answered.

    Attributes:
        text: the end of its answer, without thinking, in one form of digits, widths and quotes.
        truncated: the thinking never ended.
        cut: the answer is longer than what is read of it.
        struck: something in it is struck out, and left out here.
    """

    text: str
    truncated: bool = False
    cut: bool = False
    struck: bool = False


def reply_of(prediction: str | None) -> Reply:
    """The part of a response that is read."""
    response = split_thinking(prediction or "")
    tail = ENDS.sub("", unwrapped(response.answer[-TAIL:]))
    cut = len(response.answer) > TAIL
    # Compatibility forms can grow eighteenfold.
    text = fold(tail).translate(_QUOTES)[-TAIL:]
    left = standing(text)
    return Reply(left, not response.closed, cut, left != text)


def language_of(reference: Reference) -> str | None:
    """The language of a question, where its reference names one."""
    language = reference.get("language")
    return language if isinstance(language, str) else None


def lowered(text: str) -> str:
    """The text in lower case if that keeps its length and so all positions, else as it is."""
    lower = text.lower()
    return lower if len(lower) == len(text) else text


def places(text: str, mark: str) -> Iterator[int]:
    """Yield up to ``PLACES`` positions of ``mark``, last first."""
    at = len(text)
    for _ in range(PLACES):
        at = text.rfind(mark, 0, at)
        if at < 0:
            return
        yield at


_BOX = re.compile(r"\\?f?boxed\s?\{|\\fbox\s?\{")
_BOX_LENGTH = 1000


def box_forms(text: str) -> tuple[list[Form], bool]:
    r"""What stands in each ``\boxed{...}``, and whether the last one was never closed."""
    forms: list[Form] = []
    for match in list(_BOX.finditer(text))[-PLACES:]:
        if forms and match.start() < forms[-1].end:
            continue
        depth, begin = 1, match.end()
        for at in range(begin, min(len(text), begin + _BOX_LENGTH)):
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            if not depth:
                forms.append(Form(match.start(), at + 1, text[begin:at]))
                break
        else:
            if len(text) < begin + _BOX_LENGTH:
                return forms, True
    return forms, False

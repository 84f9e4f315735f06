"""Finding answers in responses: everything here takes time linear in the text, whatever it holds.

Only the end of a response is read (``TAIL`` characters of it): the last match counts, and a longer
answer than that is no answer to any question of this family.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...reading.normalise import fold
from ...reading.thinking import split_thinking
from ...reading.withdrawn import standing

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
    """

    text: str
    truncated: bool = False
    cut: bool = False


def reply_of(prediction: str | None) -> Reply:
    """The part of a response that is read."""
    response = split_thinking(prediction or "")
    tail = response.answer[-TAIL:]
    cut = len(response.answer) > TAIL
    # Compatibility forms can grow eighteenfold.
    text = standing(fold(tail).translate(_QUOTES)[-TAIL:])
    return Reply(text, not response.closed, cut)


def lowered(text: str) -> str:
    """The text in lower case if that keeps its length and so all positions, else as it is."""
    lower = text.lower()
    return lower if len(lower) == len(text) else text


def places(text: str, mark: str) -> Iterator[int]:
    """Where ``mark`` stands in a text, from the last place backwards, at most ``PLACES``."""
    at = len(text)
    for _ in range(PLACES):
        at = text.rfind(mark, 0, at)
        if at < 0:
            return
        yield at


def last_box(text: str) -> tuple[str | None, bool]:
    r"""What stands in the last ``\boxed{...}``, and whether a box was opened and never closed."""
    text = text.replace("boxed {", "boxed{").replace("fbox{", "boxed{")
    for start in places(text, "boxed{"):
        depth, begin = 1, start + len("boxed{")
        for at in range(begin, min(len(text), begin + 1000)):
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            if not depth:
                return text[begin:at], False
        return None, len(text) < begin + 1000
    return None, False


def after_phrase(text: str, phrases: tuple[str, ...], limit: int = 200) -> str | None:
    """The rest of the line after the last of the ``phrases``, which are in lower case."""
    lower = lowered(text)
    starts = [lower.rfind(phrase) + len(phrase) for phrase in phrases if phrase in lower]
    if not starts:
        return None
    line = text[max(starts) : max(starts) + limit].lstrip(" \t:*")
    return line.split("\n", 1)[0].strip()

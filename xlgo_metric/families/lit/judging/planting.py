"""English texts with known errors, to see whether a judge finds them.

Errors are made by rule and placed by the project's own random words, so the same text, seed and
kind always give the same item. A rule that finds no place in a text gives nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from ....statistics.draws import Stream

Place = TypeVar("Place")

_SENTENCE = re.compile(r"[^.!?]{1,4000}[.!?]*[\"'”’)]{0,3}\s*")
_AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|can|could|will|would|should|must|has|have|had|did|does|do|may|might)\b"
)
_NOT = re.compile(r"\s{1,20}not\b|n't\b|n’t\b")
_NEVER = re.compile(r"\bnever\s{1,20}")
_NUMBER = re.compile(r"(?<![\w.,])\d{1,9}(?![\w]|[.,]\d)")
_NUMBER_WORDS = (
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
_NUMBER_WORD = re.compile(rf"\b({'|'.join(_NUMBER_WORDS)})\b")
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,30}\b")
_NAMES = ("Margaret", "Lisbon", "Okafor", "Helsinki", "Ramirez", "Brandt", "Jakarta", "Osei")
_INVENTED = (
    "The ministry later confirmed that the whole stock had been sold to a museum in Lisbon.",
    "Nobody was hurt, although the fire burned for eleven days.",
    "Her brother had refused to sign the contract for that very reason.",
    "A second study of forty patients found the opposite.",
    "The price was to rise by nine percent before the end of the year.",
)
_OTHER = (
    "Ayer por la tarde llovió mucho y nadie quiso salir de casa hasta que volvió la luz.",
    "Der Zug nach Hause fuhr an diesem Abend nicht, und so blieben alle noch eine Stunde länger.",
    "Leo asubuhi watoto walienda shuleni mapema kwa sababu basi lilikuwa limejaa watu.",
)


def sentences(text: str) -> list[str]:
    """The sentences of an English text, their white space included: joined, they are the text."""
    return _SENTENCE.findall(text) if "".join(_SENTENCE.findall(text)) == text else [text]


def flip_negation(text: str, stream: Stream) -> str | None:
    """The text with one "not" taken out or, where it has none, put in; ``None`` without a verb."""
    if match := _one_of([*_NOT.finditer(text)], stream):
        begin, contracted = match.start(), match[0][0] not in " \t\r\n"
        if contracted and text[max(0, begin - 2) : begin].lower() in ("ca", "wo"):
            stem = text[begin - 2 : begin]
            full = {"ca": "can", "wo": "will"}[stem.lower()]
            return text[: begin - 2] + full + text[match.end() :]
        return text[:begin] + text[match.end() :]
    if never := _NEVER.search(text):
        return text[: never.start()] + text[never.end() :]
    verb = _one_of([*_AUXILIARY.finditer(text)], stream)
    return verb and f"{text[: verb.end()]} not{text[verb.end() :]}"


def change_number(text: str, stream: Stream) -> str | None:
    """The text with another number in the place of one; ``None`` without numbers."""
    match = _one_of([*_NUMBER.finditer(text), *_NUMBER_WORD.finditer(text)], stream)
    if match is None:
        return None
    if match[0] in _NUMBER_WORDS:
        shift = 1 + _pick(stream, len(_NUMBER_WORDS) - 1)
        place = (_NUMBER_WORDS.index(match[0]) + shift) % len(_NUMBER_WORDS)
        other = _NUMBER_WORDS[place]
    else:
        other = str(int(match[0]) + 2 + _pick(stream, 7))
    return text[: match.start()] + other + text[match.end() :]


def drop_sentence(text: str, stream: Stream) -> str | None:
    """The text without one of its sentences; ``None`` if it has only one."""
    parts = sentences(text)
    if len(parts) < 2:
        return None
    place = _pick(stream, len(parts))
    return "".join(parts[:place] + parts[place + 1 :]).strip()


def swap_name(text: str, stream: Stream) -> str | None:
    """The text with another name in the place of one; ``None`` without names inside sentences."""
    match = _one_of([*_NAME.finditer(text)], stream)
    if match is None:
        return None
    others = [name for name in _NAMES if name != match[0]]
    return text[: match.start()] + others[_pick(stream, len(others))] + text[match.end() :]


def append_invention(text: str, stream: Stream) -> str | None:
    """The text with a sentence behind it that it does not hold."""
    sentence = _one_of([one for one in _INVENTED if one not in text], stream)
    return sentence and f"{text.rstrip()} {sentence}"


Maker = Callable[[str, Stream], "str | None"]
PLANTED: dict[str, Maker] = {
    "negation": flip_negation,
    "number": change_number,
    "omission": drop_sentence,
    "entity": swap_name,
    "hallucination": append_invention,
    "other_language": lambda text, stream: _OTHER[_pick(stream, len(_OTHER))],
    "empty": lambda text, stream: "",
}
"""The kinds of planted errors, with the rule that makes each; of the last two, nothing of the text
is left."""


def _one_of(places: Sequence[Place], stream: Stream) -> Place | None:
    return places[_pick(stream, len(places))] if places else None


def _pick(stream: Stream, count: int) -> int:
    """A number below ``count``, the same on every machine."""
    return (int(stream.words(1)[0]) >> 32) * count >> 32

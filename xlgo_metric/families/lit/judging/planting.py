"""English texts with known errors, to see whether a judge finds them.

Errors are made by rule and placed by the project's own random words, so the same text, seed and
kind always give the same item. A rule that finds no place in a text gives nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ....statistics.draws import Stream

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
    present = [*_NOT.finditer(text)]
    if present:
        match = present[_pick(stream, len(present))]
        begin, contracted = match.start(), match[0][0] not in " \t\r\n"
        if contracted and text[max(0, begin - 2) : begin].lower() in ("ca", "wo"):
            stem = text[begin - 2 : begin]
            full = {"ca": "can", "wo": "will"}[stem.lower()]
            return text[: begin - 2] + full + text[match.end() :]
        return text[:begin] + text[match.end() :]
    never = _NEVER.search(text)
    if never:
        return text[: never.start()] + text[never.end() :]
    places = [*_AUXILIARY.finditer(text)]
    if not places:
        return None
    end = places[_pick(stream, len(places))].end()
    return f"{text[:end]} not{text[end:]}"


def change_number(text: str, stream: Stream) -> str | None:
    """The text with another number in the place of one; ``None`` without numbers."""
    places = [*_NUMBER.finditer(text), *_NUMBER_WORD.finditer(text)]
    if not places:
        return None
    match = places[_pick(stream, len(places))]
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
    places = [*_NAME.finditer(text)]
    if not places:
        return None
    match = places[_pick(stream, len(places))]
    others = [name for name in _NAMES if name != match[0]]
    return text[: match.start()] + others[_pick(stream, len(others))] + text[match.end() :]


def append_invention(text: str, stream: Stream) -> str | None:
    """The text with a sentence behind it that it does not hold."""
    others = [sentence for sentence in _INVENTED if sentence not in text]
    if not others:
        return None
    return f"{text.rstrip()} {others[_pick(stream, len(others))]}"


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


def _pick(stream: Stream, count: int) -> int:
    """A number below ``count``, the same on every machine."""
    return (int(stream.words(1)[0]) >> 32) * count >> 32

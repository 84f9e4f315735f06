"""One form for what scripts write in many: digits, signs, widths and invisible characters.

Every function here takes ``notes``, a set that it adds the names of the rules to which were needed
to understand the text (see `LENIENT_RULES` in `xlgo_metric.reading.extract`).
"""

from __future__ import annotations

import re
import unicodedata

from xlgo_metric.reading.lookalikes import latin_identifiers
from xlgo_metric.reading.negation import denies

# Bodies of character classes of regular expressions.
INVISIBLE = (
    r"\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    r"\U000e0000-\U000e0fff"
)
OTHER_MINUS = r"\u02d7\u2010-\u2015\u2212\ufe58\ufe63\uff0d"
MINUS = rf"\-{OTHER_MINUS}"
POINT = r".\u066b\uff0e"

# Numbers beyond are held at it: no task has them, and nobody should pay for a million digits.
NUMBER_LIMIT = 10**18
_LIMIT_DIGITS = 18
# No number and no room's name is longer; compatibility forms can grow eighteenfold.
TEXT_LIMIT = 1_000

_INVISIBLE = re.compile(f"[{INVISIBLE}]+")
NATIVE_DIGIT = re.compile(r"[^\D0-9]")
_NATIVE_DIGITS = re.compile(r"[^\D0-9]{1,100}")
_NUMBER = re.compile(rf"([{MINUS}+]?)(\d+)(?:[{POINT}](\d*))?(?:[eE]([{MINUS}+]?)(\d+))?")
# Letters of the Latin script: none may touch an identifier, where those of other scripts may.
LATIN = (
    r"A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u1d00-\u1dbf\u1e00-\u1eff"
    r"\u2c60-\u2c7f\ua722-\ua7ff\uab30-\uab6f"
)
_IDENTIFIER = re.compile(
    rf"(?<![\d{LATIN}])[A-Z][0-9]{{4}}(?![\d{LATIN}]|[._-](?:\d|[A-Z](?![{LATIN}])))"
)
_PLAIN_IDENTIFIER = re.compile(r"[A-Z][0-9]{4}")
# A room's name: its identifier, and at most a word or two, as the prompts write it.
_LETTER = (
    r"[^\s\d!-/:-@\[-`{-~\u00a0-\u00bf\u060c\u061b\u061f\u0964\u0965\u2000-\u2bff\u3000-\u303f"
    r"\uff00-\uff65\U0001f000-\U0001ffff]"
)
_NAME = re.compile(
    rf"(?:{_LETTER}{{1,30}}\s){{0,2}}{_LETTER}{{0,30}}[A-Z]\d{{4}}"
    rf"(?:-?{_LETTER}{{1,30}})?(?:\s{_LETTER}{{1,30}})?"
)
_NO_NUMBER = re.compile(r"[\s$€£¥₹₩₽]+")
# Marks of direction and the like, but not the two joiners that words of many scripts hold.
_MARKS = re.compile(f"(?![\u200c\u200d])[{INVISIBLE}]")
_UNIT = re.compile(
    rf"[$€£¥₹₩₽]?\s*([{MINUS}+]?\s*[$€£¥₹₩₽]?\s*\d{{1,18}}(?:\.0{{1,9}})?)\s{{0,3}}"
    r"(?:(?:gold|silver)?\s?(?:coins?|pieces?)?|units?|dollars?|euros?|rupees?|[$€£¥₹₩₽元円원枚])\.?",
    re.IGNORECASE,
)


def ascii_digits(text: str) -> str:
    """The text with the decimal digits of every script (Unicode Nd) as ASCII digits."""
    return _NATIVE_DIGITS.sub(lambda run: str(int(run[0])).zfill(len(run[0])), text)


def fold(text: str) -> str:
    """NFKC, ASCII digits, and nothing invisible."""
    if text.isascii():
        return text
    return ascii_digits(_INVISIBLE.sub("", unicodedata.normalize("NFKC", text)))


def form_notes(text: str, notes: set[str]) -> None:
    """Note which foldings `fold` would apply to the text."""
    if _INVISIBLE.search(text):
        notes.add("invisible")
    if NATIVE_DIGIT.search(text):
        notes.add("native_digits")
    elif not unicodedata.is_normalized("NFKC", text):
        notes.add("fullwidth")


def plain_identifiers(values: list[object]) -> bool:
    """Whether all values are strings that are an identifier and nothing else."""
    return {*map(type, values)} == {str} and all(map(_PLAIN_IDENTIFIER.fullmatch, values))  # type: ignore[arg-type]


def identifiers(text: str, notes: set[str]) -> set[str]:
    """The distinct identifiers in a text: a letter A-Z and four digits.

    No Latin letter and no digit touches an identifier; room words and suffixes of other scripts
    may. Words around one are noted as ``id_text``, more than a name as ``decorated`` (a sentence,
    marks of formatting). A text longer than `TEXT_LIMIT` and one that denies hold none.
    """
    if len(text) > TEXT_LIMIT:
        return set()
    seen = fold(text)
    folded = latin_identifiers(seen)
    if folded != seen:
        notes.add("lookalike")
    upper = folded.upper()
    found = set(_IDENTIFIER.findall(upper))
    if len(found) == 1 and upper.strip() not in found:
        if denies(folded):
            return set()
        notes.add("id_text")
        if not _NAME.fullmatch(upper.strip()):
            notes.add("decorated")
    if _MARKS.search(text):
        notes.add("invisible")
    if upper != folded and found != set(_IDENTIFIER.findall(folded)):
        notes.add("id_case")
    if folded != text and found != set(_IDENTIFIER.findall(text.upper())):
        form_notes(text, notes)
    return found


def parse_number(text: str, notes: set[str]) -> int | float | None:
    """The number that a text is in the digits of any script, or ``None`` if it is not a number.

    A text without fraction and exponent gives an int, held within ±`NUMBER_LIMIT`; others a float.
    A text longer than `TEXT_LIMIT` is none.
    """
    if len(text) > TEXT_LIMIT:
        return None
    # The pattern, int and float read the digits of every script; few texts need folding.
    match = _NUMBER.fullmatch(text) or _NUMBER.fullmatch(fold(text).strip())
    if match is None:
        return None
    sign, whole, fraction, exponent_sign, exponent = match.groups()
    if not text.isascii():
        form_notes(text, notes)
    if sign not in ("", "-", "+"):
        notes.add("unicode_minus")
    negative = sign not in ("", "+")
    if fraction is None and exponent is None:
        size = int(whole) if len(whole) <= _LIMIT_DIGITS else NUMBER_LIMIT
        return -size if negative else size
    power = f"{'-' if exponent_sign not in (None, '', '+') else ''}{exponent or 0}"
    value = float(f"{whole}.{fraction or 0}e{power}")
    return -value if negative else value


def integer(value: object, notes: set[str]) -> int | None:
    """The integer that a JSON value is or writes, within ±`NUMBER_LIMIT`; ``None`` if it is none.

    Integral floats and strings that are a number count, with a unit too (``3 gold``, ``$3``);
    booleans do not.
    """
    if isinstance(value, str):
        text = value
        value = parse_number(text, notes)
        notes.add("numeric_string")
        if (
            value is None
            and len(text) <= TEXT_LIMIT
            and (unit := _UNIT.fullmatch(fold(text).strip()))
        ):
            value = parse_number(_NO_NUMBER.sub("", unit[1]), notes)
            notes.add("unit")
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    if isinstance(value, float):
        if not value.is_integer():
            return None
        notes.add("integral_float")
    return int(max(-NUMBER_LIMIT, min(NUMBER_LIMIT, value)))

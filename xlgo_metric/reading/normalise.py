"""One form for what scripts write in many: digits, signs, widths and invisible characters.

Every function here takes ``notes``, a set that it adds the names of the rules to which were needed
to understand the text (see `LENIENT_RULES` in `xlgo_metric.reading.objects`).
"""

from __future__ import annotations

import re
import unicodedata

from .numbers import ascii_digits

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
# No number and no room's name is longer; compatibility forms can grow eighteenfold.
TEXT_LIMIT = 1_000

_INVISIBLE = re.compile(f"[{INVISIBLE}]+")
NATIVE_DIGIT = re.compile(r"[^\D0-9]")
_NUMBER = re.compile(rf"([{MINUS}+]?)(\d+)(?:[{POINT}](\d*))?(?:[eE]([{MINUS}+]?)(\d+))?")
_NO_NUMBER = re.compile(r"[\s$€£¥₹₩₽]+")
_UNIT = re.compile(
    rf"[$€£¥₹₩₽]?\s*([{MINUS}+]?\s*[$€£¥₹₩₽]?\s*\d{{1,18}}(?:\.0{{1,9}})?)\s{{0,3}}"
    r"(?:(?:gold|silver)?\s?(?:coins?|pieces?)?|units?|dollars?|euros?|rupees?|[$€£¥₹₩₽元円원枚])\.?",
    re.IGNORECASE,
)


def fold(text: str) -> str:
    """NFKC, ASCII digits, and nothing invisible."""
    if text.isascii():
        return text
    return ascii_digits(compatible(text))


def compatible(text: str) -> str:
    """NFKC, and nothing invisible."""
    return _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))


def form_notes(text: str, notes: set[str]) -> None:
    """Note which foldings `fold` would apply to the text."""
    if _INVISIBLE.search(text):
        notes.add("invisible")
    if NATIVE_DIGIT.search(text):
        notes.add("native_digits")
    elif not unicodedata.is_normalized("NFKC", text):
        notes.add("fullwidth")


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
        size = min(int(whole), NUMBER_LIMIT)
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


# Letters of other scripts that nobody can tell from Latin capitals: a keyboard or a tokenizer gives
# them; on the page the answer is the same.
CYRILLIC = "АВСЕНІЈКМОРЅТХҮѴԚԜ"
_LATIN_OF_CYRILLIC = "ABCEHIJKMOPSTXYVQW"
GREEK = "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ"
_LATIN_OF_GREEK = "ABEZHIKMNOPTYXC"
TO_LATIN = str.maketrans(CYRILLIC + GREEK, _LATIN_OF_CYRILLIC + _LATIN_OF_GREEK)
_IDENTIFIER = re.compile(rf"(?<![^\W_])[{CYRILLIC}{GREEK}](?=\d{{4}}(?!\d))")
_OTHER_OPTIONS = re.compile(r"(?<![^\W_])[БГДΓΔ](?![^\W_])")


def latin_identifiers(text: str) -> str:
    """The text with the Latin letter at the head of every identifier; no letter stands before it.

    >>> latin_identifiers("комната Е2679"), latin_identifiers("ОЕ2679")
    ('комната E2679', 'ОЕ2679')
    """
    return text if text.isascii() else _IDENTIFIER.sub(lambda m: m[0].translate(TO_LATIN), text)


def latin_letter(letter: str, text: str) -> str:
    """The Latin letter that an option's letter looks like.

    A text with a letter that only the alphabet of another script has (``Б``, ``Г``) names its
    options by that alphabet: there ``В`` is the third, not ``B``, and is left as it is.

    >>> latin_letter("В", "Ответ: В"), latin_letter("В", "А, Б или В")
    ('B', 'В')
    """
    return (
        letter
        if _OTHER_OPTIONS.search(text)
        else letter.upper().translate(TO_LATIN)
        if letter.upper() in CYRILLIC + GREEK and (letter.isupper() or letter in "асе")
        else letter
    )

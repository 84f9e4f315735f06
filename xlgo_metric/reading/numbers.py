r"""Read numbers as people write them in any language: one place for every family.

Understood are the decimal digits of every script, digits in groups (``1,234``, ``1.234``,
``12 345``, ``1{,}234``, ``12,34,567``), a decimal point or comma, a sign, fractions and mixed
numbers (``\frac{3}{4}``, ``1 3/4``), units around a number, and 万, 億 and their like behind it.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

COMMA = frozenset(
    ["de", "el", "es", "fr", "id", "it", "jv", "pl", "pt", "ru", "tr", "uk", "uz", "vi"]
)
"""Languages that write a decimal comma; there ``1.234`` is 1234. Elsewhere it is 1.234."""

_NATIVE = re.compile(r"[^\D0-9]{1,100}")
_GAP = r"(?:\{,\}|\\[,!; ]|[ '’\u00a0\u202f\u2009])"
_NUMBER = re.compile(
    r"(?:(\d{1,40})\s{0,3})?\\[dtc]?frac\s{0,3}\{(\d{1,40})\}\s{0,3}\{(0{0,39}[1-9]\d{0,39})\}"
    r"|(?:(\d{1,40})\s{1,3})?(?<![\d.,/])(\d{1,40})\s{0,3}/\s{0,3}(0{0,39}[1-9]\d{0,39})(?![\d/])"
    r"|\d{1,2}(?:,\d\d){1,9},\d{3}(?:\.\d{1,100})?(?!\d)"
    rf"|\d{{1,3}}(?:{_GAP}\d{{3}}(?!\d)){{1,30}}(?:[.,]\d{{1,100}})?"
    r"|\d{1,300}(?:(?:\{[.,]\}|[.,٬٫])\d{1,100}){0,30}"
)
_MARKS = re.compile(r"\\[,!; ]|[ '’\u00a0\u202f\u2009{}]")
_SIGN = re.compile(r"(?:\A|[\s=(${\[:*~\"'`|])[-−–][$€£¥]?\Z")
_DIFFERENCE = re.compile(r"[\d)}]\s[-−–][$€£¥]?\Z")
_UNITS = re.compile(r"\\(?:text|mathrm|textbf|textit|mbox|operatorname)\s{0,3}\{([^{}]{0,400})\}")
_SIDES = re.compile(r"=|≈|\\approx")
_POWERS = {"千": 3, "천": 3, "万": 4, "萬": 4, "만": 4, "億": 8, "亿": 8, "억": 8}
KILO = re.compile("千[克米瓦卡伏]")  # kilogram, kilometre …: of a unit, not of the number
_BOUND = re.compile(r"(?:[<>≤≥]|\\(?:leq?|geq?)(?![a-z]))=?\s{0,3}\\?\$?[-−]?\Z")
_WORKED = re.compile(r"\s{0,3}(?:!(?!\s|\Z)|!\Z|\^)")
_LONGEST = 2_000


class Number(NamedTuple):
    """A number in a text.

    Attributes:
        value: exactly what is written.
        start: the digits are ``text[start:end]``; a sign stands before them.
        end: see ``start``.
    """

    value: Fraction
    start: int
    end: int


def ascii_digits(text: str) -> str:
    """The text with the decimal digits of every script as 0 to 9; every offset stays.

    >>> ascii_digits("১৮ টাকা")
    '18 টাকা'
    """
    if text.isascii():
        return text
    return _NATIVE.sub(lambda run: str(int(run[0])).zfill(len(run[0])), text)


def find_numbers(text: str, language: str = "en") -> list[Number]:
    """Every number of a text in order, in linear time.

    A minus sign counts where nothing but a space, a bracket, an equals sign or a mark of formatting
    stands before it: in ``10 - 4``, ``17-18`` and the Hebrew ``שווה ל-26`` it is none.

    >>> [str(number.value) for number in find_numbers("Es sind 1.234,5 € oder -3.", "de")]
    ['2469/2', '-3']
    """
    text, comma = ascii_digits(text), language in COMMA
    numbers = []
    for match in _NUMBER.finditer(text):
        mixed, denominator, under = match.groups()[:3] if match[3] else match.groups()[3:]
        value = (
            int(mixed or 0) + Fraction(int(denominator), int(under))
            if denominator
            else _value(match[0], comma)
        )
        end = match.end()
        if (power := _POWERS.get(text[end : end + 1])) and not KILO.match(text, end):
            value *= 10**power
            end += 1
        before = text[max(0, match.start() - 4) : match.start()]
        before = before.rstrip() if match[3] else before  # a sign of LaTeX: ``- \\frac{1}{2}``
        if _SIGN.search(before) and not _DIFFERENCE.search(before):
            value = -value
        numbers.append(Number(value, match.start(), end))
    return numbers


def read_number(text: str, language: str = "en") -> Fraction | None:
    r"""The one number that a short text says; ``None`` if it says none, or different ones.

    Words and units may stand around it, and an equation before it: ``x = 13``, ``18 eggs``,
    ``\text{1,234 dollars}``, ``60\%`` (which is 60), ``\frac{3}{4}``. A bound (``> 18``), a
    factorial and a power are no number.

    >>> read_number(r"x = \$1{,}234\text{ per 2 days}"), read_number("17-18")
    (Fraction(1234, 1), None)
    """
    if len(text) > _LONGEST:
        return None
    text = ascii_digits(text)
    sides = [side for side in _SIDES.split(text) if any(map(str.isdigit, side))]
    text = sides[-1] if sides else ""
    bare = _UNITS.sub(" ", text)
    text = bare if any(map(str.isdigit, bare)) else _UNITS.sub(r"\1", text)
    numbers = find_numbers(text, language)
    if len({number.value for number in numbers}) != 1:
        return None
    bound = _BOUND.search(text[: numbers[0].start])
    return None if bound or _WORKED.match(text[numbers[-1].end :]) else numbers[0].value


def decimal_text(value: Fraction) -> str:
    """A number as a plain decimal string: ``18``, ``-2.5``; others to ten digits behind the point.

    >>> decimal_text(Fraction(5, 2)), decimal_text(Fraction(1, 3))
    ('2.5', '0.3333333333')
    """
    if value.denominator == 1:
        return str(value.numerator)
    scaled = str(abs(round(value * 10**10))).zfill(11)
    return ("-" if value < 0 else "") + f"{scaled[:-10]}.{scaled[-10:]}".rstrip("0").rstrip(".")


def _value(token: str, comma: bool) -> Fraction:
    """What the digits of a number say, with marks of groups and of the decimal part."""
    token = _MARKS.sub("", token).replace("٬", ",").replace("٫", ".")
    marks = re.findall("[.,]", token)
    if not marks:
        return Fraction(int(token))
    head, tail = re.split("[.,]", token)[0], len(token) - 1 - max(map(token.rfind, ".,"))
    grouping = tail == 3 and head.strip("0") and len(head) < 4 and (marks[0] == "," or comma)
    if len(set(marks)) == 1 and (len(marks) > 1 or grouping):
        return Fraction(int(re.sub("[.,]", "", token)))
    integer, part = token[: -tail - 1], token[-tail:]
    return Fraction(f"{re.sub('[.,]', '', integer) or 0}.{part}")

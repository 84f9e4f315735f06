"""Numbers that are partly words: 2.5 million, 3万, 1億2000万, ১৮ লক্ষ, 六十四, 百分之六十."""

from __future__ import annotations

import re
from fractions import Fraction

from .tokens import Token
from .vocabulary import COUNTERS, MAGNITUDES, unit_word

_DIGITS = {sign: value for value, sign in enumerate("零一二三四五六七八九")} | {
    "〇": 0, "两": 2, "兩": 2,
}  # fmt: skip
_TENS = {"十": 10, "百": 100, "千": 1_000}
_MYRIADS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8, "兆": 10**12}
_SPELLED = re.compile("[零〇一二两兩三四五六七八九十百千万萬亿億兆]{1,30}")
_PART = "分之"


def with_numerals(tokens: list[Token]) -> list[Token]:
    """The tokens with numbers in words, or with words that multiply them, as numbers."""
    if not any(token.kind == "word" for token in tokens):
        return tokens
    merged: list[Token] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        place += 1
        if token.kind == "word":
            alone = not merged or merged[-1].kind not in ("word", "num")
            alone = alone and (place == len(tokens) or tokens[place].kind != "word")
            merged.extend(_spelled(token) if alone else [token])
        elif token.kind == "num":
            taken, place = _multiplied(tokens, place - 1)
            merged.extend(taken)
        else:
            merged.append(token)
    return merged


def _multiplied(tokens: list[Token], place: int) -> tuple[list[Token], int]:
    """The number at ``place`` times the word behind it, and the place behind both."""
    first_token = tokens[place]
    total, last_magnitude = Fraction(0), None
    suffix = ""
    while place + 1 < len(tokens) and tokens[place].kind == "num" and not suffix:
        value = tokens[place].value
        magnitude = _magnitude(tokens[place + 1])
        assert value is not None
        if magnitude is None or (
            last_magnitude is not None and value * magnitude[0] >= last_magnitude
        ):
            break
        last_magnitude, suffix = magnitude
        total += value * last_magnitude
        place += 2
    if last_magnitude is None:
        return [first_token], place + 1
    if not suffix and place < len(tokens) and tokens[place].kind == "num":
        value = tokens[place].value
        assert value is not None
        if value < last_magnitude:
            total += value
            place += 1
    taken = [_number(total, first_token.gap)]
    return taken + ([Token("word", suffix)] if suffix else []), place


def _number(value: Fraction, gap: bool) -> Token:
    return Token("num", str(value), gap, value)


def _magnitude(token: Token) -> tuple[int, str] | None:
    """What a word multiplies the number in front of it by, and the unit that is joined to it."""
    if token.kind != "word":
        return None
    word = token.text.casefold()
    if word in MAGNITUDES:
        return MAGNITUDES[word], ""
    if word.isascii() or unit_word(word) is not None:  # 千米 is a unit
        return None
    for end in range(len(word) - 1, 0, -1):
        if word[:end] in MAGNITUDES and _counts(word[end:]):
            return MAGNITUDES[word[:end]], word[end:]
    return None


def _counts(word: str) -> bool:
    return word in COUNTERS or unit_word(word) is not None


def _spelled(token: Token) -> list[Token]:
    """A Chinese or Japanese number in words, with a unit behind it or not."""
    text = token.text
    if _PART in text:
        below, _, above = text.partition(_PART)
        if _SPELLED.fullmatch(below) and _SPELLED.fullmatch(above):
            divisor = spelled_value(below)
            if divisor:
                value = Fraction(spelled_value(above), divisor)
                percent = [_number(value * 100, token.gap), Token("op", "%")]
                return percent if divisor == 100 else [_number(value, token.gap)]
        return [token]
    match = _SPELLED.match(text)
    rest = text[match.end() :] if match else ""
    if match is None or (rest and not _counts(rest)):
        return [token]
    number = _number(Fraction(spelled_value(match[0])), token.gap)
    return [number, Token("word", rest)] if rest else [number]


def spelled_value(text: str) -> int:
    """The value of a number in Chinese characters: 三百六十五, 二〇二四, 一亿零五万.

    >>> spelled_value("六十四"), spelled_value("二〇二四"), spelled_value("一亿零五万")
    (64, 2024, 100050000)
    """
    if all(sign in _DIGITS for sign in text):
        return int("".join(str(_DIGITS[sign]) for sign in text))
    total = section = digit = 0
    for sign in text:
        if sign in _DIGITS:
            digit = _DIGITS[sign]
        elif sign in _TENS:
            section += (digit or 1) * _TENS[sign]
            digit = 0
        else:
            total += ((section + digit) or 1) * _MYRIADS[sign]
            section = digit = 0
    return total + section + digit

"""Work out typed arithmetic exactly, without running it.

Only numbers, the four operations, signs and round brackets are known. What a model may write
instead (powers, names, calls, lists, a product without a sign) has no value.
"""

from __future__ import annotations

import re
from fractions import Fraction

MAX_LENGTH = 200
MAX_TOKENS = 40
MAX_DEPTH = 20
MAX_DIGITS = 6

_TOKEN = re.compile(r"\s*(?:([0-9]+(?:\.[0-9]*)?|\.[0-9]+)|(\*\*|//|[-+*/()]))")


class NotArithmeticError(ValueError):
    """The text is no arithmetic within the limits, or it divides by zero."""


def tokens(text: str) -> list[str]:
    """The numbers and signs of a text, in order.

    Raises:
        NotArithmeticError: another character, more than 200 characters, 40 tokens or 6 digits in a
            number.
    """
    text = text.strip()
    if len(text) > MAX_LENGTH:
        raise NotArithmeticError("too long")
    parts: list[str] = []
    place = 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise NotArithmeticError(f"{text[place]!r} is no number and no sign")
        place = match.end()
        parts.append(match[1] or match[2])
        digits = len(parts[-1].replace(".", ""))
        if match[1] and digits > MAX_DIGITS:
            raise NotArithmeticError("too many digits")
    if len(parts) > MAX_TOKENS:
        raise NotArithmeticError("too many tokens")
    return parts


def evaluate(text: str) -> Fraction:
    """The exact value of arithmetic such as ``8/(3-8/3)``.

    Raises:
        NotArithmeticError: it is no arithmetic of ``+ - * / ( )`` within the limits, or it divides
            by zero.
    """
    reader = _Reader(tokens(text))
    value = reader.sum(0)
    if reader.place < len(reader.tokens):
        raise NotArithmeticError(f"unexpected {reader.tokens[reader.place]!r}")
    return value


class _Reader:
    def __init__(self, found: list[str]) -> None:
        self.tokens = found
        self.place = 0

    def accept(self, *wanted: str) -> str | None:
        if self.place < len(self.tokens) and self.tokens[self.place] in wanted:
            self.place += 1
            return self.tokens[self.place - 1]
        return None

    def sum(self, depth: int) -> Fraction:
        value = self.product(depth)
        while sign := self.accept("+", "-"):
            other = self.product(depth)
            value = value + other if sign == "+" else value - other
        return value

    def product(self, depth: int) -> Fraction:
        value = self.signed(depth)
        while sign := self.accept("*", "/"):
            other = self.signed(depth)
            if sign == "/" and not other:
                raise NotArithmeticError("division by zero")
            value = value * other if sign == "*" else value / other
        return value

    def signed(self, depth: int) -> Fraction:
        minus = False
        while sign := self.accept("-", "+"):
            minus ^= sign == "-"
        value = self.atom(depth)
        return -value if minus else value

    def atom(self, depth: int) -> Fraction:
        if depth > MAX_DEPTH:
            raise NotArithmeticError("too deeply nested")
        if self.accept("("):
            value = self.sum(depth + 1)
            if not self.accept(")"):
                raise NotArithmeticError("')' is missing")
            return value
        if self.place == len(self.tokens) or self.tokens[self.place][0] not in "0123456789.":
            raise NotArithmeticError("a number is missing")
        self.place += 1
        return Fraction(self.tokens[self.place - 1])

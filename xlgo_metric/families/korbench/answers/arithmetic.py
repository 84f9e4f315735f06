"""Work out typed arithmetic exactly, without running it.

Only numbers, the four operations, signs and round brackets are known. What a model may write
instead (powers, names, calls, lists, a product without a sign) has no value.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from fractions import Fraction

MAX_LENGTH = 200
MAX_TOKENS = 40
MAX_DIGITS = 6

_TOKEN = re.compile(r"\s*(?:([0-9]+(?:\.[0-9]*)?|\.[0-9]+)|(\*\*|//|[-+*/()]))")
_ZEROS = re.compile(r"^0+(?=[0-9])")
_OPERATIONS: Mapping[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


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
    offset = 0
    while offset < len(text):
        match = _TOKEN.match(text, offset)
        if match is None:
            raise NotArithmeticError(f"{text[offset]!r} is no number and no sign")
        offset = match.end()
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
    # Python knows no number with zeros before it.
    plain = " ".join(_ZEROS.sub("", token) for token in tokens(text))
    try:
        return _value(ast.parse(plain, mode="eval").body)
    except (SyntaxError, ZeroDivisionError) as error:
        raise NotArithmeticError(str(error)) from None


def _value(node: ast.expr) -> Fraction:
    """The value of a syntax tree; nothing in it is run."""
    if isinstance(node, ast.Constant):
        return Fraction(str(node.value))
    if isinstance(node, ast.UnaryOp):
        value = _value(node.operand)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.BinOp) and (operation := _OPERATIONS.get(type(node.op))):
        return operation(_value(node.left), _value(node.right))
    raise NotArithmeticError(f"unexpected {type(node).__name__}")

"""Work out typed arithmetic exactly, without running it.

Only numbers, the four operations, signs and round brackets are known. What a model may write
instead (powers, names, calls, lists, a product without a sign) has no value.
"""

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
_OPERATIONS: Mapping[type, Callable[..., Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
}


def tokens(text: str) -> list[str]:
    """The numbers and signs of a text, in order.

    None with another character, or beyond 200 characters, 40 tokens or 6 digits in a number.
    """
    text = text.strip()
    matches = list(_TOKEN.finditer(text[: MAX_LENGTH + 1]))
    parts = [match[1] or match[2] for match in matches]
    is_whole = sum(len(match[0]) for match in matches) == len(text) <= MAX_LENGTH
    is_short = all(len(part.replace(".", "")) <= MAX_DIGITS for part in parts)
    return parts if is_whole and is_short and len(parts) <= MAX_TOKENS else []


def evaluate(text: str) -> Fraction | None:
    """The exact value of arithmetic such as ``8/(3-8/3)``.

    ``None`` where it is no arithmetic of ``+ - * / ( )`` within the limits, or divides by zero.
    """
    # Python knows no number with zeros before it.
    plain = " ".join(_ZEROS.sub("", token) for token in tokens(text))
    try:
        return _value(ast.parse(plain, mode="eval").body)
    except (KeyError, SyntaxError, ZeroDivisionError):
        return None


def _value(node: ast.expr) -> Fraction:
    """The value of a syntax tree; nothing in it is run."""
    if isinstance(node, ast.Constant):
        return Fraction(str(node.value))
    if isinstance(node, ast.UnaryOp):
        return _OPERATIONS[type(node.op)](_value(node.operand))
    if isinstance(node, ast.BinOp):
        return _OPERATIONS[type(node.op)](_value(node.left), _value(node.right))
    raise SyntaxError(type(node).__name__)

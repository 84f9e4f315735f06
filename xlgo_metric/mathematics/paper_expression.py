"""Read plain arithmetic (``2*x + sqrt(3)``) into SymPy without running it.

SymPy's ``parse_expr`` hands its text to Python's ``eval``; this reader knows numbers, names, a few
functions and the operators of arithmetic, and refuses the rest.
"""

from __future__ import annotations

import ast
from typing import Any

MAX_LENGTH = 500
MAX_EXPONENT = 1_000
_FUNCTIONS = frozenset(
    {
        "sqrt",
        "sin",
        "cos",
        "tan",
        "cot",
        "asin",
        "acos",
        "atan",
        "log",
        "ln",
        "exp",
        "Abs",
        "factorial",
    }
)
_CONSTANTS = {"pi": "pi", "E": "E", "I": "I", "oo": "oo"}


def parse_python(text: str) -> Any:
    """The SymPy object of an arithmetic expression in Python's notation.

    Raises:
        ValueError: it holds anything else, or too large a power.
        SyntaxError: it is not well formed.
    """
    if len(text) > MAX_LENGTH:
        raise ValueError("too long")
    return _build(ast.parse(text.strip(), mode="eval").body)


def _build(node: ast.AST) -> Any:
    import sympy

    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return sympy.sympify(node.value) if isinstance(node.value, int) else sympy.Float(node.value)
    if isinstance(node, ast.Name):
        return (
            getattr(sympy, _CONSTANTS[node.id]) if node.id in _CONSTANTS else sympy.Symbol(node.id)
        )
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        kind = {ast.Tuple: tuple, ast.List: list, ast.Set: set}[type(node)]
        return kind(_build(part) for part in node.elts)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        value = _build(node.operand)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.BinOp):
        return _operation(node.op, _build(node.left), _build(node.right))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1:
        return _call(node.func.id, _build(node.args[0]))
    raise ValueError(f"not arithmetic: {type(node).__name__}")


def _call(name: str, argument: Any) -> Any:
    import sympy

    if name not in _FUNCTIONS:
        raise ValueError(f"unknown function {name}")
    if name == "factorial" and not (argument.is_Integer and abs(argument) <= MAX_EXPONENT):
        raise ValueError("too large")
    return getattr(sympy, name)(argument)


def _operation(operator: ast.operator, left: Any, right: Any) -> Any:
    import sympy

    if isinstance(operator, ast.Add):
        return left + right
    if isinstance(operator, ast.Sub):
        return left - right
    if isinstance(operator, ast.Mult):
        return left * right
    if isinstance(operator, ast.Div):
        return left / right
    if isinstance(operator, ast.Pow):
        if right.is_number and not (right.is_Rational and abs(right) <= MAX_EXPONENT):
            raise ValueError("too large a power")
        return sympy.Pow(left, right)
    raise ValueError(f"not arithmetic: {type(operator).__name__}")

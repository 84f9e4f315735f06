"""The last step of PolyMath's published comparison: two formulas, compared by SymPy.

Runs in the worker's process, which limits its time and memory.
"""

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import sympy
from latex2sympy2_extended.latex2sympy2 import ConversionConfig, latex2sympy
from sympy import Basic, Expr, Float, Integer, N, Pow, Set, Tuple, binomial, factorial, simplify
from sympy.parsing.latex import parse_latex

MAX_POWER_BITS = 5_000
RELATIVE_TOLERANCE = 1e-4
MAX_TYPED_LENGTH = 500  # of arithmetic in Python's notation
MAX_EXPONENT = 1_000  # there, and of a factorial
_FUNCTIONS = frozenset(
    [
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
    ]
)
_OPERATORS: Mapping[type, Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
}
_CONSTANTS = {"pi": "pi", "E": "E", "I": "I", "oo": "oo"}
_LIST = re.compile(r"(?:\\left)?(\\?[\[{])(.*?)(?:\\right)?(\\?[\]}])", re.S)
_PAIRS = {"[": "]", "{": "}", r"\{": r"\}"}


def same_symbols(prediction: str, gold: str) -> bool:
    """Whether SymPy holds two formulas to be equal, as the published code asks it."""
    a, b = _parsed(prediction), _parsed(gold)
    if str(a) == str(b) or _safely(lambda: a == b):
        return True
    if not (_is_moderate(a) and _is_moderate(b)):
        return False
    sampled = _sampled(a, b)
    if sampled or (sampled is None and _safely(lambda: a.equals(b) or simplify(a - b) == 0)):
        return True
    if _safely(lambda: abs(a.lhs - a.rhs).equals(abs(b.lhs - b.rhs))):
        return True
    if _safely(lambda: math.isclose(float(N(a)), float(N(b)), rel_tol=RELATIVE_TOLERANCE)):
        return True
    return _safely(lambda: a.shape == b.shape and _rounded(a).equals(_rounded(b)))


def _sampled(a: Any, b: Any) -> bool | None:
    """Whether two expressions agree at sample points, which spares their simplification.

    ``None`` if they are no expressions or have no values there.
    """
    if not (isinstance(a, Expr) and isinstance(b, Expr)):
        return None
    names = sorted((a.free_symbols | b.free_symbols), key=str)
    for point in range(3):
        values = {
            name: Float(f"{1.1 + index * 0.37 + point * 0.59}", 30)
            for index, name in enumerate(names)
        }
        try:
            difference = complex((a - b).subs(values).evalf(30))
            scale = max(1.0, abs(complex(a.subs(values).evalf(30))))
        except Exception:
            return None
        if not (math.isfinite(abs(difference)) and math.isfinite(scale)):
            return None
        # Powers of what is below one vanish at every point: 2(x - a)^60 is about 1e-26, and so
        # is 2(x - a)^59. They pass for equal here, unlike in the published code (docs/polymath.md).
        if abs(difference) > scale * 1e-20:
            return False
        if not names:
            return True
    return True


def _safely(test: Callable[[], Any]) -> bool:
    """The outcome of a test that is False where SymPy cannot carry it out."""
    try:
        return bool(test())
    except Exception:
        return False


def _rounded(matrix: Any) -> Any:
    return matrix.applyfunc(lambda entry: round(entry, 3))


def _is_tower(exponent: Any) -> bool:
    """Whether an exponent holds powers or factorials, other than one over a number: 1/2."""
    return any(
        isinstance(part, factorial) or part.args[1] != -1 for part in exponent.atoms(Pow, factorial)
    )


def _is_moderate(value: Any) -> bool:  # noqa: PLR0911
    """Whether a parsed answer has no number, power or factorial that takes long to compute."""
    if not isinstance(value, Basic):
        return not isinstance(value, str)
    if any(
        not arg.is_Integer or abs(int(arg)) > 500
        for coefficient in value.atoms(binomial)
        for arg in coefficient.args
        if arg.is_number
    ):
        return False
    for part in value.atoms(Integer, Pow, factorial):
        if isinstance(part, Pow):
            base, exponent = part.args
            if not exponent.is_Rational and not exponent.free_symbols and _is_tower(exponent):
                return False
            if exponent.is_Integer and base.is_number:
                size = abs(int(base.p)).bit_length() if base.is_Rational else 64
                if size * abs(int(exponent)) > MAX_POWER_BITS:
                    return False
        elif isinstance(part, Integer):
            if int(part).bit_length() > MAX_POWER_BITS:
                return False
        elif part.args[0].has(factorial, Pow) or (
            part.args[0].is_Integer and int(part.args[0]) > 500
        ):
            return False
    return True


@lru_cache(maxsize=2048)
def _parsed(text: str) -> Any:
    """By SymPy's LaTeX parser, else as arithmetic, else by latex2sympy, else the text itself."""
    for parser in (parse_latex, parse_python, _latex2sympy):
        for form in dict.fromkeys((text.replace("\\\\", "\\"), text)):
            try:
                return parser(form)
            except Exception:  # noqa: S112 (as published: whatever fails, the next parser is tried)
                continue
    return text


def _latex2sympy(text: str) -> Any:
    """By the successor of the parser that the published code bundles.

    That one reads lists, in brackets, braces or none, as Python lists: their order counts.
    """
    parts = _parts(text)
    return _formula(text) if parts is None else [_formula(part) for part in parts]


def _parts(text: str) -> list[str] | None:
    """The items of a list with commas or semicolons; ``None`` if there are not two at least."""
    bracketed = _LIST.fullmatch(text)
    inner = text
    if bracketed and _PAIRS[bracketed[1]] == bracketed[3]:
        inner = bracketed[2]
    parts = [""]
    depth = 0
    separator = "," if "," in inner else ";"
    for piece in re.split(r"([,;{}()\[\]])", inner):
        depth += (piece in "{([" and piece != "") - (piece in "})]" and piece != "")
        if piece == separator and depth == 0:
            parts.append("")
        else:
            parts[-1] += piece
        if depth < 0:
            return None
    return parts if len(parts) > 1 else None


def _formula(text: str) -> Any:
    if re.search(r"\\operatorname|\\det|\\xrightarrow", text):
        raise ValueError("not for this parser")
    config = ConversionConfig(lowercase_symbols=False)
    formula = latex2sympy(text, normalization_config=None, conversion_config=config)
    if isinstance(formula, Set | Tuple):
        raise ValueError("the bundled parser knows no sets")
    return formula


def parse_python(text: str) -> Any:
    """The SymPy object of plain arithmetic in Python's notation: ``2*x + sqrt(3)``.

    SymPy's ``parse_expr`` hands its text to Python's ``eval``; this reader knows numbers, names, a
    few functions and the operators of arithmetic, and refuses the rest.

    Raises:
        ValueError: it holds anything else, or too large a power.
        SyntaxError: it is not well formed.
    """
    if len(text) > MAX_TYPED_LENGTH:
        raise ValueError("too long")
    return _build(ast.parse(text.strip(), mode="eval").body)


def _build(node: ast.AST) -> Any:
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return sympy.sympify(node.value) if isinstance(node.value, int) else sympy.Float(node.value)
    if isinstance(node, ast.Name):
        return (
            getattr(sympy, _CONSTANTS[node.id]) if node.id in _CONSTANTS else sympy.Symbol(node.id)
        )
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        kind = {ast.Tuple: tuple, ast.List: list, ast.Set: set}[type(node)]
        return kind(_build(part) for part in node.elts)
    if isinstance(node, ast.UnaryOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_build(node.operand))
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        left, right = _build(node.left), _build(node.right)
        is_small = isinstance(right, sympy.Rational) and abs(right) <= MAX_EXPONENT
        if isinstance(node.op, ast.Pow) and right.is_number and not is_small:
            raise ValueError("too large a power")
        return _OPERATORS[type(node.op)](left, right)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1:
        name, argument = node.func.id, _build(node.args[0])
        is_small = argument.is_Integer and abs(argument) <= MAX_EXPONENT
        if name in _FUNCTIONS and (is_small or name != "factorial"):
            return getattr(sympy, name)(argument)
    raise ValueError(f"not arithmetic: {ast.unparse(node)}")

r"""Ask math-verify whether two formulas are the same answer, and SymPy about sets of expressions.

Runs in the worker's process, which limits its time and memory. math-verify (Kydlíček 2024) reads
both by its LaTeX grammar and compares what it reads. Two things are decided here: a text is read to
its end or not at all (math-verify by itself takes the last number of what it cannot read), and two
expressions are the same if their values agree, which is quick where a simplification may not end.
Sets of expressions are compared as KOR-Bench's published code does: simplified by SymPy.
"""

import logging
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from latex2sympy2_extended.latex2sympy2 import NormalizationConfig
from math_verify import LatexExtractionConfig, parse, verify
from sympy import (
    Add,
    And,
    Eq,
    Expr,
    FiniteSet,
    Float,
    I,
    Interval,
    MatrixBase,
    Rational,
    Sum,
    Symbol,
    Tuple,
    binomial,
    ceiling,
    factorial,
    factorial2,
    floor,
    simplify,
)
from sympy.concrete.expr_with_limits import ExprWithLimits
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational
from sympy.parsing.latex import parse_latex


def same_expressions(prediction: str, gold: str) -> bool:
    """Whether two sets of expressions, one a line, are the same once SymPy has simplified them.

    Where an expression cannot be read, the texts are compared.
    """
    try:
        ours, theirs = (
            {_simplified(line) for line in text.split("\n")} for text in (gold, prediction)
        )
    except MemoryError:
        raise
    except Exception:
        return prediction == gold
    return ours == theirs


@lru_cache(maxsize=2048)
def _simplified(text: str) -> Any:
    return simplify(parse_latex(text))


logging.disable(logging.CRITICAL)
_POINTS = ("0.31", "0.77", "-0.47", "1.43", "2.59", "-1.83")
_SMALL = 3  # of them, at which power series converge
_WHOLE = (7, 4, 9, 5, 12)
_ENOUGH = 3
_CLOSE = 1e-18
_DIGITS = 30
_ROUNDED_DIGITS = 6  # a decimal of so many may stand for a number that has more
_BARE_LOG = re.compile(r"\\log(?![a-z])\s*(?!\s*_)|\\log\s*_\s*\{?\s*e\s*\}?")
_LETTER = re.compile(r"(?<![\\A-Za-z])[A-Za-z](?![A-Za-z_])")
_BRACKETED = re.compile(r"\s*[(\[][^()\[\]]*[)\]]\s*")


def same_answer(prediction: str, gold: str) -> bool:
    """Whether two formulas are the same answer; a logarithm without a base may be natural."""
    braced = [text.lstrip().startswith(r"\{") for text in (prediction, gold)]
    bracketed = [bool(_BRACKETED.fullmatch(text)) for text in (prediction, gold)]
    if (braced[0] and bracketed[1]) or (braced[1] and bracketed[0]):
        return False
    parts = _parts(prediction), _parts(gold)
    if all(parts) and any(bracketed):
        ends = [(text.strip()[0], text.strip()[-1]) for text in (prediction, gold)]
        if all(bracketed) and ends[0] != ends[1]:
            return False
        return len(parts[0]) == len(parts[1]) and all(map(same_answer, *parts))
    letters = [set(_LETTER.findall(text)) for text in (prediction, gold)]
    if {letter.swapcase() for letter in letters[0] - letters[1]} & (letters[1] - letters[0]):
        return False  # math-verify has one case
    natural = _BARE_LOG.sub(r"\\ln ", prediction), _BARE_LOG.sub(r"\\ln ", gold)
    return any(
        read is not None and gold_object is not None and _equal(gold_object, read)
        for read, gold_object in (
            tuple(map(_read, pair)) for pair in dict.fromkeys(((prediction, gold), natural))
        )
    )


def _parts(text: str) -> list[str]:
    """The parts of a tuple, an interval or a bare list; empty where a text is none."""
    text, parts, depth = text.strip(), [""], 0
    if _BRACKETED.fullmatch(text):
        text = text[1:-1]
    for sign in text:
        depth += (sign in "{([") - (sign in "})]")
        if sign in ",;" and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return parts if len(parts) > 1 and r"\{" not in text else []


@lru_cache(maxsize=2048)
def _read(text: str) -> Any:
    """The SymPy object of a formula that math-verify reads to its end; else ``None``."""
    # Its list of units holds letters: without this, 2m would be 2.
    normalization = NormalizationConfig(units=False, malformed_operators=True, nits=True)
    config = LatexExtractionConfig(boxed_match_priority=0, normalization_config=normalization)
    objects = parse(
        rf"\boxed{{{text}}}",
        [config],
        fallback_mode="no_fallback",
        extraction_mode="first_match",
        parsing_timeout=None,
    )
    return objects[0] if objects else None


def _equal(gold: Any, answer: Any) -> bool:  # noqa: PLR0911
    if isinstance(answer, Eq) and not isinstance(gold, Eq):
        answer = answer.rhs
    elif isinstance(gold, Eq) and not isinstance(answer, Eq) and gold.lhs.is_Symbol:
        gold = gold.rhs
    if isinstance(gold, Expr) and isinstance(answer, Expr):
        if gold.has(ExprWithLimits) and gold.as_dummy() == answer.as_dummy():
            return True  # but for the name of a running index
        verdict = _same_values(gold, answer)
        if verdict is not None:
            return verdict
    if isinstance(gold, FiniteSet) and isinstance(answer, FiniteSet):
        return _matched(_members(gold), _members(answer), _equal)
    if isinstance(gold, Tuple) and isinstance(answer, Tuple):
        return len(gold) == len(answer) and all(map(_equal, gold, answer))
    if isinstance(gold, Interval) and isinstance(answer, Interval):
        ends = (gold.left_open, gold.right_open) == (answer.left_open, answer.right_open)
        return ends and _equal(gold.start, answer.start) and _equal(gold.end, answer.end)
    if isinstance(gold, Relational | And) and isinstance(answer, Relational | And):
        return _matched(_relations(gold), _relations(answer), _same_relation)
    gold, answer = (s.doit() if hasattr(s, "is_Matrix") else s for s in (gold, answer))
    if isinstance(gold, MatrixBase) and isinstance(answer, MatrixBase):
        return gold.shape == answer.shape and all(map(_equal, gold.flat(), answer.flat()))
    return bool(verify(gold, answer, allow_set_relation_comp=True, timeout_seconds=None))


def _members(values: Any) -> list[Any]:
    """The elements of a set, with those of ``\\pm`` one by one."""
    return [
        member
        for value in values.args
        for member in (value.args if isinstance(value, FiniteSet) else (value,))
    ]


def _matched(golds: list[Any], answers: list[Any], same: Callable[[Any, Any], bool]) -> bool:
    """Whether each thing has its equal among others, whatever their order."""
    if len(golds) != len(answers):
        return False
    for gold in golds:
        index = next((n for n, answer in enumerate(answers) if same(gold, answer)), None)
        if index is None:
            return False
        answers.pop(index)
    return True


def _relations(value: Any) -> list[tuple[str, Any, Any]]:
    """The relations of a chain as sign and sides, all pointing to the right: ``a < b``."""
    parts = value._unsorted_args if isinstance(value, And) else [value]
    return [
        (part.rel_op.replace(">", "<"), *(part.args[::-1] if ">" in part.rel_op else part.args))
        for part in parts
    ]


def _same_relation(gold: tuple[str, Any, Any], answer: tuple[str, Any, Any]) -> bool:
    """Whether two relations are the same up to a factor, positive for inequalities."""
    sign, left, right = gold
    if sign != answer[0]:
        return False
    if left == answer[1] or _heads(left) & _heads(answer[1]):
        return _equal(right, answer[2])
    if not all(
        hasattr(side, "free_symbols") and not side.is_Relational
        for side in (*gold[1:], *answer[1:])
    ):
        return bool(gold == answer)
    try:
        zeros = left - right, answer[1] - answer[2]
    except TypeError:
        return False
    ratios = [r for point in range(len(_POINTS)) if (r := _ratio(*zeros, point)) is not None]
    if len(ratios) < _ENOUGH:
        return False
    alike = all(abs(ratio - ratios[0]) <= 1e-15 * abs(ratios[0]) for ratio in ratios)
    return alike and (sign in ("==", "!=") or (ratios[0].real > 0 and abs(ratios[0].imag) < 1e-15))


def _heads(side: Any) -> set[str]:
    """The names that an equation may define by a side: ``y`` and ``y(x)`` of the latter."""
    if isinstance(side, AppliedUndef):
        return {str(side)}
    return {side.name, f"{side.name}(x)"} if isinstance(side, Symbol) else set()


def _ratio(gold: Any, answer: Any, point: int) -> complex | None:
    names = sorted({symbol.name for symbol in gold.free_symbols | answer.free_symbols})
    values = [_value(side, names, point, False) for side in (gold, answer)]
    if None in values or not values[0] or not values[1]:
        return None
    return values[0] / values[1]


def _same_values(gold: Any, answer: Any) -> bool | None:
    """Whether two expressions agree wherever both are defined; ``None`` if no point tells."""
    names = sorted({symbol.name for symbol in gold.free_symbols | answer.free_symbols})
    if not names:
        return _same_numbers(gold, answer)
    integer_functions = (binomial, ceiling, factorial, factorial2, floor)
    for points, is_whole in ((_POINTS, False), (_WHOLE, True)):
        if not is_whole and (gold.has(*integer_functions) or answer.has(*integer_functions)):
            continue
        count = _SMALL if gold.has(Sum) or answer.has(Sum) else len(points)
        verdicts = [_equal_at(gold, answer, names, point, is_whole) for point in range(count)]
        verdicts = [verdict for verdict in verdicts if verdict is not None]
        if len(verdicts) >= _ENOUGH:
            return all(verdicts)
    return None


def _equal_at(gold: Any, answer: Any, names: list[str], point: int, is_whole: bool) -> bool | None:
    """Whether two expressions agree at a point; ``None`` if they are not both real there."""
    first, second = (_value(side, names, point, is_whole) for side in (gold, answer))
    if first is None or second is None:
        return None
    is_complex = not is_whole and (abs(first.imag) > 1e-12 or abs(second.imag) > 1e-12)
    if is_complex and not (gold.has(I) or answer.has(I)):
        return None  # roots and logarithms have branches
    difference = _value(gold - answer, names, point, is_whole)
    return None if difference is None else abs(difference) <= _CLOSE * max(abs(first), 1e-6)


def _value(side: Any, names: list[str], point: int, is_whole: bool) -> complex | None:
    values = {
        name: Rational(_WHOLE[(point + index) % len(_WHOLE)])
        if is_whole
        else Rational(_POINTS[point]) + Rational(index, 7)
        for index, name in enumerate(names)
    }
    try:
        value = complex(side.subs({s: values[s.name] for s in side.free_symbols}).evalf(_DIGITS))
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        return None
    return value if abs(value) < float("inf") else None


def _same_numbers(gold: Any, answer: Any) -> bool | None:
    try:
        exact = [_exact(side) for side in (gold, answer)]
        size = abs(exact[0].evalf(_DIGITS))
        if not isinstance(size, Float):
            return None
        digits = _DIGITS + max(0, size._mpf_[2] + size._mpf_[3]) // 3  # those before the point
        value = abs(Add(exact[0], -exact[1], evaluate=False).evalf(_DIGITS, maxn=digits))
        if value <= size * Float(10) ** (5 - digits):
            return True
        return _rounds(gold, exact[1]) or _rounds(answer, exact[0])
    except (TypeError, ValueError):
        return None


def _exact(value: Any) -> Any:
    """An expression with its decimals as fractions: 0.1 is a tenth."""
    return value.xreplace({part: Rational(str(part)) for part in value.atoms(Float)})


def _rounds(value: Any, exact: Any) -> bool:
    """Whether a decimal of six digits or more is a number, rounded or cut off."""
    decimal = value if value.has(Add) else value.doit()
    if not isinstance(decimal, Float):
        return False
    digits, _, exponent = str(abs(decimal)).partition("e")
    digits = digits.rstrip("0")
    if len(digits.replace(".", "").lstrip("0")) < _ROUNDED_DIGITS or decimal * exact < 0:
        return False
    unit = Rational(10) ** (int(exponent or 0) - len(digits.partition(".")[2]))
    more = ((abs(exact) - abs(_exact(decimal))) / unit).evalf(_DIGITS)
    return bool(-0.5 <= more < 1)

"""Decide whether two expressions are the same, by their values at chosen points.

Rational values are compared exactly, others to a hundred digits and more, so agreement at several
independent points is as good as a proof, and no simplification is needed that might never end.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from ..read.nodes import Node, has_call, num, symbols
from .evaluate import evaluate
from .modular import same_residues
from .values import Budget, TooHardError, UndefinedError, Value, agree, is_real

# Decimals with at least so many significant digits may stand for a number that has more.
ROUNDED_DIGITS = 6
_MOST_PLACES = 300
_REAL_POINTS = (0, 1, 2)
_NEGATIVE_POINTS = (3, 4)
_WHOLE_POINTS = (5, 6, 7, 8, 9)
_FAR_POINTS = (10, 11)  # below -2
_SMALL_POINTS = (12, 13, 14, 15)  # between 0 and 1
_INFINITY = Node("const", value="inf")
_REAL_LETTERS = frozenset("xyztuvw")
_WHOLE_ONLY = frozenset({"factorial", "factorial2", "binomial", "mod", "gcd", "lcm"})


def same(left: Node, right: Node, budget: Budget) -> bool:
    """Whether two expressions are equal wherever both are defined.

    Equality at integers alone is enough if one of them only makes sense there (it has a
    factorial, a floor or a sign such as ``(-1)^n``). A decimal of six or more significant digits
    equals what it is the rounding of. Expressions too large to evaluate are equal only if they are
    the same sums and products up to order.
    """
    if left == right:
        return True
    names = symbols(left) | symbols(right)
    bare_log = has_call(left, {"log"}) or has_call(right, {"log"})
    try:
        if not names:
            return any(
                _same_number(left, right, budget, log10)
                for log10 in ((False, True) if bare_log else (False,))
            )
        return any(
            _same_function(left, right, names, budget, log10)
            for log10 in ((False, True) if bare_log else (False,))
        )
    except TooHardError:
        return canonical(left) == canonical(right) or same_residues(left, right)


def constant(node: Node, budget: Budget) -> Value | None:
    """The value of an expression without symbols; ``None`` if it has none or costs too much."""
    if symbols(node):
        return None
    try:
        return evaluate([node], {}, budget)[0]
    except (TooHardError, UndefinedError):
        return None


def value_at(node: Node, name: str, point: int, budget: Budget) -> Any:
    """The rational value of an expression of one symbol at an integer, if it has one."""
    try:
        value = evaluate([node], {name: Fraction(point)}, budget)[0]
    except (TooHardError, UndefinedError):
        return None
    return value if isinstance(value, Fraction) else None


def ratio(left: Node, right: Node, budget: Budget) -> Value | None:
    """The constant c with left = c · right everywhere; ``None`` if there is none."""
    names = symbols(left) | symbols(right)
    found: Value | None = None
    seen = 0
    for point in (*_REAL_POINTS, *_NEGATIVE_POINTS, *_WHOLE_POINTS):
        try:
            a, b = evaluate([left, right], _point(names, point), budget)
            if agree(b, Fraction(0)) or agree(a, Fraction(0)):
                if agree(a, b):  # 0 = c · 0 for every c: the point says nothing
                    continue
                return None
            quotient = a / b if isinstance(a, Fraction) == isinstance(b, Fraction) else _mixed(a, b)
        except (UndefinedError, TooHardError):
            continue
        if found is not None and not agree(found, quotient):
            return None
        found, seen = quotient, seen + 1
    return found if seen >= 3 else None


def _mixed(a: Value, b: Value) -> Value:
    if isinstance(a, Fraction):
        return a.numerator / (b * a.denominator)
    return a * b.denominator / b.numerator


def canonical(node: Node, renamed: Mapping[str, str] | None = None) -> str:
    """An expression as text in which the order of sums and products does not matter."""
    names = dict(renamed or {})
    value = str(node.value)
    if node.op in ("sum", "prod"):
        names[value] = f"#{len(names)}"
    if node.op in ("sum", "prod", "sym"):
        value = names.get(value, value)
    parts = [canonical(argument, names) for argument in node.args]
    if node.op in ("add", "mul"):
        parts.sort()
    return f"{node.op}:{value}({','.join(parts)})"


def _same_number(left: Node, right: Node, budget: Budget, log10: bool) -> bool:
    try:
        a, b = evaluate([left, right], {}, budget, log10)
    except UndefinedError:
        return canonical(left) == canonical(right)
    return agree(a, b) or _rounds_to(left, b) or _rounds_to(right, a)


def _rounds_to(node: Node, value: Value) -> bool:
    """Whether ``node`` is a decimal that is ``value``, rounded or cut off after enough digits."""
    node = _decimal(node)
    if node.op != "num" or node.places is None or not isinstance(node.value, Fraction):
        return False
    # Significant digits: leading zeros of 0.00123 are none, so the integer of all places is
    # counted.
    digits = abs(node.value.numerator) * 10**node.places // node.value.denominator
    if digits < 10 ** (ROUNDED_DIGITS - 1) or not is_real(value):
        return False
    # What the value has more than the decimal, in units of the last place: cut off or rounded.
    if isinstance(value, Fraction):
        more = (abs(value) - abs(node.value)) * 10**node.places
        # An integer has no decimals to be cut off: 3.00000 is 3 by value or not at all.
        alike = value.denominator != 1 and value * node.value > 0
        return alike and Fraction(-1, 2) <= more < 1
    bottom = node.value.denominator
    more = (abs(value.real) * bottom - abs(node.value.numerator)) * 10**node.places / bottom
    return bool(value.real * node.value.numerator > 0 and -0.5 <= more < 1)


def _decimal(node: Node) -> Node:
    """``2.3148 · 10^-3`` as the decimal 0.0023148; other expressions as they are."""
    if node.op != "mul" or len(node.args) != 2:
        return node
    digits, power = node.args
    ten = power.op == "pow" and power.args[0] == num(10) and power.args[1].op == "num"
    if not ten or digits.op != "num" or digits.places is None:
        return node
    exponent = power.args[1].value
    assert isinstance(exponent, Fraction)
    assert isinstance(digits.value, Fraction)
    if exponent.denominator != 1 or abs(exponent) > _MOST_PLACES:
        return node
    places = digits.places - int(exponent)
    return num(digits.value * Fraction(10) ** int(exponent), places) if places > 0 else node


def _same_function(  # noqa: PLR0911
    left: Node, right: Node, names: frozenset[str], budget: Budget, log10: bool
) -> bool:
    real = _outcomes(left, right, names, _REAL_POINTS, budget, log10)
    if False in real and not _whole_only(left) and not _whole_only(right):
        return False
    at_integers = _outcomes(left, right, names, _WHOLE_POINTS, budget, log10)
    if False in at_integers:
        return False
    if False in real:  # as (-1)^n, which has no real value between integers
        return at_integers.count(True) >= 4
    negative = _outcomes(left, right, names, _NEGATIVE_POINTS, budget, log10)
    if False in negative:
        return at_integers.count(True) >= 4 and (_whole_only(left) or _whole_only(right))
    if _is_tower(left) or _is_tower(right):  # (a^b)^c is a^{bc} for positive a alone
        far = _outcomes(left, right, names, _FAR_POINTS, budget, log10)
        if False in far:
            return False
    agreed = real.count(True) + at_integers.count(True)
    # Two agreeing points may be chance (a crossing of the two curves); three at pseudo-random
    # fractions are not.
    if agreed < 3:  # arcsin and the like are real near zero alone
        small = _outcomes(left, right, names, _SMALL_POINTS, budget, log10)
        if False in small:
            return False
        agreed += small.count(True)
    if agreed >= 3 or canonical(left) == canonical(right):
        return True
    return same_residues(left, right)


def _outcomes(  # noqa: PLR0917
    left: Node,
    right: Node,
    names: frozenset[str],
    points: Iterable[int],
    budget: Budget,
    log10: bool,
) -> list[bool | None]:
    """Equal, different or unknown at each point; points count only where both sides are real.

    With the imaginary unit in one of them, all points count but the negative ones.
    """
    may_skip = not (_is_complex(left) or _is_complex(right))
    outcomes: list[bool | None] = []
    tiny = _endless(left) or _endless(right)
    for point in points:
        try:
            a, b = evaluate([left, right], _point(names, point, tiny), budget, log10)
        except (UndefinedError, TooHardError):
            outcomes.append(None)
            continue
        equal = agree(a, b)
        if not equal and may_skip and point not in _FAR_POINTS:
            # Where one side is not real, branches of roots and logarithms may differ.
            outcomes.append(None if not (is_real(a) and is_real(b)) else False)
        elif point in _NEGATIVE_POINTS and not (is_real(a) and is_real(b)):
            outcomes.append(None)
        else:
            outcomes.append(equal)
        if outcomes[-1] is False:
            break
    return outcomes


def _whole_only(node: Node) -> bool:
    """Whether an expression is meant for integers: ``n!``, ``⌊n/2⌋``, ``(-1)^n``."""
    if node.op == "call" and node.value in ("floor", "ceil"):
        return not symbols(node) <= _REAL_LETTERS  # ⌊x⌋ is not x
    if node.op == "call" and node.value in _WHOLE_ONLY:
        return True
    if node.op in ("sum", "prod"):
        return True
    if node.op == "pow" and symbols(node.args[1]):
        base = node.args[0]
        if base.op == "const" and base.value == "i":
            return True
        if base.op == "num" and isinstance(base.value, Fraction) and base.value < 0:
            return True
    return any(_whole_only(argument) for argument in node.args)


def _is_complex(node: Node) -> bool:
    return (node.op == "const" and node.value == "i") or any(map(_is_complex, node.args))


def _is_tower(node: Node) -> bool:
    """Whether a power with a letter above is raised to a power with a letter above."""
    if node.op == "pow" and node.args[0].op == "pow":
        return bool(symbols(node.args[1]) and symbols(node.args[0].args[1]))
    return any(map(_is_tower, node.args))


def _endless(node: Node) -> bool:
    return node == _INFINITY or any(_endless(argument) for argument in node.args)


def _point(names: Iterable[str], point: int, tiny: bool = False) -> dict[str, Fraction]:
    """Values for symbols: small positive, negative, or whole, as ``point`` says; never the same.

    With ``tiny``, values near 0, where power series converge fast.
    """
    values: dict[str, Fraction] = {}
    for name in sorted(names):
        # Not hash(): it differs between processes, and a verdict must not.
        noise = zlib.crc32(f"{name}:{point}".encode())
        if point in _WHOLE_POINTS:
            number = Fraction(3 + noise % 11 + (point - _WHOLE_POINTS[0]))
            # Two letters with one value would make n and m equal.
            while number in values.values():
                number += 1
        elif point in _SMALL_POINTS:
            number = Fraction(101 + noise % 797, 997)
        elif point in _FAR_POINTS:
            number = -Fraction(2100 + noise % 1799, 997)
        elif point in _NEGATIVE_POINTS:
            number = -Fraction(101 + noise % 1799, 997)
        else:
            number = Fraction(101 + noise % (499 + 700 * point), 99_700 if tiny else 997)
        values[name] = number
    return values

"""The functions that expressions may call: exact where they can be, else to many digits."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Protocol

from .values import (
    Budget,
    TooHardError,
    UndefinedError,
    Value,
    compare_real,
    inexact,
    is_real,
    two_to,
)


class Machine(Protocol):
    """The evaluator's interface for functions."""

    budget: Budget
    context: Any

    def power(self, base: Value, exponent: Value) -> Value:
        """``base`` to the power of ``exponent``."""


MAX_FACTORIAL = 2_500
SLOW = frozenset({"gamma", "zeta"})
_SLOW_PRECISION = 2_000  # bits


def whole(value: Value) -> int:
    """A value as an integer, if it is one."""
    if isinstance(value, Fraction) and value.denominator == 1:
        return int(value)
    raise UndefinedError


def exact_root(value: Fraction, index: int) -> Fraction | None:
    """The rational ``index``-th root of a value that is not negative, if there is one."""
    if index > 64 or max(value.numerator.bit_length(), value.denominator.bit_length()) > 4_000:
        return None
    roots = []
    for part in (value.numerator, value.denominator):
        root = math.isqrt(part) if index == 2 else _integer_root(part, index)
        if root**index != part:
            return None
        roots.append(root)
    return Fraction(roots[0], roots[1])


def _integer_root(value: int, index: int) -> int:
    low, high = 0, 1 << (value.bit_length() // index + 1)
    while low < high:
        middle = (low + high + 1) // 2
        if middle**index <= value:
            low = middle
        else:
            high = middle - 1
    return low


def _root(machine: Machine, value: Value, index: Value) -> Value:
    if isinstance(index, Fraction) and index.denominator == 1 and 0 < index <= 1_000:
        if isinstance(value, Fraction):
            exact = exact_root(abs(value), int(index))
            if exact is not None and (value >= 0 or index % 2):
                return exact if value >= 0 else -exact
        if index % 2 and is_real(value) and inexact(value).real < 0:
            return -machine.context.root(-inexact(value).real, int(index))
        return machine.context.root(inexact(value), int(index))
    return machine.power(value, machine.power(index, Fraction(-1)))


def _rounded(machine: Machine, value: Value, up: bool) -> Value:
    if isinstance(value, Fraction):
        return Fraction(math.ceil(value) if up else math.floor(value))
    if not is_real(value):
        raise UndefinedError
    nearest = machine.context.nint(value.real)
    if abs(value.real - nearest) < two_to(-(machine.context.prec // 2)):
        return Fraction(int(nearest))
    exact = machine.context.ceil(value.real) if up else machine.context.floor(value.real)
    return Fraction(int(exact))


def _factorial(machine: Machine, value: Value, step: int = 1) -> Value:
    if not isinstance(value, Fraction) or value.denominator != 1 or value < 0:
        if step > 1 or abs(inexact(value)) > 500:
            raise UndefinedError
        check_precision(machine)
        return defined(machine.context.gamma, inexact(value) + 1)
    if value > MAX_FACTORIAL:
        raise TooHardError
    machine.budget.spend(1 + int(value) // 10)
    if step == 1:
        return Fraction(math.factorial(int(value)))
    return Fraction(math.prod(range(int(value), 0, -step)))


def _binomial(machine: Machine, upper: Value, lower: Value) -> Value:
    if isinstance(upper, Fraction) and isinstance(lower, Fraction):
        if upper > MAX_FACTORIAL:
            raise TooHardError
        if upper.denominator == lower.denominator == 1 and upper >= 0:
            return Fraction(math.comb(int(upper), int(lower)) if lower >= 0 else 0)
    check_precision(machine)
    return defined(machine.context.binomial, inexact(upper), inexact(lower))


def check_precision(machine: Machine) -> None:
    """Refuse a precision at which the functions of ``SLOW`` take seconds."""
    if machine.context.prec > _SLOW_PRECISION:
        raise TooHardError


def defined(function: Callable[..., Value], *arguments: Any) -> Value:
    """A value of one of mpmath's functions, which may have poles.

    Raises:
        UndefinedError: it has none there.
    """
    try:
        return function(*arguments)
    except (ZeroDivisionError, ValueError, OverflowError):
        raise UndefinedError from None


def _integers(values: tuple[Value, ...], function: Callable[..., int]) -> Fraction:
    return Fraction(function(*(whole(value) for value in values)))


def _extreme(values: tuple[Value, ...], sign: int) -> Value:
    best = values[0]
    for value in values[1:]:
        if compare_real(value, best) == sign:
            best = value
    return best


EXACT: dict[str, Callable[..., Value]] = {
    "root": _root,
    "sqrt": lambda machine, value: _root(machine, value, Fraction(2)),
    "cbrt": lambda machine, value: _root(machine, value, Fraction(3)),
    "abs": lambda machine, value: abs(value),
    "floor": lambda machine, value: _rounded(machine, value, False),
    "ceil": lambda machine, value: _rounded(machine, value, True),
    "factorial": _factorial,
    "factorial2": lambda machine, value: _factorial(machine, value, 2),
    "binomial": _binomial,
    "gcd": lambda machine, *values: _integers(values, math.gcd),
    "lcm": lambda machine, *values: _integers(values, math.lcm),
    "max": lambda machine, *values: _extreme(values, 1),
    "min": lambda machine, *values: _extreme(values, -1),
    "mod": lambda machine, value, by: Fraction(whole(value) % _nonzero(whole(by))),
}


def _nonzero(value: int) -> int:
    if value == 0:
        raise UndefinedError
    return value


CONTINUOUS: dict[str, Callable[..., Value]] = {
    **{
        name: (lambda context, x, name=name: getattr(context, name)(x))
        for name in [
            "sin",
            "cos",
            "tan",
            "cot",
            "sec",
            "csc",
            "asin",
            "acos",
            "atan",
            "acot",
            "asec",
            "acsc",
            "sinh",
            "cosh",
            "tanh",
            "coth",
            "asinh",
            "acosh",
            "atanh",
            "ln",
            "exp",
            "zeta",
            "sign",
            "re",
            "im",
            "arg",
        ]
    },
    "log10": lambda context, x: context.log(x) / context.log(10),
    "logb": lambda context, x, base: context.log(x) / context.log(base),
    "gamma": lambda context, x: context.gamma(x) if abs(x) < 500 else context.mpf("nan"),
}

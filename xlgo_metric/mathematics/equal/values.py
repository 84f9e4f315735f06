"""Values of expressions: exact fractions and numbers of many digits, and how they compare."""

from __future__ import annotations

import threading
from fractions import Fraction
from typing import Any

Value = Any  # a Fraction, or a real or complex number of mpmath


class TooHardError(Exception):
    """The value is too large, or costs too much, to be found."""


class UndefinedError(Exception):
    """The expression has no value here: a division by zero, a logarithm of zero, infinity."""


class Budget:
    """What may still be spent; shared by all evaluations of one comparison."""

    def __init__(self, steps: int = 60_000) -> None:
        self.left = steps

    def spend(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise TooHardError


_LOCAL = threading.local()


def context() -> Any:
    """This thread's own mpmath context: the module's is shared, and its precision is global."""
    if not hasattr(_LOCAL, "context"):
        import mpmath

        _LOCAL.context = mpmath.MPContext()
    return _LOCAL.context


def agree(left: Value, right: Value) -> bool:
    """Whether two values of ``evaluate`` are the same number."""
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return left == right
    a, b = inexact(left), inexact(right)
    size = max(abs(a), abs(b))
    tolerance = two_to(-(context().prec * 3 // 5))
    return bool(abs(a - b) <= size * tolerance or size < tolerance)


def is_real(value: Value) -> bool:
    """Whether a value is real."""
    if isinstance(value, Fraction):
        return True
    return bool(abs(value.imag) <= abs(value) * two_to(-(context().prec // 2)))


def compare_real(left: Value, right: Value) -> int:
    """-1, 0 or 1 as ``left`` is smaller than, equal to or greater than ``right``."""
    if agree(left, right):
        return 0
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return -1 if left < right else 1
    return -1 if inexact(left).real < inexact(right).real else 1


def inexact(value: Value) -> Value:
    """A value as an mpmath number."""
    if isinstance(value, Fraction):
        return context().mpf(value.numerator) / value.denominator
    return value


def two_to(power: int) -> Value:
    """2 to a whole power, as an mpmath number."""
    return context().ldexp(1, power)

"""Evaluate expressions: exactly where numbers are rational, else to hundreds of digits.

Nothing here can run away: integers stay below ``MAX_BITS`` bits, sums below ``MAX_TERMS``
terms, and every step is paid from a budget. What would cost more raises ``TooHardError``.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from operator import add, mul

from ..read.nodes import Node
from .functions import CONTINUOUS, EXACT, SLOW, check_precision, defined, exact_root, whole
from .values import Budget, TooHardError, UndefinedError, Value, context, inexact, two_to

MAX_BITS = 30_000
MAX_TERMS = 2_000
FIRST_PRECISION = 333
_INFINITE_TERMS = 250
_GROWING_TERMS = 12

Environment = Mapping[str, Fraction]


def evaluate(
    nodes: Sequence[Node], environment: Environment, budget: Budget, log10: bool = False
) -> list[Value]:
    """The values of expressions: Fractions where they are rational all the way, else mpmath's.

    All are found to the same precision: twice the size of the largest number on the way, so that
    ``2^1000 + √2`` and ``2^1000 + √3`` differ.

    Args:
        nodes: the expressions.
        environment: the value of each symbol.
        budget: what may be spent.
        log10: ``log`` without a base is the decimal logarithm, not the natural one.

    Raises:
        TooHardError: the budget or the size limits do not suffice.
        UndefinedError: there is no value.
    """
    machine = Machine(environment, budget, log10, FIRST_PRECISION)
    values = [machine.value(node) for node in nodes]
    rational = all(isinstance(value, Fraction) for value in values)
    if not rational and machine.bits > FIRST_PRECISION // 3:
        # Every value again, not only the large ones: a small term may be all that two sides differ
        # in.
        machine = Machine(environment, budget, log10, FIRST_PRECISION + 2 * machine.bits)
        values = [machine.value(node) for node in nodes]
    return values


class Machine:
    def __init__(
        self, environment: Environment, budget: Budget, log10: bool, precision: int
    ) -> None:
        self.environment = dict(environment)
        self.budget = budget
        self.log10 = log10
        self.bits = 0
        self.is_endless = False  # the terms of an infinite series need not be known exactly
        if precision > 2 * MAX_BITS:
            raise TooHardError
        self.context = context()
        self.context.prec = precision
        self.step = 1 + (precision // 600) ** 2

    def value(self, node: Node) -> Value:  # noqa: PLR0911
        self.budget.spend(1)
        if node.op == "num":
            return node.value
        if node.op == "sym":
            return self.environment[str(node.value)]
        if node.op == "const":
            return self.constant(str(node.value))
        if node.op in ("sum", "prod"):
            return self.series(node)
        arguments = [self.value(argument) for argument in node.args]
        if node.op == "add":
            return self.fold(arguments, add)
        if node.op == "mul":
            return self.fold(arguments, mul)
        if node.op == "pow":
            return self.power(arguments[0], arguments[1])
        if node.op == "apply":
            return self.unknown(str(node.value), arguments)
        return self.measure(self.call(str(node.value), arguments))

    def measure(self, value: Value) -> Value:
        """Note the size of a value, which decides the precision that is needed."""
        if isinstance(value, Fraction):
            above, below = value.numerator.bit_length(), value.denominator.bit_length()
            bits = abs(above - below) if self.is_endless else max(above, below)
        else:
            self.budget.spend(self.step)
            if not self.context.isfinite(value):
                raise UndefinedError
            size = abs(value)
            # What is left of a cancellation: its magnitude is noise, and must not raise the
            # precision.
            if not size or size < two_to(-(self.context.prec * 4 // 5)):
                return value
            bits = abs(int(self.context.mag(size)))
        if bits > MAX_BITS:
            raise TooHardError
        self.bits = max(self.bits, bits)
        return value

    def fold(self, values: list[Value], operation: Callable[[Value, Value], Value]) -> Value:
        result = values[0]
        for other in values[1:]:
            if isinstance(result, Fraction) and isinstance(other, Fraction):
                result = self.measure(operation(result, other))
            else:
                result = self.measure(operation(inexact(result), inexact(other)))
        return result

    def constant(self, name: str) -> Value:
        if name == "inf":
            raise UndefinedError
        return {"e": self.context.e, "pi": self.context.pi, "i": self.context.j}[name] * 1

    def power(self, base: Value, exponent: Value) -> Value:
        if isinstance(exponent, Fraction) and isinstance(base, Fraction):
            if exponent.denominator == 1:
                return self.whole_power(base, exponent.numerator)
            root = exact_root(abs(base), exponent.denominator)
            # Of a negative base the principal root is complex: (-8)^(1/3) is not -2 here.
            if root is not None and base >= 0:
                return self.whole_power(root, exponent.numerator)
        base, exponent = inexact(base), inexact(exponent)
        if not base:
            if exponent.real > 0:
                return Fraction(0)
            raise UndefinedError
        if abs(exponent) * (1 + abs(self.context.mag(base))) > 4 * MAX_BITS:
            raise TooHardError
        return self.measure(self.context.power(base, exponent))

    def whole_power(self, base: Fraction, exponent: int) -> Fraction:
        if base == 0 and exponent <= 0:
            if exponent == 0:
                return Fraction(1)
            raise UndefinedError
        if abs(base) == 1:
            return base if exponent % 2 else Fraction(1)
        bits = max(base.numerator.bit_length(), base.denominator.bit_length())
        if (bits - 1) * abs(exponent) > MAX_BITS:
            raise TooHardError
        self.budget.spend(1 + bits * abs(exponent) // 2_000)
        result: Fraction = self.measure(base**exponent)
        return result

    def unknown(self, name: str, arguments: list[Value]) -> Value:
        """A fixed smooth function used in place of the unknown one of that name."""
        # f(x) = f(x) must hold and f(x) = f(y) must not: any function without a period or symmetry
        # does. The checksum of its name is the same in every process.
        total = self.context.mpf(zlib.crc32(name.encode()) % 1009) / 1009
        for place, argument in enumerate(arguments):
            total = total * 3 + self.context.sin(inexact(argument) * (place + 2) + total)
        return self.measure(total)

    def series(self, node: Node) -> Value:
        variable = str(node.value)
        before = self.environment.get(variable)
        first = whole(self.value(node.args[0]))
        endless = node.args[1] == Node("const", value="inf")
        last = first + _INFINITE_TERMS if endless else whole(self.value(node.args[1]))
        if last - first > MAX_TERMS:
            raise TooHardError
        self.is_endless = endless
        result: Value = Fraction(int(node.op == "prod"))
        limit = 1 if node.op == "prod" else 0  # of the terms, if the series converges
        tiny = two_to(-self.context.prec)
        before_that, growing = self.context.inf, 0
        for index in range(first, last + 1):
            self.environment[variable] = Fraction(index)
            term = self.value(node.args[2])
            result = self.fold([result, term], mul if node.op == "prod" else add)
            if endless:
                distance = abs(inexact(term) - limit)
                # The first terms may vanish by chance, as those of sin(0) + ... do.
                if index > first + 5 and distance < tiny:
                    break
                # Terms of x^n / n! grow at first as well; a dozen in a row is taken for divergence.
                growing = growing + 1 if distance >= before_that else 0
                before_that = distance
                if growing > _GROWING_TERMS or index == last:
                    raise TooHardError
        self.is_endless = False
        if before is None:
            self.environment.pop(variable, None)  # an empty series has given it no value
        else:
            self.environment[variable] = before
        return inexact(result) if endless else result

    def call(self, name: str, arguments: list[Value]) -> Value:
        if name in EXACT:
            exact = EXACT[name](self, *arguments)
            if exact is not None:
                return exact
        argument = inexact(arguments[0])
        self.budget.spend(4 * self.step)
        if name == "log":
            name = "log10" if self.log10 else "ln"
        if name not in CONTINUOUS:
            raise UndefinedError
        if name in SLOW:
            check_precision(self)
        return defined(CONTINUOUS[name], self.context, argument, *map(inexact, arguments[1:]))

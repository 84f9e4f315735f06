"""Compare expressions too large to evaluate, by their remainders modulo large primes.

Sums, products and whole powers of rational numbers and letters have a remainder wherever no
denominator is divisible by the prime. Two different polynomials of degree d agree at a random point
modulo p with probability at most d / p (Schwartz 1980, Zippel 1979).
"""

from __future__ import annotations

import hashlib
from fractions import Fraction

from ..read.nodes import Node

_PRIMES = (2**89 - 1, 2**107 - 1, 2**127 - 1)
MAX_EXPONENT_BITS = 4_000


class _NoRemainderError(Exception):
    """The expression has no remainder: it holds a root, a function or an unknown power."""


def same_residues(left: Node, right: Node) -> bool:
    """Whether two expressions have the same remainders; False where they have none."""
    try:
        return all(_remainder(left, prime) == _remainder(right, prime) for prime in _PRIMES)
    except _NoRemainderError:
        return False


def _remainder(node: Node, prime: int) -> int:
    if node.op == "num" and isinstance(node.value, Fraction):
        return node.value.numerator * _inverse(node.value.denominator, prime) % prime
    if node.op == "sym":
        digest = hashlib.sha256(f"{node.value}:{prime}".encode()).digest()
        return int.from_bytes(digest, "big") % prime
    if node.op == "add":
        return sum(_remainder(each, prime) for each in node.args) % prime
    if node.op == "mul":
        product = 1
        for each in node.args:
            product = product * _remainder(each, prime) % prime
        return product
    if node.op == "pow":
        # x^e modulo p does not follow from e modulo p, so an exponent is computed itself.
        exponent = _whole(node.args[1])
        base = _remainder(node.args[0], prime)
        return pow(base if exponent >= 0 else _inverse(base, prime), abs(exponent), prime)
    raise _NoRemainderError


def _inverse(value: int, prime: int) -> int:
    if value % prime == 0:
        raise _NoRemainderError
    return pow(value, -1, prime)


def _whole(node: Node) -> int:
    """An exponent: an integer, or sums, products and powers of integers."""
    if node.op == "num" and isinstance(node.value, Fraction) and node.value.denominator == 1:
        integer = int(node.value)
    elif node.op == "add":
        integer = sum(map(_whole, node.args))
    elif node.op == "mul":
        integer = 1
        for each in node.args:
            integer *= _whole(each)
            _check(integer)
    elif node.op == "pow":
        base, power = _whole(node.args[0]), _whole(node.args[1])
        if power < 0 or base.bit_length() * power > MAX_EXPONENT_BITS:
            raise _NoRemainderError
        integer = base**power
    else:
        raise _NoRemainderError
    _check(integer)
    return integer


def _check(value: int) -> None:
    if value.bit_length() > MAX_EXPONENT_BITS:
        raise _NoRemainderError

"""Random interpretations of first-order formulas, evaluated all at once.

They show that two formulas are not equivalent: one interpretation in which they differ is proof.
Domains have two elements; a fixed set of interpretations serves all questions.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from ...core.rng import Stream
from ...core.version import DATA_VERSION
from . import logic
from .logic import Formula

INTERPRETATIONS = 1 << 16
_SYMBOLS, _DOMAINS = logic.SIZES["medium"]


class Used(NamedTuple):
    """The symbols of a question: their numbers, and the numbers that they get in its text."""

    propositions: dict[int, int]
    predicates: dict[int, int]
    domains: dict[int, int]


def used_in(formulas: list[Formula]) -> Used:
    """The symbols, numbered in the order in which they appear; shared parts are looked at once."""
    used = Used({}, {}, {})
    seen: set[int] = set()
    stack = formulas[::-1]
    while stack:
        f = stack.pop()
        if id(f) in seen:
            continue
        seen.add(id(f))
        if f[0] == "prop":
            used.propositions.setdefault(f[1], len(used.propositions))
        elif f[0] == "pred":
            used.predicates.setdefault(f[1], len(used.predicates))
        else:
            if f[0] in logic.QUANTIFIERS:
                used.domains.setdefault(f[1], len(used.domains))
            stack.extend(logic.parts(f)[::-1])
    return used


@lru_cache(maxsize=1)
def models() -> list[int]:
    """``INTERPRETATIONS`` interpretations of 16 propositions and 16 predicates on 8 domains of two
    elements, the same for all questions: a row a symbol, bit ``j`` its value in interpretation
    ``j``."""
    rows, width = _SYMBOLS * (1 + 2 * _DOMAINS), INTERPRETATIONS // 64
    stream = Stream(DATA_VERSION, "easy", "interpretations")
    words = stream.words(rows * width).reshape(rows, width)
    return [int.from_bytes(row.astype("<u8").tobytes(), "little") for row in words]


def row(predicate: int, domain: int, element: int) -> int:
    """The row of a predicate of an element in ``models``."""
    return _SYMBOLS + (predicate * _DOMAINS + domain) * 2 + element


class Evaluator:
    """Values of formulas that share parts in all interpretations at once."""

    def __init__(self) -> None:
        self._masks = models()
        self._whole = (1 << INTERPRETATIONS) - 1
        self._kept: list[Formula] = []
        self._free: dict[int, tuple[int, ...]] = {}
        self._known: dict[tuple[int, ...], int] = {}

    def __call__(self, formula: Formula) -> int:
        """The interpretations in which a closed formula holds, as a mask."""
        self._kept.append(formula)  # node ids stay unique while the nodes are alive
        return self._value(formula, {})

    def _domains(self, f: Formula) -> tuple[int, ...]:
        """The domains whose variables are free in a formula, in order."""
        result = self._free.get(id(f))
        if result is None:
            kind = f[0]
            if kind == "pred":
                result = (f[2],)
            else:
                below = {d for part in logic.parts(f) for d in self._domains(part)}
                if kind in logic.QUANTIFIERS:
                    below.discard(f[1])
                result = tuple(sorted(below))
            self._free[id(f)] = result
        return result

    def _value(self, f: Formula, scope: dict[int, int]) -> int:
        kind = f[0]
        if kind == "prop":
            return self._masks[f[1]]
        if kind == "pred":
            return self._masks[row(f[1], f[2], scope[f[2]])]
        key = (id(f), *[scope[d] for d in self._domains(f)])
        known = self._known.get(key)
        if known is not None:
            return known
        if kind == "not":
            value = self._whole ^ self._value(f[1], scope)
        elif kind in logic.BINARY:
            left = self._value(f[1], scope)
            value = logic.connect(kind, left, self._value(f[2], scope), self._whole)
        else:
            first = self._value(f[2], {**scope, f[1]: 0})
            second = self._value(f[2], {**scope, f[1]: 1})
            value = first & second if kind == "forall" else first | second
        self._known[key] = value
        return value

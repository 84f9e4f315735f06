"""Random interpretations of first-order formulas, evaluated all at once.

They show that two formulas are not equivalent: one interpretation in which they differ is proof.
Domains have two elements; a fixed set of interpretations serves all questions.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain

from ...core.rng import Stream
from ...core.version import DATA_VERSION
from . import logic
from .logic import Formula

INTERPRETATIONS = 1 << 16
_SYMBOLS, _DOMAINS = logic.SIZES["medium"]


def used_in(formulas: list[Formula]) -> dict[str, dict[int, int]]:
    """The symbols of a question by kind: their numbers, and those that they get in its text, which
    follow the order in which they appear."""
    numbers: dict[str, dict[int, int]] = {"prop": {}, "pred": {}, "domain": {}}
    for f in chain.from_iterable(map(logic.walk, formulas)):
        kind = "domain" if f[0] in logic.QUANTIFIERS else f[0]
        if kind in numbers:
            numbers[kind].setdefault(f[1], len(numbers[kind]))
    return numbers


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
        self._free: dict[int, list[int]] = {}
        self._values: dict[tuple[int, ...], int] = {}

    def __call__(self, formula: Formula) -> int:
        """The interpretations in which a closed formula holds, as a mask."""
        self._kept.append(formula)  # node ids stay unique while the nodes are alive
        return self._value(formula, {})

    def _domains(self, f: Formula) -> list[int]:
        """The domains whose variables are free in a formula, in order."""
        if id(f) not in self._free:
            below = {f[2]} if f[0] == "pred" else set[int]()
            below = below.union(*map(self._domains, logic.parts(f)))
            self._free[id(f)] = sorted(below - {f[1]} if f[0] in logic.QUANTIFIERS else below)
        return self._free[id(f)]

    def _value(self, f: Formula, scope: dict[int, int]) -> int:
        if f[0] == "prop":
            return self._masks[f[1]]
        if f[0] == "pred":
            return self._masks[row(f[1], f[2], scope[f[2]])]
        key = (id(f), *[scope[domain] for domain in self._domains(f)])
        if key not in self._values:
            self._values[key] = self._computed(f, scope)
        return self._values[key]

    def _computed(self, f: Formula, scope: dict[int, int]) -> int:
        kind = f[0]
        if kind == "not":
            return self._whole ^ self._value(f[1], scope)
        if kind in logic.BINARY:
            value = self._value(f[1], scope)
            return logic.connect(kind, value, self._value(f[2], scope), self._whole)
        first, second = (self._value(f[2], {**scope, f[1]: element}) for element in (0, 1))
        return first & second if kind == "forall" else first | second

"""The statements and inference rules of the proof trees.

A statement is a list ``[form, agents, numbers]`` with agents as numbers. Forms and rules are
those of the paper (002, appendix I.1 and I.2) with three corrections: ``transfer`` names the
giver first, and a conclusion may be about the giver or the receiver; ``split`` hands out all that
the splitter has; ``cond-transfer`` leaves the giver with nothing when it fires. ``comp`` is
signed: ``["comp", [x, y], [q]]`` says x - y = q.

A rule is given a conclusion and draws premises for it. Amounts are integers from 0 to 60,
differences, gifts and eaten amounts from 1 to 20; the paper gives no ranges but the root's.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from ...core.rng import Stream

Statement = list[Any]

MOST = 60
STEP = 20
START_OF_INCREASE = 30
MARGIN = 5
"""A condition that does not hold has a threshold up to this far above the amount."""

EVENTS = frozenset(
    ("transfer", "cons", "increase", "switch", "redistribute", "split", "cond-transfer")
)


class Draw:
    """Random numbers and new agents for one tree."""

    def __init__(self, stream: Stream, agents: int) -> None:
        self._stream = stream
        self._left = agents
        self._next = 0

    def between(self, low: int, high: int) -> int:
        """An integer from ``low`` to ``high``; ``Impossible`` if there is none."""
        if low > high:
            raise Impossible
        return low + self._stream.integer(high - low + 1)

    def coin(self) -> bool:
        """True or false with equal chance."""
        return self._stream.integer(2) == 0

    def agent(self) -> int:
        """An agent that appears nowhere else in the tree; ``Impossible`` if none is left."""
        if not self._left:
            raise Impossible
        self._left -= 1
        self._next += 1
        return self._next - 1


class Impossible(Exception):
    """A rule cannot yield the conclusion within the ranges."""


def cont(x: int, q: int) -> Statement:
    """x has q."""
    return ["cont", [x], [q]]


def _difference(draw: Draw, q: int) -> int:
    """How much more than another, or fewer, q may be so that the other amount stays in range."""
    if draw.coin():
        return draw.between(1, min(STEP, q))
    return -draw.between(1, min(STEP, MOST - q))


def _cont_comp(draw: Draw, x: int, q: int) -> list[Statement]:
    more = _difference(draw, q)
    a = draw.agent()
    return [cont(a, q - more), ["comp", [x, a], [more]]]


def _cont_transfer(draw: Draw, x: int, q: int) -> list[Statement]:
    if draw.coin():
        gift = draw.between(1, min(STEP, q))
        return [cont(x, q - gift), ["transfer", [draw.agent(), x], [gift]]]
    gift = draw.between(1, min(STEP, MOST - q))
    return [cont(x, q + gift), ["transfer", [x, draw.agent()], [gift]]]


def _comp_eq(draw: Draw, x: int, q: int) -> list[Statement]:
    more = _difference(draw, q)
    d, c, a = draw.agent(), draw.agent(), draw.agent()
    return [["comp", [d, c], [more]], cont(a, q - more), ["comp-eq", [x, a, d, c], []]]


def _cont_cons(draw: Draw, x: int, q: int) -> list[Statement]:
    eaten = draw.between(1, min(STEP, MOST - q))
    return [cont(x, q + eaten), ["cons", [x], [eaten]]]


def _cont_increase(draw: Draw, x: int, q: int) -> list[Statement]:
    start = draw.between(1, START_OF_INCREASE)
    if q in (0, start):
        raise Impossible
    factor = Fraction(q, start)
    return [cont(x, start), ["increase", [x], [factor.numerator, factor.denominator]]]


def _cont_switch(draw: Draw, x: int, q: int) -> list[Statement]:
    b = draw.agent()
    return [cont(x, draw.between(0, MOST)), cont(b, q), ["switch", [x, b], []]]


def _cont_redistribute(draw: Draw, x: int, q: int) -> list[Statement]:
    first = draw.between(max(0, 2 * q - MOST), min(MOST, 2 * q))
    b = draw.agent()
    return [cont(x, first), cont(b, 2 * q - first), ["redistribute", [x, b], []]]


def _split(draw: Draw, x: int, q: int) -> list[Statement]:
    half = draw.between(1, min(q, MOST // 2))
    a, c = draw.agent(), draw.agent()
    receivers = [x, c] if draw.coin() else [c, x]
    return [cont(a, 2 * half), cont(x, q - half), ["split", [a, *receivers], []]]


def _cond_transfer(draw: Draw, x: int, q: int) -> list[Statement]:
    if draw.coin():
        gift = draw.between(1, q)
        mine, limit = q - gift, draw.between(0, gift - 1)
    else:
        gift = draw.between(0, MOST)
        mine, limit = q, draw.between(gift, gift + MARGIN)
    b = draw.agent()
    return [cont(x, mine), cont(b, gift), ["cond-transfer", [b, x], [limit]]]


def _cumulative(draw: Draw, x: int, q: int) -> list[Statement]:
    first = draw.between(0, MOST - q)
    second = draw.between(0, MOST - q - first)
    a, b = draw.agent(), draw.agent()
    return [cont(a, first), cont(b, second), ["cum", [a, b, x], [q + first + second]]]


def _multi_comp(draw: Draw, x: int, q: int) -> list[Statement]:
    more = draw.between(1, min(STEP, MOST - q))
    second = draw.between(0, MOST - q - more)
    a, b = draw.agent(), draw.agent()
    return [cont(a, q + second + more), cont(b, second), ["multi-comp", [a, b, x], [more]]]


def _seq_comp(draw: Draw, x: int, q: int) -> list[Statement]:
    if draw.coin():
        more = draw.between(1, min(STEP, q))
        fewer = draw.between(1, STEP)
        b, c = draw.agent(), draw.agent()
        return [["seq-comp", [x, b, c], [more, fewer]], cont(b, q - more)]
    more = draw.between(1, min(STEP, q - 1))
    fewer = draw.between(1, min(STEP, q - more))
    a, b = draw.agent(), draw.agent()
    return [["seq-comp", [a, b, x], [more, fewer]], cont(b, q - more - fewer)]


def premises_of_comp(draw: Draw, statement: Statement) -> list[Statement]:
    """ContContInference: two amounts with a given difference."""
    (x, y), (q,) = statement[1], statement[2]
    low = draw.between(max(0, -q), min(MOST, MOST - q))
    return [cont(y, low), cont(x, low + q)]


class Rule(NamedTuple):
    """An inference rule that concludes how much an agent has."""

    name: str
    premises: Callable[[Draw, int, int], list[Statement]]
    needs: int
    basic: int
    diverse: int


RULES = (
    Rule("ContComp", _cont_comp, 2, 1, 1),
    Rule("ContTransfer", _cont_transfer, 2, 5, 1),
    Rule("CompEq", _comp_eq, 3, 10, 10),
    Rule("ContCons", _cont_cons, 2, 0, 1),
    Rule("ContIncrease", _cont_increase, 2, 0, 10),
    Rule("ContSwitch", _cont_switch, 3, 0, 1),
    Rule("ContRedistribute", _cont_redistribute, 3, 0, 10),
    Rule("Split", _split, 3, 0, 10),
    Rule("CondTransfer", _cond_transfer, 3, 0, 10),
    Rule("CumulativeToCont", _cumulative, 3, 0, 1),
    Rule("MultiComp", _multi_comp, 3, 0, 10),
    Rule("SeqComp", _seq_comp, 2, 0, 10),
)
"""Rules for ``cont`` with the number of premises and the paper's weights (appendix I.4, I.5)."""

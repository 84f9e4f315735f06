"""Sequential linear transforms: a merchant's jumbled ledger (XLGoBench, section 2.1).

A merchant starts with capital w_0 in 1..9 and meets T people one after the other. The t-th
multiplies his wealth by a and then gives or takes an amount: w_t = a w_{t-1} + b. The records are
shuffled; the answer is the chain w_1 .. w_T. Complexity is T.

Every a and b is nonzero (a = 0 would erase all before it, b = 0 has no wording) and every a, b
and w lies in -9..9. The paper does not say how they are drawn. Here the balances are drawn first,
each uniform over -9..9 (0 never follows 0: no a, b leads there), and then each pair (a, b)
uniformly from those that lead from one balance to the next. So no balance can be guessed better
than another; drawing a first and then b would leave the merchant at 9 or -9 more than a quarter
of the time.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from .base import (
    Document,
    Instance,
    Ints,
    Items,
    Json,
    Lines,
    Origin,
    Streams,
    TaskLabels,
    Template,
    Text,
    Values,
    ids,
)

NAME = "slt"
LABELS = TaskLabels(
    "Sequential linear transforms",
    "SLT",
    "A merchant's ledger has been shuffled. The model puts the transactions back into order "
    "and gives the wealth after each of them.",
    "transactions",
)
ANSWER_KEY = "chain"
RANGES = {"paper": (100, 600), "lite": (10, 600), "smoke": (4, 40), "quick": (4, 60)}
POSSIBLE = (1, 100_000, "transactions")
DISTINCT = 8
LINES = ("gift", "fee")
LIMIT = 9
"""Largest absolute value of a factor, an amount and a balance."""
_NONZERO = [v for v in range(-LIMIT, LIMIT + 1) if v]


@dataclass(frozen=True, eq=False)
class Ledger(Instance):
    """T records in printed order; each array has shape (T,).

    Attributes:
        start: code of the place that the merchant departs from.
        capital: w_0.
        previous: codes of the person he comes from.
        current: codes of the person he meets.
        factor: a of each record.
        amount: b of each record; negative is a fee.
    """

    task: ClassVar[str] = NAME
    start: int
    capital: int
    previous: ids.Codes
    current: ids.Codes
    factor: Ints
    amount: Ints

    @property
    def complexity(self) -> int:
        return len(self.previous)

    @cached_property
    def answer(self) -> Json:
        """w_1 .. w_T; that of a drawn ledger is known from the draw.

        Raises:
            ValueError: a record is missing.
        """
        # From each person to the record that continues from him.
        record = np.empty(ids.TOTAL, dtype=np.int32)
        record[self.current] = record[self.start] = -1
        record[self.previous] = np.arange(self.complexity)
        following = record[self.current].tolist()
        factor, amount = self.factor.tolist(), self.amount.tolist()
        row, wealth, chain = int(record[self.start]), self.capital, []
        for done in range(self.complexity):
            if row < 0:
                raise ValueError(f"slt: no record continues the chain after {done} transactions")
            wealth = factor[row] * wealth + amount[row]
            chain.append(wealth)
            row = following[row]
        return {ANSWER_KEY: chain}

    def content(self) -> dict[str, object]:
        records = zip(
            ids.names(self.previous),
            ids.names(self.current),
            self.factor.tolist(),
            self.amount.tolist(),
        )
        return {
            "start": ids.name(self.start),
            "capital": self.capital,
            "transactions": [{"prev": p, "cur": c, "a": a, "b": b} for p, c, a, b in records],
        }


@lru_cache(maxsize=1)
def _pairs() -> tuple[npt.NDArray[np.uint64], Ints, Ints]:
    """For balances w, v (from -9): how many pairs have a w + b = v, and their a and b."""
    size = 2 * LIMIT + 1
    count = np.zeros((size, size), dtype=np.uint64)
    factor, amount = np.zeros((2, size, size, 2 * LIMIT), dtype=np.int32)
    for w in range(-LIMIT, LIMIT + 1):
        for a in _NONZERO:
            for b in _NONZERO:
                v = a * w + b
                if abs(v) <= LIMIT:
                    i, j = w + LIMIT, v + LIMIT
                    n = int(count[i, j])
                    factor[i, j, n], amount[i, j, n] = a, b
                    count[i, j] += np.uint64(1)
    return count, factor, amount


def generate(complexity: int, streams: Streams, origin: Origin) -> Ledger:
    stream = streams(0)
    people = ids.draw(stream, complexity + 1)
    wealth = np.empty(complexity + 1, dtype=np.int64)
    wealth[0] = 1 + stream.integer(LIMIT)
    wealth[1:] = stream.integers(2 * LIMIT + 1, complexity) - LIMIT
    # From 0 to 0 leads a w + b with b = 0 only, and b must not be 0.
    for t in np.flatnonzero((wealth[1:] == 0) & (wealth[:-1] == 0)).tolist():
        if wealth[t] == 0:  # unless the one before was changed just now
            wealth[t + 1] = _NONZERO[stream.integer(2 * LIMIT)]
    before, after = wealth[:-1] + LIMIT, wealth[1:] + LIMIT
    count, factor, amount = _pairs()
    step = before * (2 * LIMIT + 1) + after
    # As Stream.integers, with another bound for each step: how many pairs (a, b) lead there.
    high = stream.words(complexity) >> np.uint64(24)
    coefficients = ((high * count.take(step)) >> np.uint64(40)).astype(np.int64)
    order = stream.permutation(complexity)
    pair = (step * (2 * LIMIT) + coefficients)[order]
    drawn = Ledger(
        start=int(people[0]),
        capital=int(wealth[0]),
        previous=people[:-1][order],
        current=people[1:][order],
        factor=factor.take(pair),
        amount=amount.take(pair),
        origin=origin,
    )
    drawn.__dict__.update(answer={ANSWER_KEY: wealth[1:].tolist()})
    return drawn


def template(strings: Mapping[str, str]) -> Template:
    lines = []
    for a in _NONZERO:
        for b in _NONZERO:
            text = strings["gift" if b > 0 else "fee"]
            lines.append(f"- {text}\n".replace("{a}", str(a)).replace("{b}", str(abs(b))))
    return Template(
        texts={"intro": f"{strings['intro']}\n\n", "format": f"\n{strings['format']}"},
        lines=lines,
        numbers=frozenset({"capital"}),
    )


def document(ledger: Ledger) -> Document:
    return (
        Text("intro", {"capital": ledger.capital}, {"start": ledger.start}),
        Lines(
            {"prev": ledger.previous, "cur": ledger.current},
            _position(ledger.factor) * len(_NONZERO) + _position(ledger.amount),
        ),
        Text("format"),
    )


def _position(value: Ints) -> Ints:
    """Position of each value in the list of nonzero values."""
    return (value + LIMIT - (value > 0)).astype(np.int32)


def read(intro: Values, lines: Items, _: Values) -> Json:
    size = len(_NONZERO)
    records = [
        {**values, "a": _NONZERO[row // size], "b": _NONZERO[row % size]} for row, values in lines
    ]
    return {**intro, "transactions": records}


def from_json(data: Json) -> Ledger:
    records = data["transactions"]
    for record in records:
        for key in ("a", "b"):
            if record[key] not in _NONZERO:
                raise ValueError(f"slt: {key} = {record[key]!r} must be a nonzero integer in -9..9")
    return Ledger(
        start=ids.code(data["start"]),
        capital=int(data["capital"]),
        previous=ids.codes(record["prev"] for record in records),
        current=ids.codes(record["cur"] for record in records),
        factor=np.array([record["a"] for record in records], dtype=np.int32),
        amount=np.array([record["b"] for record in records], dtype=np.int32),
    )


def reference(ledger: Ledger) -> dict[str, object]:
    return {"capital": ledger.capital}


def structure(ledger: Ledger) -> Any:
    """The capital, and the transactions in their order."""
    data = ledger.to_json()
    after = {line["prev"]: line for line in data["transactions"]}
    person, steps = data["start"], []
    for _ in after:
        line = after[person]
        steps.append((line["a"], line["b"]))
        person = line["cur"]
    return [data["capital"], steps]

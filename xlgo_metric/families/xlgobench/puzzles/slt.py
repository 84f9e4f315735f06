"""The ledger (slt): a chain of balances, and which mistake gives the first wrong one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypedDict, cast

from xlgo_metric.core import Reference
from xlgo_metric.families.xlgobench.puzzles.base import (
    Details,
    FirstError,
    Puzzle,
    Wrong,
    first_right,
    read_chain,
)

_NUMBER = re.compile(r"(?<![A-Za-z0-9_.])-?\d{1,6}(?![A-Za-z0-9_]|\.\d)")
_LIMIT = 9  # balances lie within -9 and 9
_NEAR = 2


def compare(answer: list[int], right: list[int], reference: Reference) -> tuple[bool, Details]:
    """Whether the whole chain is right.

    Details: ``length``; ``first_wrong_step`` (from 1; ``None`` if right); ``final_value`` (the last
    value is right); ``capital_prepended`` (the right chain after the initial capital, which counts
    as wrong; the capital is checked if the reference has ``capital``).
    """
    correct = answer == right
    wrong_step = None
    if not correct:
        steps = enumerate(zip(answer, right), start=1)
        behind = min(len(answer), len(right)) + 1
        wrong_step = next((step for step, (a, b) in steps if a != b), behind)
    prepended = len(answer) == len(right) + 1 and answer[1:] == right
    if "capital" in reference:
        prepended = prepended and answer[0] == reference["capital"]
    return correct, {
        "length": len(answer),
        "first_wrong_step": wrong_step,
        "final_value": answer[-1:] == right[-1:],
        "capital_prepended": prepended,
    }


class Line(TypedDict):
    """A record of a ledger: the balance after it is ``a`` times that before it, plus ``b``."""

    prev: str
    cur: str
    a: int
    b: int


class Ledger(TypedDict):
    """A ledger in its JSON form, with lines in any order."""

    capital: int
    start: str
    transactions: list[Line]


def first_error(wrong: Wrong) -> FirstError | None:
    """See ``find_error``; ``None`` where the ledger cannot be drawn again."""
    instance = wrong.draw()
    return (
        None if instance is None else find_error(wrong.answer, wrong.right, cast(Ledger, instance))
    )


def find_error(answer: Sequence[int], right: Sequence[int], instance: Ledger) -> FirstError:
    """The first wrong balance, held against what each mistake would give there.

    Kinds: ``gift_as_fee`` and ``fee_as_gift`` (the amount has the other sign), ``sign`` (the sign
    of the product or of the whole), ``amount_left_out``, ``factor_left_out``, ``exchanged`` (factor
    for amount), ``skipped`` (the next record in its place, or a balance left out of the list),
    ``near`` (off by one or two); ``several`` that give this value; ``other``. Without a wrong
    value: ``stops_early``, ``goes_on``, ``capital_first``.

    Args:
        answer: a wrong chain.
        right: the right one.
        instance: ``capital``, ``start`` and ``transactions``.
    """
    steps = len(right)
    if len(answer) == steps + 1 and list(answer[1:]) == list(right):
        return {"kind": "capital_first", "step": 1, "of": steps}
    at = next((i for i, (a, b) in enumerate(zip(answer, right)) if a != b), None)
    if at is None:
        early = len(answer) < steps
        step = len(answer) + 1 if early else steps
        return {"kind": "stops_early" if early else "goes_on", "step": step, "of": steps}
    mistakes = _mistakes(at, right, instance)
    error: FirstError = {"kind": _kind(answer[at], mistakes), "step": at + 1, "of": steps}
    if abs(answer[at]) <= _LIMIT:
        others = [value for value in range(-_LIMIT, _LIMIT + 1) if value != right[at]]
        kinds = Counter(_kind(value, mistakes) for value in others)
        error["chance"] = {name: count / len(others) for name, count in sorted(kinds.items())}
    return error


def _mistakes(at: int, right: Sequence[int], instance: Ledger) -> dict[str, set[int]]:
    """The balances that each mistake gives at step ``at`` (from 0), without the right one."""
    records = _in_order(instance)
    before = right[at - 1] if at else instance["capital"]
    a, b = records[at]["a"], records[at]["b"]
    value = a * before + b
    found = {
        "gift_as_fee" if b > 0 else "fee_as_gift": {a * before - b},
        "sign": {b - a * before, -value},
        "amount_left_out": {a * before},
        "factor_left_out": {before + b},
        "exchanged": {b * before + a},
        "near": {value + off for off in range(-_NEAR, _NEAR + 1)},
    }
    if at + 1 < len(right):
        after = records[at + 1]
        found["skipped"] = {right[at + 1], after["a"] * before + after["b"]}
    return {name: values - {value} for name, values in found.items()}


def _kind(value: int, mistakes: Mapping[str, set[int]]) -> str:
    """The mistake that gives a value; one that is only near is less than any that is exact."""
    fitting = [name for name, values in mistakes.items() if value in values]
    exact = [name for name in fitting if name != "near"] or fitting
    return "other" if not exact else exact[0] if len(exact) == 1 else "several"


def _in_order(instance: Ledger) -> list[Line]:
    """The records in the order in which they follow each other."""
    after = {record["prev"]: record for record in instance["transactions"]}
    at = instance["start"]
    found: list[Line] = []
    while at in after and len(found) < len(after):
        found.append(after[at])
        at = after[at]["cur"]
    return found


PUZZLE = Puzzle("chain", read_chain, compare, first_right(), first_error, value=_NUMBER)

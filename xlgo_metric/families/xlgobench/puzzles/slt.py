"""The ledger (slt): a chain of balances."""

import re

from xlgo_metric.core import Reference
from xlgo_metric.families.xlgobench.puzzles.base import (
    Details,
    Puzzle,
    first_right,
    read_chain,
)

_NUMBER = re.compile(r"(?<![A-Za-z0-9_.])-?\d{1,6}(?![A-Za-z0-9_]|\.\d)")


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
        after_common = min(len(answer), len(right)) + 1
        wrong_step = next((step for step, (a, b) in steps if a != b), after_common)
    prepended = len(answer) == len(right) + 1 and answer[1:] == right
    if "capital" in reference:
        prepended = prepended and answer[0] == reference["capital"]
    return correct, {
        "length": len(answer),
        "first_wrong_step": wrong_step,
        "final_value": answer[-1:] == right[-1:],
        "capital_prepended": prepended,
    }


PUZZLE = Puzzle("chain", read_chain, compare, first_right(), value=_NUMBER)

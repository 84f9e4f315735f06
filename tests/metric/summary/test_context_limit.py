"""A limit of context is named where answers stop at one length of prompt, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from xlgo_metric.comparison import AnswerTable
from xlgo_metric.comparison.table import Side
from xlgo_metric.core import Grade, Record
from xlgo_metric.families.xlgobench.why.context import context_limit

LEVELS = (10, 20, 30, 40)


def answers(chance: Callable[[int, int], float]) -> dict[str, Side]:
    """English with 100 bytes a step, a language with 180; exact shares of 40 answers."""
    found: dict[str, list[Record]] = {}
    for name, bytes_a_step in (("english", 100), ("plain", 180)):
        for c in LEVELS:
            right = round(40 * chance(c, c * bytes_a_step))
            found.setdefault(name, []).extend(
                Record(
                    Grade(i < right, "correct", i < right, None, {}),
                    {"task": "slt", "language": "hi", "complexity": c},
                    prompt_bytes=c * bytes_a_step,
                )
                for i in range(40)
            )
    return {
        name: Side("slt", "hi", AnswerTable.of_records(records).frame)
        for name, records in found.items()
    }


@pytest.mark.parametrize(
    ("chance", "edge"),
    [
        (lambda c, size: 0.9 if size <= 3700 else 0.0, 3600),
        (lambda c, size: max(0.0, 1.0 - size / 5000), None),  # a cost of length that grows
        (lambda c, size: 0.9 if c < 25 else 0.3, None),  # complexity alone
        (lambda c, size: 0.9 if size % 180 else 0.0, None),  # the language is not understood
        (lambda c, size: 0.0, None),
    ],
    ids=["limit", "length", "complexity", "language", "nothing"],
)
def test_a_limit_of_context_is_an_edge_in_length(
    chance: Callable[[int, int], float], edge: int | None
) -> None:
    assert context_limit(answers(chance)) == edge

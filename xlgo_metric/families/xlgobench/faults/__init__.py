"""Where a wrong answer first goes wrong: its position and its kind, in every puzzle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from xlgo_metric.core import Grade
from xlgo_metric.families.xlgobench.faults import ledger, network, ranking, rooms

Instance = Mapping[str, Any]
"""A puzzle in its JSON form, as ``to_json`` of the data set gives it."""


def fault(
    grade: Grade, reference: Mapping[str, Any], draw: Callable[[], Instance | None], text: str
) -> dict[str, Any] | None:
    """Where a wrong answer first goes wrong.

    Args:
        grade: of the answer, with the status ``wrong``.
        reference: of the question.
        draw: gives the puzzle; ``None`` where it cannot be drawn again.
        text: the response, with its thinking, in which a walk may be written down.

    Returns:
        ``kind``; ``step`` (from 1) and ``of`` (how many there are), ``None`` where the answer does
        not tell; ``chance``, the share of wrong answers drawn at random that have each kind, where
        that is not negligible. ``None`` where nothing is known of the puzzle.
    """
    task, answer = reference["task"], reference["answer"]
    if task == "graph_sp":
        edges = reference.get("edges")
        return None if edges is None else network.fault(grade.answer, answer["path"], edges)
    instance = draw()
    if instance is None:
        return None
    if task == "slt":
        return ledger.fault(grade.answer, answer["chain"], instance)
    if task == "prdsa":
        return rooms.of_states(grade.answer, instance)
    if task == "t_rank":
        return ranking.fault(grade.answer, answer["ranking"], instance)
    return rooms.of_state(grade.answer, instance, text)

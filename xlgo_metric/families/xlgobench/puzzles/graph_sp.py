"""Networks of people (graph_sp): a path."""

from collections.abc import Sequence
from itertools import pairwise
from typing import cast

from xlgo_metric.core import Reference
from xlgo_metric.families.xlgobench.puzzles.base import (
    Details,
    Puzzle,
    first_right,
    read_identifiers,
)


def compare(answer: list[str], right: list[str], reference: Reference) -> tuple[bool, Details]:
    """Whether the path is right.

    Details: ``length``; ``reversed``; ``is_path`` (leads from source to target over edges without
    coming back to a node; ``None`` if the reference has no ``edges``).
    """
    edges = cast("Sequence[Sequence[str]] | None", reference.get("edges"))
    is_path = None
    if edges is not None:
        connections = {frozenset(edge[:2]) for edge in edges}
        steps = [frozenset(step) for step in pairwise(answer)]
        is_path = (
            answer[:1] + answer[-1:] == right[:1] + right[-1:]
            and len(set(answer)) == len(answer)
            and all(step in connections for step in steps)
        )
    return answer == right, {
        "length": len(answer),
        "reversed": answer != right and answer[::-1] == right,
        "is_path": is_path,
    }


PUZZLE = Puzzle(
    "path",
    read_identifiers,
    compare,
    first_right(known=1),
    steps_allowed=True,
    example=["A1234", "B5678", "C9012"],
)

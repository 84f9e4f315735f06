"""Networks of people (graph_sp): a path, and the first step that leaves the right way."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import cast

from xlgo_metric.core import Reference
from xlgo_metric.families.xlgobench.puzzles.base import (
    Details,
    FirstError,
    Puzzle,
    Wrong,
    first_right,
    read_identifiers,
)


def compare(answer: list[str], right: list[str], reference: Reference) -> tuple[bool, Details]:
    """Whether the path is right.

    Details: ``length``; ``reversed``; ``is_path`` (leads from source to target over edges without
    coming back to a node; ``None`` if the reference has no ``edges``).
    """
    edges = edges_of(reference)
    is_path = None
    if edges is not None:
        known = {frozenset(edge[:2]) for edge in edges}
        steps = [frozenset(step) for step in pairwise(answer)]
        is_path = (
            answer[:1] + answer[-1:] == right[:1] + right[-1:]
            and len(set(answer)) == len(answer)
            and all(step in known for step in steps)
        )
    return answer == right, {
        "length": len(answer),
        "reversed": answer != right and answer[::-1] == right,
        "is_path": is_path,
    }


def edges_of(reference: Reference) -> Sequence[Sequence[str]] | None:
    """All connections, the two people of each first; ``None`` if the reference has none."""
    return cast("Sequence[Sequence[str]] | None", reference.get("edges"))


def first_error(wrong: Wrong) -> FirstError | None:
    """See ``find_error``; ``None`` where the reference has no ``edges``."""
    edges = edges_of(wrong.reference)
    return None if edges is None else find_error(wrong.answer, wrong.right, edges)


def find_error(
    answer: Sequence[str], right: Sequence[str], edges: Sequence[Sequence[str]]
) -> FirstError:
    """The first wrong step of a path.

    Kinds, the first of them that fits: ``reversed`` (the right path from its end), ``empty``,
    ``wrong_start``; then by the first step that is not there: ``unknown_person``, ``left_out`` (it
    joins two people of the right path who have one between them) and ``no_edge``; without such a
    step ``comes_back`` (to a person), ``wrong_target`` and ``detour`` (a path, but a longer one:
    its first step off the right path).

    Args:
        answer: a wrong path.
        right: the shortest path.
        edges: all connections, the two people first.
    """
    steps = len(right) - 1
    if list(answer) == list(reversed(right)):
        return {"kind": "reversed", "step": None, "of": steps}
    if not answer:
        return {"kind": "empty", "step": None, "of": steps}
    if answer[0] != right[0]:
        return {"kind": "wrong_start", "step": 1, "of": steps}
    people = {person for edge in edges for person in edge[:2]}
    known = {frozenset(edge[:2]) for edge in edges}
    apart = {frozenset((right[i], right[i + 2])) for i in range(len(right) - 2)}
    for step, pair in enumerate(pairwise(answer), start=1):
        joined = frozenset(pair)
        if joined not in known:
            unknown = not people.issuperset(pair)
            kind = "left_out" if joined in apart else "no_edge"
            return {"kind": "unknown_person" if unknown else kind, "step": step, "of": steps}
    seen: set[str] = set()
    for place, person in enumerate(answer):
        if person in seen:
            return {"kind": "comes_back", "step": place, "of": steps}
        seen.add(person)
    off = next((i for i, (a, b) in enumerate(zip(answer, right)) if a != b), None)
    step = min(len(answer), len(right)) if off is None else off
    return {"kind": "detour" if answer[-1] == right[-1] else "wrong_target",
            "step": step, "of": steps}  # fmt: skip


PUZZLE = Puzzle(
    "path",
    read_identifiers,
    compare,
    first_right(known=1),
    first_error,
    steps_allowed=True,
    example=["A1234", "B5678", "C9012"],
)

"""Networks of people (graph_sp): the first step that cannot be taken, or leaves the right way."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any


def fault(
    answer: Sequence[str], right: Sequence[str], edges: Sequence[Sequence[str]]
) -> dict[str, Any]:
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

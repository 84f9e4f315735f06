"""Whether answers fall off at one length of prompt, as a limit of context makes them.

A limit of context cuts every prompt beyond a length, whatever its language or condition. Data with
that pattern cannot tell it from a cost of the language, whose prompts are longer.
"""

from __future__ import annotations

from collections.abc import Mapping

from xlgo_metric.comparison.table import Side

SOLVED, LOST = 0.25, 0.05
_MOSTLY = 0.5
_FEWEST = 20

Cell = tuple[float, float, float]
"""Complexity, mean bytes of the prompts, accuracy."""


def context_limit(answers: Mapping[str, Side]) -> float | None:
    """The longest prompts, in bytes, that are still answered; ``None`` where there is no such edge.

    All prompts that are longer are lost (at most ``LOST`` correct), none is at shorter ones at
    the same complexities, and at least one complexity has both kinds.

    Args:
        answers: by condition, those in the baseline among them.
    """
    cells = [cell for side in answers.values() for cell in _cells(side)]
    solved = [size for _, size, share in cells if share >= SOLVED]
    if not solved:
        return None
    edge = max(solved)
    beyond = [cell for cell in cells if cell[1] > edge]
    easy = {c for c, size, share in cells if size <= edge and share >= _MOSTLY}
    apart = [share for c, _, share in beyond if c in easy]
    within = [share for c, size, share in cells if size <= edge and c in easy]
    lost = all(share <= LOST for _, _, share in beyond)
    return edge if apart and lost and min(within) >= SOLVED else None


def _cells(side: Side) -> list[Cell]:
    """One condition by complexity; where the sizes of prompts are known and answers are enough."""
    levels: dict[float, list[tuple[int, bool]]] = {}
    asked = side.frame[side.frame["complexity"].notna()]
    for c, record in zip(asked["complexity"], asked["record"]):
        if record.prompt_bytes is not None:
            levels.setdefault(c, []).append((record.prompt_bytes, record.grade.correct))
    return [
        (c, sum(size for size, _ in found) / len(found), sum(ok for _, ok in found) / len(found))
        for c, found in levels.items()
        if len(found) >= _FEWEST
    ]

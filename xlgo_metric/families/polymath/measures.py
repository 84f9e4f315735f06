"""What is measured of an answer to PolyMath."""

from collections.abc import Sequence
from statistics import fmean
from typing import Any

from ...core import COMMON_MEASURES, UNKNOWN, Grade, Measure, Reference
from ...statistics.measures import dw_acc

LEVELS = ("low", "medium", "high", "top")
PARTS = ("thinking", "answer")


def weighted_accuracy(values: Sequence[tuple[str, bool]]) -> float:
    """DW-ACC (the paper's equation 1) of one language, from level and verdict of every question.

    ``UNKNOWN`` if a level is missing.
    """
    levels = [[correct for level, correct in values if level == name] for name in LEVELS]
    return dw_acc([fmean(level) for level in levels]) if all(levels) else UNKNOWN


def share(values: Sequence[bool | None]) -> float:
    """The share of texts in the language of their question; ``UNKNOWN`` without any verdict."""
    verdicts = [value for value in values if value is not None]
    return fmean(verdicts) if verdicts else UNKNOWN


def _consistency(part: str) -> Measure:
    def value(grade: Grade, _: Reference) -> Any:
        return grade.details.get(f"lc_{part}")

    return Measure(f"lc_{part}", value, aggregate=share, keeps_unknown=True)


MEASURES = (
    *COMMON_MEASURES,
    Measure(
        "dw_acc", lambda g, ref: (ref.get("level", ""), g.correct), aggregate=weighted_accuracy
    ),
    *map(_consistency, PARTS),
)
"""What is measured of an answer: the difficulty-weighted accuracy and language consistency too."""

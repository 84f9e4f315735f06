"""Answers to a plan of questions: the design and the range that their references state.

Where a plan names every question, the levels are those that tell most, not those that results are
stated on; and there may be few answers at each. So range and uncertainty come from here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from xlgo_metric.comparison.table import Side
from xlgo_metric.core import common


class Stated(NamedTuple):
    """What the references of a task's answers say of their design.

    Attributes:
        design: how the questions were chosen.
        c_min, c_max: the range on which results are stated.
    """

    design: str
    c_min: int
    c_max: int


def stated(cells: Iterable[Side]) -> Stated | None:
    """The design and range of a task; ``None`` unless all answers are to a plan of one range."""
    references = [record.reference for cell in cells for record in cell.records]
    design = common(references, "design")
    ranges = {str(x.get("range") if "design" in x else None) for x in references}
    ends = references[0].get("range") if len(ranges) == 1 else None
    if design is None or not isinstance(ends, list) or [*map(type, ends)] != [int, int]:
        return None
    return Stated(design, *ends) if 0 < ends[0] < ends[1] else None


def warnings(task: str, design: Stated) -> list[str]:
    """Notes on the design for readers of the numbers."""
    return [
        f"{task}: the questions were chosen (design {design.design}): accuracy and "
        "differences are of these questions, each of which counts once, so a complexity weighs as "
        "often as it was asked; they do not compare with those of other designs; curves, average "
        f"accuracy and gaps are stated on {design.c_min} to {design.c_max}"
    ]

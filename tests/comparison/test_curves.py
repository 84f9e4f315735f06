"""Curves of families that have no comparison of their own."""

from __future__ import annotations

from xlgo_metric.comparison.curves import gaps_of
from xlgo_metric.core import Grade, Record, Status


def test_the_largest_gap_is_sought_over_whole_complexities() -> None:
    """As the puzzles' is: no question has a complexity between two of them."""
    shares = {"en": (40, 39, 36, 30, 20, 10, 4, 1), "te": (40, 36, 28, 16, 7, 2, 0, 0)}
    records = []
    for language, counts in shares.items():
        for level, right in enumerate(counts, start=1):
            for index in range(40):
                reference = {
                    "family": "parallel", "task": "made", "language": language,
                    "complexity": level, "instance_id": f"made-{level}-{index}",
                }  # fmt: skip
                status: Status = "correct" if index < right else "wrong"
                records.append(Record(Grade(index < right, status), reference))
    gaps = gaps_of(records)
    assert gaps is not None
    cell = gaps["tasks"]["made"]["languages"]["te"]
    assert cell["c_star"] in range(1, 9)
    assert 0.3 < cell["smd"] < 0.45

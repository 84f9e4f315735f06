"""The score of answers to a plan: range, signature, intervals, warnings."""

from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2

import xlgo_metric as xm
from xlgo_metric.core import Grade, Record

HALVES = {"en": 60.0, "te": 45.0}
CELLS = {20: 5, 35: 3, 40: 8, 45: 1, 50: 14, 55: 9, 60: 14, 66: 12, 75: 12, 90: 8, 200: 5}


def records(design: str | None = "adaptive-pooled5", seed: int = 0) -> list[Record]:
    rng = np.random.default_rng(seed)
    found = []
    for language, half in HALVES.items():
        for size, n in CELLS.items():
            f = chi2.cdf(chi2.ppf(0.5, 15) * (half / size) ** 2, 15)
            for index in range(n):
                right = bool(rng.random() < f)
                reference: dict[str, Any] = {
                    "family": "xlgobench", "task": "slt", "language": language,
                    "complexity": size, "instance_id": f"slt-c{size}-i{index}", "data": 1,
                    "seed": 0, "text": "paper",
                }  # fmt: skip
                if design is not None:
                    reference |= {"design": design, "range": [1, 600]}
                grade = Grade(status="correct" if right else "wrong", correct=right, strict=True)
                found.append(Record(grade, reference))
    return found


def section(records: list[Record], **options: Any) -> dict[str, Any]:
    return xm.summarize(records, **options)["families"]["xlgobench"]


def test_the_signature_and_the_range_are_the_stated_ones() -> None:
    found = section(records())
    assert found["signature"].startswith(
        "design:adaptive-pooled5|task:slt|levels:11|c:1-600|n:1-14|"
    )
    assert "|fit:wls-redrawn300|" in found["signature"]
    task = found["tasks"]["slt"]
    assert (task["c_min"], task["c_max"], task["design"]) == (1, 600, "adaptive-pooled5")
    fit = task["languages"]["en"]["fit"]
    average = xm.average_accuracy(fit["q"], fit["r"], 1, 600)
    assert task["languages"]["en"]["avg_acc"] == pytest.approx(average)
    assert any("stated on 1 to 600" in warning for warning in found["warnings"])

"""Every reference answer is right, except those that the published grading is known to refuse.

The fixture is this project's own. With XLGO_REAL_DATA naming a folder whose ``kor`` has the
released data in the published layout, the same is proved of those.
"""

import json
import os
from pathlib import Path

import pytest

from xlgo_metric.families.korbench import CATEGORIES, MODES
from xlgo_metric.families.korbench.grading import grade

FIXTURE = Path(__file__).parent / "fixture"
REAL = os.environ.get("XLGO_REAL_DATA")
PLACES = [
    pytest.param(FIXTURE, False, id="fixture"),
    pytest.param(
        Path(REAL or ".", "kor"),
        True,
        id="released",
        marks=pytest.mark.skipif(not REAL, reason="XLGO_REAL_DATA names no copy of the data"),
    ),
]
# Questions whose reference answer the published grading refuses: several answers in one, an
# equation that breaks the order of operations, a space at the end.
REFUSED = {"11", "12", "18", "31", "32", "33", "35", "36", "37", "84", "93", "94"}
REFUSED_EXAMPLE = "8"


def rows(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def refused(place, name, mode):
    """The (category, idx) whose own reference answer is wrong in a mode."""
    found = set()
    for category in CATEGORIES:
        for row in rows(place / category / name):
            reference = {"category": category, "mode": mode}
            reference |= {key: row[key] for key in ("rule_id", "idx", "answer")}
            if row.get("question") and category == "puzzle":
                reference["question"] = row["question"]
            response = f"I considered it step by step.\n\nThe answer is {row['answer']}"
            if not grade(response, reference).correct:
                found.add((category, row["idx"]))
    return found


@pytest.mark.parametrize(("place", "real"), PLACES)
@pytest.mark.parametrize("mode", MODES)
def test_reference_answers(place, real, mode):
    samples, examples = (
        refused(place, "sample.jsonl", mode),
        refused(place, "three-shot.jsonl", mode),
    )
    if mode == "default":
        assert (samples, examples) == (set(), set())
        return
    present = {row["idx"] for row in rows(place / "puzzle" / "sample.jsonl")} & REFUSED
    assert samples == {("puzzle", idx) for idx in present}
    assert examples == {("puzzle", REFUSED_EXAMPLE)}
    assert len(present) == 12 if real else len(present) >= 4

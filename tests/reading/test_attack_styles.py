"""Answers that may lead the reader astray, in 240 styles, frozen before it was changed.

Before: 73.9% of 2,640 as a judge would, 406 falsely correct. Those in French, Malay, Telugu and
Turkish were written later, before they were graded: 96.4% of 990, 11 falsely correct at first look.
Afterwards these are fitted figures.
"""

from __future__ import annotations

import pytest

from xlgo_metric import grade

from .attack.cases import cases

# What is left: a choice without a word for "or", a fault that was mended, two idioms, "N/A" as a
# letter, and candidates in boxes that are joined by "and" (one list to PolyMath).
LEFT = {"ok_corrected", "ok_wrong_way", "fix_final_changed", "refuse_na", "hedge_may_values"}
LISTS = {"hedge_candidates", "hedge_torn", "hedge_two_possible"}


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_attacks_are_graded_as_a_judge_would(step: int) -> None:
    """By default every style in each language, of two or three of the eleven tasks."""
    unfair = []
    every = [case for code in ("en", "fr", "ms", "te", "tr") for case in cases(code)]
    for case in every[::step]:
        status = grade(case.text, case.reference).status
        if status not in case.accepted:
            unfair.append((case.style, case.kind, status))
    assert [found for found in unfair if found[2] == "correct"] == []
    known = {s for s, kind, _ in unfair} - LEFT
    assert known <= LISTS
    assert {kind for s, kind, _ in unfair if s in LISTS} <= {"polymath"}

"""Many models in the layouts of the paper, against numbers by hand."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from xlgo_metric.core import Record
from xlgo_metric.families.korbench import CATEGORIES, FAMILY
from xlgo_metric.families.korbench.studies.subsets import gini
from xlgo_metric.table import Table

from .test_kor_grading_summary import record as answered

KOR: Any = FAMILY  # its sections have open keys


def rows(right: int, **more: Any) -> list[Record]:
    return [
        answered(
            "[[A]]" if n < right else "[[B]]", category=category, idx=str(n + 1),
            real_life_answer="[[B]]", instance_id=f"kor_{category}-{n + 1}", **more,
        )
        for category in CATEGORIES
        for n in range(10)
    ]  # fmt: skip


def chains(*right: int) -> list[Record]:
    """A question for each number: it is right in that round, and never for 0."""
    import json

    found = []
    for n, last in enumerate(right):
        texts = ["[[B]]"] * (last - 1 if last else 2) + (["[[A]]"] if last else [])
        prediction = json.dumps({"rounds": [{"text": t, "state": "answered"} for t in texts]})
        found.append(
            answered(prediction, category="logic", idx=str(n + 1), task="kor_self_correction",
                     rounds=2)
        )  # fmt: skip
    return found


def tables(**models: list[Record]) -> dict[str, Table]:
    sections = {name: KOR.summarize(records) for name, records in models.items()}
    answers = {
        name: pd.DataFrame(
            [
                {"task": r.reference["task"], "question": r.reference["instance_id"],
                 "correct": r.grade.correct}
                for r in records
                if "instance_id" in r.reference
            ]
        )
        for name, records in models.items()
    }  # fmt: skip
    return {table.name: table for table in KOR.many(sections, answers)}


def test_models_are_ranked_with_ties_and_never_pooled() -> None:
    found = tables(a=rows(6), b=rows(8), c=rows(6), d=rows(1))
    table = found["korbench_models"]
    assert table.headings() == ["rank", "model", "overall", *CATEGORIES, "real-life answers"]
    shown = [(row[0], row[1], row[2], row[-1]) for row in table.rows]
    assert shown == [
        (1, "b", 0.8, pytest.approx(0.2)), (2, "a", 0.6, pytest.approx(0.4)),
        (2, "c", 0.6, pytest.approx(0.4)), (4, "d", 0.1, pytest.approx(0.9)),
    ]  # fmt: skip
    assert "korbench_models_no_rule" not in found
    assert "korbench_models" not in tables(a=rows(6))
    both = tables(a=rows(6) + rows(2, rule_shown=False), b=rows(8) + rows(3, rule_shown=False))
    assert [row[1:3] for row in both["korbench_models_no_rule"].rows] == [("b", 0.3), ("a", 0.2)]


def test_corrections_are_counted_over_the_questions_of_all_models() -> None:
    """One of a's two errors is corrected, none of b's one: a third, not the mean of the rates."""
    found = tables(a=chains(1, 2, 0), b=chains(1, 1, 0))
    by_model = {row[1]: row[2:] for row in found["korbench_models_rounds"].rows}
    assert by_model["a"] == pytest.approx((2 / 3, 1 / 3, 1 / 2))
    assert by_model["b"] == pytest.approx((2 / 3, 2 / 3, 0))
    logic = next(row for row in found["korbench_corrections"].rows if row[0] == "logic")
    assert logic[1:] == pytest.approx((3 / 6, 1 / 3))


def test_subsets_have_the_gini_coefficient_of_the_models() -> None:
    """All questions of a rule are alike here, so that subsets of rules have nearly its value."""
    found = tables(a=rows(10), b=rows(0))
    rates = {(row[0], row[1]): row[2:] for row in found["korbench_models_subsets"].rows}
    assert rates["rule", 0.5] == (0, 0, pytest.approx(gini(pd.Series([1.0, 0.0]).to_numpy())))

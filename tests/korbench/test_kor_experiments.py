"""The paper's experiments beside its main table, against numbers counted by hand."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from scipy.stats import binomtest

import xlgo_dataset as xd
from xlgo_metric.core import Record
from xlgo_metric.families.korbench import CATEGORIES, FAMILY
from xlgo_metric.families.korbench.models import gini
from xlgo_metric.table import Table

from .test_kor_grading_summary import record as answered
from .test_kor_grading_summary import rows_by

data: Any = xd.family("korbench")


KOR: Any = FAMILY  # its sections have open keys

FIXTURE = str(Path(__file__).parent / "fixture")


def record(right: bool, **reference: Any) -> Record:
    return answered("[[A]]" if right else "[[B]]", **reference)


def made(task: str, **options: Any) -> list[dict[str, Any]]:
    return list(data.rows(task, ["en"], source=FIXTURE, **options))


@pytest.mark.parametrize("category", CATEGORIES)
@pytest.mark.parametrize("shots", [0, 3])
def test_a_question_without_its_rule_has_only_questions(category: str, shots: int) -> None:
    lines = (Path(FIXTURE) / category / "rule.jsonl").read_text("utf-8").splitlines()
    rules = {row["idx"]: row["rule_content"] for row in map(json.loads, lines)}
    plain = made(f"kor_{category}", shots=shots)
    bare = made(f"kor_{category}", shots=shots, rules=False)
    assert [row["instance_id"] for row in bare] == [row["instance_id"] for row in plain]
    assert not {row["id"] for row in bare} & {row["id"] for row in plain}
    for with_rule, without in zip(plain, bare):
        reference = json.loads(without["reference"])
        rule = rules[reference["rule_id"]].strip()
        assert rule in with_rule["prompt"]
        assert rule not in without["prompt"]
        assert with_rule["prompt"].endswith(without["prompt"])
        assert without["prompt"].startswith("### Question:\n")
        assert without["prompt"].count("### Question:") == 1 + shots
        assert reference["rule_shown"] is False


# Many models


def of_all(right: int, **more: Any) -> list[Record]:
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
    found = []
    for n, last in enumerate(right):
        texts = ["[[B]]"] * (last - 1 if last else 2) + (["[[A]]"] if last else [])
        prediction = json.dumps({"rounds": [{"text": t, "state": "answered"} for t in texts]})
        found.append(
            answered(prediction, category="logic", idx=str(n + 1), task="kor_self_correction",
                     rounds=2)
        )  # fmt: skip
    return found


def beside(**models: list[Record]) -> dict[str, Table]:
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
    found = beside(a=of_all(6), b=of_all(8), c=of_all(6), d=of_all(1))
    table = found["korbench_models"]
    assert table.headings() == ["rank", "model", "overall", *CATEGORIES, "real-life answers"]
    shown = [(row[0], row[1], row[2], row[-1]) for row in table.rows]
    assert shown == [
        (1, "b", 0.8, pytest.approx(0.2)), (2, "a", 0.6, pytest.approx(0.4)),
        (2, "c", 0.6, pytest.approx(0.4)), (4, "d", 0.1, pytest.approx(0.9)),
    ]  # fmt: skip
    assert "korbench_models_no_rule" not in found
    assert "korbench_models" not in beside(a=of_all(6))
    both = beside(
        a=of_all(6) + of_all(2, rule_shown=False), b=of_all(8) + of_all(3, rule_shown=False)
    )
    assert [row[1:3] for row in both["korbench_models_no_rule"].rows] == [("b", 0.3), ("a", 0.2)]


def test_corrections_are_counted_over_the_questions_of_all_models() -> None:
    """One of a's two errors is corrected, none of b's one: a third, not the mean of the rates."""
    found = beside(a=chains(1, 2, 0), b=chains(1, 1, 0))
    by_model = {row[1]: row[2:] for row in found["korbench_models_rounds"].rows}
    assert by_model["a"] == pytest.approx((2 / 3, 1 / 3, 1 / 2))
    assert by_model["b"] == pytest.approx((2 / 3, 2 / 3, 0))
    logic = next(row for row in found["korbench_corrections"].rows if row[0] == "logic")
    assert logic[1:] == pytest.approx((3 / 6, 1 / 3))


def test_accuracy_by_rule_tag_and_format() -> None:
    rows = [
        record(
            n % 2 == 0,
            category="logic",
            idx=str(n),
            rule_id=str(1 + n // 2),
            tag="Modal" if n < 4 else "Informal",
        )
        for n in range(6)
    ]
    section = KOR.summarize(rows)
    by_rule = rows_by(section, "rule_id", category="logic")
    assert {row["rule_id"]: row["questions"] for row in by_rule} == {"1": 2, "2": 2, "3": 2}
    assert [row["acc"] for row in rows_by(section, "tag", tag="Modal")] == [0.5]
    (of_format,) = rows_by(section, "format")
    assert (of_format["category"], of_format["format"]) == ("logic", "choice")
    assert of_format["questions"] == 6


def test_hints_are_compared_on_the_same_puzzles() -> None:
    rows = [record(n < 2, category="puzzle", idx=str(n)) for n in range(9)]
    rows += [
        record(n > 0, category="puzzle", idx=str(n), task="kor_puzzle_trick") for n in range(12)
    ]
    (trick,) = KOR.summarize(rows)["contrasts"]
    assert (trick["n"], trick["discordant"]) == (9, [7, 1])
    assert trick["difference"] == pytest.approx(6 / 9)
    assert trick["p_value"] == pytest.approx(binomtest(1, 8).pvalue)
    assert trick["ci_low"] < 6 / 9 < trick["ci_high"]
    assert not KOR.summarize(rows[:9])["contrasts"]


def test_subsets_have_the_gini_coefficient_of_the_models() -> None:
    """All questions of a rule are alike here, so that subsets of rules have nearly its value."""
    unnumbered = answered("[[A]]", category="logic", idx="x", instance_id="kor_logic-x")
    found = beside(a=[*of_all(10), unnumbered], b=of_all(0))  # it has no rule and is left out
    rates = {(row[0], row[1]): row[2:] for row in found["korbench_models_subsets"].rows}
    assert rates["rule", 0.5] == (0, 0, pytest.approx(gini(pd.Series([1.0, 0.0]).to_numpy())))

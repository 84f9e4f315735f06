"""The section of KOR-Bench and the paper's experiments, against numbers counted by hand."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from scipy.stats import binomtest

import xlgo_dataset as xd
from xlgo_metric import score
from xlgo_metric.core import Record
from xlgo_metric.families.korbench import CATEGORIES, FAMILY
from xlgo_metric.families.korbench.grading import grade, grade_rounds
from xlgo_metric.families.korbench.models import gini
from xlgo_metric.families.korbench.tables import by_task
from xlgo_metric.table import Table

data: Any = xd.family("korbench")
KOR: Any = FAMILY  # its sections have open keys
FIXTURE = str(Path(__file__).parent / "fixture")


def record(response: str | bool, **reference: Any) -> Record:
    """A graded response, ``True`` for the right one and ``False`` for a wrong one."""
    task = reference.setdefault("task", f"kor_{reference.get('category')}")
    reference.setdefault("instance_id", f"{task}-{reference.get('idx')}")
    reference = {"rule_id": "1", "answer": "[[A]]", "shots": 0, "revision": "r1", **reference}
    text = response if isinstance(response, str) else f"[[{'A' if response else 'B'}]]"
    return Record(grade(text, reference), reference)


def chain(texts: Sequence[str | None], idx: int | str, **reference: Any) -> Record:
    """What the harness logs of a self-correction; ``None`` is a request that failed."""
    rounds = [
        {"round": number, "state": "error" if text is None else "ok", "text": text or ""}
        for number, text in enumerate(texts)
    ]
    said = json.dumps({"schema": 1, "kind": "self_correction", "rounds": rounds})
    asked = {"task": "kor_self_correction", "category": "logic", "idx": str(idx), "rounds": 2}
    return record(said, **asked, **reference)


def test_both_scores_and_the_mode_in_the_signature():
    rows = [
        record("[[5i + 5]]", category="operation", rule_id="13", idx="121", answer="[[5+5i]]"),
        record("[[A. one]]", category="counterfactual", idx="1"),
        record("[[9]]", category="operation", idx="2", answer="[[8]]"),
    ]
    section = KOR.summarize(rows)
    for task, scores in (("kor_operation", (0.5, 0.5)), ("kor_counterfactual", (1, 0))):
        row = by_task(section)[task]
        assert (row["score_default"], row["score_paper"]) == scores
    assert {"mode:default", "revision:r1"} <= set(section["signature"].split("|"))
    stored = record("[[8]]", category="operation", idx="2", answer="[[8]]", mode="stored", shots=3)
    assert {"mode:stored", "shots:3"} <= set(KOR.summarize([stored])["signature"].split("|"))


def test_a_right_answer_ends_the_rounds():
    reference = {"category": "logic", "rule_id": "1", "idx": "1", "answer": "[[A]]"}
    found = grade_rounds(["[[A]]", "[[B]]"], reference)
    assert found.correct
    assert found.details["rounds"] == [True]


def test_a_question_whose_request_failed_is_not_counted() -> None:
    whole = [chain(["[[B]]", "[[A]]"], 1), chain(["[[B]]", "[[C]]"], 2)]
    cut = [*whole, chain(["[[B]]", None], 3), chain([None], 4)]
    found = KOR.summarize(cut)
    assert found["measured"] == KOR.summarize(whole)["measured"]
    (told,) = [text for text in found["warnings"] if "failed" in text]
    assert "2 of 4 questions" in told
    missing = json.dumps({"rounds": [{"state": "error", "text": ""}]})
    alone = score([missing], [cut[3].reference | {"family": "korbench"}])
    assert alone["families"]["korbench"]["measured"] == []
    assert "accuracy" not in alone


def rows_by(section, by, **where):
    """The rows of a section that part the answers by something."""
    named = {"by": by, **where}
    rows = section["measured"]
    return [row for row in rows if all(row.get(key) == value for key, value in named.items())]


def test_mixed_settings_and_their_mean():
    question = {"category": "logic", "rule_id": "9", "idx": "89", "answer": "[[C]]"}
    rows = [
        record(
            json.dumps({f"question{n}": value for n, value in enumerate(values, 1)}),
            category="mixed",
            task=task,
            idx=task,
            questions=[question] * len(values),
            rule_id=None,
        )
        for task, values in {
            "kor_multi_q": ["[[C]]", "[[C]]", "[[A]]", "[[A]]"],
            "kor_multi_r": ["[[C]]"],
            "kor_multi_rq": ["[[C]]", "[[A]]"],
        }.items()
    ]
    section = KOR.summarize(rows)
    assert by_task(section)["kor_multi_q"]["pass_rate"] == 0.5
    (mean,) = rows_by(section, "task", task="mean")
    assert mean["acc"] == pytest.approx(1 / 3)
    assert mean["pass_rate"] == pytest.approx((0.5 + 1 + 0.5) / 3)


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


def of_all(right: int, **more: Any) -> list[Record]:
    return [
        record(
            n < right, category=category, idx=str(n + 1),
            real_life_answer="[[B]]", instance_id=f"kor_{category}-{n + 1}", **more,
        )
        for category in CATEGORIES
        for n in range(10)
    ]  # fmt: skip


def chains(*right: int) -> list[Record]:
    """A question for each number: it is right in that round, and never for 0."""
    return [
        chain(["[[B]]"] * (last - 1) + ["[[A]]"] if last else ["[[B]]"] * 2, n)
        for n, last in enumerate(right, 1)
    ]


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
    unnumbered = record(True, category="logic", idx="x", instance_id="kor_logic-x")
    found = beside(a=[*of_all(10), unnumbered], b=of_all(0))  # it has no rule and is left out
    rates = {(row[0], row[1]): row[2:] for row in found["korbench_models_subsets"].rows}
    assert rates["rule", 0.5] == (0, 0, pytest.approx(gini(pd.Series([1.0, 0.0]).to_numpy())))

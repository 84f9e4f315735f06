"""The paper's experiments beside its main table, against numbers counted by hand."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

import xlgo_dataset as xd
from tests.looping import looped
from xlgo_metric.core import Record
from xlgo_metric.families.korbench import CATEGORIES, FAMILY
from xlgo_metric.families.korbench.grading import grade
from xlgo_metric.families.korbench.summary import SHARES, gini
from xlgo_metric.families.korbench.tables import by_task
from xlgo_metric.families.korbench.verdict import answer_format
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


def test_questions_without_rules_are_tasks_of_their_own_and_compared() -> None:
    rows = [
        record(n < 6, category=category, idx=str(n), real_life_answer="[[B]]")
        for category in CATEGORIES
        for n in range(8)
    ]
    rows += [
        record(n == 7, category=category, idx=str(n), rule_shown=False, real_life_answer="[[B]]")
        for category in CATEGORIES
        for n in range(8)
    ]
    section = KOR.summarize(rows)
    tasks = by_task(section)
    assert tasks["overall"]["acc"] == 0.75
    assert tasks["overall_no_rule"]["acc"] == pytest.approx(1 / 8)
    assert tasks["kor_counterfactual_no_rule"]["real_life"] == pytest.approx(7 / 8)
    (logic,) = (one for one in section["contrasts"] if one["where"] == {"about": "logic"})
    assert (logic["discordant"], logic["n"]) == ([6, 1], 8)
    assert logic["p_value"] == pytest.approx(binomtest(6, 7).pvalue)
    assert "|rules:mixed|" in section["signature"]
    table = next(t for t in KOR.tables(section) if t.name == "korbench_rules")
    row = dict(zip(table.names, table.rows[0]))
    assert (row["without"], row["with"]) == (1 / 8, 0.75)
    assert row["difference"] == 5 / 8
    low, high = (row[name] for name in table.names if name.startswith("95%"))
    assert low < 5 / 8 < high


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


@looped(
    ("category", "rule", "answer", "expected"),
    [  # the examples of the paper's Table 5, as far as their rule is known
        ("operation", "3", "[[13/3]]", "numeric"),
        ("operation", "1", "[[24]]", "numeric"),
        ("operation", "15", r"[[2(x)\sin(x)+(x)^2\cos(x)]]", "expression"),
        ("operation", "6", "[[X≤10]]", "expression"),
        ("operation", "25", "[[((2,7),(12,17))]]", "structured"),
        ("puzzle", "9", "[[3/3+2/1-5-3=-5]]", "expression"),
        ("puzzle", "6", "[[4]]", "numeric"),
        ("puzzle", "11", "[[12 6 9 4,15 9 4 7,2 7 2 1]]", "structured"),
        ("cipher", "7", "[[34bc62069e2e2aea55ab13]]", "text"),
        ("counterfactual", "1", "[[A]]", "choice"),
        ("logic", "1", "[[A];[C]]", "choice"),
        ("logic", "3", "[[p∨q]]", "text"),
        ("mixed", "", "", None),
    ],
)
def test_formats(category: str, rule: str, answer: str, expected: str | None) -> None:
    reference = {"category": category, "rule_id": rule, "answer": answer}
    assert answer_format(reference) == expected


def test_the_gini_coefficient_is_that_of_all_pairs() -> None:
    values = [0.1, 0.4, 0.4, 0.9]
    pairs = sum(abs(a - b) for a, b in combinations(values, 2))
    expected = 2 * pairs / (2 * len(values) ** 2 * (sum(values) / len(values)))
    assert gini(np.array(values)) == pytest.approx(expected)
    assert gini(np.zeros(3)) == 0


def run(model: str, share: float) -> list[Record]:
    return [
        record((n * 7 + 3 * rule) % 20 < 20 * share, category=category, idx=str(10 * rule + n),
               rule_id=str(rule), model=model, setting="zero-shot")
        for category in CATEGORIES for rule in range(5) for n in range(10)
    ]  # fmt: skip


def subsets(runs: list[list[Record]]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = KOR.summarize([record for one in runs for record in one])[
        "subsets"
    ]
    return found


def test_the_error_of_subsets_falls_with_their_size() -> None:
    runs = [run("a", 0.3), run("b", 0.8)]
    rows = subsets(runs)
    assert [row["share"] for row in rows] == [share / 100 for share in (*SHARES, *SHARES)]
    for drawn in ("rule", "category"):
        errors = [row["error"] for row in rows if row["drawn"] == drawn]
        assert errors[0] > 2 * errors[-1] > 0
        assert errors[0] < 0.15
    whole = gini(np.array([sum(r.grade.correct for r in one) / len(one) for one in runs]))
    assert rows[-1]["gini"] == pytest.approx(whole, abs=0.03)
    assert subsets(runs) == rows
    assert subsets(runs[:1])[0]["gini"] is None


def test_a_model_that_is_always_right_has_no_error() -> None:
    assert {row["error"] for row in subsets([run("a", 1.0)])} == {0.0}


def test_the_share_put_right_by_category() -> None:
    def chain(*texts: str) -> str:
        return json.dumps({"rounds": [{"text": text} for text in texts]})

    rows = []
    for n, (category, told) in enumerate(
        [
            ("logic", ("[[A]]",)),
            ("logic", ("[[B]]", "[[A]]")),
            ("logic", ("[[B]]", "[[B]]")),
            ("cipher", ("[[B]]", "[[B]]")),
        ]
    ):
        reference = {
            "task": "kor_self_correction", "category": category, "idx": str(n), "rule_id": "1",
            "answer": "[[A]]", "rounds": 2, "instance_id": str(n),
        }  # fmt: skip
        rows.append(Record(grade(chain(*told), reference), reference))
    rounds = rows_by(KOR.summarize(rows), "round")
    corrected = {(row["round"], row["category"]): row["corrected"] for row in rounds}
    assert corrected[1, "logic"] == pytest.approx(1 / 3)
    assert corrected[2, "logic"] == 0.5
    assert corrected[1, "cipher"] == corrected[2, "cipher"] == 0.0


def test_the_summary_tells_of_every_group_of_tasks() -> None:
    question = {"category": "logic", "rule_id": "9", "idx": "89", "answer": "[[A]]"}
    rows = [record(n > 0, category=c, idx=str(n)) for c in CATEGORIES for n in range(2)]
    rows += [record(True, category="puzzle", idx=str(n), task="kor_puzzle_trick") for n in range(2)]
    for task in ("kor_cipher_steps", "kor_cipher_fresh"):
        rows.append(record(True, category="cipher", idx="1", task=task, type="Shift"))
    for task in ("kor_multi_q", "kor_multi_r", "kor_multi_rq", "kor_multi_rq_hard"):
        reference = {"task": task, "category": "mixed", "idx": "1", "answer": ["[[A]]"],
                     "questions": [question], "instance_id": task}  # fmt: skip
        rows.append(Record(grade('{"question1": "[[A]]"}', reference), reference))
    rows.append(record(True, category="logic", idx="1", task="kor_self_correction", rounds=2))
    section = KOR.summarize(rows)
    told = " ".join(sentence for _, sentence in KOR.findings(section))
    for word in (*CATEGORIES, "hint", "several rules and questions", "many rules", "Cipher steps",
                 "fresh ciphers", "Self-correction", "Overall 50.0%"):  # fmt: skip
        assert word in told
    assert KOR.headline(section)["kor_accuracy"] == 0.5
    assert len(KOR.headline(section)) == len(by_task(section))


def test_an_empty_file_is_named(tmp_path: Path) -> None:
    import shutil

    shutil.copytree(FIXTURE, tmp_path / "kor")
    (tmp_path / "kor/cipher/sample.jsonl").write_text("")
    with pytest.raises(ValueError, match=r"cipher/sample.jsonl has no rows"):
        list(data.rows("kor_cipher", ["en"], source=str(tmp_path / "kor")))


def test_a_folder_that_is_not_there_is_told_at_once() -> None:
    with pytest.raises(ValueError, match="neither a folder nor"):
        data.options("kor_cipher", source="/nowhere")


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


def test_subsets_have_the_gini_coefficient_of_the_models() -> None:
    """All questions of a rule are alike here, so that subsets of rules have nearly its value."""
    unnumbered = answered("[[A]]", category="logic", idx="x", instance_id="kor_logic-x")
    found = beside(a=[*of_all(10), unnumbered], b=of_all(0))  # it has no rule and is left out
    rates = {(row[0], row[1]): row[2:] for row in found["korbench_models_subsets"].rows}
    assert rates["rule", 0.5] == (0, 0, pytest.approx(gini(pd.Series([1.0, 0.0]).to_numpy())))

"""The section of KOR-Bench and the paper's experiments, against numbers counted by hand."""

import json
import random
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import pandas as pd
import pytest
from scipy.stats import binomtest

from xlgo_metric import core, score
from xlgo_metric.families.korbench import CATEGORIES, FAMILY, grading, tables
from xlgo_metric.families.korbench.models import gini
from xlgo_metric.table import Table

KOR: Any = FAMILY  # its sections have open keys


def record(response: str | bool, **reference: Any) -> core.Record:
    """A graded response, ``True`` for the right one and ``False`` for a wrong one."""
    task = reference.setdefault("task", f"kor_{reference.get('category')}")
    reference.setdefault("instance_id", f"{task}-{reference.get('idx')}")
    reference = {"rule_id": "1", "answer": "[[A]]", "shots": 0, "revision": "r1", **reference}
    text = response if isinstance(response, str) else f"[[{'A' if response else 'B'}]]"
    return core.Record(grading.grade(text, reference), reference)


def chain(texts: Sequence[str | None], idx: int | str, **reference: Any) -> core.Record:
    """What the harness logs of a self-correction; ``None`` is a request that failed."""
    rounds = [
        {"round": number, "state": "error" if text is None else "ok", "text": text or ""}
        for number, text in enumerate(texts)
    ]
    said = json.dumps({"schema": 1, "kind": "self_correction", "rounds": rounds})
    asked = {"task": "kor_self_correction", "category": "logic", "idx": str(idx), "rounds": 2}
    return record(said, **asked, **reference)


def test_both_scores_and_the_mode_in_the_signature():
    section = KOR.summarize(
        [
            record("[[5i + 5]]", category="operation", rule_id="13", idx="121", answer="[[5+5i]]"),
            record("[[A. one]]", category="counterfactual", idx="1"),
            record("[[9]]", category="operation", idx="2", answer="[[8]]"),
        ]
    )
    for task, scores in (("kor_operation", (0.5, 0.5)), ("kor_counterfactual", (1, 0))):
        row = tables.by_task(section)[task]
        assert (row["score_default"], row["score_paper"]) == scores
    assert {"mode:default", "revision:r1"} <= set(section["signature"].split("|"))
    stored = record("[[8]]", category="operation", idx="2", answer="[[8]]", mode="stored", shots=3)
    assert {"mode:stored", "shots:3"} <= set(KOR.summarize([stored])["signature"].split("|"))


def test_a_right_answer_ends_the_rounds():
    reference = {"category": "logic", "rule_id": "1", "idx": "1", "answer": "[[A]]"}
    assert grading.grade_rounds(["[[A]]", "[[B]]"], reference).details["rounds"] == [True]


def test_a_question_whose_request_failed_is_not_counted() -> None:
    whole = [chain(["[[B]]", "[[A]]"], 1), chain(["[[B]]", "[[C]]"], 2)]
    cut = [*whole, chain(["[[B]]", None], 3), chain([None], 4)]
    found = KOR.summarize(cut)
    assert found["measured"] == KOR.summarize(whole)["measured"]
    (told,) = [text for text in found["warnings"] if "failed" in text]
    assert "2 of 4 questions" in told
    assert any("feedback to the model came from the reference" in x for x in found["warnings"])
    missing = json.dumps({"rounds": [{"state": "error", "text": ""}]})
    alone = score([missing], [cut[3].reference | {"family": "korbench"}])
    assert alone["families"]["korbench"]["measured"] == []
    assert "accuracy" not in alone


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
    assert tables.by_task(section)["kor_multi_q"]["pass_rate"] == 0.5
    (mean,) = (row for row in section["measured"] if row.get("task") == "mean")
    assert (mean["acc"], mean["pass_rate"]) == pytest.approx((1 / 3, (0.5 + 1 + 0.5) / 3))
    assert not [row for row in KOR.summarize(rows[:2])["measured"] if row["task"] == "mean"]
    four = [one for one in of_all(6) if one.reference["category"] != "logic"]
    assert "kor_accuracy" not in tables.headline(KOR.summarize(four))


def of_all(right: int, **more: Any) -> list[core.Record]:
    return [
        record(
            n < right, category=category, idx=str(n + 1),
            real_life_answer="[[B]]", instance_id=f"kor_{category}-{n + 1}", **more,
        )
        for category in CATEGORIES
        for n in range(10)
    ]  # fmt: skip


def chains(*right: int) -> list[core.Record]:
    """A question for each number: it is right in that round, and never for 0."""
    return [
        chain(["[[B]]"] * (last - 1) + ["[[A]]"] if last else ["[[B]]"] * 2, n)
        for n, last in enumerate(right, 1)
    ]


def beside(**models: list[core.Record]) -> dict[str, Table]:
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
    assert [(row[0], row[1], row[2], row[-1]) for row in table.rows] == [
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
    assert {row[1]: row[2:] for row in found["korbench_models_rounds"].rows} == {
        "a": pytest.approx((2 / 3, 1 / 3, 1 / 2)), "b": pytest.approx((2 / 3, 2 / 3, 0)),
    }  # fmt: skip
    logic = next(row for row in found["korbench_corrections"].rows if row[0] == "logic")
    assert logic[1:] == pytest.approx((3 / 6, 1 / 3))


def test_hints_are_compared_on_the_same_puzzles() -> None:
    rows = [record(n < 2, category="puzzle", idx=str(n)) for n in range(9)]
    rows += [
        record(n > 0, category="puzzle", idx=str(n), task="kor_puzzle_trick") for n in range(12)
    ]
    (trick,) = KOR.summarize(rows)["contrasts"]
    assert (trick["n"], trick["discordant"]) == (9, [7, 1])
    assert (trick["difference"], trick["p_value"]) == pytest.approx((6 / 9, binomtest(1, 8).pvalue))
    assert trick["ci_low"] < 6 / 9 < trick["ci_high"]
    assert not KOR.summarize(rows[:9])["contrasts"]


def test_subsets_have_the_gini_coefficient_of_the_models() -> None:
    """All questions of a rule are alike here, so that subsets of rules have nearly its value."""
    unnumbered = record(True, category="logic", idx="x", instance_id="kor_logic-x")
    # What has no rule is left out, and a model without a category.
    found = beside(a=[*of_all(10), unnumbered], b=of_all(0), c=[unnumbered, *of_all(5)[:20]])
    rates = {(row[0], row[1]): row[2:] for row in found["korbench_models_subsets"].rows}
    assert rates["rule", 0.5] == (0, 0, pytest.approx(gini(pd.Series([1.0, 0.0]).to_numpy())))


FORMS = ("numeric", "text")
RULES = ("10", "1", "2")
STATUSES: Any = ("correct", "correct", "wrong", "truncated", "no_answer")


@cache
def records() -> tuple[core.Record, ...]:
    """Two models and two settings, questions with and without rules, one to four answers each."""
    rng = random.Random(4)
    made = []
    tasks = [
        (f"kor_{category}", category, shown) for category in CATEGORIES for shown in (True, False)
    ]
    tasks += [("kor_puzzle_trick", "puzzle", True), ("kor_cipher_fresh", "cipher", True)]
    for task, category, shown in tasks:
        for model, setting in (("m1", "zero"), ("m1", "three"), ("m2", "zero")):
            for number in range(8):
                for _ in range(1 + (number + len(task)) % 4):
                    status = rng.choice(STATUSES)
                    reference = {
                        "family": "korbench", "task": task, "category": category,
                        "idx": str(number), "rule_id": RULES[number % 3],
                        "tag": "ab"[number // 4], "format": FORMS[number % 2], "model": model,
                        "setting": setting, "rule_shown": shown,
                        "instance_id": f"{task} {shown} {number} {model} {setting}",
                    }  # fmt: skip
                    details = {
                        "score_default": status == "correct",
                        "score_paper": rng.random() < 0.4,
                        "format_failure": status == "no_answer",
                    }
                    if category == "counterfactual":
                        details["real_life"] = rng.random() < 0.3
                    grade = core.Grade(
                        status == "correct", status, rng.random() < 0.5, None, details
                    )
                    made.append(core.Record(grade, reference))
    return tuple(made)


def name_of(record: core.Record) -> str:
    return str(record.reference["task"]) + "_no_rule" * (not record.reference["rule_shown"])


def mean(rows: Sequence[core.Record], value: Any) -> tuple[int, Fraction]:
    """Questions, and the mean over them of the mean of their answers."""
    of: dict[str, list[int]] = defaultdict(list)
    for row in rows:
        of[str(row.reference["instance_id"])].append(int(value(row)))
    each = [Fraction(sum(values), len(values)) for values in of.values()]
    return len(each), sum(each, Fraction(0)) / len(each)


MEASURES: dict[str, Any] = {
    "acc": lambda r: r.grade.correct,
    "strict": lambda r: r.grade.strict,
    "score_default": lambda r: r.grade.details["score_default"],
    "score_paper": lambda r: r.grade.details["score_paper"],
    "format_failure": lambda r: r.grade.details["format_failure"],
}


def chosen(row: dict[str, Any]) -> list[core.Record]:
    """The answers that a row is about."""
    by = row["by"]
    rows = list(records())
    if by == "fresh":
        task = {"released": "kor_cipher", "fresh": "kor_cipher_fresh"}[row["side"]]
        rows = [one for one in rows if name_of(one) == task]
        return [one for one in rows if row["rule_id"] in ("all", one.reference["rule_id"])]
    if by == "task":
        if row["task"].startswith("overall"):
            suffix = row["task"].removeprefix("overall")
            tasks = {f"kor_{category}{suffix}" for category in CATEGORIES}
            return [one for one in rows if name_of(one) in tasks]
        return [one for one in rows if name_of(one) == row["task"]]
    return [
        one for one in rows
        if name_of(one) in {f"kor_{category}" for category in CATEGORIES}
        and (one.reference["category"], one.reference[by]) == (row["category"], row[by])
    ]  # fmt: skip


def test_every_row_is_the_mean_over_its_questions() -> None:
    section = KOR.summarize(list(records()))
    kinds: dict[str, int] = defaultdict(int)
    for row in section["measured"]:
        kinds[row["by"]] += 1
        rows = chosen(row)
        assert row["responses"] == len(rows), row
        for name, value in MEASURES.items():
            if row.get(name) is not None:
                questions, exact = mean(rows, value)
                assert row["questions"] == questions
                assert row[name] == pytest.approx(float(exact)), (row, name)
        if row["by"] == "task":
            assert row["truncated"] == sum(one.grade.status == "truncated" for one in rows)
            assert row["low"] < row["acc"] < row["high"]
    assert kinds == {
        "task": 12 + 2,  # twelve tasks, and overall with and without rules
        "rule_id": 15, "tag": 10, "format": 10,
        "fresh": 2 * (1 + 3),
    }  # fmt: skip
    real = [row for row in section["measured"] if row.get("real_life") is not None]
    assert {row["task"] for row in real} >= {"kor_counterfactual", "kor_counterfactual_no_rule"}
    told = {text.partition(":")[0]: text for text in section["warnings"] if "truncated" in text}
    for task in {name_of(one) for one in records()}:
        cut = sum(o.grade.status == "truncated" for o in records() if name_of(o) == task)
        assert told[task] == f"{task}: {cut} responses were truncated"


def test_contrasts_pair_each_question_of_each_model_by_the_majority_of_its_answers() -> None:
    found = {cell["where"]["about"]: cell for cell in KOR.summarize(list(records()))["contrasts"]}
    assert set(found) == {"trick", *CATEGORIES}
    for about, cell in found.items():
        one, other = (
            ("kor_puzzle_trick", "kor_puzzle")
            if about == "trick"
            else (f"kor_{about}", f"kor_{about}_no_rule")
        )
        right: dict[str, dict[Any, list[bool]]] = {one: defaultdict(list), other: defaultdict(list)}
        for row in records():
            if (name := name_of(row)) in right:
                key = row.reference["idx"], row.reference["model"]
                right[name][key].append(row.grade.correct)
        verdicts = [
            {key: 2 * sum(values) > len(values) for key, values in right[name].items()}
            for name in (one, other)
        ]
        pairs = [(verdicts[0][key], verdicts[1][key]) for key in verdicts[0]]
        assert cell["n"] == len(pairs) == 16
        assert cell["discordant"] == [pairs.count((True, False)), pairs.count((False, True))]
        assert (cell["baseline_accuracy"], cell["accuracy"]) == pytest.approx(
            (sum(a for a, _ in pairs) / 16, sum(b for _, b in pairs) / 16)
        )


def test_tables_show_the_rows_in_the_order_of_rules_and_categories() -> None:
    section = KOR.summarize(list(records()))
    shown = {table.name: table for table in KOR.tables(section)}
    rows = {
        (row["side"], row["rule_id"]): row for row in section["measured"] if row["by"] == "fresh"
    }
    fresh = shown["korbench_fresh"].rows
    assert [row[0] for row in fresh] == ["all", "1", "2", "10"]
    for row in fresh:
        sides = [rows[side, row[0]] for side in ("released", "fresh")]
        assert row[1:9] == tuple(
            side[name] for side in sides for name in ("questions", "acc", "low", "high")
        )
        assert row[9] == pytest.approx(sides[1]["acc"] - sides[0]["acc"])
    for kind in ("rule", "tag", "format"):
        table = shown[f"korbench_by_{kind}"]
        assert list(dict.fromkeys(row[0] for row in table.rows)) == list(CATEGORIES)
        key = {"rule": "rule_id"}.get(kind, kind)
        assert {row[:2]: row[3] for row in table.rows} == {
            (row["category"], row[key]): row["acc"]
            for row in section["measured"]
            if row["by"] == key
        }
    tasks = {row["task"]: row for row in section["measured"] if row["by"] == "task"}
    for suffix in ("", "_no_rule"):
        (row,) = shown[f"korbench_categories{suffix}"].rows
        names = [f"overall{suffix}", *(f"kor_{name}{suffix}" for name in CATEGORIES)]
        assert row[:6] == tuple(tasks[name]["acc"] for name in names)
        assert row[6] == tasks[f"kor_counterfactual{suffix}"]["real_life"]

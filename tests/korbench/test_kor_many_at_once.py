"""Every row of a section of several runs, rules, forms and repeats, counted once more."""

import random
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from xlgo_metric.core import Grade, Record
from xlgo_metric.families.korbench import CATEGORIES, FAMILY

KOR: Any = FAMILY
FORMS = ("numeric", "text")
RULES = ("10", "1", "2")
STATUSES: Any = ("correct", "correct", "wrong", "truncated", "no_answer")


@cache
def records() -> tuple[Record, ...]:
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
                    grade = Grade(status == "correct", status, rng.random() < 0.5, None, details)
                    made.append(Record(grade, reference))
    return tuple(made)


def name_of(record: Record) -> str:
    return str(record.reference["task"]) + "_no_rule" * (not record.reference["rule_shown"])


def mean(rows: Sequence[Record], value: Any) -> tuple[int, Fraction]:
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


def plain() -> list[Record]:
    categories = {f"kor_{category}" for category in CATEGORIES}
    return [one for one in records() if name_of(one) in categories]


def chosen(row: dict[str, Any]) -> list[Record]:
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
        one for one in plain()
        if (one.reference["category"], one.reference[by]) == (row["category"], row[by])
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
            cut = sum(one.grade.status == "truncated" for one in rows)
            assert row["truncated"] == cut
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
    section = KOR.summarize(list(records()))
    found = {cell["where"]["about"]: cell for cell in section["contrasts"]}
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
        assert cell["baseline_accuracy"] == pytest.approx(sum(a for a, _ in pairs) / 16)
        assert cell["accuracy"] == pytest.approx(sum(b for _, b in pairs) / 16)


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
        assert row[1:5] == tuple(sides[0][name] for name in ("questions", "acc", "low", "high"))
        assert row[5:9] == tuple(sides[1][name] for name in ("questions", "acc", "low", "high"))
        assert row[9] == pytest.approx(sides[1]["acc"] - sides[0]["acc"])
    for kind in ("rule", "tag", "format"):
        table = shown[f"korbench_by_{kind}"]
        assert list(dict.fromkeys(row[0] for row in table.rows)) == list(CATEGORIES)
        key = {"rule": "rule_id"}.get(kind, kind)
        accuracies = {
            (row["category"], row[key]): row["acc"]
            for row in section["measured"]
            if row["by"] == key
        }
        assert {row[:2]: row[3] for row in table.rows} == accuracies
    tasks = {row["task"]: row for row in section["measured"] if row["by"] == "task"}
    for suffix in ("", "_no_rule"):
        (row,) = shown[f"korbench_categories{suffix}"].rows
        names = [f"overall{suffix}", *(f"kor_{name}{suffix}" for name in CATEGORIES)]
        assert row[:6] == tuple(tasks[name]["acc"] for name in names)
        assert row[6] == tasks[f"kor_counterfactual{suffix}"]["real_life"]

"""The section of KOR-Bench, against numbers counted by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest

from xlgo_metric import score
from xlgo_metric.core import Record, values_of
from xlgo_metric.families.korbench import CATEGORIES, FAMILY
from xlgo_metric.families.korbench.extraction import extracted
from xlgo_metric.families.korbench.grading import grade, grade_rounds
from xlgo_metric.families.korbench.tables import by_task
from xlgo_metric.views import exact_limits as interval

KOR: Any = FAMILY  # its sections have open keys


def rows_by(section, by, **where):
    """The rows of a section that part the answers by something."""
    named = {"by": by, **where}
    rows = section["measured"]
    return [row for row in rows if all(row.get(key) == value for key, value in named.items())]


def record(response, **reference):
    task = reference.setdefault("task", f"kor_{reference.get('category')}")
    reference.setdefault("instance_id", f"{task}-{reference.get('idx')}")
    reference = {"rule_id": "1", "answer": "[[A]]", "shots": 0, "revision": "r1", **reference}
    return Record(grade(response, reference), reference)


def chain(responses):
    """What the harness logs of a self-correction; ``None`` is a request that failed."""
    rounds = [
        {"round": number, "state": "error" if text is None else "ok", "text": text or ""}
        for number, text in enumerate(responses)
    ]
    return json.dumps({"schema": 1, "kind": "self_correction", "rounds": rounds})


def categories(right):
    """Two questions a category; ``right`` names the categories whose second one is right."""
    return [
        record(
            "[[A]]" if number == 1 or category in right else "no answer",
            category=category,
            idx=str(number),
        )
        for category in CATEGORIES
        for number in (1, 2)
    ]


def test_overall_is_right_answers_over_all():
    section = KOR.summarize(categories({"logic", "puzzle"}))
    tasks = by_task(section)
    assert tasks["kor_logic"]["acc"] == 1
    cipher = tasks["kor_cipher"]
    assert (cipher["acc"], cipher["format_failure"], cipher["questions"]) == (0.5, 0.5, 2)
    assert tasks["overall"]["responses"] == 10
    assert tasks["overall"]["acc"] == pytest.approx(0.7)
    assert "overall" not in by_task(KOR.summarize(categories(())[:8]))


def test_exact_interval_against_the_binomial_distribution():
    """The end of the interval is where the tail of the binomial holds 2.5%."""
    from math import comb

    def tail(p, k, n):  # P(X >= k)
        return sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k, n + 1))

    low, high = interval(0.7, 10)
    assert tail(low, 7, 10) == pytest.approx(0.025)
    assert 1 - tail(high, 8, 10) == pytest.approx(0.025)
    assert interval(0, 5)[0] == 0
    assert interval(1, 5)[1] == 1
    with pytest.raises(ValueError, match="no interval"):
        interval(0.5, 0)


def test_both_scores_and_the_mode_in_the_signature():
    rows = [
        record("[[5i + 5]]", category="operation", rule_id="13", idx="121", answer="[[5+5i]]"),
        record("[[A. one]]", category="counterfactual", idx="1"),
        record("[[9]]", category="operation", idx="2", answer="[[8]]"),
    ]
    section = KOR.summarize(rows)
    operation = by_task(section)["kor_operation"]
    assert (operation["score_default"], operation["score_paper"]) == (0.5, 0.5)
    counterfactual = by_task(section)["kor_counterfactual"]
    assert (counterfactual["score_default"], counterfactual["score_paper"]) == (1, 0)
    assert "|mode:default|" in section["signature"]
    assert "|revision:r1|" in section["signature"]
    stored = record("[[8]]", category="operation", idx="2", answer="[[8]]", mode="stored", shots=3)
    signature = KOR.summarize([stored])["signature"]
    assert "|mode:stored|" in signature
    assert "|shots:3|" in signature


def test_real_life_rate_counts_all_questions():
    answers = {"1": "[[B]]", "2": "[[A]]", "3": "nothing", "4": "[[B. text]]"}
    rows = [
        record(text, category="counterfactual", idx=idx, real_life_answer="[[B]]")
        for idx, text in answers.items()
    ]
    block = by_task(KOR.summarize(rows))["kor_counterfactual"]
    assert (block["acc"], block["real_life"]) == (0.25, 0.5)


def test_step_types():
    rows = [
        record(text, category="cipher", idx=str(n), task="kor_cipher_steps", type=kind)
        for n, (text, kind) in enumerate(
            [("[[A]]", "Shift"), ("[[B]]", "Shift"), ("[[B]]", "Shift"), ("[[A]]", "Rotation")]
        )
    ]
    table = next(t for t in KOR.tables(KOR.summarize(rows)) if t.name == "korbench_steps")
    assert [row[:2] for row in table.rows] == [("Shift", 3), ("Rotation", 1)]
    assert [row[2] for row in table.rows] == [pytest.approx(2 / 3), 0]


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


def test_rounds_of_self_correction():
    given = {"1": ["[[A]]"], "2": ["[[B]]", "[[A]]"], "3": ["[[B]]", "x", "[[A]]"], "4": ["[[B]]"]}
    rows = [
        record(
            chain(responses), category="logic", idx=idx,
            task="kor_self_correction", rounds=5, feedback="oracle", needle=[],
        )
        for idx, responses in given.items()
    ]  # fmt: skip
    assert rows[2].grade.details["rounds"] == [False, False, True]
    assert rows[2].grade.details["ending"] == "correct"
    assert rows[3].grade.details["ending"] == "max_rounds"
    section = KOR.summarize(rows)
    rounds = rows_by(section, "round", category="all")
    assert [part["acc"] for part in rounds] == [0.25, 0.5, 0.75, 0.75, 0.75]
    assert [part["unresolved"] for part in rounds] == [4, 3, 2, 1, 1]
    assert rounds[1]["corrected"] == pytest.approx(1 / 3)
    assert rounds[2]["corrected"] == 0.5
    assert any("feedback to the model" in warning for warning in section["warnings"])
    assert "|rounds:5|feedback:oracle|needle:no|" in section["signature"]


def test_a_right_answer_ends_the_rounds():
    reference = {"category": "logic", "rule_id": "1", "idx": "1", "answer": "[[A]]"}
    found = grade_rounds(["[[A]]", "[[B]]"], reference)
    assert found.correct
    assert found.details["rounds"] == [True]


def test_what_enters_the_history():
    assert extracted("So [[ A ]].", "logic") == "[[A]]"
    assert extracted("nothing", "logic") == "NULL"
    assert extracted("<think>[[B]]</think>[[ A b ]]", "puzzle", "paper") == "[[ A b ]]"
    assert extracted("[[ A b ]]", "logic", "stored") == "[[Ab]]"


def test_fresh_beside_released():
    rows = [record("[[A]]", category="cipher", idx=str(n), rule_id="7") for n in range(4)]
    rows += [
        record(
            "[[A]]" if n else "[[B]]",
            category="cipher",
            idx=str(n),
            rule_id="7",
            task="kor_cipher_fresh",
            seed=3,
        )
        for n in range(4)
    ]
    section = KOR.summarize(rows)
    sides = {row["side"]: row["acc"] for row in rows_by(section, "fresh", rule_id="all")}
    assert sides == {"released": 1, "fresh": 0.75}
    assert "|seed:3|" in section["signature"]
    table = next(t for t in KOR.tables(section) if t.name == "korbench_fresh")
    assert [row[0] for row in table.rows] == ["all", "7"]
    assert (table.rows[0][-1], table.shown()[0][-1]) == (-0.25, "−25.00")


def test_tables_have_as_many_cells_as_columns_and_unique_names():
    question = {"category": "logic", "rule_id": "9", "idx": "89", "answer": "[[C]]"}
    rows = categories({"logic"})
    rows += [
        record('{"question1": "C"}', category="mixed", task=task, idx="1", questions=[question])
        for task in ("kor_multi_q", "kor_multi_r", "kor_multi_rq")
    ]
    rows.append(record("[[A]]", category="cipher", idx="1", task="kor_cipher_steps", type="Shift"))
    rows.append(record("[[A]]", category="cipher", idx="1", task="kor_cipher_fresh"))
    rows.append(
        record("[[A]]", category="cipher", idx="1", task="kor_self_correction", rounds=2, model="m")
    )
    section = KOR.summarize(rows)
    tables = KOR.tables(json.loads(json.dumps(section)))
    assert len({table.name for table in tables}) == len(tables) == 9
    for table in tables:
        assert len(set(table.names)) == len(table.columns)


def test_repeats_of_a_question_weigh_as_one():
    rows = [record("[[A]]", category="logic", idx="1") for _ in range(3)]
    rows.append(record("[[B]]", category="logic", idx="2"))
    block = by_task(KOR.summarize(rows))["kor_logic"]
    assert (block["questions"], block["responses"], block["acc"]) == (2, 4, 0.5)


def test_harness_values():
    plain = record("[[B]]", category="counterfactual", idx="1", real_life_answer="[[B]]")
    measures = KOR.measures("kor_counterfactual")
    values = values_of(measures, plain.grade, plain.reference)
    assert values["acc"] == 0
    assert values["real_life"] == 1
    assert set(values) == {one.name for one in measures if one.in_harness}
    cut = record("<think>so", category="logic", idx="1")
    assert (cut.grade.status, values_of(measures, cut.grade, {})["truncated"]) == (
        "truncated",
        1,
    )


def test_a_question_whose_request_failed_is_not_counted():
    def asked(responses, idx):
        return record(
            chain(responses),
            task="kor_self_correction",
            category="logic",
            idx=idx,
            rounds=2,
            feedback="oracle",
        )

    whole = [asked(["[[B]]", "[[A]]"], "1"), asked(["[[B]]", "[[C]]"], "2")]
    cut = [*whole, asked(["[[B]]", None], "3"), asked([None], "4")]
    found = KOR.summarize(cut)
    assert found["measured"] == KOR.summarize(whole)["measured"]
    (told,) = [text for text in found["warnings"] if "failed" in text]
    assert "2 of 4 questions" in told
    alone = score([chain([None])], [cut[3].reference | {"family": "korbench"}])
    assert alone["families"]["korbench"]["measured"] == []
    assert "accuracy" not in alone

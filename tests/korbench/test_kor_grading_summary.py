"""The section of KOR-Bench, against numbers counted by hand."""

import json
from typing import Any

import pytest

from xlgo_metric import score
from xlgo_metric.core import Record
from xlgo_metric.families.korbench import FAMILY
from xlgo_metric.families.korbench.grading import grade, grade_rounds
from xlgo_metric.families.korbench.tables import by_task

KOR: Any = FAMILY  # its sections have open keys


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


def test_a_right_answer_ends_the_rounds():
    reference = {"category": "logic", "rule_id": "1", "idx": "1", "answer": "[[A]]"}
    found = grade_rounds(["[[A]]", "[[B]]"], reference)
    assert found.correct
    assert found.details["rounds"] == [True]


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

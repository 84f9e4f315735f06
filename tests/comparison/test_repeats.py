"""Answers to one question are one question, and how far they differ is stated."""

from __future__ import annotations

import random
from typing import Any

import pytest

import xlgo_metric as xm
from xlgo_metric.comparison import AnswerTable
from xlgo_metric.comparison.repeats import repeats_of, repeats_tables
from xlgo_metric.core import Grade, Record

from .test_compare import answer

FAST: dict[str, Any] = {"draws": 50, "permutations": 199}


def answers(right: dict[str, dict[str, list[bool]]]) -> AnswerTable:
    """By language and question."""
    return AnswerTable.of_answers(
        answer(question, language, one, repeat=k)
        for language, of in right.items()
        for question, several in of.items()
        for k, one in enumerate(several)
    )


def test_components_by_hand() -> None:
    right = {"en": {"a": [True, True], "b": [True, False]}, "te": {"a": [False], "b": [True]}}
    en, te = repeats_of(answers(right), "en")
    # Means 1 and 1/2 differ with the variance 1/8; within, 0 and 1/2 are 1/4 on average, and half
    # of that is in the variance of a mean of two.
    assert (en["questions"], en["answers"]) == (2, 4)
    assert (en["between"], en["within"]) == (0.0, 0.25)
    assert en["gap_between"] is None
    assert (te["questions"], te["answers"]) == (2, 2)
    # No question of Telugu was asked twice: nothing parts the two variances.
    assert te["between"] is te["within"] is te["gap_between"] is te["gap_within"] is None
    (alone,) = repeats_of(answers({"en": {"a": [True, False]}}), "en")
    assert alone["between"] is alone["within"] is None


def test_components_of_known_chances() -> None:
    rng = random.Random(5)
    chances = {f"q{i}": 0.9 if i % 2 else 0.1 for i in range(2000)}
    right = {
        code: {name: [rng.random() < p for _ in range(4)] for name, p in chances.items()}
        for code in ("en", "te")
    }
    en, te = repeats_of(answers(right), "en")
    assert en["between"] == pytest.approx(0.16, abs=0.005)
    assert en["within"] == pytest.approx(0.09, abs=0.005)
    assert te["gap_between"] == pytest.approx(0.0, abs=0.005)  # the same chances in both
    assert te["gap_within"] == pytest.approx(0.18, abs=0.01)
    (shown,) = repeats_tables({"repeats": [en, te]})
    assert [row[2] for row in shown.rows] == ["en", "te"]


def record(language: str, question: int, *, right: bool) -> Record:
    reference = {
        "task": "slt",
        "language": language,
        "complexity": 10 * (1 + question % 3),
        "instance_id": f"slt-{question}",
        "seed": 0,
        "text": "paper",
    }
    return Record(Grade(right, "correct" if right else "wrong", right, None, {}), reference)


def test_questions_that_were_asked_twice_are_not_twice_as_many() -> None:
    rng = random.Random(2)
    twice, once = [], []
    for question in range(24):
        for language, p in (("en", 0.9), ("hi", 0.5)):
            right = rng.random() < p
            twice += [record(language, question, right=right)] * 2
            once.append(record(language, question, right=right))
    scores = [xm.summarize(records, **FAST) for records in (once, twice)]
    cells = [s["families"]["xlgobench"]["tasks"]["slt"]["languages"]["hi"] for s in scores]
    assert cells[0]["difference"] == cells[1]["difference"]
    assert cells[1]["difference"]["n"] == cells[1]["paired"]["n"] == 24
    for name in ("p", "p_holm"):
        assert cells[0]["paired"][name] == pytest.approx(cells[1]["paired"][name], abs=0.06), name
    for part in ("paired", "pooled"):  # nothing gets narrower by asking the same again
        once_of, twice_of = (cell[part] for cell in cells)
        assert twice_of["low"] < once_of["low"] + 0.03
        assert twice_of["high"] > once_of["high"] - 0.03
    assert scores[0]["headline"]["p_hi"] == scores[1]["headline"]["p_hi"]
    assert "repeats" not in scores[0]["families"]["xlgobench"]
    (found,) = (
        gap
        for gap in scores[1]["families"]["xlgobench"]["repeats"]
        if gap["gap_between"] is not None
    )
    assert (found["language"], found["questions"], found["answers"]) == ("hi", 24, 48)
    assert found["gap_within"] == 0.0


def test_a_question_with_one_answer_says_nothing_of_the_variance_within() -> None:
    """Two answers to each of two questions differ by chance 1/2; the third was asked once."""
    right = {"en": {"a": [True, False], "b": [False], "c": [True, False]}}
    (en,) = repeats_of(answers(right), "en")
    assert en["within"] == 0.5

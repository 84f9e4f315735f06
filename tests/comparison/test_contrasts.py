"""Contrasts of gaps: against differences by hand, and what they refuse."""

from __future__ import annotations

import random

import numpy as np
import pytest

from xlgo_metric.comparison import AnswerTable, gap_drafts, settle
from xlgo_metric.comparison.table import Answer
from xlgo_metric.statistics.adaptive import NAME

from .test_compare import made


def answers(chances: dict[str, dict[str, float]], n: int = 200) -> list[Answer]:
    """Answers of models in languages; every answer has its own luck."""
    rng = random.Random(1)
    return [
        a._replace(correct=rng.random() < chance)
        for model, of in chances.items()
        for code, chance in of.items()
        for a in made({code: 0.5}, n, model=model)
    ]


BEHIND = {"a": {"en": 0.9, "te": 0.3, "zh": 0.9}, "b": {"en": 0.9, "te": 0.9, "zh": 0.9}}


def test_a_contrast_is_the_difference_of_two_gaps_question_by_question() -> None:
    rows = answers(BEHIND)
    right = {(a.model, a.language, a.question): float(bool(a.correct)) for a in rows}
    cells = settle(gap_drafts(AnswerTable.of_answers(rows), "model", "en"))
    assert [cell.language for cell in cells] == ["te", "zh"]
    for cell in cells:
        gaps = {
            model: np.mean(
                [
                    right[model, "en", f"q{i}"] - right[model, cell.language, f"q{i}"]
                    for i in range(200)
                ]
            )
            for model in "ab"
        }
        assert (cell.baseline, cell.other, cell.n) == ("a", "b", 200)
        assert cell.baseline_accuracy == pytest.approx(gaps["a"])
        assert cell.accuracy == pytest.approx(gaps["b"])
        assert cell.difference == pytest.approx(gaps["a"] - gaps["b"])
        assert cell.is_significant == (cell.language == "te")
    (over,) = settle(gap_drafts(AnswerTable.of_answers(rows), "model", "en", languages=False))
    assert over.difference == pytest.approx(np.mean([cell.difference for cell in cells]))
    assert over.n == 400


def test_few_questions_and_chosen_ones_are_not_claimed() -> None:
    few = settle(gap_drafts(AnswerTable.of_answers(answers(BEHIND, 30)), "model", "en"))
    assert [cell.refused for cell in few] == ["only 30 common questions: 40 are needed"] * 2
    assert not any(cell.is_significant for cell in few)
    chosen = [a._replace(design=NAME) for a in answers(BEHIND)]
    assert gap_drafts(AnswerTable.of_answers(chosen), "model", "en") == []
    assert gap_drafts(AnswerTable.of_answers(answers(BEHIND)), "model", "xx") == []


def test_a_contrast_of_gaps_keeps_clusters_together() -> None:
    rows = [a._replace(cluster=f"c{int(a.question[1:]) // 10}") for a in answers(BEHIND)]
    cells = settle(gap_drafts(AnswerTable.of_answers(rows), "model", "en"))
    assert cells
    assert all(cell.clusters == 20 for cell in cells)

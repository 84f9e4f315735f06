"""The one comparison: against counts by hand, scipy's exact tests, and what it must refuse."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats
from scipy.stats import binomtest

from xlgo_metric.comparison import AnswerTable, Cell, Comparison, compare
from xlgo_metric.comparison.compare import among
from xlgo_metric.comparison.table import Answer
from xlgo_metric.core import Grade, Record
from xlgo_metric.statistics.adaptive import NAME
from xlgo_metric.statistics.differences import holm

LEVELS = (4, 6, 9, 13, 19, 28)


def answer(question: str, language: str, correct: bool | None, **more: Any) -> Answer:
    given: dict[str, Any] = {
        "family": "toy", "task": "sum", "language": language, "condition": "plain", "level": None,
        "complexity": None, "question": question, "cluster": question, "repeat": 0, "run": "",
        "model": "m", "design": "fixed", "split": "test", "seed": 0, "wording": "paper",
        "status": "correct" if correct else "wrong", "strict": correct, "in_form": correct,
        "correct": correct, "record": None, "measures": {},
    }  # fmt: skip
    return Answer(**given | more)


def made(chances: dict[str, float], n: int = 60, **more: Any) -> list[Answer]:
    rng = random.Random(3)
    return [
        answer(f"q{i}", language, rng.random() < chance, **more)
        for language, chance in chances.items()
        for i in range(n)
    ]


def compared(answers: Iterable[Answer], *args: Any, **options: Any) -> Comparison:
    return compare(AnswerTable.of_answers(answers), *args, **options)


def test_counts_test_and_correction_by_language() -> None:
    answers = made({"te": 0.4, "en": 0.8, "zh": 0.7})
    right = {(a.language, a.question): a.correct for a in answers}
    found = compared(reversed(answers))
    assert [(cell.base, cell.other) for cell in found.cells] == [("en", "zh"), ("en", "te")]
    for cell in found.cells:
        pairs = [(right["en", f"q{i}"], right[cell.other, f"q{i}"]) for i in range(60)]
        only = pairs.count((True, False)), pairs.count((False, True))
        assert (cell.n, cell.only_base, cell.only_other) == (60, *only)
        assert cell.difference == pytest.approx((only[0] - only[1]) / 60)
        assert cell.p == pytest.approx(binomtest(only[0], sum(only)).pvalue)
        assert cell.low <= cell.difference <= cell.high
        assert (cell.low > 0) == (cell.p < 0.05)
    p = [cell.p for cell in found.cells]
    assert [cell.p_adjusted for cell in found.cells] == pytest.approx(holm(p).tolist())
    assert next(found.about(other="te")).significant


def test_a_difference_is_significant_after_correction_only() -> None:
    """Two languages differ by six questions that all lean one way: p = 2/2^6, twice that of two."""
    numbers = [f"q{n}" for n in range(6)]
    answers = [answer(name, code, code == "en") for code in ("en", "te", "hi") for name in numbers]
    alone = compared(answers[:12]).cells
    both = compared(answers).cells
    assert [cell.p for cell in (*alone, *both)] == pytest.approx([2 / 2**6] * 3)
    assert [cell.p_adjusted for cell in (*alone, *both)] == pytest.approx([1 / 32, 1 / 16, 1 / 16])
    assert [cell.significant for cell in (*alone, *both)] == [True, False, False]


def test_a_cell_turned_is_that_of_the_other_baseline() -> None:
    answers = made({"en": 0.8, "te": 0.4})
    (cell,) = compared(answers).cells
    (other,) = compared(answers, baseline="te").cells
    assert (cell.turned.base, cell.turned.other) == ("te", "en")
    for name in ("difference", "low", "high", "mean_base", "mean_other", "only_base", "only_other"):
        assert getattr(cell.turned, name) == pytest.approx(getattr(other, name)), name


def test_another_baseline_is_compared_with_everything_and_english_is_one_of_the_others() -> None:
    answers = made({"en": 0.8, "zh": 0.7, "te": 0.4})
    found = compared(answers, "language", "zh")
    assert found.baseline == "zh"
    assert {(cell.base, cell.other) for cell in found.cells} == {("zh", "en"), ("zh", "te")}
    with pytest.raises(ValueError, match=r"'xx'.*allowed are en, zh, te"):
        compared(answers, "language", "xx")


def test_models_each_with_each_pooled_over_languages() -> None:
    answers = [
        a
        for model, chance in (("a", 0.9), ("b", 0.5), ("c", 0.5))
        for a in made({"en": chance, "te": chance / 2}, model=model)
    ]
    found = compared(answers, "model", within=["family"])
    assert [(cell.base, cell.other) for cell in found.cells] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert {cell.n for cell in found.cells} == {120}
    assert next(found.about(base="b")).p == 1.0  # the same answers
    # One puzzle in two languages is one cluster: less is known than of 120 questions.
    alone = compared(
        [a._replace(cluster=f"{a.question} {a.language}") for a in answers], "model", within=[]
    )
    assert found.cells[0].difference == pytest.approx(alone.cells[0].difference)
    assert found.cells[0].p > alone.cells[0].p


def test_conditions_are_compared_with_the_plain_one() -> None:
    answers = made({"te": 0.3}) + made({"te": 0.9}, condition="english_lines")
    (cell,) = compared(answers, "condition").cells
    assert (cell.base, cell.other, cell.where["language"]) == ("plain", "english_lines", "te")
    assert cell.difference < 0
    assert cell.significant


def test_numbers_are_compared_like_right_and_wrong() -> None:
    rng = np.random.default_rng(0)
    answers = [
        answer(f"q{i}", language, None, measures={"mqm": float(base + shift)})
        for i, base in enumerate(rng.normal(80, 10, 40))
        for language, shift in (("en", 0.0), ("te", -5.0 + i % 3))
    ]
    (cell,) = compared(answers, measure="mqm").cells
    assert cell.difference == pytest.approx(np.mean([5.0 - i % 3 for i in range(40)]))
    assert cell.low < cell.difference < cell.high
    assert cell.only_base is None
    assert cell.p is not None
    assert cell.p < 1e-6
    (same,) = compared([a._replace(measures={"mqm": 3.0}) for a in answers], measure="mqm").cells
    assert (same.p, same.difference, same.low, same.high) == (1.0, 0.0, 0.0, 0.0)


def test_conditions_say_how_an_adaptive_run_chose_the_questions() -> None:
    plain = made({"te": 0.9}, design=NAME)
    pooled = plain + made({"te": 0.5}, design=NAME, condition="english_lines")
    (cell,) = compared(pooled, "condition").cells
    assert cell.p is not None
    assert "chose the questions by the answers of both conditions together" in cell.chosen
    (alone,) = compared(
        plain + made({"te": 0.5}, design="plan-of-m", condition="english_lines"), "condition"
    ).cells
    assert alone.p is None
    assert "the answers under the condition plain chose the questions" in alone.refused
    (fixed,) = compared(
        made({"te": 0.9}) + made({"te": 0.5}, condition="english_lines"), "condition"
    ).cells
    assert (fixed.chosen, fixed.refused) == ("", "")


def test_questions_that_one_model_chose_are_not_tested() -> None:
    chosen = made({"en": 0.9}, model="one", design=NAME)
    other = made({"en": 0.5}, model="two/x", design="plan-of-one")
    (cell,) = compared(chosen + other, "model").cells
    assert cell.p is None
    assert cell.p_adjusted is None
    assert "one chose questions by its own answers" in cell.refused
    third = made({"en": 0.4}, model="three", design="plan-of-one")
    between = compared(other + third, "model").cells
    assert [cell.p is None for cell in between] == [False]  # neither of them chose
    languages = compared(made({"en": 0.9, "te": 0.5}, design=NAME)).cells
    assert languages[0].p is not None  # the choice pools the languages


def test_repeats_pair_in_their_order_and_undecided_answers_do_not_count() -> None:
    records = [
        Record(
            Grade(right, "needs_judge" if right is None else "correct" if right else "wrong"),
            {"family": "xlgobench", "task": "slt", "language": language, "instance_id": "i1"},
        )
        for language, right in zip(
            ("en", "te", "en", "te", "te"), (True, False, False, True, None), strict=True
        )
    ]  # fmt: skip
    table = AnswerTable.of_records(records)
    assert list(table.frame["repeat"]) == [0, 0, 1, 1, 2]
    (cell,) = compare(table).cells
    assert (cell.n, cell.only_base, cell.only_other) == (2, 1, 1)


def test_a_curve_where_accuracy_falls_with_complexity() -> None:
    half = {"en": 15, "te": 8}
    answers = [
        answer(f"q{c}-{i}", language, i < 20 / (1 + (c / half[language]) ** 3), complexity=float(c))
        for language in half
        for c in LEVELS
        for i in range(20)
    ]
    (cell,) = compared(answers, curves=True).cells
    assert cell.curve is not None
    assert 0.2 < cell.curve.smd < 0.9
    assert 6 <= cell.curve.c_star <= 19
    flat = [a._replace(correct=int(a.question[-1]) % 2 == 0) for a in answers if a.question]
    assert compared(flat, curves=True).cells[0].curve is None


def test_nothing_in_common_gives_no_cells() -> None:
    answers = made({"en": 0.5})
    assert compared(answers).cells == ()
    others = [a._replace(language="te", question=f"x{a.question}") for a in answers]
    assert compared(answers + others).cells == ()
    assert compared([a._replace(question=None) for a in answers + others]).cells == ()


def test_a_cell_refuses_what_is_no_pair() -> None:
    with pytest.raises(ValueError, match="one answer each"):
        Cell.of([True], [True, False], "en", "te")
    with pytest.raises(ValueError, match="one answer each"):
        Cell.of([], [], "en", "te")


def test_importing_the_metric_imports_no_pandas() -> None:
    code = "import sys, xlgo_metric.comparison as c, xlgo_metric as xm; c.compare; xm.grade; "
    code += "print('pandas' in sys.modules)"
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env={"XLGO_NO_HOOKS": "1"},
    )  # fmt: skip
    assert found.stdout.strip() == "False"


def test_clustered_questions_have_one_interval_written_out() -> None:
    """Student's, over clusters and two as large as the largest."""
    rng = np.random.default_rng(5)
    cluster = np.repeat(np.arange(12), [1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6])
    first, second = rng.random(len(cluster)) < 0.6, rng.random(len(cluster)) < 0.4
    apart = first.astype(int) - second
    cell = Cell.of(first, second, "en", "te", cluster=cluster)
    sums = np.array([apart[cluster == n].sum() for n in range(12)])
    most, centre = np.abs(sums).max(), sums.mean()
    more = np.array([*sums, centre - most, centre + most])
    reach = stats.t.ppf(0.975, 13) * more.std(ddof=1) / np.sqrt(14)
    assert cell.low == pytest.approx((centre - reach) * 12 / len(cluster))
    assert cell.high == pytest.approx((centre + reach) * 12 / len(cluster))


def unlike_tasks() -> list[Answer]:
    """Ten questions of one task and forty of another in three languages."""
    chances = {"en": 0.9, "te": 0.6, "zh": 0.5}
    long = made(chances, 40, task="long", family="other")
    return [*made(chances, 10), *long]


def test_each_task_has_the_same_weight_whatever_the_number_of_its_questions() -> None:
    answers = unlike_tasks()
    for cell in compared(answers, within=(), weigh="task").cells:
        means = [
            np.mean([a.correct for a in answers if (a.task, a.language) == (task, language)])
            for language in ("en", cell.other)
            for task in ("sum", "long")
        ]
        assert cell.mean_base == pytest.approx((means[0] + means[1]) / 2)
        assert cell.mean_other == pytest.approx((means[2] + means[3]) / 2)
        assert cell.difference == pytest.approx(cell.mean_base - cell.mean_other)
        assert (cell.n, cell.clusters, cell.tasks) == (50, 40, 2)  # "q3" is in both tasks
    by_question = compared(answers, within=()).cells[0]
    te = [a.correct for a in answers if a.language == "te"]
    assert by_question.mean_other == pytest.approx(np.mean(te))
    assert by_question.tasks == 1


def test_numbers_weigh_tasks_alike_too() -> None:
    answers = [
        a._replace(measures={"size": float(len(a.task) + bool(a.correct))}) for a in unlike_tasks()
    ]
    table = AnswerTable.of_answers(answers, ["size"])
    right = compare(table, within=(), weigh="task").cells
    for cell, twin in zip(
        compare(table, within=(), weigh="task", measure="size").cells, right, strict=True
    ):
        assert cell.difference == pytest.approx(twin.difference)
        assert cell.mean_base == pytest.approx(twin.mean_base + (len("sum") + len("long")) / 2)
        assert cell.tasks == 2


def test_more_confidence_gives_the_limits_of_many_cells_together() -> None:
    found, together = (compared(unlike_tasks(), confidence=at).cells for at in (0.95, among(4)))
    assert among(4) == pytest.approx(1 - 0.05 / 4)
    for cell, wide in zip(found, together, strict=True):
        assert wide.low < cell.low < cell.high < wide.high
        assert cell.limits_among(4) == (wide.low, wide.high)
        assert replace(wide, low=cell.low, high=cell.high) == cell


def test_ranks_are_of_the_questions_that_all_answered() -> None:
    rng = np.random.default_rng(3)
    answers = [
        answer(f"q{n}", language, bool(rng.random() < chance))
        for language, chance in (("en", 0.8), ("te", 0.4), ("zh", 0.8), ("ar", 0.8))
        for n in range(300)
    ]
    lucky = [answer(f"x{n}", language, True) for language in ("te", "zh") for n in range(900)]
    found = compared(answers + lucky, within=(), ranked=True)
    assert found.baseline is None
    assert {cell.n for cell in found.cells} == {300}
    ranks = found.ranks()
    assert (ranks["te"].rank, ranks["te"].low, ranks["te"].high) == (4, 4, 4)
    assert [name for name, rank in ranks.items() if rank.high == 4] == ["te"]
    alike = [a._replace(correct=int(str(a.question)[1:]) % 3 > 0) for a in answers]
    assert {str(one) for one in compared(alike, ranked=True).ranks().values()} == {
        "Rank(rank=1, low=1, high=4)"
    }
    assert compared([], within=(), ranked=True).ranks() == {}
    with pytest.raises(ValueError, match="give no baseline"):
        compared(answers, baseline="te", ranked=True)


def test_a_baseline_that_is_not_required_may_be_missing() -> None:
    with pytest.raises(ValueError, match="allowed are en"):
        compared(made({"en": 0.5}), baseline="xx")
    assert compared(made({"en": 0.5, "te": 0.5}), baseline="xx", required=False).cells == ()

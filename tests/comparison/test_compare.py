"""The one comparison: against counts by hand, scipy's exact tests, and what it must refuse."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

from xlgo_metric.comparison import AnswerTable, Cell, Comparison, common_tasks, compare
from xlgo_metric.comparison.table import Answer
from xlgo_metric.core import Grade, Record
from xlgo_metric.statistics.adaptive import NAME


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


def test_counts_test_and_interval_by_language() -> None:
    answers = made({"te": 0.4, "en": 0.8, "zh": 0.7})
    right = {(a.language, a.question): a.correct for a in answers}
    found = compared(reversed(answers))
    assert [(cell.baseline, cell.other) for cell in found.cells] == [("en", "zh"), ("en", "te")]
    for cell in found.cells:
        pairs = [(right["en", f"q{i}"], right[cell.other, f"q{i}"]) for i in range(60)]
        only = pairs.count((True, False)), pairs.count((False, True))
        assert (cell.n, cell.clusters, cell.discordant) == (60, 60, only)
        assert cell.difference == pytest.approx((only[0] - only[1]) / 60)
        assert cell.difference == pytest.approx(cell.baseline_accuracy - cell.accuracy)
        assert cell.ci_low <= cell.difference <= cell.ci_high
        assert (cell.ci_low > 0) == cell.is_significant == (cell.p_value <= 0.05)
        # One cell by itself is the exact sign test; two together are corrected for both.
        (alone,) = compared(a for a in answers if a.language in ("en", cell.other)).cells
        exact = binomtest(only[0], sum(only)).pvalue
        assert alone.p_value == pytest.approx(exact, abs=4 * (exact / 9_999) ** 0.5 + 2e-4)
        assert alone.p_value <= cell.p_value + 0.01
    assert next(found.about(other="te")).is_significant


def test_languages_with_the_same_answers_get_the_same_numbers() -> None:
    answers = made({"en": 0.8, "zh": 0.5})
    more = [
        a._replace(language=code) for a in answers if a.language == "zh" for code in ("te", "ar")
    ]
    first, *others = compared(answers + more).cells
    for cell in others:
        assert cell.as_json() == {**first.as_json(), "other": cell.other}


def test_a_cell_has_fifteen_fields_and_comes_back_from_json() -> None:
    (cell,) = compared(made({"en": 0.8, "te": 0.5})).cells
    fields = cell.as_json()
    assert len(fields) == 15
    assert Cell.of_json(json.loads(json.dumps(fields))) == cell
    assert cell.turned.turned == cell
    assert cell.turned.ci_low == -cell.ci_high


def test_complexities_weigh_alike_whatever_the_number_of_their_questions() -> None:
    answers = [
        answer(f"q{c}-{i}", language, right(i), complexity=float(c))
        for language, right in (("en", lambda i: True), ("te", lambda i: i % 2 == 0))
        for c, n in ((4, 10), (9, 30))
        for i in range(n if c == 4 or language == "en" else 20)
    ]
    (cell,) = compared(answers).cells
    assert cell.n == 30
    assert cell.difference == pytest.approx((0.5 + 0.5) / 2)
    uneven = [
        a for a in answers if a.complexity == 4 or a.language == "en" or int(a.question[-1]) % 2
    ]
    (cell,) = compared(uneven).cells
    assert cell.difference == pytest.approx((0.5 + 1.0) / 2)


def test_a_gap_over_tasks_counts_the_same_tasks_in_every_language() -> None:
    chances = {"en": 0.9, "te": 0.5, "zh": 0.5}
    answers = [
        *made(chances, task="both"),
        *made({"en": 0.9, "te": 0.5}, task="one"),
        *made({"en": 0.9}, task="sizes", complexity=4.0),
        *made({"te": 0.5, "zh": 0.5}, 30, task="sizes", complexity=4.0),
        *made(chances, task="doubted", flagged=True),
        *made(chances, task="chosen", design=NAME),
    ]
    table, why = common_tasks(AnswerTable.of_answers(answers), "en")
    assert list(dict.fromkeys(table.frame["task"])) == ["both", "sizes"]
    assert why == {
        "one": "not asked in zh",
        "doubted": "the wording in en, te, zh may cause a gap",
        "chosen": "answers chose its questions",
    }
    (one, *_) = compared(made(chances, flagged=True)).cells
    assert one.flagged
    assert not compared(made(chances)).cells[0].flagged


def test_a_difference_is_significant_after_correction_only() -> None:
    """Six questions that all lean one way: p = 2/2^6, and 4/2^6 beside six questions of others."""
    numbers = [f"q{n}" for n in range(6)]
    answers = [answer(name, code, code == "en") for code in ("en", "te", "hi") for name in numbers]
    others = [
        a._replace(task="long", question=f"x{a.question}", cluster=f"x{a.question}")
        for a in answers[:12]
    ]
    alone, same, two = (compared(of).cells for of in (answers[:12], answers, answers[:12] + others))
    assert [cell.p_value for cell in alone] == pytest.approx([2 / 2**6])
    assert [cell.p_value for cell in same] == pytest.approx([2 / 2**6] * 2)  # the same answers
    assert [cell.p_value for cell in two] == pytest.approx([4 / 2**6 - 4 / 2**12] * 2)
    assert [cell.is_significant for cell in (*alone, *same, *two)] == [True] * 3 + [False] * 2


def test_a_cell_turned_is_that_of_the_other_baseline() -> None:
    answers = made({"en": 0.8, "te": 0.4})
    (cell,) = compared(answers).cells
    (other,) = compared(answers, baseline="te").cells
    assert cell.turned == other


def test_another_baseline_is_compared_with_everything_and_english_is_one_of_the_others() -> None:
    answers = made({"en": 0.8, "zh": 0.7, "te": 0.4})
    found = compared(answers, "language", "zh")
    assert found.baseline == "zh"
    assert {(cell.baseline, cell.other) for cell in found.cells} == {("zh", "en"), ("zh", "te")}
    with pytest.raises(ValueError, match=r"'xx'.*allowed are en, zh, te"):
        compared(answers, "language", "xx")


def test_models_each_with_each_pooled_over_languages() -> None:
    answers = [
        a
        for model, chance in (("a", 0.9), ("b", 0.5), ("c", 0.5))
        for a in made({"en": chance, "te": chance / 2}, model=model)
    ]
    found = compared(answers, "model", within=["family"])
    assert [(cell.baseline, cell.other) for cell in found.cells] == [
        ("a", "b"),
        ("a", "c"),
        ("b", "c"),
    ]
    assert {cell.n for cell in found.cells} == {120}
    same = next(found.about(baseline="b"))
    assert same.difference == 0
    assert same.interval is None
    assert "0 informative" in same.refused
    # One puzzle in two languages is one cluster: less is known than of 120 questions.
    alone = compared(
        [a._replace(cluster=f"{a.question} {a.language}") for a in answers], "model", within=[]
    )
    assert found.cells[0].difference == pytest.approx(alone.cells[0].difference)
    assert found.cells[0].clusters == 60 < alone.cells[0].clusters


def test_conditions_are_compared_with_the_plain_one() -> None:
    answers = made({"te": 0.3}) + made({"te": 0.9}, condition="english_lines")
    (cell,) = compared(answers, "condition").cells
    assert (cell.baseline, cell.other, cell.where["language"]) == ("plain", "english_lines", "te")
    assert cell.difference < 0
    assert cell.is_significant


def test_numbers_are_compared_like_right_and_wrong() -> None:
    rng = np.random.default_rng(0)
    answers = [
        answer(f"q{i}", language, None, measures={"mqm": float(base + shift)})
        for i, base in enumerate(rng.normal(80, 10, 40))
        for language, shift in (("en", 0.0), ("te", -5.0 + i % 3))
    ]
    (cell,) = compared(answers, measure="mqm").cells
    assert cell.difference == pytest.approx(np.mean([5.0 - i % 3 for i in range(40)]))
    assert cell.ci_low < cell.difference < cell.ci_high
    assert cell.discordant == (40, 0)
    assert cell.p_value == 1e-4  # the smallest that the draws can show
    (same,) = compared([a._replace(measures={"mqm": 3.0}) for a in answers], measure="mqm").cells
    assert (same.p_value, same.difference, same.is_significant) == (1.0, 0.0, False)
    assert same.ci_low < 0 < same.ci_high


def test_conditions_say_how_an_adaptive_run_chose_the_questions() -> None:
    plain = made({"te": 0.9}, design=NAME)
    pooled = plain + made({"te": 0.5}, design=NAME, condition="english_lines")
    (cell,) = compared(pooled, "condition").cells
    assert cell.p_value is not None
    (alone,) = compared(
        plain + made({"te": 0.5}, design="plan-of-m", condition="english_lines"), "condition"
    ).cells
    assert alone.p_value is None
    assert "the answers under the condition plain chose the questions" in alone.refused
    (fixed,) = compared(
        made({"te": 0.9}) + made({"te": 0.5}, condition="english_lines"), "condition"
    ).cells
    assert fixed.refused == ""


def test_questions_that_one_model_chose_are_not_tested() -> None:
    chosen = made({"en": 0.9}, model="one", design=NAME)
    other = made({"en": 0.5}, model="two/x", design="plan-of-one")
    (cell,) = compared(chosen + other, "model").cells
    assert cell.p_value is None
    assert "one chose questions by its own answers" in cell.refused
    third = made({"en": 0.4}, model="three", design="plan-of-one")
    between = compared(other + third, "model").cells
    assert [cell.p_value is None for cell in between] == [False]  # neither of them chose
    languages = compared(made({"en": 0.9, "te": 0.5}, design=NAME)).cells
    assert languages[0].p_value is not None  # the choice pools the languages


def test_repeats_are_one_question_and_undecided_answers_do_not_count() -> None:
    records = [
        Record(
            Grade(right, "needs_judge" if right is None else "correct" if right else "wrong"),
            {"family": "xlgobench", "task": "slt", "language": language, "instance_id": "i1"},
        )
        for language, right in zip(
            ("en", "te", "en", "te", "te"), (True, False, False, True, None), strict=True
        )
    ]
    table = AnswerTable.of_records(records)
    assert list(table.frame["repeat"]) == [0, 0, 1, 1, 2]
    (cell,) = compare(table).cells
    assert (cell.n, cell.clusters, cell.discordant, cell.difference) == (1, 1, (0, 0), 0.0)
    twice = [a._replace(repeat=k) for a in made({"en": 0.8, "te": 0.5}) for k in range(2)]
    once = compared(made({"en": 0.8, "te": 0.5})).cells
    assert [cell.as_json() for cell in compared(twice).cells] == [one.as_json() for one in once]


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
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"XLGO_NO_HOOKS": "1"},
    )
    assert found.stdout.strip() == "False"


def unlike_tasks() -> list[Answer]:
    """Ten questions of one task and forty of another in three languages."""
    chances = {"en": 0.9, "te": 0.6, "zh": 0.5}
    long = made(chances, 40, task="long", family="other")
    return [*made(chances, 10), *long]


def test_each_task_has_the_same_weight_whatever_the_number_of_its_questions() -> None:
    answers = unlike_tasks()
    for cell in compared(answers, within=()).cells:
        means = [
            np.mean([a.correct for a in answers if (a.task, a.language) == (task, language)])
            for language in ("en", cell.other)
            for task in ("sum", "long")
        ]
        assert cell.baseline_accuracy == pytest.approx((means[0] + means[1]) / 2)
        assert cell.accuracy == pytest.approx((means[2] + means[3]) / 2)
        assert cell.difference == pytest.approx(cell.baseline_accuracy - cell.accuracy)
        assert (cell.n, cell.clusters) == (50, 40)  # "q3" is in both tasks


def test_numbers_weigh_tasks_alike_too() -> None:
    answers = [
        a._replace(measures={"size": float(len(a.task) + bool(a.correct))}) for a in unlike_tasks()
    ]
    table = AnswerTable.of_answers(answers, ["size"])
    right = compare(table, within=()).cells
    for cell, twin in zip(compare(table, within=(), measure="size").cells, right, strict=True):
        assert cell.difference == pytest.approx(twin.difference)
        assert cell.baseline_accuracy == pytest.approx(
            twin.baseline_accuracy + (len("sum") + len("long")) / 2
        )


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


def test_no_gap_is_claimed_where_both_limits_lie_within_the_margin() -> None:
    (many,) = compared(made({"en": 1.0, "te": 1.0}, 400)).cells
    assert many.is_equal
    (few,) = compared(made({"en": 1.0, "te": 1.0}, 20)).cells
    assert not few.is_equal  # the interval is wider than ±5 points
    (behind,) = compared(made({"en": 0.99, "te": 0.7}, 400)).cells
    assert not behind.is_equal
    low = replace(behind, ci_low=0.01, ci_high=0.3)
    assert not low.is_equal

"""A board of three models, two tasks and four languages, against fractions by hand."""

from __future__ import annotations

import json
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd
from tests.report.logs import sample, write_run
from xlgo_cli.leaderboard.page import (
    mean_difference,
    site_of,
)
from xlgo_cli.leaderboard.standings import Board, board, choose, read_entries
from xlgo_cli.logs.graded_run import GradedRun, score_folder
from xlgo_cli.report.compare.comparison import comparison

TASKS, CODES, SIZES, N = ("dsa", "prdsa"), ("en", "hi", "te", "zh"), 3, 12
RIGHT = {
    "m/middle": {"en": (12, 10, 6), "hi": (12, 9, 6), "te": (9, 5, 1), "zh": (12, 10, 6)},
    "m/uneven": {"en": (12, 12, 11), "hi": (5, 2, 0), "te": (4, 1, 0), "zh": (12, 9, 7)},
    "m/best": {"en": (12, 12, 12), "hi": (12, 12, 11), "te": (12, 11, 11), "zh": (12, 12, 12)},
}
"""Right answers by level; the second task has one less of each."""
RUNS: dict[str, GradedRun] = {}
LOST = {"m/middle": 5, "m/uneven": 7}
"""A question of the first level of the first task that a model has not answered in Hindi."""


def is_right(model: str, task: str, code: str, level: int, index: int) -> bool:
    return index < RIGHT[model][code][level] - (task == "prdsa")


def is_there(model: str, task: str, code: str, level: int, index: int) -> bool:
    return (task, code, level, index) != ("dsa", "hi", 0, LOST.get(model))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Board:
    top = tmp_path_factory.mktemp("models")
    options: Any = {"levels": SIZES, "per_level": N, "c_min": 12, "c_max": 20}
    asked = {
        task: list(xd.family_of(task).rows(task, CODES, split="test", **options)) for task in TASKS
    }
    for model in RIGHT:
        for task, rows in asked.items():
            samples = []
            for number, row in enumerate(rows):
                place = model, task, row["language"], row["level"], row["index"]
                if is_there(*place):
                    text = row["answer"] if is_right(*place) else '{"answer": "no"}'
                    samples.append(sample(row, text, number))
            write_run(top / model[2:], model=model, task=task, languages=CODES, samples=samples)

    def quick(folder: Path, model: str | None) -> GradedRun:
        options = {"draws": 10, "permutations": 99}
        found = score_folder(folder, model=model, options=options)
        return RUNS.setdefault(found.run.model, found)

    entries, failed = read_entries([top / model[2:] for model in RIGHT], quick)
    assert failed == []
    return board(choose(entries))


def common(task: str, code: str, level: int) -> list[int]:
    """The questions that all models answered."""
    return [i for i in range(N) if all(is_there(model, task, code, level, i) for model in RIGHT)]


def mean(values: Iterable[Fraction | int]) -> Fraction:
    each = [Fraction(value) for value in values]
    return sum(each, Fraction(0)) / len(each)


def gap(model: str, code: str, tasks: Iterable[str] = TASKS) -> Fraction:
    """The mean over tasks and sizes of English minus the language on common questions."""
    return mean(
        mean(
            mean(
                is_right(model, task, "en", level, i) - is_right(model, task, code, level, i)
                for i in common(task, code, level)
            )
            for level in range(SIZES)
        )
        for task in tasks
    )


def test_models_are_ranked_on_the_questions_of_all_tasks_and_languages(made: Board) -> None:
    keys = [
        (task, code, level, i)
        for task in TASKS for code in CODES for level in range(SIZES)
        for i in common(task, code, level)
    ]  # fmt: skip
    assert len(made.field.common) == len(keys) == 2 * 4 * SIZES * N - 2
    assert made.puzzles == 2 * SIZES * N
    shares = {
        model: Fraction(sum(is_right(model, *key) for key in keys), len(keys)) for model in RIGHT
    }
    order = sorted(RIGHT, key=lambda model: -shares[model])
    assert [entry.name for entry in made.entries] == order == ["m/best", "m/middle", "m/uneven"]
    assert list(made.accuracy) == pytest.approx([float(shares[model]) for model in order])
    for code in CODES:
        own = [key for key in keys if key[1] == code]
        exact = [sum(is_right(model, *key) for key in own) / len(own) for model in order]
        assert list(made.languages[code][0]) == pytest.approx(exact)
        assert [shares[code][2] for shares in made.readings] == pytest.approx(exact)
    assert [one["accuracy"] for one in _numbers(made)["models"]] == list(made.accuracy)


def _numbers(made: Board) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(site_of(made, "T").numbers))
    return found


def test_gaps_of_every_model_task_and_language(made: Board) -> None:
    assert made.uncounted == {}
    names = [entry.name for entry in made.entries]
    assert made.gaps.keys() == {
        (place, "xlgobench", task, code)
        for place in range(3) for task in TASKS for code in CODES[1:]
    }  # fmt: skip
    for (place, _, task, code), cell in made.gaps.items():
        assert cell.difference == pytest.approx(float(gap(names[place], code, [task])))
        assert (cell.baseline, cell.other, cell.task) == ("en", code, task)
        assert cell.n == sum(len(common(task, code, level)) for level in range(SIZES))
    assert made.differences.keys() == {(place, code) for place in range(3) for code in CODES[1:]}
    for (place, code), cell in made.differences.items():
        assert cell.difference == pytest.approx(float(gap(names[place], code)))
        assert cell.is_significant == (not cell.ci_low <= 0 <= cell.ci_high)  # type: ignore[operator]
    for place, name in enumerate(names):
        exact = float(mean(gap(name, code) for code in CODES[1:]))
        assert mean_difference(made, place) == pytest.approx(exact)
        assert _numbers(made)["models"][place]["mean_gap"] == pytest.approx(exact)


@pytest.mark.usefixtures("made")
def test_two_models_side_by_side_on_what_these_two_answered() -> None:
    first, second = "m/middle", "m/best"
    both = [
        (task, code, level, i)
        for task in TASKS for code in CODES for level in range(SIZES) for i in range(N)
        if is_there(first, task, code, level, i)
    ]  # fmt: skip
    found = comparison(RUNS[first], RUNS[second])
    assert found.notes == ["1 answers of m/best to other questions are left out."]

    def share(model: str, task: str, code: str) -> Fraction:
        return mean(
            mean(is_right(model, *key) for key in both if key[:3] == (task, code, level))
            for level in range(SIZES)
        )

    pairs = {(pair.task, pair.language): pair for pair in found.pairs}
    assert list(pairs) == [(task, code) for task in TASKS for code in sorted(CODES)]
    for (task, code), pair in pairs.items():
        shares = share(first, task, code), share(second, task, code)
        assert (pair.baseline_accuracy, pair.accuracy) == pytest.approx(tuple(map(float, shares)))
        assert pair.n == sum(key[:2] == (task, code) for key in both)
    assert found.overall is not None
    overall = [
        mean(share(model, task, code) for task in TASKS for code in CODES)
        for model in (first, second)
    ]
    assert found.overall.baseline_accuracy == pytest.approx(float(overall[0]))
    assert found.overall.accuracy == pytest.approx(float(overall[1]))
    assert found.overall.n == len(both)

    def lost(model: str, code: str) -> Fraction:
        """The gap on the questions that both models answered in both languages."""
        return mean(
            mean(
                mean(
                    is_right(model, task, "en", level, i) - is_right(model, task, code, level, i)
                    for i in range(N)
                    if (task, code, level, i) in both
                )
                for level in range(SIZES)
            )
            for task in TASKS
        )

    gaps = {cell.language: cell for cell in found.gaps}
    assert gaps.keys() == set(CODES[1:])
    for code, cell in gaps.items():
        assert cell.baseline_accuracy == pytest.approx(float(lost(first, code)))
        assert cell.accuracy == pytest.approx(float(lost(second, code)))

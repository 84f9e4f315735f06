"""A board of three models, two tasks and four languages, against fractions by hand."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd
from tests.report.logs import sample, write_run
from xlgo_cli.leaderboard.page import (
    by_language,
    findings,
    matrix,
    mean_difference,
    of_model,
    possible_ranks,
    ranking,
    site_of,
    standings,
)
from xlgo_cli.leaderboard.standings import Board, board, choose, read_entries
from xlgo_cli.logs.graded_run import GradedRun, score_folder
from xlgo_cli.report.compare.comparison import as_json, comparison, gains_of, gap_table
from xlgo_cli.report.compare.comparison import findings as compared_findings
from xlgo_cli.report.compare.comparison import table as pair_table
from xlgo_metric.statistics.differences import MARGIN

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


def test_the_page_says_the_same_as_the_numbers(made: Board) -> None:
    table = ranking(made)
    names = [entry.name for entry in made.entries]
    assert [row[0] for row in table.rows] == names
    codes = ["zh", "hi", "te"]  # by their English names: Chinese, Hindi, Telugu
    assert [name.split(" ")[1] for name in table.names[6:]] == ["Chinese", "Hindi", "Telugu"]
    for place, row in enumerate(table.rows):
        rank = made.ranks[place]
        assert row[1:4] == (rank.rank, possible_ranks(rank), made.accuracy[place])
        assert row[5] == pytest.approx(float(mean(gap(names[place], code) for code in codes)))
        assert row[6:] == pytest.approx([float(gap(names[place], code)) for code in codes])
        grid = of_model(made, place)
        assert {
            key: cell.difference for key, cell in grid.cells.items()
        } == pytest.approx({
            (code, task): float(gap(names[place], code, [task]))
            for code in CODES[1:] for task in TASKS
        })  # fmt: skip
    for row in by_language(made).rows:
        place = names.index(row[0])
        for at, code in enumerate(["en", *codes]):
            assert row[1 + 2 * at] == made.languages[code][0][place]
            rank = made.languages[code][1][place]
            assert row[2 + 2 * at] == f"({possible_ranks(rank)})"
    cells = matrix(made).cells
    assert len(cells) == 6
    for (row_of, column), cell in cells.items():
        better = made.accuracy[names.index(column)] > made.accuracy[names.index(row_of)]
        assert (cell.difference > 0) == better
    stands = standings(made)
    for key, cell in made.differences.items():
        low, high = cell.ci_low, cell.ci_high
        assert low is not None
        assert high is not None
        within = low > -MARGIN and high < MARGIN
        expected = (
            "equal" if within else "behind" if low > 0 else "ahead" if high < 0 else "not known"
        )
        assert stands[key] == expected
    behind = {
        code: sum(
            any(
                made.gaps[place, "xlgobench", task, code].is_significant
                and made.gaps[place, "xlgobench", task, code].difference > 0
                for task in TASKS
            )
            for place in range(3)
        )
        for code in CODES[1:]
    }
    told = [str(text) for kind, text in findings(made) if kind == "behind"]
    assert max(behind, key=lambda code: behind[code]) == "te"
    assert "Telugu" in told[0]
    assert "Hindi" not in told[0]


def test_files_of_gaps_and_pairs_name_the_models(made: Board, tmp_path: Path) -> None:
    site_of(made, "T").write(tmp_path)
    names = [entry.name for entry in made.entries]
    with (tmp_path / "gaps.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(made.gaps) + len(made.differences) == 27
    for row in rows:
        tasks = [row["task"]] if row.get("task") else TASKS
        exact = float(gap(row["model"], row["other"], tasks))
        assert float(row["difference"]) == pytest.approx(exact, abs=1e-6)
    assert {row["model"] for row in rows} == set(names)
    with (tmp_path / "pairs.csv").open(encoding="utf-8") as file:
        pairs = [(row["baseline"], row["other"]) for row in csv.DictReader(file)]
    assert set(pairs) == set(combinations(names, 2))


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
    for row in gap_table(found).rows:
        code = {"Telugu": "te", "Hindi": "hi", "Chinese": "zh"}[str(row[0]).split(" ")[0]]
        exact = lost(first, code), lost(second, code)
        assert row[2:5] == pytest.approx((*map(float, exact), float(exact[1] - exact[0])))
    for row, pair in zip(pair_table(found).rows, found.pairs, strict=True):
        assert row[4:7] == (pair.baseline_accuracy, pair.accuracy, -pair.difference)
    grid = gains_of(found)
    assert grid is not None
    assert {(task, code) for code, task in grid.cells} == pairs.keys()
    for (code, task), cell in grid.cells.items():
        assert cell.difference == -pairs[task, code].difference
    told = [str(text) for _, text in compared_findings(found)]
    assert f"{float(100 * overall[0]):.1f}%" in told[0]
    assert f"{float(100 * overall[1]):.1f}%" in told[0]
    numbers = as_json(found)
    assert [one["difference"] for one in numbers["pairs"]] == [p.difference for p in found.pairs]
    assert numbers["overall"]["n"] == len(both)

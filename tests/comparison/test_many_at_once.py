"""Tasks, languages, models, repeats, levels, clusters and gaps in the data, all in one table.

Every figure is compared with exact fractions, counted question by question.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any

import pytest

from tests.comparison.test_compare import answer
from xlgo_metric.comparison import AnswerTable, compare
from xlgo_metric.comparison.repeats import repeats_of
from xlgo_metric.comparison.table import Answer

TASKS: dict[tuple[str, str], tuple[float | None, ...]] = {
    ("puzzles", "sum"): (4.0, 9.0, 25.0),
    ("puzzles", "rank"): (9.0, 10.0),
    ("texts", "sum"): (None,),  # another family's task of the same name
}
CHANCES = {"en": 0.8, "zh": 0.7, "te": 0.4}
MODELS = {"a": 0.1, "b": 0.0, "c": -0.3}


@cache
def answers() -> list[Answer]:
    """Levels of 3, 6 and 9 questions; one answer in eight is missing, one in ten undecided."""
    rng = random.Random(11)
    return [
        answer(
            f"q{size}-{number}", code, None if rng.random() < 0.1 else rng.random() < chance + more,
            family=family, task=task, complexity=size, repeat=repeat, model=model,
            cluster=f"{family} {task} {size} {number // 2}",
        )
        for (family, task), sizes in TASKS.items()
        for place, size in enumerate(sizes)
        for number in range(3 * (place + 1) if size else 40)
        for code, chance in CHANCES.items()
        for model, more in MODELS.items()
        for repeat in range(1 + (number + len(code + model)) % 3)
        if rng.random() > 1 / 8
    ]  # fmt: skip


Key = tuple[str, ...]


def place_of(row: Answer, names: Sequence[str]) -> Key:
    return tuple(getattr(row, name) for name in names)


def means(rows: Sequence[Answer], key: Callable[[Answer], Any]) -> dict[Any, Fraction]:
    """The exact mean of the decided answers of each key."""
    right: dict[Any, list[bool]] = defaultdict(list)
    for row in rows:
        if row.correct is not None:
            right[key(row)].append(row.correct)
    return {name: Fraction(sum(of), len(of)) for name, of in right.items()}


def weighted(values: dict[Any, Fraction], part: Callable[[Any], Any]) -> Fraction:
    """The mean of the means of parts."""
    parts: dict[Any, list[Fraction]] = defaultdict(list)
    for name, value in values.items():
        parts[part(name)].append(value)
    each = [sum(of, Fraction(0)) / len(of) for of in parts.values()]
    return sum(each, Fraction(0)) / len(each)


def by_task_and_level(of: dict[Any, Fraction]) -> Fraction:
    """Tasks (and what else is pooled) alike, and levels within them alike."""
    tasks: dict[Any, dict[Any, Fraction]] = defaultdict(dict)
    for (pooled, level, question), value in of.items():
        tasks[pooled][level, question] = value
    alike = {task: weighted(values, lambda name: name[0]) for task, values in tasks.items()}
    return weighted(alike, lambda task: task)


@pytest.mark.parametrize("within", [None, ("family", "task"), ("model",), ()])
@pytest.mark.parametrize("by", ["language", "model"])
def test_all_figures_of_all_cells(by: str, within: tuple[str, ...] | None) -> None:
    dimensions = ("family", "task", "language", "condition", "model")
    apart = within
    if apart is None:
        apart = tuple(name for name in dimensions if name != by)
    apart = tuple(name for name in apart if name != by)
    pooled = [name for name in dimensions if name not in (*apart, by)]
    by_cell = defaultdict(list)
    for row in answers():
        by_cell[place_of(row, apart), getattr(row, by)].append(row)
    clusters = {
        (place_of(row, apart), place_of(row, pooled), row.question): row.cluster
        for row in answers()
    }

    def question(row: Answer) -> Any:
        return place_of(row, pooled), row.complexity, row.question

    expected = {}
    places = dict.fromkeys(place for place, _ in by_cell)
    names = list(CHANCES if by == "language" else MODELS)
    couples = [("en", "zh"), ("en", "te")] if by == "language" else list(combinations(names, 2))
    for place, (base, other) in product(places, couples):
        one, two = (means(by_cell[place, name], question) for name in (base, other))
        common = one.keys() & two.keys()
        first, second = ({name: of[name] for name in common} for of in (one, two))
        key = (*place, base, other)
        expected[key] = (
            len(common),
            len({clusters[place, pool, name] for pool, _, name in common}),
            (sum(first[name] > second[name] for name in common),
             sum(first[name] < second[name] for name in common)),
            by_task_and_level(first), by_task_and_level(second),
        )  # fmt: skip
    table = AnswerTable.of_answers(answers())
    cells = compare(table, by, within=None if within is None else apart).cells  # type: ignore[arg-type]
    assert len(cells) == len(expected)
    for found in cells:
        place = tuple(found.where[name] for name in apart)
        # Models are paired in the order in which they first occur.
        cell = found if (*place, found.baseline, found.other) in expected else found.turned
        key = (*place, cell.baseline, cell.other)
        n, clustered, discordant, first_mean, second_mean = expected[key]
        assert (cell.n, cell.clusters, cell.discordant) == (n, clustered, discordant)
        assert cell.baseline_accuracy == pytest.approx(float(first_mean), abs=1e-12)
        assert cell.accuracy == pytest.approx(float(second_mean), abs=1e-12)
        assert cell.difference == pytest.approx(float(first_mean - second_mean), abs=1e-12)


def test_ranks_use_the_questions_of_all_models_in_every_task() -> None:
    found = compare(AnswerTable.of_answers(answers()), "model", within=(), ranked=True)

    def question(row: Answer) -> Any:
        return (row.family, row.task, row.language), row.complexity, row.question

    by_model = {name: means([a for a in answers() if a.model == name], question) for name in MODELS}
    common = set.intersection(*(set(of) for of in by_model.values()))
    assert [cell.n for cell in found.cells] == [len(common)] * 3
    figures = {
        name: by_task_and_level({key: of[key] for key in common}) for name, of in by_model.items()
    }
    for cell in found.cells:
        assert cell.baseline_accuracy == pytest.approx(float(figures[cell.baseline]))
        assert cell.accuracy == pytest.approx(float(figures[cell.other]))
    order = sorted(figures, key=lambda name: -figures[name])
    assert sorted(order, key=lambda name: found.ranks()[name].rank) == order


def test_variances_of_repeats_of_several_tasks_and_languages() -> None:
    """Against sums of squares, for every task, model and language by itself."""
    rows = [a for a in answers() if a.correct is not None and a.family == "puzzles"]
    found = repeats_of(AnswerTable.of_answers(rows), "en")
    places = {(a.task, a.model, a.language) for a in rows}
    assert {(one["task"], one["asked_as"], one["language"]) for one in found} == places
    for one in found:
        sides = [
            [a for a in rows
             if (a.task, a.model, a.language) == (one["task"], one["asked_as"], code)]
            for code in (one["language"], "en")
        ]  # fmt: skip
        own, base = ({q: [a.correct for a in side if a.question == q]
                      for q in {a.question for a in side}} for side in sides)  # fmt: skip
        assert (one["questions"], one["answers"]) == (len(own), len(sides[0]))
        gap: tuple[Fraction | None, Fraction | None] = (None, None)
        if one["language"] != "en":
            gap = components([base, own], base.keys() & own.keys())
        for name, of in zip(
            ("between", "within", "gap_between", "gap_within"),
            (*components([own], own.keys()), *gap), strict=True,
        ):  # fmt: skip
            assert one[name] == (None if of is None else pytest.approx(float(of), abs=1e-12)), name


def components(
    sides: Sequence[dict[Any, list[Any]]], common: Any
) -> tuple[Fraction | None, Fraction | None]:
    """Searle, Casella and McCulloch's estimates for unequal numbers of answers."""

    def variance(values: Sequence[Any]) -> Fraction:
        mean = Fraction(sum(values), 1) / len(values)
        return sum(((value - mean) ** 2 for value in values), Fraction(0)) / (len(values) - 1)

    within, noise = Fraction(0), Fraction(0)
    for side in sides:
        of = {q: variance(side[q]) for q in common if len(side[q]) > 1}
        if len(common) < 2 or not of:
            return None, None
        mean = sum(of.values(), Fraction(0)) / len(of)
        within += mean
        noise += sum((of.get(q, mean) / len(side[q]) for q in common), Fraction(0)) / len(common)
    differences = [
        Fraction(sum(sides[0][q]), len(sides[0][q]))
        - sum((Fraction(sum(side[q]), len(side[q])) for side in sides[1:]), Fraction(0))
        for q in common
    ]
    return max(variance(differences) - noise, Fraction(0)), within

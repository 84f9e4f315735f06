"""More questions for two languages that are far apart: what it sees, where it asks."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2

from xlgo_metric.statistics.adaptive.design import MOST_BUDGET, Asked, Design, next_step
from xlgo_metric.statistics.adaptive.second_stage import (
    ENOUGH,
    MOST,
    fit_two,
    next_counts,
    next_pair_cells,
)
from xlgo_metric.statistics.paired import paired_test

DESIGN = Design(2, 2090, 6)
MANY, FAR = 300.0, 110.0


def accuracy(c: float, half: float, q: float = 20.0) -> float:
    """The curve, from the distribution function of chi squared."""
    return float(chi2.cdf(chi2.ppf(0.5, q) * (half / c) ** 2, q))


class Answers(dict[tuple[int, int], np.ndarray]):
    """Right or wrong in each language, English first, drawn when a question is asked."""

    def __init__(self, seed: int, halves: tuple[float, ...]) -> None:
        super().__init__()
        self.seed, self.halves = seed, halves

    def __missing__(self, key: tuple[int, int]) -> np.ndarray:
        own = np.random.default_rng([self.seed, *key])
        chances = np.array([accuracy(key[0], half) for half in self.halves])
        self[key] = own.random(len(chances)) < chances
        return self[key]


def first_stage(answers: Answers) -> list[tuple[int, int]]:
    asked: list[Asked] = []
    while cells := next_step(DESIGN, asked).cells:
        new = [(size, index) for size, indexes in cells.items() for index in indexes]
        asked += [(*key, int(answers[key].sum())) for key in new]
    return [question[:2] for question in asked]


def second_stage(answers: Answers, first: list[tuple[int, int]], other: int, exchange=None):
    """All steps as text, and the questions; ``exchange`` says which answers change places."""
    told: list[str] = []
    second: list[Any] = []

    def seen(keys: list[tuple[int, int]]) -> list[Asked]:
        found = []
        for key in keys:
            english, language = answers[key][0], answers[key][other]
            if exchange is not None and exchange.random() < 0.5:
                english, language = language, english
            found.append((*key, int(english) + int(language)))
        return found

    while cells := next_pair_cells(DESIGN, seen(first), seen(second), other):
        told.append(json.dumps(cells))
        second += [(size, index) for size, indexes in cells.items() for index in indexes]
    return "\n".join(told), second


ONE_FAR = (MANY, MANY, MANY, MANY, MANY, FAR)


@pytest.mark.parametrize("seed", range(2))
def test_exchanging_the_two_within_every_question_changes_nothing(seed: int) -> None:
    answers = Answers(seed, ONE_FAR)
    first = first_stage(answers)
    told, second = second_stage(answers, first, 5)
    assert second
    for again in range(2):
        assert second_stage(answers, first, 5, np.random.default_rng(again))[0] == told


def test_only_the_language_far_off_is_asked_more_and_where_it_falls() -> None:
    answers = Answers(2, ONE_FAR)
    first = first_stage(answers)
    assert all(not second_stage(answers, first, other)[1] for other in range(1, 3))
    _, second = second_stage(answers, first, 5)
    assert len(second) == len(set(second)) <= MOST * len(first)
    # Most of it where the far curve falls, of which English shows nothing.
    falling = [0.02 < accuracy(size, FAR) < 0.98 for size, _ in second]
    assert np.mean(falling) > 0.6
    there = sum(0.05 < accuracy(size, FAR) < 0.95 for size, _ in first + second)
    assert there > 0.8 * ENOUGH * len(first)
    before = sum(0.05 < accuracy(size, FAR) < 0.95 for size, _ in first)
    assert before < 0.5 * ENOUGH * len(first)


def test_no_two_languages_share_a_question_of_their_own() -> None:
    answers = Answers(4, (MANY, FAR, MANY, MANY, MANY, FAR))
    first = first_stage(answers)
    found = [set(second_stage(answers, first, other)[1]) for other in (1, 5)]
    assert all(found)
    assert not found[0] & found[1]
    assert {index // MOST_BUDGET for _, index in found[0]} == {2}
    assert all(index < MOST_BUDGET for _, index in first)


def test_languages_that_are_right_or_wrong_everywhere_have_no_second_stage() -> None:
    first = [(size, index) for size in DESIGN.grid[::9] for index in range(20)]
    for right in (0, 2):
        assert next_pair_cells(DESIGN, [(*key, right) for key in first], [], 1) == {}


def test_two_curves_are_found_without_their_names() -> None:
    rng = np.random.default_rng(5)
    n = np.full((1, len(DESIGN.grid)), 40)
    halves = (60.0, 400.0)
    right = [rng.binomial(1, [[accuracy(c, half)] * 40 for c in DESIGN.grid]) for half in halves]
    t = right[0] + right[1]
    theta = fit_two(DESIGN, (t == 1).sum(axis=1)[None], (t == 2).sum(axis=1)[None], n)[0]
    for (log_q, log_r), half in zip(theta, halves):
        q = math.exp(log_q)
        found = math.sqrt(q / chi2.ppf(0.5, q) / math.exp(log_r))
        assert found == pytest.approx(half, rel=0.06)
        assert 10 < q < 40


@pytest.mark.slow
def test_the_paired_test_keeps_its_size_after_a_second_stage() -> None:
    """Two languages alike, whose first stage lies where others fall: 100 runs at once."""
    runs, rng = 100, np.random.default_rng(6)
    grid = np.array(DESIGN.grid)
    chances = np.array([accuracy(c, FAR) for c in grid])
    pilot = np.isin(grid, DESIGN.pilot) * 5
    others = np.where((grid > 240) & (grid < 380), 40, 0)
    first = np.tile(pilot + others, (runs, 1))
    counts = np.zeros((4, runs, len(grid)), dtype=np.int64)  # both, English, the other, none

    def ask(n: np.ndarray) -> None:
        # Answers of two languages to a question are alike in 60%.
        both = chances * (0.6 + 0.4 * chances)
        one = chances - both
        shares = np.stack([both, one, one, 1 - both - 2 * one], axis=1)
        counts[:] += np.moveaxis(rng.multinomial(n, shares), 2, 0)

    ask(first)
    asked = first.sum(axis=1)
    second = np.zeros(runs, dtype=np.int64)
    while True:
        n = counts.sum(axis=0)
        ones, twos = counts[1] + counts[2], counts[0]
        batch = next_counts(DESIGN, ones, twos, n, first=asked, second=second)
        if not batch.any():
            break
        ask(batch)
        second += batch.sum(axis=1)
    assert (second > 0).mean() > 0.9
    rejected = 0
    for run, (both, english, other, none) in enumerate(np.moveaxis(counts, 1, 0)):
        n = both + english + other + none
        there = n > 0
        k_en, k_l, apart = both + english, both + other, english + other
        found = [x[there] for x in (k_en, k_l, apart, n, grid)]
        rejected += paired_test(*found, draws=199, seed=run) <= 0.1
    assert 0.02 < rejected / runs < 0.18  # the sd of 100 runs is .03


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ([(3000, 0, 1)], "not one that this design asks"),
        ([(2, 0, 1), (2, 0, 1)], "stands there twice"),
        ([(2, 0, 3)], "3 languages right of 2"),
    ],
)
def test_answers_that_cannot_be(asked, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        next_pair_cells(DESIGN, asked, [], 1)

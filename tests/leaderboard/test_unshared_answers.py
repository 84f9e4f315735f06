"""What a model answered beside the common questions moves no number of a leaderboard."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd
from tests.report.logs import sample, write_run
from xlgo_cli.leaderboard.page import ranking
from xlgo_cli.leaderboard.standings import Board, board, choose, read_entries
from xlgo_cli.logs.graded_run import GradedRun, score_folder

CODES, SIZES, COMMON, ALL = ("en", "te"), 2, 15, 30
RIGHT = {"m/a": (4, 4), "m/b": (14, 13), "m/c": (9, 8), "m/d": (9, 6)}
"""Of the common questions of each level, those that a model answers right in both languages."""
MORE = {"m/a": (15, 15), "m/b": (0, 0), "m/c": (8, 4), "m/d": (9, 9)}
"""Of as many further questions, those that it answers right: the best one none, the worst all."""


def made(top: Path, more: Mapping[str, tuple[int, int]]) -> Board:
    """The board of the four, each with the further questions that ``more`` names it for."""
    options: Any = {"levels": SIZES, "per_level": ALL, "c_min": 12, "c_max": 16}
    rows = list(xd.family_of("dsa").rows("dsa", CODES, split="test", **options))
    for model, right in RIGHT.items():
        samples = []
        for number, row in enumerate(rows):
            index, level = row["index"], row["level"]
            if index >= COMMON and model not in more:
                continue
            is_right = (
                index < right[level] if index < COMMON else index - COMMON < more[model][level]
            )
            samples.append(sample(row, row["answer"] if is_right else '{"answer": "no"}', number))
        write_run(top / model[2:], model=model, task="dsa", languages=CODES, samples=samples)

    def quick(folder: Path, model: str | None) -> GradedRun:
        return score_folder(folder, model=model, options={"draws": 10, "permutations": 99})

    entries, failed = read_entries([top / model[2:] for model in RIGHT], quick)
    assert failed == []
    return board(choose(entries))


@pytest.mark.parametrize("alone", RIGHT)
def test_questions_of_one_model_alone_change_nothing(tmp_path: Path, alone: str) -> None:
    """With twice as many questions, right or wrong, it keeps its place, and so do the others."""
    found = made(tmp_path, {alone: MORE[alone]})
    counts = {model: sum(right) for model, right in RIGHT.items()}
    order = sorted(RIGHT, key=lambda model: -counts[model])
    assert order == ["m/b", "m/c", "m/d", "m/a"]
    assert len(found.field.common) == len(CODES) * SIZES * COMMON
    assert {one.name: len(one.answers) for one in found.entries} == {
        model: len(CODES) * SIZES * (ALL if model == alone else COMMON) for model in RIGHT
    }
    shares = [counts[model] / (SIZES * COMMON) for model in order]
    assert [one.name for one in found.entries] == order
    assert list(found.accuracy) == pytest.approx(shares)
    table = ranking(found)
    assert [row[0] for row in table.rows] == order
    assert [row[3] for row in table.rows] == pytest.approx(shares)
    for code in CODES:  # as right in Telugu as in English
        assert list(found.languages[code][0]) == pytest.approx(shares)
    assert [(pair.baseline, pair.other) for pair in found.pairs] == [
        (one, other) for place, one in enumerate(order) for other in order[place + 1 :]
    ]
    for pair in found.pairs:
        exact = (counts[pair.baseline] - counts[pair.other]) / (SIZES * COMMON)
        assert pair.difference == pytest.approx(exact)

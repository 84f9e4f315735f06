"""Floors: shortcuts measured again in a small way, and what the metric makes of the stored ones."""

from __future__ import annotations

import importlib
import json
import math
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd
import xlgo_metric as xm
from xlgo_metric.families.xlgobench import floors

COUNT = 400  # puzzles behind each stored accuracy


@pytest.fixture(scope="module")
def benchmark() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
        yield importlib.import_module("floors")


def near(share: float, expected: float, count: int, errors: float = 4) -> bool:
    return abs(share - expected) <= errors * math.sqrt(expected * (1 - expected) / count)


def test_walks_of_dsa_merge_as_the_birthday_count_says(benchmark: Any) -> None:
    """Two walks over the same keys meet at a step with a chance of 1 / (n - 1)."""
    n, count = 64, 150
    found = benchmark.measure("dsa", n, count)
    assert near(found["all keys from a wrong room"], 1 - (1 - 1 / (n - 1)) ** n, count)
    half = 1 - (1 - 1 / n) * (1 - 1 / (n - 1)) ** (n / 2)
    assert near(found["last half of the keys alone"], half, count)


@pytest.mark.parametrize(
    ("task", "heuristic", "sizes", "low", "high"),
    [
        ("dsa", "all keys from a wrong room", (32, 2090), 0.60, 0.65),
        ("dsa", "last half of the keys alone", (32, 2090), 0.35, 0.41),
        ("prdsa", "last 5 keys alone", (9, 9), 0.93, 0.93),
        ("t_rank", "net wins, ties by their match", (25, 25), 0.86, 0.86),
        ("graph_sp", "search below the median of friends", (720, 720), 0.95, 0.95),
    ],
)
def test_what_an_attacker_found(
    task: str, heuristic: str, sizes: tuple[int, int], low: float, high: float
) -> None:
    stored = floors.measured()[task][heuristic]
    shares = [share for size, share in stored if sizes[0] <= size <= sizes[1]]
    error = 3 * math.sqrt(0.25 / COUNT)
    assert shares
    assert all(low - error <= share <= high + error for share in shares), shares


def test_the_strongest_shortcut(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = {"dsa": {"a": [(10.0, 0.5), (20.0, 0.3)], "b": [(10.0, 0.1), (20.0, 0.5)]}}
    monkeypatch.setattr(floors, "measured", lambda: stored)
    assert floors.strongest_floor("dsa", 10) == ("a", 0.5)
    assert floors.strongest_floor("dsa", 12) == ("a", pytest.approx(0.46))
    assert floors.strongest_floor("dsa", 18) == ("b", pytest.approx(0.42))
    assert floors.strongest_floor("dsa", 20) == ("b", 0.5)
    assert floors.strongest_floor("dsa", 9) is None
    assert floors.strongest_floor("dsa", 21) is None
    assert floors.strongest_floor("slt", 10) is None
    found = floors.floor_points("dsa", 12, 30)
    assert [(p["complexity"], p["heuristic"]) for p in found] == [(12.0, "a"), (20.0, "b")]
    assert floors.floor_points("dsa", None, None) == floors.floor_points("slt", 1, 5) == []


def test_a_score_has_the_floor_of_its_range() -> None:
    rows = list(xd.load_dataset("dsa", split="test", preset="smoke", levels=3, per_level=2,
                                languages=["en", "te"], streaming=True))  # fmt: skip
    score = xm.score(
        [row["answer"] for row in rows],
        [row["reference"] for row in rows],
        draws=20,
        permutations=20,
    )
    floor = score["families"]["xlgobench"]["tasks"]["dsa"]["floor"]
    sizes = [point["complexity"] for point in floor]
    assert (sizes[0], sizes[-1]) == (4.0, 64.0)
    assert all(0 < point["accuracy"] < 1 and point["heuristic"] for point in floor)
    json.dumps(score, allow_nan=False)

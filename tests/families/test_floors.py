"""Floors: shortcuts measured again in a small way, and what the metric makes of the stored ones."""

from __future__ import annotations

import json

import pytest

import xlgo_dataset as xd
import xlgo_metric as xm
from xlgo_metric.families.xlgobench import together


def test_the_strongest_shortcut(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = {"dsa": {"a": [(10.0, 0.5), (20.0, 0.3)], "b": [(10.0, 0.1), (20.0, 0.5)]}}
    monkeypatch.setattr(together, "measured", lambda: stored)
    assert together.strongest_floor("dsa", 10) == ("a", 0.5)
    assert together.strongest_floor("dsa", 12) == ("a", pytest.approx(0.46))
    assert together.strongest_floor("dsa", 18) == ("b", pytest.approx(0.42))
    assert together.strongest_floor("dsa", 20) == ("b", 0.5)
    assert together.strongest_floor("dsa", 9) is None
    assert together.strongest_floor("dsa", 21) is None
    assert together.strongest_floor("slt", 10) is None
    found = together.floor_points("dsa", 12, 30)
    assert [(p["complexity"], p["heuristic"]) for p in found] == [(12.0, "a"), (20.0, "b")]
    assert together.floor_points("dsa", None, None) == together.floor_points("slt", 1, 5) == []


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

"""What is frozen is what today's code gives, and a change is seen and named."""

from pathlib import Path
from typing import Any

import pytest

from tests.frozen import KINDS, parts
from tests.frozen.stored import FILES, Part, Values, report

pytestmark = pytest.mark.usefixtures("graded_once")
_HOW = "python -m tests.frozen --check"
EVERY = parts()
QUICK = {
    "questions": ("xlgobench", "korbench", "polymath", "lit"),
    "statistics": (
        "curves",
        "paired",
        "differences",
        "simultaneous",
        "compare",
        "designs",
    ),
    "scores": ("puzzles", "conditions", "adaptive", "polymath", "simple", "korbench", "lit"),
    "sentences": ("puzzles", "conditions", "polymath", "simple", "korbench", "lit", "registry"),
    "verdicts": ("puzzles", "simple_reasoning", "golden", "polymath_pairs", "kor_regression"),
    "commands": ("mistakes", "python", "runs"),
}
"""What takes seconds, with one in ``SAMPLE`` of the responses; the rest is slow."""

SAMPLE = 61


def _check(part: Part, one_in: int) -> None:
    if part.missing:
        pytest.skip(part.missing)
    lines = report(part, part.compute(one_in), partly=one_in > 1)
    assert not lines, "\n".join([f"{part.title}: {_HOW}", *lines])


@pytest.mark.parametrize(
    "part", [part for part in EVERY if part.name in QUICK[part.kind]], ids=lambda part: part.title
)
def test_a_share_is_the_frozen_one(part: Part) -> None:
    _check(part, SAMPLE)


@pytest.mark.slow
@pytest.mark.parametrize("part", EVERY, ids=lambda part: part.title)
def test_everything_is_the_frozen_one(part: Part) -> None:
    _check(part, 1)


def test_every_file_is_that_of_a_part_and_all_are_small() -> None:
    files = {path for path in FILES.rglob("*") if path.is_file()}
    assert files <= {part.path for part in EVERY}
    assert all(part.path.is_file() or part.missing for part in EVERY)
    assert sum(path.stat().st_size for path in files) < 3_000_000
    assert {part.kind for part in EVERY} == set(KINDS)


class _Frozen(Part):
    """A part whose frozen values are given."""

    def stored(self) -> Values:
        return {"a": 1.0, "b/0": 2, "b/1": "x", "c": None, "d": 0.25}

    @property
    def path(self) -> Path:
        return Path(__file__)


@pytest.mark.parametrize(
    ("changes", "lines"),
    [
        ({}, []),
        ({"a": 1.0 + 1e-12}, []),
        ({"a": 1.1}, ["1 changed", "a: 1.0 → 1.1"]),
        ({"a": True}, ["1 changed", "a: 1.0 → True"]),
        ({"b/0": 2.5}, ["1 changed", "b/0: 2 → 2.5"]),
        ({"b/1": "y"}, ["1 changed", "b/1: 'x' → 'y'"]),
        ({"c": 0.0}, ["1 changed", "c: None → 0.0"]),
        ({"d": ...}, ["1 gone", "d: 0.25"]),
        ({"e": 3}, ["1 new", "(e)"]),
    ],
)
def test_a_change_is_seen_and_named(changes: dict[str, Any], lines: list[str]) -> None:
    part = _Frozen("scores", "x", lambda one_in: {})
    new = {key: value for key, value in (part.stored() | changes).items() if value is not ...}
    told = report(part, new)
    assert bool(told) == bool(lines)
    assert all(line in "\n".join(told) for line in lines)
    assert report(part, {"a": 1.0}, partly=True) == report(part, {"a": 1.0})

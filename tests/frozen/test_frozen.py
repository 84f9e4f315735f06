"""What is frozen is what today's code gives, and a change is seen and named."""

from pathlib import Path
from typing import Any, ClassVar

import pytest

from tests.frozen import KINDS, parts
from tests.frozen.stored import FILES, Part, Values, equal, flat, report

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


@pytest.mark.parametrize(
    "run", ["puzzles", "conditions", "adaptive", "polymath", "simple", "korbench"]
)
def test_the_frozen_numbers_are_no_trivial_ones(run: str) -> None:
    """Right and wrong answers are mixed, so that equal numbers mean something."""
    part = next(part for part in EVERY if part.title == f"scores/{run}")
    statuses = [v for key, v in part.stored().items() if key.startswith("statuses/")]
    assert 0.05 < statuses.count("correct") / len(statuses) < 0.95


class _Frozen(Part):
    """A part whose frozen values are given."""

    values: ClassVar[dict[str, Values]] = {
        "scores": {"a": 1.0, "b/0": 2, "b/1": "x", "c": None, "d": 0.25},
        "verdicts": {
            "a": "te 1 correct*:ab wrong",
            "b": "zh 2 wrong:c wrong:c",
            "c": "zh 3 wrong wrong",
        },
    }

    def stored(self) -> Values:
        return dict(self.values[self.kind])

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


def test_a_changed_verdict_is_counted_by_reading_language_and_what_it_was() -> None:
    part = _Frozen("verdicts", "polymath_pairs", lambda one_in: {})
    new: Values = {
        "a": "te 1 correct:ab wrong",
        "b": "zh 2 wrong:d correct:c",
        "c": "zh 4 wrong wrong",
    }
    assert report(part, {}, partly=True) == []
    lines = report(part, new)
    assert lines[0] == "of 3 frozen values 3 changed"
    assert {
        "1 verdicts: default: correct* → correct",
        "1 verdicts: paper: wrong → correct",
        "1 verdicts: default: wrong, another answer",
        "1 verdicts: input: another response",
        "- default te: correct* → correct: 1",
    } <= set(lines)


def test_nests_are_flat() -> None:
    assert flat({"a": [1, {"b": None}], "c": (), "d": {"e/f": 0.5}}) == {
        "a/0": 1,
        "a/1/b": None,
        "c": "empty",
        "d/e/f": 0.5,
    }
    assert equal(float("nan"), float("nan"))


@pytest.mark.parametrize("name", ["verdict", "scores/none"])
def test_an_unknown_kind_is_named(name: str) -> None:
    with pytest.raises(ValueError, match=f"'{name}' is neither a kind .* nor a part"):
        parts([name])

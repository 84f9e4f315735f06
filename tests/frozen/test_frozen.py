"""Scores, tables and verdicts of stored answers are the numbers that were frozen."""

from __future__ import annotations

import pytest

from xlgo_metric.version import READER_VERSION, STATISTICS_VERSION

from .numbers import DEPARTURES, SAMPLE, computed, differences, stored

_HOW = 'list them with: python -m tests.frozen.renew "why"'


def test_the_numbers_are_the_frozen_ones() -> None:
    changed = list(differences(stored()["quick"], computed()))
    assert not changed, "\n".join([f"{len(changed)} numbers changed; {_HOW}", *changed[:40]])


@pytest.mark.slow
def test_all_verdicts_are_the_frozen_ones() -> None:
    changed = list(differences(stored()["full"], computed(full=True)["verdicts"]))
    assert not changed, "\n".join([f"verdicts changed; {_HOW}", *changed])


def test_the_versions_are_those_of_the_frozen_numbers() -> None:
    """A version that rises without other numbers, or without a reason, would say nothing."""
    versions = stored()["versions"]
    assert versions == {"reader": READER_VERSION, "statistics": STATISTICS_VERSION}, _HOW
    told = f"## Reader {READER_VERSION}, statistics {STATISTICS_VERSION}"
    assert told in DEPARTURES.read_text("utf-8")


def test_the_frozen_numbers_are_no_trivial_ones() -> None:
    """Right and wrong answers are mixed, so that equal numbers mean something."""
    found = stored()
    for run in ("puzzles", "conditions", "adaptive", "polymath", "simple", "korbench"):
        statuses = found["quick"][run]["statuses"].split()
        assert 0.05 < statuses.count("correct") / len(statuses) < 0.95, run
    assert len(found["full"]["puzzles"].split()) > SAMPLE * 500


def test_another_number_is_noticed() -> None:
    old = {"a": [1.0, {"b": 2}], "c": None}
    assert not list(differences(old, {"a": [1.0 + 1e-12, {"b": 2, "new": 1}], "c": None}))
    for new in ({"a": [1.0, {"b": 3}], "c": None}, {"a": [1.0, {"b": 2}]}, {"a": [1.0], "c": None}):
        assert len(list(differences(old, new))) == 1
    assert list(differences(old, {"a": [1.0 + 1e-12, {"b": 2}], "c": None}, exact=True))

"""Differences that need no curve, verdicts over tasks and directions, on answers of known truth."""

from importlib import resources

import numpy as np
import pytest

import xlgo_dataset as xd
from xlgo_cli.language.command import wordings
from xlgo_dataset.text.languages import load_language
from xlgo_metric.families.xlgobench import wording_of
from xlgo_metric.families.xlgobench.measures import diff
from xlgo_metric.family import family


def test_what_the_metric_knows_of_wordings_is_what_the_language_files_say() -> None:
    """``xlgo language wordings`` brings it up to date."""
    stored = resources.files("xlgo_metric.families.xlgobench").joinpath("wordings.json")
    assert stored.read_text("utf-8") == wordings()
    for task in xd.family("xlgobench").TASKS:
        for code in xd.family("xlgobench").languages(task):
            judged = load_language(code).attribution.get(task)
            for text in ("paper", "revised"):
                is_doubtful = judged is not None and getattr(judged, text) == "no"
                expected = xd.wording_status(task, code, text), is_doubtful
                assert wording_of(task, code, text) == expected, (task, code, text)
    assert wording_of("slt", "hi", "own.toml") == ("edited", False)
    assert wording_of("slt", "yo", "own.toml") == ("machine-written", False)
    for task, code, text in (("travel", "te", "paper"), ("proof_tree", "en", "parallel")):
        own = family("simple_reasoning").wording_of(task, code, text)
        assert own == (xd.wording_status(task, code, text), False)


def test_the_harness_counts_a_structure_once_in_its_standard_error() -> None:
    """Four questions of each structure, with one answer, tell as much as one of each."""
    rng = np.random.default_rng(4)
    right = rng.random((30, 2)) < [0.8, 0.5]
    alone, copies = (
        [
            ("slt", code, 10, bool(right[i, place]), f"q{i}-{j}", f"s{i}")
            for i in range(30)
            for j in range(times)
            for place, code in enumerate(("en", "te"))
        ]
        for times in (1, 4)
    )
    gains = right[:, 0].astype(int) - right[:, 1]
    assert diff(copies, "te")[0] == diff(alone, "te")[0] == gains.mean()
    assert diff(alone, "te")[1] == pytest.approx(gains.std(ddof=1) / 30**0.5)
    assert diff(copies, "te")[1] == pytest.approx(diff(alone, "te")[1])

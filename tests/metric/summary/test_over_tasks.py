"""Differences that need no curve, verdicts over tasks and directions, on answers of known truth."""

from __future__ import annotations

from importlib import resources
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

import xlgo_dataset as xd
from xlgo_cli.language.command import wordings
from xlgo_dataset.text.languages import load_language
from xlgo_metric.families.xlgobench import wording_of
from xlgo_metric.families.xlgobench.measures import diff
from xlgo_metric.families.xlgobench.summary import summarize
from xlgo_metric.family import family

from .test_summary import FAST, record


def score(
    chances: dict[str, dict[str, list[float]]], n: int = 40, levels: tuple[int, ...] = (10, 20, 30)
) -> Any:
    """Answers with these chances by task, language and level; half of them share their luck."""
    rng = np.random.default_rng(11)
    records = []
    for task, languages in chances.items():
        for level, size in enumerate(levels):
            common = rng.random(n)
            for language, p in languages.items():
                own = np.where(rng.random(n) < 0.5, common, rng.random(n))
                records += [
                    record(task, language, size, i, bool(own[i] < p[level])) for i in range(n)
                ]
    return summarize(records, **FAST)


EVEN = [0.9, 0.6, 0.2]
WORSE = [0.6, 0.2, 0.02]


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


def test_one_task_has_one_number_everywhere() -> None:
    records = [record("slt", "en", 10, i, i < 30) for i in range(40)]
    records += [record("slt", "hi", 10, i, 10 <= i < 33) for i in range(40)]
    found = summarize(records, **FAST)
    one, over = (
        {k: v for k, v in cell.items() if k != "where"}
        for cell in (
            found["tasks"]["slt"]["languages"]["hi"]["difference"],
            found["over_tasks"]["languages"]["hi"],
        )
    )
    assert one == over
    assert one["p_value"] == pytest.approx(binomtest(10, 13).pvalue, abs=1e-12)


def test_the_most_affected_language_is_named_only_where_it_is_told_apart() -> None:
    alone = score({"dsa": {"en": EVEN, "te": WORSE, "hi": EVEN, "ta": EVEN}}, n=80)
    assert alone["over_tasks"]["last"] == ["te"]
    several = score({"dsa": {"en": EVEN, "te": WORSE, "hi": EVEN, "ta": WORSE}}, n=80)
    assert set(several["over_tasks"]["last"]) == {"te", "ta"}


def test_repeats_of_a_question_are_one_cluster() -> None:
    """Ten questions asked eight times each are ten questions, not eighty."""
    records = [
        record("slt", language, 10, i, i < right)
        for _ in range(8)
        for language, right in (("en", 6), ("te", 3))
        for i in range(10)
    ]
    one = summarize(records, **FAST)["tasks"]["slt"]["languages"]["te"]["difference"]
    assert (one["n"], one["clusters"]) == (10, 10)
    assert one["p_value"] == pytest.approx(2 * 0.5**3)


def test_the_harness_counts_a_structure_once_in_its_standard_error() -> None:
    """Four questions of each structure, with one answer, tell as much as one of each."""
    rng = np.random.default_rng(4)
    right = rng.random((30, 2)) < [0.8, 0.5]
    alone, copies = (
        [
            (f"s{i}", f"q{i}-{j}", code, bool(right[i, place]), 10)
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


def test_a_measure_of_the_harness_knows_the_structure_of_a_reference() -> None:
    """Two questions of one structure are one cluster, so alone they have no standard error."""
    measures = {m.name: m for m in family("xlgobench").measures("slt", ["en", "te"])}
    measure = measures["diff_te_stderr"]

    def error(structures: tuple[str, str]) -> float:
        values = []
        for question, structure in zip("ab", structures):
            for code, correct in (("en", True), ("te", question == "b")):
                own = {"instance_id": question, "structure": structure, "languages": ["en", "te"]}
                one = record("slt", code, 10, 0, correct, reference=own)
                values.append(measure.value(one.grade, one.reference))
        assert measure.aggregate is not None
        return measure.aggregate(values)

    assert error(("s", "t")) == pytest.approx(0.5)  # differences 1 and 0: sd 0.707, over root 2
    assert np.isnan(error(("s", "s")))

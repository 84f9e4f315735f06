"""The XLGoBench section against the functions it is made of, and what it does with poor data."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from scipy.special import gammainc

from xlgo_metric.comparison import AnswerTable
from xlgo_metric.comparison.levels import Levels
from xlgo_metric.comparison.table import sides
from xlgo_metric.core import Grade, Record, signature
from xlgo_metric.families.xlgobench.summary import summarize
from xlgo_metric.families.xlgobench.tables import tables
from xlgo_metric.statistics.draws import derive_seed
from xlgo_metric.statistics.gamma import gamma_accuracy
from xlgo_metric.statistics.gaps import average_accuracy, fit_gamma
from xlgo_metric.statistics.paired import paired_test
from xlgo_metric.version import READER_VERSION, STATISTICS_VERSION

LEVELS = list(range(100, 601, 50))
HALF = {"en": 330, "te": 250, "ta": 320, "zh": 400}
VERSIONS = f"reader:{READER_VERSION}|statistics:{STATISTICS_VERSION}"
FAST: dict[str, Any] = {"draws": 20, "permutations": 199}


def record(task: str, language: str, c: int | None, index: int, correct: bool, **more) -> Record:
    reference = {
        "task": task, "language": language, "complexity": c, "level": 0, "index": index,
        "instance_id": f"{task}-test-s0-c{c}-i{index}", "seed": 0, "split": "test", "data": 1,
        "text": "paper",
    } | more.pop("reference", {})  # fmt: skip
    status = more.pop("status", "correct" if correct else "wrong")
    grade = Grade(correct, status, correct, None, more.pop("details", {}))
    return Record(grade, {k: v for k, v in reference.items() if v is not None}, **more)


def counted(right: dict[str, list[int]], n: int, levels: list[int]) -> list[Record]:
    """Of ``n`` answers a level, so many right by language and level."""
    return [
        record("slt", language, c, i, i < k)
        for language, counts in right.items()
        for c, k in zip(levels, counts)
        for i in range(n)
    ]


def answers(tasks=("slt",), languages=tuple(HALF), n=30, levels=LEVELS) -> list[Record]:
    rng = random.Random(5)
    return [
        record(task, language, c, i, rng.random() < gamma_accuracy(c, 10, HALF[language] ** -2.0))
        for task in tasks
        for language in languages
        for c in levels
        for i in range(n)
    ]


@pytest.fixture(scope="module")
def section() -> Any:
    return summarize(answers(("slt", "dsa")), **FAST)


def test_every_number_is_that_of_its_function(section) -> None:
    found = sides(AnswerTable.of_records(answers(("slt", "dsa"))))["slt"]
    english, telugu = (
        section["tasks"]["slt"]["languages"]["en"],
        section["tasks"]["slt"]["languages"]["te"],
    )
    c, k, n = found["te"].levels
    fit = fit_gamma(c, k, n)
    assert (telugu["fit"]["q"], telugu["fit"]["r"]) == tuple(fit)
    assert telugu["fit"]["r2"] == fit.r2
    assert telugu["avg_acc"] == pytest.approx(average_accuracy(*fit, 100, 600))
    sizes = np.arange(100, 601)
    f_en, f_l = (
        gammainc(q / 2, q / (2 * r * sizes**2)) for q, r in (fit_gamma(*found["en"].levels), fit)
    )
    gap = f_en - f_l
    at = np.abs(gap).argmax()
    assert (telugu["smd"], telugu["c_star"]) == (pytest.approx(gap[at]), sizes[at])
    assert (telugu["f_en"], telugu["f_l"]) == pytest.approx((f_en[at], f_l[at]))
    assert telugu["rd"] == pytest.approx((np.sign(gap[at]) * gap).min())
    for key in ("smd", "c_star", "f_en", "f_l", "rd"):
        assert telugu[f"{key}_sd"] >= 0
        assert english[key] is None
    assert telugu["smd"] == pytest.approx(telugu["f_en"] - telugu["f_l"])
    assert telugu["published_rule"] == (abs(telugu["smd"]) > 1.96 * telugu["smd_sd"])
    both = Levels.of_pairs(found["en"], found["te"])
    seed = derive_seed(0, "slt")
    counts = (both.k_base, both.k_other, both.discordant, both.n, both.c)
    assert telugu["paired"]["p"] == paired_test(*counts, draws=199, seed=seed)
    assert english["paired"] is None
    assert english["published_rule"] is None


def test_the_signature_says_what_the_numbers_depend_on(section) -> None:
    import xlgo_metric

    assert section["signature"] == (
        "task:dsa+slt|levels:11|c:100-600+100-600|n:30|data:1|text:paper|fit:ls-beta20"
        f"|permutations:199|seed:0|{VERSIONS}|version:{xlgo_metric.__version__}"
    )
    other = summarize(answers(n=3), seed=7, draws=5, permutations=9, baseline="ta")
    assert "|n:3|" in other["signature"]
    assert "|fit:ls-beta5-s7|permutations:9|baseline:ta|" in other["signature"]
    assert "|c:100-600|" in other["signature"]
    assert signature({"a": 1, "b": None}, "2.0") == f"a:1|{VERSIONS}|version:2.0"
    with pytest.raises(ValueError, match="must hold no"):
        signature({"a": "x|y"}, "2.0")


@pytest.mark.parametrize(
    "bad",
    [0, -5, True, "100", float("nan"), float("inf"), [1], 1e200, pytest.param(10**400, id="vast")],
)
def test_a_complexity_that_is_none_is_left_out(bad) -> None:
    records = [
        *answers(languages=("en",), n=5),
        record("slt", "en", 100, 99, True, reference={"complexity": bad}),
    ]
    cell = summarize(records, **FAST)["tasks"]["slt"]["languages"]["en"]
    assert cell["n"] == sum(level["n"] for level in cell["levels"]) + 1


def test_other_levels_are_compared_where_they_overlap() -> None:
    records = answers(languages=("en",)) + answers(languages=("te",), levels=LEVELS[3:])
    found = summarize(records, **FAST)
    assert any("250 to 600" in text for text in found["warnings"])
    assert found["tasks"]["slt"]["languages"]["te"]["c_star"] >= 250
    apart = answers(languages=("en",), levels=LEVELS[:3]) + answers(
        languages=("te",), levels=LEVELS[4:]
    )
    found = summarize(apart, **FAST)
    assert found["tasks"]["slt"]["languages"]["te"]["smd"] is None
    assert any("do not overlap" in text for text in found["warnings"])
    tables(found)


def test_details_are_shares_of_all_answers_or_means_of_what_is_known() -> None:
    details = [
        {"final_value": True, "kendall_normalised": 0.5, "lenient": [], "is_path": None},
        {"final_value": False, "kendall_normalised": None, "is_path": True},
        {"reason": "text", "kendall_normalised": 0.1},
        {},
    ]
    records = [record("slt", "en", 10, i, False, details=d) for i, d in enumerate(details)]
    cell = summarize(records, **FAST)["tasks"]["slt"]["languages"]["en"]
    assert cell["details"] == {
        "final_value": 1 / 4,
        "is_path": pytest.approx(1 / 3),
        "kendall_normalised": pytest.approx(0.3),
    }

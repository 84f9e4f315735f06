"""Through the harness: correct answers score 1 and changed ones 0, for every task and language."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from typing import Any

import pytest
from lm_eval.utils import make_table

import xlgo_dataset as xd
from xlgo_cli.harness.make_tasks import tasks_by_family
from xlgo_metric.families.xlgobench.measures import smd
from xlgo_metric.family import family
from xlgo_metric.statistics.fitting import fit_gamma

from .answering import right, wrong
from .conftest import Evaluate

SMALL = {"preset": "smoke", "levels": 2, "per_level": 1}
SINGLE = [name for name, task in tasks_by_family()["xlgobench"].items() if not task.spec.in_group]


def right_at_first(reference: dict[str, Any]) -> str:
    """Right at the first of two levels, wrong at the second."""
    return (wrong if reference["level"] else right)(reference)


def test_every_task_in_every_language(evaluate: Evaluate) -> None:
    found = evaluate(right_at_first, ["xlgo", *SINGLE], **SMALL)
    results = found["results"]
    assert results.keys() == {"xlgo", *(f"xlgo_{task}" for task in xd.TASKS), *SINGLE}
    for name, row in results.items():
        assert row["acc,none"] == 0.5, name
        assert row["truncated,none"] == 0.0, name
        if name != "xlgo":
            assert row["parsed,none"] == 1.0, name
    for samples in found["samples"].values():
        for sample in samples:
            reference = json.loads(sample["doc"]["reference"])
            assert sample["acc"] == (reference["level"] == 0), reference["id"]


def test_kinds_of_responses_are_told_apart(evaluate: Evaluate) -> None:
    kinds = iter(
        [right, wrong, lambda r: "I give up.", lambda r: "<think>so", lambda r: f"Thus {right(r)}",
         wrong] * 2
    )  # fmt: skip

    def answer(reference: dict[str, Any]) -> str:
        return next(kinds)(reference)

    row = evaluate(answer, ["xlgo_slt_en"], preset="smoke", levels=6, per_level=2)["results"][
        "xlgo_slt_en"
    ]
    assert row["acc,none"] == pytest.approx(2 / 6)
    assert row["parsed,none"] == pytest.approx(4 / 6)
    assert row["strict,none"] == pytest.approx(3 / 6)
    assert row["truncated,none"] == pytest.approx(1 / 6)


def fading(reference: dict[str, Any]) -> str:
    """English fades out at the sixth of eight levels, the others at the third."""
    last = 5 if reference["language"] == "en" else 2
    good = reference["level"] < last or (reference["level"] == last and reference["index"] % 2)
    return right(reference) if good else wrong(reference)


@pytest.fixture(scope="module")
def faded(evaluate: Evaluate) -> dict[str, Any]:
    return evaluate(fading, ["xlgo_dsa"], preset="smoke", languages="en,te,bn", per_level=30)


def test_the_table_shows_the_gap_with_its_error(faded: dict[str, Any]) -> None:
    lines = [line.split("|") for line in make_table(faded).splitlines()]
    rows = {cells[5].strip(): [cell.strip() for cell in cells] for cells in lines if len(cells) > 9}
    row = faded["results"]["xlgo_dsa"]
    for language in ("te", "bn"):
        cells = rows[f"smd_{language}"]
        assert cells[7] == f"{row[f'smd_{language},none']:.4f}"
        assert cells[8] == "±"
        assert cells[9] == f"{row[f'smd_{language}_stderr,none']:.4f}"
        assert row[f"smd_{language},none"] > 1.96 * row[f"smd_{language}_stderr,none"] > 0
    assert not {"smd_ar", "smd_en", "smd_te_stderr"} & rows.keys()


def test_the_gap_is_that_of_the_fitted_curves(faded: dict[str, Any]) -> None:
    right_by_level: dict[str, Counter[int]] = defaultdict(Counter)
    for sample in faded["samples"]["xlgo_dsa"]:
        reference = json.loads(sample["doc"]["reference"])
        right_by_level[reference["language"]][reference["complexity"]] += int(sample["acc"])
    c = sorted(right_by_level["en"])
    curves = {
        language: fit_gamma(c, [counts[x] for x in c], 30)
        for language, counts in right_by_level.items()
    }
    grid = [c[0] + (c[-1] - c[0]) * i / 4000 for i in range(4001)]
    gaps = curves["en"].accuracy(grid) - curves["te"].accuracy(grid)
    largest = max(gaps, key=abs)
    assert faded["results"]["xlgo_dsa"]["smd_te,none"] == pytest.approx(largest, abs=1e-4)


def test_the_table_agrees_with_the_report(faded: dict[str, Any]) -> None:
    import xlgo_metric as xm

    samples = faded["samples"]["xlgo_dsa"]
    score = xm.score(
        [sample["resps"][0][0] for sample in samples],
        [sample["doc"]["reference"] for sample in samples],
    )
    cell = score["families"]["xlgobench"]["tasks"]["dsa"]["languages"]["te"]
    row = faded["results"]["xlgo_dsa"]
    assert row["diff_te,none"] == cell["difference"]["difference"]
    assert row["smd_te,none"] == cell["smd"]
    assert row["smd_te_stderr,none"] == cell["smd_sd"]


def test_the_order_of_the_questions_plays_no_part() -> None:
    values = [
        ("slt", language, c, c * (1.3 if language == "te" else 1) < 15 + i, f"{c}-{i}")
        for c in (10, 20, 30, 40, 50)
        for i in range(30)
        for language in ("en", "te", "ja")
    ]
    assert smd(values, "te") == smd(values[::-1], "te") != smd(values, "ja")
    assert smd(values, "ja")[0] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("languages", ["te,ja", "en"])
def test_without_english_or_others_there_is_no_gap(evaluate: Evaluate, languages: str) -> None:
    row = evaluate(right, ["xlgo_slt"], languages=languages, **SMALL)["results"]["xlgo_slt"]
    assert not [name for name in row if name.startswith(("smd", "diff"))]


def test_a_gap_that_cannot_be_told_is_said_so(evaluate: Evaluate) -> None:
    results = evaluate(
        right, ["xlgo_slt"], languages="en,te", preset="smoke", levels=1, per_level=2
    )
    row = results["results"]["xlgo_slt"]
    assert math.isnan(row["smd_te,none"])
    assert math.isnan(row["smd_te_stderr,none"])
    assert row["diff_te,none"] == 0.0
    (shown,) = [line for line in make_table(results).splitlines() if "smd_te" in line]
    assert shown.count("NaN") == 2


def test_every_metric_says_which_way_is_better() -> None:
    rows = family("xlgobench").measures("slt", ["en", "te"])
    assert {measure.name: measure.higher_is_better for measure in rows} == {
        "acc": True, "parsed": True, "strict": True, "truncated": False,
        "diff_te": False, "diff_te_stderr": False, "smd_te": False, "smd_te_stderr": False,
    }  # fmt: skip

import math
from dataclasses import replace
from statistics import fmean, stdev
from typing import Any

import pytest

from tests.lit.made import made, made_set
from xlgo_metric.core import Grade, Record
from xlgo_metric.families.lit.records import SPLITS, parts_of, raw_mqm
from xlgo_metric.families.lit.summary import summarize

DRAWS = 2_000


def score(records, **options):
    given = {"data_origin": "sample", "model": "made", "judge": "rule", "draws": DRAWS, **options}
    parts = {split: [r for r in records if r.split == split] for split in SPLITS}
    return summarize(parts, **given)


@pytest.fixture(scope="module")
def whole():
    return score(made_set())


def raw(record):
    return raw_mqm(record.judgement.errors)


def test_standard_errors_are_those_of_resampled_texts(whole):
    """Within a subcategory the error is s / sqrt(n); the macro one joins them."""
    texts: dict[Any, Any] = {}
    for record in made_set():
        texts.setdefault(record.subcategory, {}).setdefault(record.text_id, []).append(raw(record))
    exact = {
        name: stdev(map(fmean, found.values())) / math.sqrt(len(found))
        for name, found in texts.items()
    }
    cells = whole["splits"]["main"]["metrics"]["raw_mqm"]
    for name, se in exact.items():
        assert cells[f"subcategory:{name}"]["se"] == pytest.approx(se, rel=0.08)
    joint = math.hypot(*exact.values()) / len(exact)
    assert cells["macro_category"]["se"] == pytest.approx(joint, rel=0.08)


@pytest.mark.parametrize(
    ("records", "options", "message"),
    [
        (made_set({"stem": 1}), {"weights": "x"}, "cannot be read"),
        ([made("a", "stem", "e_asia", 1), made("a", "informal", "africa", 1)], {},
         "two subcategories"),
        ([made("a", "stem", "e_asia", 1), replace(made("b", "stem", "e_asia", 1), tier="low")], {},
         "two tiers"),
    ],
)  # fmt: skip
def test_mistakes_are_told(records, options, message):
    with pytest.raises(ValueError, match=message):
        score(records, **options)


def test_of_a_repeated_chain_the_first_counts() -> None:
    reference = {
        "task": "lit_africa", "text_id": "a", "subcategory": "stem", "category": "abstracts",
        "text_split": "main", "sequence": "africa", "tier": "low", "original": "Hi there.",
    }  # fmt: skip
    records = [
        Record(Grade(True, "correct", answer={"status": "ok", "hops": [hop]}), reference)
        for final in ("first", "second")
        for hop in [{"hop": 1, "src": "en", "tgt": "en", "output": final}]
    ]
    parts, left_out = parts_of(records)
    assert [chain.final for chain in parts["main"]] == ["first"]
    assert left_out == 1

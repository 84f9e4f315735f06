from __future__ import annotations

from dataclasses import replace

import pytest

from xlgo_metric.families.lit.records import (
    SEVERITIES,
    ChainRecord,
    Hop,
    Judgement,
    MqmError,
    mqm80,
    raw_mqm,
    weights_of,
)


def errors(minor=0, major=0, critical=0):
    counts = zip(SEVERITIES, (minor, major, critical))
    return [MqmError("other", severity) for severity, count in counts for _ in range(count)]


@pytest.mark.parametrize(
    ("counts", "raw"),
    [((0, 0, 0), 100), ((1, 0, 0), 99), ((0, 4, 0), 80), ((1, 4, 0), 79), ((0, 0, 1), 75),
     ((2, 3, 4), -17), ((0, 0, 6), -50)],
)  # fmt: skip
def test_scores(counts, raw):
    assert raw_mqm(errors(*counts)) == raw
    assert mqm80(raw) == (100 if raw >= 80 else 0)


def test_other_weights():
    found = errors(1, 2, 1)
    assert raw_mqm(found, weights_of("1/5/10")) == 79
    assert raw_mqm(found, weights_of("0.5/5/25")) == 64.5
    assert 100 - raw_mqm(found) == 36


@pytest.mark.parametrize(
    "name", ["", "1/5", "5/1/25", "1/5/25/100", "1/5/25/100w", "a/b/c", "0/0/0", "-1/5/25"]
)
def test_weights_that_cannot_be(name):
    with pytest.raises(ValueError, match="the weights"):
        weights_of(name)


def record(**changes):
    hop = Hop(1, "en", "ja", "本文", "ok", True, "Let me think.")
    error = MqmError("style/awkward", "minor", "The", "A", "article")
    one = ChainRecord(
        "t1", "stem", "abstracts", "main", "e_asia", "high", (hop,), "ok", "The text.", "A text.",
        Judgement("ok", (error,)), Judgement("ok", score=96.5),
    )  # fmt: skip
    return replace(one, **changes)

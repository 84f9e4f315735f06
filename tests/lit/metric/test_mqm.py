import pytest

from xlgo_metric.families.lit.records import (
    SEVERITIES,
    MqmError,
    mqm80,
    raw_mqm,
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

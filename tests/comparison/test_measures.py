"""What families measure beyond right and wrong passes through the one comparison."""

from __future__ import annotations

from statistics import fmean

import pytest

from tests.korbench.test_kor_grading_summary import record
from tests.lit.test_degraded import DEGRADED, HONEST, judged
from xlgo_metric.comparison import AnswerTable, compare
from xlgo_metric.comparison.table import answers_of
from xlgo_metric.families.lit import FAMILY


@pytest.mark.parametrize("measure", ["raw_mqm_gated", "mqm80_gated", "chrf_gated"])
def test_scores_of_chains_are_compared_over_texts(measure: str) -> None:
    sides = {"honest": judged(HONEST), "shuffled": judged(DEGRADED["shuffled"])}
    table = AnswerTable.of_answers(
        [
            answer
            for name, records in sides.items()
            for answer in answers_of(records, model=name, measures=[measure])
        ],
        [measure],
    )
    found = compare(table, "model", within=["family"], measure=measure)
    (cell,) = found.cells
    texts: dict[str, list[float]] = {}
    for one, two in zip(*sides.values(), strict=True):
        values = [FAMILY.measure(measure).of(side) for side in (one, two)]
        assert None not in values
        texts.setdefault(one.reference["text_id"], []).append(values[0] - values[1])
    sums = [sum(of) for of in texts.values()]
    assert cell.n == sum(map(len, texts.values()))
    assert cell.difference == pytest.approx(sum(sums) / cell.n)
    # Chains of one text are not independent: fewer than 20 texts allow no mark and no interval.
    assert cell.clusters == len(texts) < 20
    assert "clusters of questions" in cell.refused
    assert cell.ci_low is cell.p_value is None


def test_both_scores_of_kor_bench_are_columns() -> None:
    rows = [
        record("[[A]]" if i % 3 else "A", family="korbench", category="logic", idx=str(i))
        for i in range(9)
    ]
    table = AnswerTable.of_records(rows, measures=["score_default", "score_paper"])
    for name in ("score_default", "score_paper"):
        expected = fmean(float(row.grade.details.get(name, 0.0)) for row in rows)
        assert table.frame[name].mean() == pytest.approx(expected)


def test_a_measure_that_is_not_there_is_named_with_those_that_are() -> None:
    rows = [record("[[A]]", family="korbench", category="logic", idx="1")]
    with pytest.raises(ValueError, match="no answer has the measure 'mqm80': allowed are acc, par"):
        AnswerTable.of_records(rows, measures=["mqm80"])
    with pytest.raises(ValueError, match="measure 'score_paper': the table has no such column"):
        compare(AnswerTable.of_records(rows), "model", measure="score_paper")

"""From the record of one chain to its numbers, one per metric; ``None`` where one is missing.

All scores are on a scale from 0 to 100 (raw MQM goes below 0; the length ratio has no top).

The gated variant of a score is the one to rank models by. It is the score only where every hop was
a translation: not a copy of its input, and in the language that was asked for, which must be told
from the text. Otherwise it is 0: a model that passes English, or a code of its own, through every
hop makes a perfect round trip. A gated score is never below 0, and raw MQM, gated, is 0 where the
judge calls the whole text no translation: by points alone, a text without any meaning, which has
one critical error, would stand above a bad translation, which has many.

What counts as missing follows the option ``missing``:

* a chain in which a request failed is missing everywhere: nothing is known of it;
* a judgement that could not be read or was never made is missing, never a failure of the model;
* with ``fail``, a chain that the model broke off (empty, cut off, refused) has 0 in the shares
  (``mqm80``, ``exact``) and in all gated metrics, and is missing in the other means;
  with ``drop`` it is missing everywhere.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any

from ...core import Grade, Measure, Reference, grouped, mean
from ...table import Column
from ...views import Row
from .grading import surface_scores
from .records import (
    CATEGORIES,
    DEFAULT_WEIGHTS,
    HOP_STATUSES,
    SEVERITIES,
    ChainRecord,
    Hop,
    mqm80,
    raw_mqm,
    record_of,
    weights_of,
)

GATED_SUFFIX = "_gated"
HEADLINE = ("mqm80_gated", "raw_mqm_gated", "direct_gated")
"""The metrics that models are ranked by."""
UNGATED = ("mqm80", "raw_mqm", "direct")
"""The same as in the paper, without the gate."""
SHARES = ("mqm80", "exact")
"""Metrics that are shares of chains; a failed chain never counts as a success."""
_NOTHING_LEFT = ("non-translation", "accuracy/untranslated")

GATES = {
    "open": "a translation at every hop",
    "copied": "a hop copies its input",
    "another_language": "a hop in another language",
    "language_unknown": "language of a hop not detectable",
}
"""Whether every hop of a chain was a translation, or why not; the first reason that holds."""

Values = dict[tuple[str, str], dict[str, float | None]]
"""The numbers of chains by text and sequence."""


SCORES = (*UNGATED, "chrf", "bleu")
"""What has a gated variant; the first three need a judge."""
METRICS = (*(name for base in SCORES for name in (f"{base}_gated", base)), "length_ratio", "exact")
"""The names of all metrics, in the order of tables: each gated score, then without."""


def gate_of(record: ChainRecord) -> str:
    """Whether every hop of a chain that reached its end is a translation, without a model."""
    if any(hop.copied for hop in record.hops):
        return "copied"
    verdicts = [hop.language_ok for hop in record.hops]
    if False in verdicts:
        return "another_language"
    return "open" if all(verdicts) else "language_unknown"


def chain_values(
    record: ChainRecord, weights: str = DEFAULT_WEIGHTS, missing: str = "fail"
) -> dict[str, float | None]:
    """The numbers of a chain under all ``METRICS``, in their order.

    Args:
        record: the chain.
        weights: of ``raw_mqm`` and ``mqm80``, see ``records.weights_of``.
        missing: ``fail`` or ``drop``, see above.

    Raises:
        ValueError: sacrebleu is not installed.
    """
    if record.missing:
        return dict.fromkeys(METRICS)
    if not record.ok:
        worth = 0.0 if missing == "fail" else None
        return {
            name: worth if name.endswith(GATED_SUFFIX) or name in SHARES else None
            for name in METRICS
        }
    values: dict[str, float | None] = {**surface_scores(record.original, record.final)}
    values["direct"] = record.direct.score
    errors = record.judgement.errors
    if record.judgement.status == "ok":
        raw = raw_mqm(errors, weights_of(weights))
        values |= {"raw_mqm": raw, "mqm80": mqm80(raw)}
    is_open = gate_of(record) == "open"
    # By its points, a text that the judge calls no translation would stand above a bad one.
    is_lost = any(e.severity == "critical" and e.category in _NOTHING_LEFT for e in errors)
    for name in SCORES:
        value = values.get(name)
        if value is not None:
            is_worthless = is_lost and name in ("mqm80", "raw_mqm")
            gated = 0.0 if is_worthless or not is_open else max(0.0, value)
            values[f"{name}{GATED_SUFFIX}"] = gated
    return {name: values.get(name) for name in METRICS}


def values_of(
    records: Sequence[ChainRecord], weights: str = DEFAULT_WEIGHTS, missing: str = "fail"
) -> Values:
    """The numbers of chains, by text and sequence; see ``chain_values``.

    Where nobody judged any of them, no metric that needs a judge has a value, not even the 0 of a
    chain that broke off.
    """
    result = {(one.text_id, one.sequence): chain_values(one, weights, missing) for one in records}
    is_judged = any(record.judgement.status == "ok" for record in records)
    is_rated = any(record.direct.status == "ok" for record in records)
    unknown = [name for name in UNGATED if not (is_rated if name == "direct" else is_judged)]
    blank = dict.fromkeys([*unknown, *(f"{name}{GATED_SUFFIX}" for name in unknown)])
    return {key: values | blank for key, values in result.items()}


_Numbers = Callable[[ChainRecord], dict[str, float | None]]


@lru_cache(maxsize=16)
def _numbers(record: ChainRecord) -> dict[str, float | None]:
    """What is measured of a chain: see ``MEASURES``."""
    finished = [hop for hop in record.hops if hop.status == "ok"]
    verdicts = [hop.language_ok for hop in finished if hop.language_ok is not None]
    return {
        "finished": float(record.ok),
        "truncated": float(any(hop.status == "length" for hop in record.hops)),
        "in_language": mean(verdicts),
        "copied": mean([hop.copied for hop in finished]),
    }


_scores = lru_cache(maxsize=16)(chain_values)
"""Its scores, which need sacrebleu."""


def _measure(name: str, numbers: _Numbers = _numbers, **options: Any) -> Measure:
    """A measure of chains; one that is missing has none."""

    def of(grade: Grade, reference: Reference) -> float | None:
        record = record_of(grade, reference)
        return None if record.missing else numbers(record)[name]

    return Measure(name, of, **options)


def _score(name: str, *, in_harness: bool = True) -> Measure:
    """A score of a chain on the scale from 0 to 100."""
    return _measure(name, _scores, in_harness=in_harness, column=Column(name, "number", 1))


MEASURES = (
    _measure("finished"),
    _measure("truncated", higher_is_better=False),
    *map(_score, ("chrf_gated", "chrf", "bleu")),
    _measure("in_language"),
    _measure("copied", higher_is_better=False),
    *map(partial(_score, in_harness=False), (*HEADLINE, *UNGATED)),
)
"""chrF++, BLEU and what judges give on the scale from 0 to 100, the others as shares: of chains
``finished`` and ``truncated``, of hops ``in_language`` (of those whose language can be told) and
``copied``."""


# Counts over chains

OMISSION = "accuracy/omission"
HALLUCINATION = "accuracy/addition"
"""Of additions, those that are major or critical count as hallucinations."""


def hop_table(records: Sequence[ChainRecord]) -> list[Row]:
    """For each sequence and hop, how often it did what it should.

    Returns:
        In the order of the records' sequences: ``sequence``, ``hop``, ``src``, ``tgt``, ``n``,
        ``statuses`` (counts), ``in_language`` (share of the hops whose language can be told),
        ``language_unknown`` (count), ``copied`` (share of the hops that are there), and
        ``length_ratio`` (mean characters out per character in). Shares are fractions; ``None``
        where there is nothing to count.
    """
    placed = [
        (record.sequence, hop, source)
        for record in records
        for hop, source in zip(record.hops, (record.original, *(hop.output for hop in record.hops)))
    ]
    cells = grouped(placed, lambda entry: (entry[0], entry[1].hop, entry[1].src, entry[1].tgt))
    return [
        {**dict(zip(("sequence", "hop", "src", "tgt"), key)), **_counts(cell)}
        for key, cell in sorted(cells.items())
    ]


def _counts(cell: Sequence[tuple[str, Hop, str]]) -> Row:
    finished = [(hop, source) for _, hop, source in cell if hop.status == "ok"]
    language_verdicts = [hop.language_ok for hop, _ in finished if hop.language_ok is not None]
    ratios = [len(hop.output) / len(source) for hop, source in finished if source]
    return {
        "n": len(cell),
        "statuses": {name: sum(hop.status == name for _, hop, _ in cell) for name in HOP_STATUSES},
        "in_language": mean(language_verdicts),
        "language_unknown": len(finished) - len(language_verdicts),
        "copied": mean([hop.copied for hop, _ in finished]),
        "length_ratio": mean(ratios),
    }


def error_kinds(records: Sequence[ChainRecord], weights: str = DEFAULT_WEIGHTS) -> Row:
    """Errors of the judged chains.

    Returns:
        ``chains`` (judged ones), ``errors`` (their number), ``counts[category][severity]`` of what
        occurs, ``points[category]`` and ``points[severity]`` as shares of the whole penalty, and
        the shares of chains with an ``omission``, a ``hallucination`` and ``no_error``; shares are
        fractions, ``None`` without chains or without penalty.
    """
    records = [record for record in records if record.ok and record.judgement.status == "ok"]
    errors_by_chain = [record.judgement.errors for record in records]
    errors = [error for chain_errors in errors_by_chain for error in chain_errors]
    cells = Counter((error.category, error.severity) for error in errors)
    points_of = weights_of(weights)
    weighed = {key: points_of[key[1]] * count for key, count in cells.items()}
    total = sum(weighed.values())
    points = {
        name: sum(group) / total if total else None
        for index, names in enumerate((CATEGORIES, SEVERITIES))
        for name in names
        if (group := [weight for key, weight in weighed.items() if key[index] == name])
    }
    return {
        "chains": len(records),
        "errors": len(errors),
        "counts": {
            category: {s: cells[category, s] for s in SEVERITIES}
            for category in CATEGORIES
            if any(cells[category, s] for s in SEVERITIES)
        },
        "points": points,
        "omission": mean(
            [any(e.category == OMISSION for e in chain_errors) for chain_errors in errors_by_chain]
        ),
        "hallucination": mean(
            [
                any(e.category == HALLUCINATION and e.severity != "minor" for e in chain_errors)
                for chain_errors in errors_by_chain
            ]
        ),
        "no_error": mean([not chain_errors for chain_errors in errors_by_chain]),
    }

"""From what is known of a chain to its numbers, one per metric; ``None`` where one is missing.

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
from functools import partial
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
    chain_of,
    mqm80,
    raw_mqm,
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

SCORES = (*UNGATED, "chrf", "bleu")
"""What has a gated variant; the first three need a judge."""
METRICS = (*(name for base in SCORES for name in (f"{base}_gated", base)), "length_ratio", "exact")
"""The names of all metrics, in the order of tables: each gated score, then without."""


def chain_values(
    chain: Row, weights: str = DEFAULT_WEIGHTS, missing: str = "fail"
) -> dict[str, float | None]:
    """The numbers of a chain under all ``METRICS``, in their order.

    Args:
        chain: what ``chain_of`` gives.
        weights: of ``raw_mqm`` and ``mqm80``, see ``records.weights_of``.
        missing: ``fail`` or ``drop``, see above.

    Raises:
        ValueError: sacrebleu is not installed.
    """
    if chain["missing"]:
        return dict.fromkeys(METRICS)
    if chain["status"] != "ok":
        worth = 0.0 if missing == "fail" else None
        return {
            name: worth if name.endswith(GATED_SUFFIX) or name in SHARES else None
            for name in METRICS
        }
    values = {**surface_scores(chain["original"], chain["final"]), "direct": chain["score"]}
    if chain["judgement"] == "ok":
        raw = raw_mqm(chain["errors"], weights_of(weights))
        values |= {"raw_mqm": raw, "mqm80": mqm80(raw)}
    # By its points, a text that the judge calls no translation would stand above a bad one.
    is_lost = any(
        x["severity"] == "critical" and x["category"] in _NOTHING_LEFT for x in chain["errors"]
    )
    for name in SCORES:
        if (value := values.get(name)) is not None:
            is_worthless = is_lost and name in ("mqm80", "raw_mqm")
            is_shut = is_worthless or chain["gate"] != "open"
            values[f"{name}{GATED_SUFFIX}"] = 0.0 if is_shut else max(0.0, value)
    return {name: values.get(name) for name in METRICS}


def values_of(
    chains: Sequence[Row], weights: str = DEFAULT_WEIGHTS, missing: str = "fail"
) -> list[Row]:
    """Chains with their numbers; see ``chain_values``.

    Where nobody judged any of them, no metric that needs a judge has a value, not even the 0 of a
    chain that broke off.
    """
    unknown = {
        f"{name}{suffix}": None
        for name in UNGATED
        for suffix in ("", GATED_SUFFIX)
        if all(x["direct" if name == "direct" else "judgement"] != "ok" for x in chains)
    }
    return [{**x, **chain_values(x, weights, missing), **unknown} for x in chains]


def _numbers(chain: Row) -> dict[str, float | None]:
    """What is measured of a chain: see ``MEASURES``."""
    counts = _counts(chain["hops"])
    return {
        "finished": float(chain["status"] == "ok"),
        "truncated": float(counts["statuses"]["length"] > 0),
        "in_language": counts["in_language"],
        "copied": counts["copied"],
    }


def _measure(
    name: str, numbers: Callable[[Row], dict[str, float | None]] = _numbers, **options: Any
) -> Measure:
    """A measure of chains; one that is missing has none."""

    def of(grade: Grade, reference: Reference) -> float | None:
        chain = chain_of(grade, reference)
        return None if chain["missing"] else numbers(chain)[name]

    return Measure(name, of, **options)


def _score(name: str, *, in_harness: bool = True) -> Measure:
    """A score of a chain on the scale from 0 to 100, which needs sacrebleu."""
    column = Column(name, "number", 1)
    return _measure(name, chain_values, in_harness=in_harness, column=column)


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


def hop_table(chains: Sequence[Row]) -> list[Row]:
    """For each sequence and hop, how often it did what it should.

    Returns:
        In the order of the sequences: ``sequence``, ``hop``, ``src``, ``tgt``, ``n``, ``statuses``
        (counts), ``in_language`` (share of the hops whose language can be told),
        ``language_unknown`` (count), ``copied`` (share of the hops that are there), and
        ``length_ratio`` (mean characters out per character in). Shares are fractions; ``None``
        where there is nothing to count.
    """
    hops = [
        {**hop, "sequence": chain["sequence"], "source": source}
        for chain in chains
        for hop, source in zip(
            chain["hops"], (chain["original"], *(hop["output"] for hop in chain["hops"]))
        )
    ]
    keys = ("sequence", "hop", "src", "tgt")
    cells = grouped(hops, lambda hop: tuple(hop[key] for key in keys))
    return [{**dict(zip(keys, key)), **_counts(cell)} for key, cell in sorted(cells.items())]


def _counts(hops: Sequence[Row]) -> Row:
    finished = [hop for hop in hops if hop["status"] == "ok"]
    verdicts = [hop["language_ok"] for hop in finished if hop["language_ok"] is not None]
    return {
        "n": len(hops),
        "statuses": {name: sum(hop["status"] == name for hop in hops) for name in HOP_STATUSES},
        "in_language": mean(verdicts),
        "language_unknown": len(finished) - len(verdicts),
        "copied": mean([hop["copied"] for hop in finished]),
        "length_ratio": mean(
            [len(hop["output"]) / len(hop["source"]) for hop in finished if hop.get("source")]
        ),
    }


def error_kinds(chains: Sequence[Row], weights: str = DEFAULT_WEIGHTS) -> Row:
    """Errors of the judged chains.

    Returns:
        ``chains`` (judged ones), ``errors`` (their number), ``counts[category][severity]`` of what
        occurs, ``points[category]`` and ``points[severity]`` as shares of the whole penalty, and
        the shares of chains with an ``omission``, a ``hallucination`` and ``no_error``; shares are
        fractions, ``None`` without chains or without penalty.
    """
    judged = [x["errors"] for x in chains if (x["status"], x["judgement"]) == ("ok", "ok")]
    kinds = [[(error["category"], error["severity"]) for error in errors] for errors in judged]
    counts, points_of = Counter(kind for errors in kinds for kind in errors), weights_of(weights)
    weighed = {key: points_of[key[1]] * count for key, count in counts.items()}
    total = sum(weighed.values())
    points = {
        name: sum(group) / total if total else None
        for index, names in enumerate((CATEGORIES, SEVERITIES))
        for name in names
        if (group := [weight for key, weight in weighed.items() if key[index] == name])
    }
    shares = {
        "omission": lambda kind: kind[0] == OMISSION,
        "hallucination": lambda kind: kind[0] == HALLUCINATION and kind[1] != "minor",
    }
    return {
        "chains": len(kinds),
        "errors": counts.total(),
        "counts": {
            category: {s: counts[category, s] for s in SEVERITIES}
            for category in CATEGORIES
            if any(counts[category, s] for s in SEVERITIES)
        },
        "points": points,
        **{name: mean([any(map(of, errors)) for errors in kinds]) for name, of in shares.items()},
        "no_error": mean([not errors for errors in kinds]),
    }

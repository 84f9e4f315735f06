"""Which errors judges marked: category by severity, and what share of the penalty each has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ...core import grouped, mean
from .mqm import CATEGORIES, DEFAULT_SCHEME, SEVERITIES, Scheme
from .records import ChainRecord
from .shapes import ErrorKinds, Errors

OMISSION = "accuracy/omission"
HALLUCINATION = "accuracy/addition"
"""Of additions, those that are major or critical count as hallucinations."""


def error_kinds(records: Sequence[ChainRecord], weights: Scheme = DEFAULT_SCHEME) -> ErrorKinds:
    """Errors of the judged chains, altogether and by tier and subcategory.

    Returns:
        ``all``, and ``tiers`` and ``subcategories`` by name, each with ``chains`` (judged ones),
        ``errors`` (their number), ``counts[category][severity]`` of what occurs,
        ``points[category]`` and ``points[severity]`` as shares of the whole penalty, and the
        shares of chains with an ``omission``, a ``hallucination`` and ``no_error``; shares are
        fractions, ``None`` without chains or without penalty.
    """
    judged = [record for record in records if record.ok and record.judgement.status == "ok"]
    tiers = grouped((one for one in judged if one.tier), lambda one: one.tier)
    subcategories = grouped(judged, lambda one: one.subcategory)
    return {
        "all": _kinds(judged, weights),
        "tiers": {name: _kinds(found, weights) for name, found in sorted(tiers.items())},
        "subcategories": {
            name: _kinds(found, weights) for name, found in sorted(subcategories.items())
        },
    }


def _kinds(records: Sequence[ChainRecord], weights: Scheme) -> Errors:
    marked = [record.judgement.errors for record in records]
    errors = [error for each in marked for error in each]
    cells = Counter((error.category, error.severity) for error in errors)
    total = sum(weights.points(severity) * count for (_, severity), count in cells.items())
    points: dict[str, float | None] = {}
    for place, names in ((0, CATEGORIES), (1, SEVERITIES)):
        for name in names:
            own = [
                weights.points(key[1]) * count for key, count in cells.items() if key[place] == name
            ]
            if own:
                points[name] = sum(own) / total if total else None
    return {
        "chains": len(records),
        "errors": len(errors),
        "counts": {
            category: {s: cells[category, s] for s in SEVERITIES}
            for category in CATEGORIES
            if any(cells[category, s] for s in SEVERITIES)
        },
        "points": points,
        "omission": mean([any(e.category == OMISSION for e in each) for each in marked]),
        "hallucination": mean(
            [
                any(e.category == HALLUCINATION and e.severity != "minor" for e in each)
                for each in marked
            ]
        ),
        "no_error": mean([not each for each in marked]),
    }

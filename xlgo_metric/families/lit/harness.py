"""What lm-evaluation-harness shows in its own results table for LiT: no judge, surface scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core import Grade
from ...family import HarnessMetric

METRICS: dict[str, HarnessMetric] = {
    "finished": HarnessMetric(True),
    "truncated": HarnessMetric(False),
    "chrf_gated": HarnessMetric(True),
    "chrf": HarnessMetric(True),
    "bleu": HarnessMetric(True),
    "in_language": HarnessMetric(True),
    "copied": HarnessMetric(False),
}
"""chrF++ and BLEU on the scale from 0 to 100, the others as shares: of chains ``finished`` and
``truncated``, of hops ``in_language`` (of those whose language can be told) and ``copied``."""


def harness_values(grade: Grade, reference: Mapping[str, Any]) -> dict[str, Any]:
    """The metrics of one question; what has no value is left out, as is all of a missing chain."""
    from .section import record_of
    from .values import Options, chain_values

    record = record_of(grade, reference)
    if record.missing:
        return {}
    there = [hop for hop in record.hops if hop.status == "ok"]
    told = [hop.language_ok for hop in there if hop.language_ok is not None]
    values: dict[str, float | None] = {
        "finished": float(record.ok),
        "truncated": float(grade.status == "truncated"),
        "in_language": sum(told) / len(told) if told else None,
        "copied": len(grade.details.get("copied", ())) / len(there) if there else None,
    }
    scores = chain_values(record, Options(others=()))
    values |= {name: scores[name] for name in ("chrf", "chrf_gated", "bleu")}
    return {name: value for name, value in values.items() if value is not None}

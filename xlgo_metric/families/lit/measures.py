"""Measures of a chain: surface scores without a judge, and judge scores."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from ...core import Grade, Measure, Reference, mean
from ...table import Column
from .records import ChainRecord, record_of
from .values import Options, chain_values


def _measure(name: str, value: Callable[[ChainRecord], float | None], **options: Any) -> Measure:
    """A measure of chains; one that is missing has none."""

    def of(grade: Grade, reference: Reference) -> float | None:
        record = record_of(grade, reference)
        return None if record.missing else value(record)

    return Measure(name, of, **options)


def _in_language(record: ChainRecord) -> float | None:
    told = [hop.language_ok for hop in record.hops if hop.status == "ok"]
    return mean([verdict for verdict in told if verdict is not None])


def _copied(record: ChainRecord) -> float | None:
    return mean([hop.copied for hop in record.hops if hop.status == "ok"])


@lru_cache(maxsize=16)
def _scores(record: ChainRecord) -> dict[str, float | None]:
    return chain_values(record, Options(others=()))


def _score(name: str, *, in_harness: bool = True) -> Measure:
    """A score of a chain on the scale from 0 to 100."""
    column = Column(name, "number", 1)
    return _measure(
        name, lambda record: _scores(record)[name], in_harness=in_harness, column=column
    )


_JUDGED = ("mqm80_gated", "raw_mqm_gated", "direct_gated", "mqm80", "raw_mqm", "direct")
MEASURES = (
    _measure("finished", lambda record: float(record.ok)),
    _measure(
        "truncated",
        lambda record: float(any(hop.status == "length" for hop in record.hops)),
        higher_is_better=False,
    ),
    *map(_score, ("chrf_gated", "chrf", "bleu")),
    _measure("in_language", _in_language),
    _measure("copied", _copied, higher_is_better=False),
    *map(partial(_score, in_harness=False), _JUDGED),
)
"""chrF++, BLEU and what judges give on the scale from 0 to 100, the others as shares: of chains
``finished`` and ``truncated``, of hops ``in_language`` (of those whose language can be told) and
``copied``."""

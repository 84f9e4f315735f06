"""Measures of a chain: surface scores without a judge, and judge scores."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ...core import Grade, Measure, Reference, mean
from ...table import Column

if TYPE_CHECKING:
    from .records import ChainRecord

_JUDGED = ("mqm80_gated", "raw_mqm_gated", "direct_gated", "mqm80", "raw_mqm", "direct")


def _record(grade: Grade, reference: Reference) -> ChainRecord | None:
    """The record of a chain; ``None`` where it is missing, and has no measures."""
    from .records import record_of

    found = record_of(grade, reference)
    return None if found.missing else found


def _finished(grade: Grade, reference: Reference) -> float | None:
    record = _record(grade, reference)
    return None if record is None else float(record.ok)


def _truncated(grade: Grade, reference: Reference) -> float | None:
    return None if _record(grade, reference) is None else float(grade.status == "truncated")


def _in_language(grade: Grade, reference: Reference) -> float | None:
    record = _record(grade, reference)
    hops = () if record is None else record.hops
    told = [hop.language_ok for hop in hops if hop.status == "ok" and hop.language_ok is not None]
    return mean(told)


def _copied(grade: Grade, reference: Reference) -> float | None:
    record = _record(grade, reference)
    there = sum(hop.status == "ok" for hop in record.hops) if record is not None else 0
    return len(grade.details.get("copied", ())) / there if there else None


@lru_cache(maxsize=16)
def _scores(record: ChainRecord) -> dict[str, float | None]:
    from .values import Options, chain_values

    return chain_values(record, Options(others=()))


def _score(name: str, *, in_harness: bool = True) -> Measure:
    """A score of a chain on the scale from 0 to 100."""

    def value(grade: Grade, reference: Reference) -> float | None:
        record = _record(grade, reference)
        return None if record is None else _scores(record)[name]

    return Measure(name, value, in_harness=in_harness, column=Column(name, "number", 1))


MEASURES = (
    Measure("finished", _finished),
    Measure("truncated", _truncated, higher_is_better=False),
    *map(_score, ("chrf_gated", "chrf", "bleu")),
    Measure("in_language", _in_language),
    Measure("copied", _copied, higher_is_better=False),
    *(_score(name, in_harness=False) for name in _JUDGED),
)
"""chrF++, BLEU and what judges give on the scale from 0 to 100, the others as shares: of chains
``finished`` and ``truncated``, of hops ``in_language`` (of those whose language can be told) and
``copied``."""

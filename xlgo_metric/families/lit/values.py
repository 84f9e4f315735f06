"""From the record of one chain to its numbers, one per metric; ``None`` where one is missing.

All scores are on a scale from 0 to 100 (raw MQM goes below 0; the length ratio has no
top). Raw MQM does not fall steadily at the bottom, since of a text that is lost altogether a judge
marks few errors, of a bad one many: ``raw_mqm_clip0`` has a floor at 0.

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
  (``mqm80`` and its kin, ``exact``) and in all gated metrics, and is missing in the other means;
  with ``drop`` it is missing everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .mqm import (
    DEFAULT_SCHEME,
    OTHER_SCHEMES,
    MqmError,
    Scheme,
    count_words,
    mqm80,
    raw_mqm,
)
from .records import ChainRecord
from .surface import surface_scores

GATED_SUFFIX = "_gated"
HEADLINE = ("mqm80_gated", "raw_mqm_gated", "direct_gated")
"""The metrics that models are ranked by."""
UNGATED = ("mqm80", "raw_mqm", "direct")
"""The same as in the paper, without the gate."""
SHARES = ("mqm80", "exact")
"""Metrics that are shares of chains; a failed chain never counts as a success."""
_GATED_SURFACE = ("chrf", "bleu")
_NOTHING_LEFT = ("non-translation", "accuracy/untranslated")

Gate = Literal["open", "copied", "another_language", "language_unknown"]
"""Whether every hop of a chain was a translation, or why not; the first reason that holds."""
GATES: tuple[Gate, ...] = ("open", "copied", "another_language", "language_unknown")

Values = dict[tuple[str, str], dict[str, float | None]]
"""The numbers of chains by text and sequence."""


@dataclass(frozen=True)
class Options:
    """How chains become numbers.

    Attributes:
        weights: the weighting of ``raw_mqm`` and ``mqm80``.
        others: further weightings; each gets ``raw_mqm[<name>]`` and ``mqm80[<name>]``.
        missing: ``fail`` or ``drop``, see above.
    """

    weights: Scheme = DEFAULT_SCHEME
    others: tuple[Scheme, ...] = OTHER_SCHEMES
    missing: str = "fail"

    def judged(self) -> tuple[str, ...]:
        """The metrics that need a judge, without the gate."""
        further = [
            f"{base}[{other.name}]" for other in self.others if other != self.weights
            for base in ("mqm80", "raw_mqm")
        ]  # fmt: skip
        return (*UNGATED, *further)

    def metrics(self) -> tuple[str, ...]:
        """The names of all metrics, in the order of tables: each gated score, then without."""
        pairs = [
            name
            for base in (*self.judged(), *_GATED_SURFACE)
            for name in (f"{base}{GATED_SUFFIX}", base)
        ]
        first = 2 * len(UNGATED)
        return (*pairs[:first], "raw_mqm_clip0", *pairs[first:], "length_ratio", "exact")


def scale_of(metric: str) -> tuple[float, float]:
    """The ends of the scale of a metric; infinite where it has none."""
    base = metric.removesuffix(GATED_SUFFIX).partition("[")[0]
    if base == "length_ratio":
        return 0.0, math.inf
    is_open = base == "raw_mqm" and not metric.endswith(GATED_SUFFIX)
    return (-math.inf if is_open else 0.0), 100.0


def gate_of(record: ChainRecord) -> Gate:
    """Whether every hop of a chain that reached its end is a translation, without a model."""
    if any(hop.copied for hop in record.hops):
        return "copied"
    told = [hop.language_ok for hop in record.hops]
    if False in told:
        return "another_language"
    return "open" if all(told) else "language_unknown"


def chain_values(record: ChainRecord, options: Options) -> dict[str, float | None]:
    """The numbers of a chain under all metrics of ``options``, in their order.

    Raises:
        ValueError: sacrebleu is not installed.
    """
    if record.missing:
        return dict.fromkeys(options.metrics())
    if not record.ok:
        return {name: _of_failure(name, options) for name in options.metrics()}
    values: dict[str, float | None] = {**_judged_values(record, options)}
    values |= surface_scores(record.original, record.final)
    is_open = gate_of(record) == "open"
    for name in (*options.judged(), *_GATED_SURFACE):
        value = values[name]
        if value is not None and (not is_open or _is_worthless(name, record.judgement.errors)):
            value = 0.0
        values[f"{name}{GATED_SUFFIX}"] = None if value is None else max(0.0, value)
    return {name: values.get(name) for name in options.metrics()}


def _judged_values(record: ChainRecord, options: Options) -> dict[str, float | None]:
    values: dict[str, float | None] = dict.fromkeys((*options.judged(), "raw_mqm_clip0"))
    values["direct"] = record.direct.score
    if record.judgement.status != "ok":
        return values
    words = max(1, count_words(record.original))
    raw = raw_mqm(record.judgement.errors, options.weights, words=words)
    values |= {"raw_mqm": raw, "raw_mqm_clip0": max(0.0, raw), "mqm80": mqm80(raw)}
    for other in options.others:
        if other != options.weights:
            score = raw_mqm(record.judgement.errors, other, words=words)
            values[f"mqm80[{other.name}]"] = mqm80(score)
            values[f"raw_mqm[{other.name}]"] = score
    return values


def _is_worthless(metric: str, errors: Sequence[MqmError]) -> bool:
    """Whether a judge calls the whole text no translation, for metrics out of its errors."""
    if not metric.startswith(("mqm80", "raw_mqm")):
        return False
    return any(e.severity == "critical" and e.category in _NOTHING_LEFT for e in errors)


def _of_failure(name: str, options: Options) -> float | None:
    counts = name.partition("[")[0] in SHARES or name.endswith(GATED_SUFFIX)
    return 0.0 if counts and options.missing == "fail" else None


def values_of(records: Sequence[ChainRecord], options: Options) -> Values:
    """The numbers of chains, by text and sequence.

    Where nobody judged any of them, no metric that needs a judge has a value, not even the 0 of a
    chain that broke off.
    """
    found = {(one.text_id, one.sequence): chain_values(one, options) for one in records}
    unknown: list[str] = []
    if not any(record.judgement.status == "ok" for record in records):
        unknown += [name for name in options.judged() if name != "direct"]
    if not any(record.direct.status == "ok" for record in records):
        unknown.append("direct")
    blank = dict.fromkeys([*unknown, *(f"{name}{GATED_SUFFIX}" for name in unknown)])
    return {key: values | blank for key, values in found.items()}

"""From the record of one chain to its numbers, one per metric; ``None`` where one is missing.

All scores are on a scale from 0 to 100 (raw MQM goes below 0; TER and the length ratio have no
top). What counts as missing follows the option ``missing``:

* a judgement that could not be read or was never made is missing, never a failure of the model;
* with ``fail``, a chain that broke off has 0 in the shares (``mqm80`` and its kin, ``exact``) and
  in all gated metrics, and is missing in the other means; with ``drop`` it is missing everywhere.

A gated metric is 0 (or below, where the score is) if a hop on the way was copied or written in
another language than asked for: a model that passes English through every hop makes a perfect
round trip.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .mqm import DEFAULT_SCHEME, OTHER_SCHEMES, Scheme, clipped, count_words, mqm80, raw_mqm
from .records import ChainRecord, Hop
from .surface import copied, surface_scores

MISSING = ("fail", "drop")
GATED = ("mqm80", "raw_mqm", "direct", "chrf", "bleu")
SHARES = ("mqm80", "exact")
"""Metrics that are shares of chains: a chain that failed is no success, whatever a judge says."""
JUDGED = ("mqm80", "raw_mqm", "raw_mqm_clip0", "direct")
SURFACE = (
    "chrf", "bleu", "ter", "number_recall", "name_recall", "length_ratio", "exact",
)  # fmt: skip


@dataclass(frozen=True)
class Options:
    """How chains become numbers.

    Attributes:
        weights: the weighting of ``raw_mqm`` and ``mqm80``.
        others: further weightings; each gets ``raw_mqm[<name>]`` and ``mqm80[<name>]``.
        missing: ``fail`` or ``drop``, see above.
        ter: TER too, which is slow.
    """

    weights: Scheme = DEFAULT_SCHEME
    others: tuple[Scheme, ...] = OTHER_SCHEMES
    missing: str = "fail"
    ter: bool = False

    def __post_init__(self) -> None:
        if self.missing not in MISSING:
            raise ValueError(f"missing must be one of {', '.join(MISSING)}, not {self.missing!r}")

    def metrics(self) -> tuple[str, ...]:
        """The names of all metrics, in the order of tables."""
        further = [
            f"{base}[{other.name}]" for other in self.others if other != self.weights
            for base in ("mqm80", "raw_mqm")
        ]  # fmt: skip
        surface = [name for name in SURFACE if name != "ter" or self.ter]
        return (*JUDGED, *further, *surface, *(f"{name}_gated" for name in GATED))


def copied_hops(record: ChainRecord) -> list[bool]:
    """For each hop that is there, whether its output copies its input (languages that differ)."""
    found = []
    source = record.original
    for hop in record.hops:
        found.append(hop.src != hop.tgt and copied(source, hop.output))
        source = hop.output
    return found


def gate_open(record: ChainRecord, copies: Sequence[bool]) -> bool:
    """Whether all hops but the last are in their language and none of them is a copy.

    A hop whose language cannot be told does not shut the gate.

    Args:
        copies: what :func:`copied_hops` says.
    """
    on_the_way = list(zip(record.hops, copies))[:-1]
    return record.ok and not any(_off(hop, copy) for hop, copy in on_the_way)


def _off(hop: Hop, copy: bool) -> bool:
    return copy or hop.language_ok is False


def chain_values(
    record: ChainRecord, options: Options, copies: Sequence[bool] | None = None
) -> dict[str, float | None]:
    """The numbers of a chain under all metrics of ``options``, in their order.

    Raises:
        ValueError: sacrebleu is not installed.
    """
    if not record.ok:
        return {name: _of_failure(name, options) for name in options.metrics()}
    values: dict[str, float | None] = dict.fromkeys(JUDGED)
    values["direct"] = record.direct.score
    judged = record.judgement.status == "ok"
    words = max(1, count_words(record.original))
    if judged:
        raw = raw_mqm(record.judgement.errors, options.weights, words=words)
        values |= {"raw_mqm": raw, "raw_mqm_clip0": clipped(raw), "mqm80": mqm80(raw)}
    for other in options.others:
        if other != options.weights:
            score = raw_mqm(record.judgement.errors, other, words=words) if judged else None
            values[f"mqm80[{other.name}]"] = None if score is None else mqm80(score)
            values[f"raw_mqm[{other.name}]"] = score
    values |= surface_scores(record.original, record.final, ter=options.ter)
    is_open = gate_open(record, copied_hops(record) if copies is None else copies)
    for name in GATED:
        value = values[name]
        values[f"{name}_gated"] = value if is_open or value is None else min(0.0, value)
    return {name: values[name] for name in options.metrics()}


def _of_failure(name: str, options: Options) -> float | None:
    counts = name.partition("[")[0] in SHARES or name.endswith("_gated")
    return 0.0 if counts and options.missing == "fail" else None

"""What happened on the way: languages, copies and lengths of hops, and where meaning was lost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from statistics import fmean

from ...core import mean
from .records import HOP_SCALES, HOP_STATUSES, ChainRecord, Hop
from .shapes import HopCounts, HopLoss, HopRow

_Cell = list[tuple[Hop, str]]
"""A hop of several chains, each with its input."""


def hop_table(records: Sequence[ChainRecord]) -> list[HopRow]:
    """For each sequence and hop, how often it did what it should.

    Returns:
        In the order of the records' sequences: ``sequence``, ``hop``, ``src``, ``tgt``, ``n``,
        ``statuses`` (counts), ``in_language`` (share of the hops whose language can be told),
        ``language_unknown`` (count), ``copied`` (share of the hops that are there), and
        ``length_ratio`` (mean characters out per character in). Shares are fractions; ``None``
        where there is nothing to count.
    """
    cells: dict[tuple[str, int, str, str], _Cell] = defaultdict(list)
    for record in records:
        source = record.original
        for hop in record.hops:
            cells[record.sequence, hop.hop, hop.src, hop.tgt].append((hop, source))
            source = hop.output
    return [
        {"sequence": sequence, "hop": number, "src": src, "tgt": tgt, **_counts(cell)}
        for (sequence, number, src, tgt), cell in sorted(cells.items())
    ]


def _counts(cell: _Cell) -> HopCounts:
    there = [(hop, source) for hop, source in cell if hop.status == "ok"]
    told = [hop.language_ok for hop, _ in there if hop.language_ok is not None]
    ratios = [len(hop.output) / len(source) for hop, source in there if source]
    return {
        "n": len(cell),
        "statuses": {name: sum(hop.status == name for hop, _ in cell) for name in HOP_STATUSES},
        "in_language": mean(told),
        "language_unknown": len(there) - len(told),
        "copied": mean([hop.copied for hop, _ in there]),
        "length_ratio": mean(ratios),
    }


def hop_losses(records: Sequence[ChainRecord]) -> list[HopLoss]:
    """What each hop costs, from scores of a back-translation after every hop.

    Before the first hop nothing is lost: 100 on each scale. The loss of a hop is the score before
    it minus the score after it, over the chains that have both; it holds the noise of two
    back-translations, and can be negative.

    Returns:
        One entry per sequence, scale and hop: ``sequence``, ``scale``, ``hop``, ``tgt``, ``n``,
        ``score`` (mean after the hop) and ``loss`` (mean, paired); empty without hop scores.
    """
    after: dict[tuple[str, str, int, str], list[tuple[float, float]]] = defaultdict(list)
    for record in records:
        targets = {hop.hop: hop.tgt for hop in record.hops}
        for scale in HOP_SCALES:
            scores = {s.hop: s.score for s in record.hop_scores if s.scale == scale}
            for number, score in scores.items():
                before = 100.0 if number == 1 else scores.get(number - 1)
                if score is not None and before is not None:
                    key = record.sequence, scale, number, targets.get(number, "")
                    after[key].append((before, score))
    return [
        {
            "sequence": sequence,
            "scale": scale,
            "hop": number,
            "tgt": target,
            "n": len(pairs),
            "score": fmean(now for _, now in pairs),
            "loss": fmean(before - now for before, now in pairs),
        }
        for (sequence, scale, number, target), pairs in sorted(after.items())
    ]

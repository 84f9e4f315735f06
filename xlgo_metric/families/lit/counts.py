"""Counts over chains: hops, errors, and the language of the thinking."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from ...core import grouped, mean
from .records import (
    CATEGORIES,
    DEFAULT_WEIGHTS,
    HOP_STATUSES,
    SEVERITIES,
    ChainRecord,
    Hop,
    weights_of,
)

OMISSION = "accuracy/omission"
HALLUCINATION = "accuracy/addition"
"""Of additions, those that are major or critical count as hallucinations."""


def hop_table(records: Sequence[ChainRecord]) -> list[dict[str, Any]]:
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
    cells = grouped(placed, lambda one: (one[0], one[1].hop, one[1].src, one[1].tgt))
    return [
        {**dict(zip(("sequence", "hop", "src", "tgt"), key)), **_counts(cell)}
        for key, cell in sorted(cells.items())
    ]


def _counts(cell: Sequence[tuple[str, Hop, str]]) -> dict[str, Any]:
    there = [(hop, source) for _, hop, source in cell if hop.status == "ok"]
    told = [hop.language_ok for hop, _ in there if hop.language_ok is not None]
    ratios = [len(hop.output) / len(source) for hop, source in there if source]
    return {
        "n": len(cell),
        "statuses": {name: sum(hop.status == name for _, hop, _ in cell) for name in HOP_STATUSES},
        "in_language": mean(told),
        "language_unknown": len(there) - len(told),
        "copied": mean([hop.copied for hop, _ in there]),
        "length_ratio": mean(ratios),
    }


def error_kinds(records: Sequence[ChainRecord], weights: str = DEFAULT_WEIGHTS) -> dict[str, Any]:
    """Errors of the judged chains.

    Returns:
        ``chains`` (judged ones), ``errors`` (their number), ``counts[category][severity]`` of what
        occurs, ``points[category]`` and ``points[severity]`` as shares of the whole penalty, and
        the shares of chains with an ``omission``, a ``hallucination`` and ``no_error``; shares are
        fractions, ``None`` without chains or without penalty.
    """
    records = [record for record in records if record.ok and record.judgement.status == "ok"]
    marked = [record.judgement.errors for record in records]
    errors = [error for each in marked for error in each]
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
        "omission": mean([any(e.category == OMISSION for e in each) for each in marked]),
        "hallucination": mean(
            [
                any(e.category == HALLUCINATION and e.severity != "minor" for e in each)
                for each in marked
            ]
        ),
        "no_error": mean([not each for each in marked]),
    }


Detect = Callable[[str], "str | None"]
"""Maps a sentence to the code of its language, or ``None`` if undetectable."""

MAX_TRACE = 40_000
"""Characters at the beginning of a trace that are examined."""
_END = re.compile(r"[.!?。！？।॥؟።…\n]{1,20}")
_ENGLISH = "en"


def trace_languages(records: Sequence[ChainRecord], detect: Detect) -> list[dict[str, Any]]:
    """Shares of letters in sentences of each language, by the language that a hop leads into.

    Args:
        records: their hops' reasoning is taken.
        detect: tells the language of a sentence.

    Returns:
        For each language: ``tgt``, ``texts`` (their number), ``letters``, the shares ``target``,
        ``english`` and ``other`` of the letters whose language was told (where English is wanted,
        English is the target), ``unknown`` (share of all letters); ``None`` where no language
        was told.
    """
    letters: dict[str, Counter[str | None]] = {}
    numbers: Counter[str] = Counter()
    for hop in (hop for record in records for hop in record.hops):
        target, text = hop.tgt, hop.reasoning or ""
        if not text.strip():
            continue
        numbers[target] += 1
        by_language = letters.setdefault(target, Counter())
        for sentence in _END.split(text[:MAX_TRACE]):
            weight = sum(letter.isalpha() for letter in sentence)
            if weight:
                by_language[detect(sentence.strip())] += weight
    return [
        {"tgt": target, "texts": numbers[target], **_shares(target, letters[target])}
        for target in sorted(letters)
    ]


def _shares(target: str, letters: Counter[str | None]) -> dict[str, Any]:
    total = letters.total()
    known = total - letters[None]
    group = sum(n for name, n in letters.items() if name and _same(name, target))
    english = 0 if _same(_ENGLISH, target) else letters[_ENGLISH]
    parts = {"target": group, "english": english, "other": known - group - english}
    shares = {name: count / known if known else None for name, count in parts.items()}
    return {"letters": total, **shares, "unknown": letters[None] / total if total else None}


def _same(code: str, other: str) -> bool:
    """Whether two codes name one language, whatever their scripts."""
    return code.partition("-")[0] == other.partition("-")[0]

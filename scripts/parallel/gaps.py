"""The gap between a language and the baseline, and the questions that only one language loses."""

from __future__ import annotations

from collections.abc import Sequence

from xlgo_metric.comparison import Cell

from .pairing import Key, Paired


def gap_of(benchmark: str, found: Paired, cluster: Sequence[str] | None = None) -> Cell:
    """The gap of one language, not corrected for others; its task is the benchmark.

    Args:
        cluster: which questions hang together, of each pair; every one by itself if ``None``.
    """
    base, other = zip(*((found.base.right[a], found.other.right[b]) for a, b in found.pairs))
    languages = found.base.language, found.other.language
    return Cell.of(base, other, *languages, {"task": benchmark}, cluster=cluster)


def lost_alone(paired: Sequence[Paired]) -> dict[str, list[Key]]:
    """For each language the questions that only it loses: right in all others, wrong in it.

    Only questions that every language was asked count. The baseline is one of the languages.

    Args:
        paired: every language beside the same baseline, at least one.
    """
    if not paired:
        return {}
    base = paired[0].base
    right: dict[str, dict[Key, bool]] = {base.language: {}}
    for found in paired:
        mine = right.setdefault(found.other.language, {})
        for key, (a, b) in zip(found.keys, found.pairs):
            right[base.language][key] = base.right[a]
            mine[key] = found.other.right[b]
    keys = [key for key in right[base.language] if all(key in mine for mine in right.values())]
    lost: dict[str, list[Key]] = {language: [] for language in right}
    for key in keys:
        wrong = [language for language, mine in right.items() if not mine[key]]
        if len(wrong) == 1:
            lost[wrong[0]].append(key)
    return lost

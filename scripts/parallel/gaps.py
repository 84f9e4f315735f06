"""The gap between a language and the baseline, and the questions that only one language loses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from xlgo_metric.statistics.differences import paired_limits, sign_test
from xlgo_metric.statistics.multiple import holm

from .pairing import Key, Paired

ALPHA = 0.05


@dataclass(frozen=True)
class Gap:
    """One language beside the baseline, on the questions that both were asked.

    Attributes:
        benchmark: the name of the benchmark, the pattern of its tasks without the language.
        n: these questions.
        right, right_base: how many of them were answered rightly.
        only_base, only_language: how many were answered rightly in this one alone.
        low, high: exact 95% limits of ``difference`` (xlgo_metric.statistics.differences); they
            leave out 0 if and only if ``p`` is below 0.05.
        p: exact two-sided binomial test of ``only_base`` against ``only_language`` (McNemar).
        p_holm: the same after Holm's correction for all gaps of the report.
    """

    benchmark: str
    language: str
    baseline: str
    n: int
    right: int
    right_base: int
    only_base: int
    only_language: int
    low: float
    high: float
    p: float
    p_holm: float = 1.0

    @property
    def accuracy(self) -> float:
        """The share of right answers in the language."""
        return self.right / self.n

    @property
    def accuracy_base(self) -> float:
        """The share of right answers in the baseline."""
        return self.right_base / self.n

    @property
    def difference(self) -> float:
        """Accuracy in the baseline minus accuracy in the language, a fraction."""
        return (self.right_base - self.right) / self.n

    @property
    def holds(self) -> bool:
        """Whether the gap is more than chance, with Holm's correction, at 5%."""
        return self.p_holm < ALPHA

    @property
    def silent(self) -> bool:
        """Whether so few questions tell the two apart that no outcome could reach 5%."""
        return 2.0 ** (1 - self.only_base - self.only_language) >= ALPHA


def gap_of(benchmark: str, found: Paired) -> Gap:
    """The gap of one language, not corrected for others."""
    answers = [(found.base.right[a], found.other.right[b]) for a, b in found.pairs]
    only_base = sum(a and not b for a, b in answers)
    only_language = sum(b and not a for a, b in answers)
    low, high = paired_limits(only_base, only_language, len(answers))
    return Gap(
        benchmark,
        found.other.language,
        found.base.language,
        len(answers),
        sum(b for _, b in answers),
        sum(a for a, _ in answers),
        only_base,
        only_language,
        low,
        high,
        sign_test(only_base, only_language),
    )


def corrected(gaps: Sequence[Gap]) -> list[Gap]:
    """The gaps with Holm's correction for all of them together."""
    adjusted = holm([gap.p for gap in gaps])
    return [replace(gap, p_holm=float(p)) for gap, p in zip(gaps, adjusted)]


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

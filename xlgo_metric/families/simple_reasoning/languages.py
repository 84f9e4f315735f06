"""Languages against the baseline, task by task: exact paired tests, and curves where they fit.

The two answers to one question are paired by ``instance_id``. McNemar's exact test asks whether
the pairs that are right in one language only are tosses of a fair coin; its p values are adjusted
by Holm's method over all tasks and languages of the section. A task in which a guess is right
every fourth time has no curve that falls to 0, so it gets no SMD; nor does one with fewer than
three levels, which any curve of two parameters meets.

Counting has a text of its own in every language, so no two questions are the same: the difference
of the accuracies has an unpaired interval, no p value, and no part in Holm's method.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

import numpy as np

from ...core import STATUSES, Record
from ...statistics.diagnosis import diagnose
from ...statistics.differences import paired_limits, unpaired_limits
from ...statistics.evidence import extreme, most
from ...statistics.fitting import fit_gamma
from ...statistics.gamma import gamma_accuracy
from ...statistics.gaps import average_accuracy
from ...statistics.multiple import benjamini_hochberg, holm
from ...statistics.uncertainty import DRAWS, Draws, cell_stream, curve_draws, gap, spread
from .estimates import mcnemar

BASELINE = "en"
CHOICES = frozenset(("logic_eval", "logic_negation"))
"""Tasks with four options."""

FEWEST_LEVELS = 3
_BAND_POINTS = 61
_ROUNDING = 1e-9
_GAP_KEYS = ("smd", "c_star", "f_en", "f_l", "rd")
_NO_GAP: dict[str, Any] = {
    "significant": None, "identified": None, "coarse": None, "extreme": None, "supported": None,
    "most": None, "pooled": None, "crossing": None, "paired": None, "penalised": None,
    **{name: None for key in _GAP_KEYS for name in (key, f"{key}_sd")},
}  # fmt: skip
_NO_CURVE: dict[str, Any] = {"fit": None, "avg_acc": None, "avg_acc_sd": None, "band": None}


def compare(
    records: Sequence[Record], *, baseline: str = BASELINE, draws: int = DRAWS, seed: int = 0
) -> dict[str, Any] | None:
    """The tasks that were answered in two or more languages.

    Args:
        records: graded responses; of several to one question the first counts.
        baseline: the language that the others are compared with.
        draws: of each curve, for the spread of what is read off it.
        seed: of these draws.

    Returns:
        ``{"baseline": ..., "tasks": ..., "warnings": ...}`` in the form of ``Family.gaps``, or
        ``None`` where no task has two languages.
    """
    cells: dict[str, dict[str, dict[str, Record]]] = {}
    for position, record in enumerate(records):
        reference = record.reference
        if _complexity(record) <= 0:
            continue
        language = cells.setdefault(reference["task"], {}).setdefault(
            str(reference.get("language", BASELINE)), {}
        )
        language.setdefault(str(reference.get("instance_id", position)), record)
    tasks = {
        name: _Task(name, found, baseline, draws, seed).summary()
        for name, found in cells.items()
        if len(found) > 1
    }
    if not tasks:
        return None
    tested = [
        cell["paired"]
        for task in tasks.values()
        for cell in task["languages"].values()
        if cell["paired"] is not None
    ]
    p = [found["p"] for found in tested]
    for found, claim, screen in zip(tested, holm(p), benjamini_hochberg(p)):
        found["p_holm"], found["p_bh"] = float(claim), float(screen)
    warnings = [
        f"{name}: the questions of {_and(codes)} are others than those of {baseline!r}: not "
        "parallel, so the differences have unpaired intervals, no test, and no part in Holm's "
        "method"
        for name, task in tasks.items()
        if (codes := [c for c, cell in task["languages"].items() if _is_apart(cell)])
    ]
    warnings += [
        f"{name}: asked in {' and '.join(task['wordings'])} wording: a gap may be one of wording"
        for name, task in tasks.items()
        if len(task["wordings"]) > 1
    ]
    return {"baseline": baseline, "tasks": tasks, "warnings": warnings}


def _and(codes: Sequence[str]) -> str:
    return ", ".join(map(repr, codes))


def _is_apart(cell: Mapping[str, Any]) -> bool:
    """Whether a language has other questions than the baseline."""
    return cell["pooled"] is not None and cell["paired"] is None


def _complexity(record: Record) -> float:
    value = record.reference.get("complexity")
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0.0


_Pair = tuple[float, bool, bool]
"""A question's complexity, and whether each of two languages has it right."""


class _Task:
    """The languages of one task."""

    def __init__(
        self, name: str, cells: Mapping[str, Mapping[str, Record]], baseline: str, draws: int,
        seed: int,
    ) -> None:  # fmt: skip
        self.cells, self.baseline = cells, baseline
        self.levels = {code: _levels(list(found.values())) for code, found in cells.items()}
        self.curves: dict[str, Draws] = {
            code: curve_draws(c, k, n, draws=draws, stream=cell_stream(name, code, seed))
            for code, (c, k, n) in self.levels.items()
            if name not in CHOICES and len(c) >= FEWEST_LEVELS
        }
        sizes = np.concatenate([c for c, _, _ in self.levels.values()])
        self.low, self.high = float(sizes.min()), float(sizes.max())

    def summary(self) -> dict[str, Any]:
        wordings = {
            str(record.reference.get("text", "paper"))
            for found in self.cells.values()
            for record in found.values()
        }
        return {
            "c_min": self.low,
            "c_max": self.high,
            "wordings": sorted(wordings),
            "languages": {
                code: {**self._counted(code), **self._fitted(code), **self._compared(code)}
                for code in self.cells
            },
        }

    def _counted(self, code: str) -> dict[str, Any]:
        records = list(self.cells[code].values())
        statuses = dict.fromkeys(STATUSES, 0)
        for record in records:
            statuses[record.grade.status] += 1
        correct = sum(record.grade.correct for record in records)
        return {
            "n": len(records),
            "correct": correct,
            "accuracy": correct / len(records),
            "strict": fmean(record.grade.strict for record in records),
            "parsed": (statuses["correct"] + statuses["wrong"]) / len(records),
            "statuses": statuses,
            "levels": [
                {"level": level, "complexity": float(c), "n": int(n), "correct": int(k)}
                for level, (c, k, n) in enumerate(zip(*self.levels[code]))
            ],
            "details": {},
            "solves": extreme(*self.levels[code][1:]),
        }

    def _fitted(self, code: str) -> dict[str, Any]:
        curves = self.curves.get(code)
        if curves is None:
            return dict(_NO_CURVE)
        fit = fit_gamma(*self.levels[code])
        c = np.linspace(self.low, self.high, _BAND_POINTS)
        q, r = curves.curves
        low, high = np.quantile(gamma_accuracy(c, q[:, None], r[:, None]), (0.025, 0.975), axis=0)
        mean = gamma_accuracy(c, *curves.curve)
        return {
            "fit": {
                "q": fit.q, "r": fit.r, "q_sd": spread(curves.q_draws),
                "r_sd": spread(curves.r_draws), "r2": fit.r2, "deviance": fit.deviance,
                "identified": fit.identified, "warnings": list(fit.warnings),
            },
            "avg_acc": average_accuracy(*curves.curve, self.low, self.high),
            "avg_acc_sd": spread(average_accuracy(*curves.curves, self.low, self.high)),
            "band": {
                "complexity": c.tolist(), "mean": mean.tolist(),
                "low": np.minimum(low, mean).tolist(), "high": np.maximum(high, mean).tolist(),
            },
        }  # fmt: skip

    def _compared(self, code: str) -> dict[str, Any]:
        english = self.cells.get(self.baseline)
        if english is None or code == self.baseline:
            return dict(_NO_GAP)
        pairs = _pairs(english, self.cells[code])
        if not pairs:
            apart = _unpaired(self.levels[self.baseline], self.levels[code])
            return {**_NO_GAP, "pooled": apart}
        kinds = {extreme(*self.levels[each][1:]) for each in (self.baseline, code)}
        result = {
            **_NO_GAP,
            "paired": _tested(pairs),
            "pooled": _pooled(pairs),
            "extreme": kinds.pop() if len(kinds) == 1 else None,
        }
        both = [self.levels[self.baseline], self.levels[code]]
        if not {self.baseline, code} <= set(self.curves) or list(both[0][0]) != list(both[1][0]):
            return result
        found = gap(self.curves[self.baseline], self.curves[code], self.low, self.high)
        for key in _GAP_KEYS:
            estimate = getattr(found, key)
            result[key], result[f"{key}_sd"] = estimate.value, estimate.sd
        result["significant"] = found.significant
        limits = [_limits([pair for pair in pairs if pair[0] == c]) for c in _sizes(pairs)]
        result["most"] = most(np.array(limits), found.smd.value)
        result["supported"] = abs(found.smd.value) <= abs(result["most"]) + _ROUNDING
        result["identified"] = all(diagnose(c, k / n, n.astype(np.float64))[0] for c, k, n in both)
        return result


def _levels(records: Sequence[Record]) -> tuple[Any, Any, Any]:
    """Complexities, right answers and answers, by rising complexity."""
    sizes = np.array([_complexity(record) for record in records])
    right = np.array([record.grade.correct for record in records], dtype=np.int64)
    c, where, n = np.unique(sizes, return_inverse=True, return_counts=True)
    return c, np.bincount(where, weights=right, minlength=len(c)).astype(np.int64), n


def _pairs(english: Mapping[str, Record], other: Mapping[str, Record]) -> list[_Pair]:
    """The questions that both languages have."""
    return [
        (_complexity(record), record.grade.correct, other[name].grade.correct)
        for name, record in english.items()
        if name in other
    ]


def _sizes(pairs: Sequence[_Pair]) -> list[float]:
    return sorted({size for size, _, _ in pairs})


def _alone(pairs: Sequence[_Pair]) -> tuple[int, int]:
    """Questions that only the first, and only the second, language has right."""
    found = [(first, second) for _, first, second in pairs]
    return found.count((True, False)), found.count((False, True))


def _limits(pairs: Sequence[_Pair]) -> tuple[float, float]:
    return paired_limits(*_alone(pairs), len(pairs))


def _tested(pairs: Sequence[_Pair]) -> dict[str, Any]:
    """McNemar's exact test, and the exact limits of the difference."""
    first, second = _alone(pairs)
    low, high = _limits(pairs)
    return {
        "n": len(pairs), "first_only": first, "second_only": second, "p": mcnemar(first, second),
        "p_holm": None, "p_bh": None, "estimate": (first - second) / len(pairs), "low": low,
        "high": high,
    }  # fmt: skip


def _unpaired(english: tuple[Any, Any, Any], other: tuple[Any, Any, Any]) -> dict[str, Any] | None:
    """Both languages over the levels that both have, on different questions; ``None`` without."""
    (c_en, k_en, n_en), (c_l, k_l, n_l) = english, other
    c, first, second = np.intersect1d(c_en, c_l, assume_unique=True, return_indices=True)
    if not len(c):
        return None
    counts = [int(a.sum()) for a in (k_en[first], n_en[first], k_l[second], n_l[second])]
    low, high = unpaired_limits(*counts)
    return {
        "between": False,
        "levels": [int(size) if size == int(size) else size for size in c.tolist()],
        "n_en": counts[1], "k_en": counts[0], "n_l": counts[3], "k_l": counts[2],
        "only_en": None, "only_l": None, "low": low, "high": high,
    }  # fmt: skip


def _pooled(pairs: Sequence[_Pair]) -> dict[str, Any]:
    """Both languages over all levels together."""
    first, second = _alone(pairs)
    low, high = _limits(pairs)
    return {
        "between": False,
        "levels": [int(c) if c == int(c) else c for c in _sizes(pairs)],
        "n_en": len(pairs), "k_en": sum(pair[1] for pair in pairs),
        "n_l": len(pairs), "k_l": sum(pair[2] for pair in pairs),
        "only_en": first, "only_l": second, "low": low, "high": high,
    }  # fmt: skip

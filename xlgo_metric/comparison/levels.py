"""Two languages at the levels that both were asked: counts, limits and curves, as plain JSON.

A family whose questions have a complexity says ``"gaps": gaps_of(records)`` in its section, and the
report draws its curves, gaps and heat map. The test and its interval are those of
``comparison.compare``, over the whole section. A task in which a guess may be right has no curve
that falls to 0, so it gets no SMD; nor does one with fewer than three levels, which any curve of
two parameters meets. Where a language has other questions than the baseline, the difference of the
accuracies has an unpaired interval and no test.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from typing import Any

import numpy as np
from scipy.special import ndtri, stdtrit

from xlgo_metric.comparison.compare import Cell, compare
from xlgo_metric.comparison.section import (
    NO_GAP,
    Counted,
    Fit,
    GapCell,
    Gaps,
    GapTask,
    Paired,
    cells_of,
)
from xlgo_metric.comparison.table import (
    FEWEST_LEVELS,
    AnswerTable,
    Side,
    number,
    on_common_questions,
    sides,
)
from xlgo_metric.core import Record
from xlgo_metric.statistics.differences import (
    ALPHA,
    CONFIDENCE,
    holm,
    inflation,
    paired_limits,
    stretched,
    unpaired_limits,
)
from xlgo_metric.statistics.draws import Integers
from xlgo_metric.statistics.gamma import gamma_accuracy, together
from xlgo_metric.statistics.gaps import (
    BASE,
    DRAWS,
    OTHER,
    Draws,
    Gap,
    all_curve_draws,
    average_accuracy,
    cell_stream,
    describe_fit,
    gap,
    spread,
)
from xlgo_metric.statistics.levels import REACH, SIDE, Misfit, scan
from xlgo_metric.statistics.paired import Mask, PairCounts, extreme, most, telling
from xlgo_metric.table import points

_ROUNDING = 1e-9


@dataclass(frozen=True)
class Levels(PairCounts):
    """Correct answers of two languages at their common levels, by rising complexity.

    Attributes:
        n_other: answers of the other language; the same as ``n`` where the questions are.
        nets: a row for each cluster of several pairs of which some are discordant, shape
            (rows, 3): its level, right in the first less right in the second, discordant pairs.
        questions: how many the pairs are about; those to one question are a cluster. 0 where the
            questions are not the same: there are no pairs, and ``discordant`` says nothing.
    """

    n_other: Integers
    nets: Integers | None = None
    questions: int = 0

    @classmethod
    def of_pairs(cls, base: Side, other: Side) -> Levels:
        """The questions that were answered in both languages, at the complexities of the second."""
        first, second = on_common_questions((base.by_question, other.by_question))
        is_sized = second["complexity"].notna().to_numpy()
        size = second["complexity"][is_sized].to_numpy(dtype=np.float64)
        c, level = np.unique(size, return_inverse=True)
        right = [side["correct"].eq(True).to_numpy()[is_sized] for side in (first, second)]
        nets = _nets(level, second["cluster"][is_sized].factorize()[0], right[0] * 1 - right[1])
        n, k_base, k_other, discordant = (
            np.bincount(level[mask], minlength=len(c)).astype(np.int64)
            for mask in (np.ones_like(level, dtype=np.bool_), *right, right[0] != right[1])
        )
        questions = int(second["question"][is_sized].nunique())
        return cls(c, n, k_base, k_other, discordant, n, nets, questions)

    @classmethod
    def unpaired(cls, base: Side, other: Side) -> Levels:
        """All questions at complexities that both languages have; of repeats the mean counts."""
        counts: list[tuple[Any, ...]] = [base.by_level, other.by_level]
        (c_base, k_base, n_base), (c_other, k_other, n_other) = counts
        c, in_base, in_other = np.intersect1d(
            c_base, c_other, assume_unique=True, return_indices=True
        )
        k_base, k_other = k_base[in_base], k_other[in_other]
        return cls(c, n_base[in_base], k_base, k_other, np.zeros_like(k_base), n_other[in_other])

    def most(self, sign: float) -> float:
        """The largest gap of that sign that the exact 95% limits of any level allow."""
        limits = [self._limits(np.array([level])) for level in range(len(self.c))]
        return most(np.array(limits).reshape(-1, 2), sign)

    def supports(self, smd: float) -> bool:
        """Whether the limits of some level allow so large a gap."""
        return abs(smd) <= abs(self.most(smd)) + _ROUNDING

    def pooled(self, *, every: bool = False) -> Counted | None:
        """Both languages over informative levels, or ``every``; ``None`` without common levels."""
        if not len(self.c):
            return None
        mask, between = telling(self.k_base + self.k_other, self.n + self.n_other)
        if every:
            mask, between = np.ones_like(mask), False
        return {**self._counted(mask), "between": between}

    def sides(self, seed: int) -> dict[str, object] | None:
        """Where each of the two languages is ahead: exact, for all runs of levels together.

        Returns:
            ``p_behind`` and ``p_ahead``, one-sided, that the second language is so nowhere, and
            ``behind`` and ``ahead``, the counts over the levels of the shortest runs where it is;
            ``None`` where the questions are not the same.
        """
        if not self.questions:
            return None
        result = scan(self.only_base, self.only_other, nets=self.nets, seed=seed)
        return {
            "p_behind": result.p_first,
            "p_ahead": result.p_second,
            "behind": self._counted(result.first) if result.first.any() else None,
            "ahead": self._counted(result.second) if result.second.any() else None,
        }

    def _counted(self, mask: Mask) -> Counted:
        """Counts over some levels, pooled, and the exact limits of the difference."""
        low, high = self._limits(np.flatnonzero(mask))
        only_base, only_other = self._alone(np.flatnonzero(mask))
        return {
            "levels": [int(c) if c == int(c) else c for c in self.c[mask].tolist()],
            "n_en": int(self.n[mask].sum()),
            "k_en": number(float(self.k_base[mask].sum())),
            "n_l": int(self.n_other[mask].sum()),
            "k_l": number(float(self.k_other[mask].sum())),
            "only_en": only_base,
            "only_l": only_other,
            "low": low,
            "high": high,
        }

    def _alone(self, levels: Integers) -> tuple[int, int] | tuple[None, None]:
        """Pairs that are right in the first language only, and in the second only."""
        if not self.questions:
            return None, None
        return int(self.only_base[levels].sum()), int(self.only_other[levels].sum())

    def _limits(self, levels: Integers) -> tuple[float, float]:
        """95% limits of the difference over some levels together, exact without clusters."""
        only_base, only_other = self._alone(levels)
        if only_base is not None and only_other is not None:
            low, high = paired_limits(only_base, only_other, int(self.n[levels].sum()))
            return stretched(low, high, inflation(self.discordant, self.nets, levels))
        return unpaired_limits(
            *(
                round(float(counts[levels].sum()))
                for counts in (self.k_base, self.n, self.k_other, self.n_other)
            )
        )


def _nets(level: Integers, cluster: Integers, apart: Integers) -> Integers:
    """The clusters of several pairs; see ``Levels``."""
    which = np.stack([level, cluster])
    rows, cluster_index, size = np.unique(which, axis=1, return_inverse=True, return_counts=True)
    net, differ = (np.bincount(cluster_index.ravel(), x, len(size)) for x in (apart, np.abs(apart)))
    nets = np.stack([rows[0], net, differ], axis=1).astype(np.int64)
    return nets[(size > 1) & (differ > 0)]


_BAND_POINTS = 61
_BAND_QUANTILES = (0.025, 0.975)


_ESTIMATES = ("smd", "c_star", "f_en", "f_l", "rd")


def gap_json(gap: Gap, levels: Levels, *, fixed: bool) -> dict[str, object]:
    """The gap between two fitted curves, where the answers fix it.

    This is the one place that decides whether an SMD is a number: every table, row, file and
    command shows it or shows none.

    Args:
        fixed: whether the curves are identified and rest on questions enough.

    Returns:
        ``supported`` (the limits of some level allow so large a gap), ``most`` (the largest that
        any allows), and the estimates with their standard deviations; ``None`` where the answers
        do not fix them.
    """
    supported = levels.supports(gap.smd.value)
    names = [name for estimate in _ESTIMATES for name in (estimate, f"{estimate}_sd")]
    estimates = dict.fromkeys(("published_rule", *names))
    if fixed and supported:
        values = [x for name in _ESTIMATES for x in vars(getattr(gap, name)).values()]
        estimates = {"published_rule": gap.published_rule, **dict(zip(names, values))}
    return {"supported": supported, "most": levels.most(gap.smd.value), **estimates}


def both_extreme(base: Side, cell: Side) -> str | None:
    """``nothing`` or ``everything`` if the model solves almost that in both languages."""
    first, second = (extreme(*side.levels[1:]) for side in (base, cell))
    return first if first == second else None


def curve_json(
    side: Side,
    curves: Draws | None,
    ends: tuple[float, float] | None,
    misfit: Misfit | None = None,
) -> dict[str, object]:
    """The curve of one language: fit, average accuracy and band over a range of complexities."""
    if curves is None or ends is None:
        return dict.fromkeys(("fit", "avg_acc", "avg_acc_sd", "band"))
    return {
        "fit": _fit(side, curves, misfit),
        "avg_acc": average_accuracy(*curves.curve, *ends),
        "avg_acc_sd": spread(average_accuracy(*curves.curves, *ends)),
        "band": _band(curves, *ends),
    }


def _fit(side: Side, curves: Draws, misfit: Misfit | None) -> Fit:
    """The parameters of a curve with the standard deviations of its draws, and whether it fits."""
    c, k, n = side.by_level
    q, r = curves.curve
    r2, deviance, identified, warnings = describe_fit(
        c, k / n, n.astype(np.float64), gamma_accuracy(c, q, r)
    )
    result: Fit = {
        "q": q,
        "r": r,
        "q_sd": spread(curves.curves[0]),
        "r_sd": spread(curves.curves[1]),
        "r2": r2,
        "deviance": deviance,
        "identified": identified,
        "warnings": list(warnings),
    }
    if misfit is not None:
        result["misfit"], result["misfit_p"] = misfit.found, misfit.p
        result["misfit_size"] = misfit.size
        if misfit.found:
            result["warnings"].append(
                "the curve is rejected (2.5%): it misses accuracies by "
                f"{points(misfit.size, 0, signed=False)} points beyond chance"
            )
    return result


def _band(curves: Draws, c_min: float, c_max: float) -> dict[str, list[float]]:
    """The fitted curve with the pointwise 95% band of its draws (XLGoBench, appendix B)."""
    c = np.linspace(c_min, c_max, _BAND_POINTS)
    q, r = curves.curves
    low, high = np.quantile(gamma_accuracy(c, q[:, None], r[:, None]), _BAND_QUANTILES, axis=0)
    mean = gamma_accuracy(c, *curves.curve)
    return {
        "complexity": c.tolist(),
        "mean": mean.tolist(),
        "low": np.minimum(low, mean).tolist(),
        "high": np.maximum(high, mean).tolist(),
    }


BASELINE = "en"


def gaps_of(
    records: Sequence[Record],
    *,
    baseline: str = BASELINE,
    draws: int = DRAWS,
    seed: int = 0,
    guessed: Collection[str] = (),
) -> Gaps | None:
    """The tasks that were answered in two or more languages.

    Args:
        records: graded responses; of several to one question the mean counts.
        baseline: the language that the others are compared with.
        draws: of each curve, for the spread of what is read off it.
        seed: of these draws.
        guessed: tasks in which a guess is right now and then.

    Returns:
        ``{"baseline": ..., "tasks": ..., "warnings": ...}`` in the form of ``Family.gaps``, or
        ``None`` where no task has two languages.
    """
    frame = AnswerTable.of_records(records).decided.frame
    table = AnswerTable(frame[frame["complexity"].notna()])
    tests = compare(table, "language", baseline, required=False)
    tasks: dict[str, GapTask] = {}
    for name, cells in sides(table).items():
        if len(cells) > 1:
            counted = {
                code: (*cell.by_level, cell_stream(name, BASE if code == baseline else OTHER, seed))
                for code, cell in cells.items()
                if name not in guessed and len(cell.levels[0]) >= FEWEST_LEVELS
            }
            curves = together(partial(all_curve_draws, draws=draws), counted, itemgetter(0))
            own_tests = {cell.other: cell for cell in tests.about(task=name)}
            tasks[name] = _task(cells, own_tests, baseline, curves)
    if not tasks:
        return None
    warnings = [
        f"{name}: the questions of {', '.join(map(repr, codes))} are others than those of "
        f"{baseline!r}: not parallel, so the differences have unpaired intervals and no test"
        for name, task in tasks.items()
        if (
            codes := [
                code
                for code, cell in task["languages"].items()
                if cell["pooled"] is not None and cell["paired"] is None
            ]
        )
    ]
    warnings += [
        f"{name}: asked in {' and '.join(task['wordings'])} wording: a gap may be one of wording"
        for name, task in tasks.items()
        if len(task["wordings"]) > 1
    ]
    return {"baseline": baseline, "tasks": tasks, "warnings": warnings}


def _task(
    cells: Mapping[str, Side], tests: Mapping[str, Cell], baseline: str, curves: Mapping[str, Draws]
) -> GapTask:
    """The languages of one task."""
    sizes = np.concatenate([cell.levels[0] for cell in cells.values()])
    ends = float(sizes.min()), float(sizes.max())

    def compared(code: str, cell: Side) -> dict[str, object]:
        base, tested = cells.get(baseline), tests.get(code)
        if base is None or code == baseline:
            return dict(NO_GAP)
        levels = Levels.of_pairs(base, cell)
        if tested is None or not levels.questions:
            return {**NO_GAP, "pooled": Levels.unpaired(base, cell).pooled(every=True)}
        result = {
            **NO_GAP,
            "difference": tested.as_json(),
            "paired": _paired(tested),
            "pooled": levels.pooled(every=True),
            "extreme": both_extreme(base, cell),
        }
        if not {baseline, code} <= curves.keys() or [*base.levels[0]] != [*cell.levels[0]]:
            return result
        estimates = gap(curves[baseline], curves[code], *ends, integers=True)
        identified = base.identified and cell.identified
        fixed = identified and not result["extreme"]
        return {**result, **gap_json(estimates, levels, fixed=fixed), "identified": identified}

    return {
        "c_min": ends[0],
        "c_max": ends[1],
        "wordings": sorted({name for cell in cells.values() for name in cell.wordings}),
        "languages": {
            code: {
                **cell.summary(),
                "details": {},
                **curve_json(cell, curves.get(code), ends),
                **compared(code, cell),
            }
            for code, cell in cells.items()
        },
    }


def _paired(cell: Cell) -> Paired:
    """The same test and interval where the puzzles have those of a largest gap."""
    return {
        "n": cell.n,
        "p": 1.0 if cell.p_value is None else cell.p_value,
        "p_holm": cell.p_value,
        "estimate": cell.difference,
        "low": cell.ci_low,
        "high": cell.ci_high,
    }


_TAILS = 5.0
"""Degrees of freedom of the tails of refitted gaps beyond 95%. As a normal's, the intervals of two
cells with a gap of .73 and two without missed in 5.3% of 376 reports (benchmarks/sentences.py), as
these in 2.7%."""


def correct_over_cells(tasks: Mapping[str, GapTask]) -> None:
    """Correct what is said of levels and of curves for all cells of the section together.

    That two languages differ at some complexity is corrected by Holm's method; that each of them is
    ahead somewhere must hold for both directions, Bonferroni-corrected; intervals of the largest
    gap get limits that hold for all cells together.
    """
    tested = [
        (cell, paired) for _, _, cell in cells_of(tasks) if (paired := cell["paired"]) is not None
    ]
    for (cell, paired), p in zip(tested, holm([paired["p"] for _, paired in tested])):
        paired["p_holm"] = float(p)
        difference, sides = cell["difference"], cell["sides"]
        differs = float(p) < ALPHA
        if difference is None or sides is None:
            continue
        if differs and max(sides["p_behind"], sides["p_ahead"]) * len(tested) <= SIDE:
            ahead = difference["difference"] > 0
            cell["crossing"] = sides["ahead"] if ahead else sides["behind"]
        if differs or difference["is_significant"]:
            cell["extreme"] = None  # something was found after all
        _hold_together(cell, paired, len(tested))


def _hold_together(cell: GapCell, paired: Paired, cells: int) -> None:
    """Give the interval of a largest gap limits that hold for so many cells (Bonferroni).

    A sentence states the intervals of the cells that are significant and largest; without this
    they would miss the truth the more often, the more cells there are.
    """
    tail = (1.0 - CONFIDENCE) / cells
    ends = 0.5 * tail, 0.5 * (1.0 - CONFIDENCE)
    wider = float(ndtri(ends[0]) / ndtri(ends[1]))
    heavier = float(stdtrit(_TAILS, ends[0]) / stdtrit(_TAILS, ends[1]))
    group = stretched_limits(paired["low"], paired["high"], paired["estimate"], heavier)
    free = stretched_limits(paired["free_low"], paired["free_high"], None, wider)
    paired["free_low_all"], paired["free_high_all"] = free or (None, None)
    rd, sd = cell["rd"], cell["rd_sd"]
    crosses = cell["crossing"] is not None or (rd is not None and rd < -REACH * sd)
    if group and free and crosses:
        # There the curves' own interval misses in 2.5% of cells at a nominal 1.25%.
        group = min(group[0], free[0]), max(group[1], free[1])
    paired["low_all"], paired["high_all"] = group or (None, None)


def stretched_limits(
    low: float | None, high: float | None, estimate: float | None, wider: float
) -> tuple[float, float] | None:
    """The limits of an interval, as many times farther from its estimate; nothing without any."""
    return None if low is None or high is None else stretched(low, high, wider, estimate)

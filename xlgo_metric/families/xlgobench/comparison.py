"""A language of a task against the baseline: the gap, its tests and what the levels show of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from xlgo_metric.comparison.adjustment import screened
from xlgo_metric.comparison.counts import Cell, Pairs, number, pair
from xlgo_metric.comparison.levels import Levels
from xlgo_metric.families.xlgobench import stated
from xlgo_metric.families.xlgobench.over_tasks import Values, difference, values
from xlgo_metric.statistics.adaptive.sparse import central_spread
from xlgo_metric.statistics.claims.blocks import SIDE
from xlgo_metric.statistics.claims.isotonic import free_interval
from xlgo_metric.statistics.claims.misfit import Misfit
from xlgo_metric.statistics.diagnosis import diagnose
from xlgo_metric.statistics.draws import Floats, derive_seed
from xlgo_metric.statistics.evidence import coarse, extreme, whole_interval
from xlgo_metric.statistics.gaps import whole_divergence
from xlgo_metric.statistics.likelihood import fit_penalised
from xlgo_metric.statistics.multiple import exchange_holm
from xlgo_metric.statistics.paired import exchange_test
from xlgo_metric.statistics.uncertainty import Draws, gap, spread

ENGLISH = "en"
FEWEST_LEVELS = 2
CLAIM_LEVEL = 0.05
BEHIND, AHEAD, CROSSES, UNCLEAR = "behind", "ahead", "crosses", "unclear"
FEWEST_OF_A_LEVEL = 30
"""Common questions of a level, on average, from which the SMD is stated first."""

FEWEST_OF_A_DESIGN = 200
"""The same of a plan of questions, altogether."""

CURVE, MODEL_FREE, UNION = "curve", "model-free", "union"
"""What makes ``paired.low`` and ``paired.high``: the fitted curves, isotonic curves, or both."""

_FEWEST_PAIRS = 5  # a level, on average; resampling fewer says nothing of their spread
_ROUNDING = 1e-9
_GAP_KEYS = ("smd", "c_star", "f_en", "f_l", "rd")
_NO_GAP: dict[str, Any] = {
    "difference": None,
    "small": None,
    "sides": None,
    "direction": None,
    "significant": None,
    "identified": None,
    "coarse": None,
    "extreme": None,
    "supported": None,
    "most": None,
    "pooled": None,
    "crossing": None,
    "paired": None,
    "penalised": None,
    **{name: None for key in _GAP_KEYS for name in (key, f"{key}_sd")},
}


@dataclass(frozen=True)
class Options:
    """The options of a summary; see ``summarize``."""

    seed: int
    draws: int
    permutations: int
    baseline: str


@dataclass
class Task:
    """What the languages of one task share while they are summed up."""

    name: str
    cells: dict[str, Cell]
    options: Options
    warnings: list[str] = field(default_factory=list)
    curves: dict[str, Draws] = field(default_factory=dict)
    misfits: dict[str, Misfit] = field(default_factory=dict)
    """How well the curve of each language fits."""
    coarse: list[str] = field(default_factory=list)
    """Languages without an interval, because the levels are coarse against the drop."""
    attainable: dict[str, Floats] = field(default_factory=dict)
    """The p values that the paired test of each language can have."""
    differences: dict[str, Values] = field(default_factory=dict)
    """Of each language, question by question."""
    design: stated.Stated | None = None
    drawn: dict[str, stated.Pair | None] = field(default_factory=dict)
    """The design of a plan of questions, and the refits of each language's common questions."""

    def warn(self, language: str, text: str) -> None:
        """Add a warning about one language."""
        self.warnings.append(f"{self.name}/{language}: {text}")

    def warn_once(self, text: str) -> None:
        """Add a warning about the task, unless it stands there already."""
        self.warnings += [] if f"{self.name}: {text}" in self.warnings else [f"{self.name}: {text}"]


def compare(task: Task, cell: Cell) -> dict[str, Any]:
    """The language against the baseline; every key is ``None`` where that cannot be done."""
    baseline = task.options.baseline
    english = task.cells.get(baseline)
    if english is None or cell.language == baseline:
        return dict(_NO_GAP)
    identified = _identified(english) and _identified(cell)
    pairs = _pairs(task, english, cell)
    levels = Levels.of_pairs(pairs) if len(pairs.c) else Levels.unpaired(english, cell)
    task.differences[cell.language] = values(english, cell)
    result = {
        **_NO_GAP,
        "difference": difference(task.differences[cell.language]),
        "small": _is_small(task, pairs),
        "sides": levels.sides(derive_seed(task.options.seed, task.name, cell.language)),
        "paired": _paired(task, cell.language, pairs, identified) if len(pairs.c) else None,
        "pooled": levels.pooled(),
        "extreme": _extreme(english, cell),
    }
    if baseline not in task.curves or cell.language not in task.curves:
        return result
    shared = [(each.min(), each.max()) for each in (english.levels[0], cell.levels[0])]
    low, high = max(shared)[0], min(top for _, top in shared)
    if shared[0] != shared[1] and task.design is None:
        if low >= high:
            task.warn(cell.language, f"its levels and those of {baseline!r} do not overlap")
            return result
        task.warn(
            cell.language,
            f"its levels span another range than those of {baseline!r}: compared on "
            f"{number(low)} to {number(high)}",
        )
    curves, sd = (task.curves[baseline], task.curves[cell.language]), spread
    if task.design is not None:
        sd = central_spread
        low, high = task.design.c_min, task.design.c_max
        curves = task.drawn.get(cell.language) or curves
    found = gap(*curves, float(low), float(high), whole=True, sd=sd)
    for key in _GAP_KEYS:
        estimate = getattr(found, key)
        result[key], result[f"{key}_sd"] = estimate.value, estimate.sd
    most = levels.most(found.smd.value)
    return result | {
        "significant": found.significant,
        "identified": identified,
        "coarse": any(coarse(*each.levels) for each in (english, cell)),
        "supported": abs(found.smd.value) <= abs(most) + _ROUNDING,
        "most": most,
        "penalised": _penalised(english, cell),
    }


def _extreme(english: Cell, cell: Cell) -> str | None:
    """``nothing`` or ``everything`` if the model solves almost that in both languages."""
    first, second = (extreme(*each.levels[1:]) for each in (english, cell))
    return first if first == second else None


def _identified(cell: Cell) -> bool:
    c, k, n = cell.levels
    return bool(len(c)) and diagnose(c, k / n, n.astype(np.float64))[0]


def _penalised(english: Cell, cell: Cell) -> dict[str, float] | None:
    """The gap between likelihood curves with a common ceiling and floor, on the common levels."""
    (c_en, k_en, n_en), (c_l, k_l, n_l) = english.levels, cell.levels
    c, in_en, in_l = np.intersect1d(c_en, c_l, assume_unique=True, return_indices=True)
    if len(c) < FEWEST_LEVELS:
        return None
    fit = fit_penalised(c, np.stack([k_en[in_en], k_l[in_l]]), np.stack([n_en[in_en], n_l[in_l]]))
    ends = float(c.min()), float(c.max())
    found = whole_divergence((fit.q[0], fit.r[0]), (fit.q[1], fit.r[1]), *ends)
    return {
        "smd": (fit.ceiling - fit.floor) * float(found.smd),
        "c_star": float(found.c_star),
        "ceiling": fit.ceiling,
        "floor": fit.floor,
    }


def _pairs(task: Task, english: Cell, cell: Cell) -> Pairs:
    """The questions answered in both languages; warnings say what has no partner."""
    pairs = pair(english, cell)
    if not len(pairs.c):
        task.warn(
            cell.language,
            f"no instance_id occurs in {task.options.baseline!r} too: no paired statistics",
        )
    elif lost := pairs.unpaired - stated.unpaired(english, cell):
        task.warn(
            cell.language,
            f"{lost} answers have no partner with the same instance_id in the other "
            f"language: the paired statistics use the {int(pairs.n.sum())} common questions",
        )
    return pairs


def _paired(task: Task, language: str, pairs: Pairs, identified: bool) -> dict[str, Any]:
    """Paired test and interval over the questions answered in both languages."""
    seed = derive_seed(task.options.seed, task.name, language)
    counts = (pairs.k_en, pairs.k_l, pairs.discordant, pairs.n, pairs.c)
    tested = exchange_test(*counts, draws=task.options.permutations, seed=seed)
    task.attainable[language] = tested.attainable
    found: dict[str, Any] = {
        "n": int(pairs.n.sum()),
        "interval": None,
        "p": tested.p,
        "p_holm": None,
        "p_bh": None,
        "low": None,
        "high": None,
        "estimate": None,
        "free_low": None,
        "free_high": None,
    }
    if task.design is not None:
        drawn = stated.paired(pairs, seed=seed, draws=task.options.draws)
        task.drawn[language] = drawn
        found |= stated.interval(task.design, drawn, found["n"])
    elif pairs.n.mean() < _FEWEST_PAIRS:
        task.warn_once(f"fewer than {_FEWEST_PAIRS} common questions per level: no interval")
    elif len(pairs.c) >= FEWEST_LEVELS:
        interval = whole_interval(
            *counts, identified=identified, draws=task.options.draws, seed=seed
        )
        if interval is not None:
            found |= {"low": interval.low, "high": interval.high, "estimate": interval.estimate}
        elif _is_coarse(pairs):
            task.coarse.append(language)
    _widen(task, language, pairs, found, seed)
    return found


def _widen(task: Task, language: str, pairs: Pairs, found: dict[str, Any], seed: int) -> None:
    """Name the kind of the interval; where a curve does not fit, span the model-free one too."""
    fitted = [task.misfits[name] for name in (task.options.baseline, language) if
              name in task.misfits]  # fmt: skip
    given = found["low"] is not None
    found["interval"] = CURVE if given else None
    if _is_coarse(pairs) or len(pairs.c) < FEWEST_LEVELS:
        return
    if pairs.n.sum() < _FEWEST_PAIRS * FEWEST_LEVELS:
        return
    counts = (pairs.k_en, pairs.k_l, pairs.discordant, pairs.n, pairs.c)
    low, high = free_interval(*counts, seed=seed)
    found |= {"free_low": low, "free_high": high}
    if given and any(one.found for one in fitted):
        low, high = min(low, found["low"]), max(high, found["high"])
        found |= {"low": low, "high": high, "interval": UNION}
    elif not given and pairs.n.mean() >= _FEWEST_PAIRS:
        found |= {"low": low, "high": high, "interval": MODEL_FREE}


def _is_coarse(pairs: Pairs) -> bool:
    return any(coarse(pairs.c, k, pairs.n) for k in (pairs.k_en, pairs.k_l))


def adjust(tasks: dict[str, Any], attainable: Mapping[tuple[str, str], Floats]) -> None:
    """Correct all paired tests of the section together; then name directions.

    Args:
        tasks: of the section.
        attainable: the p values that each test can have, by task and language.
    """
    compared = [cell for task in tasks.values() for cell in task["languages"].values()]
    tested = [
        (name, language, cell["paired"])
        for name, task in tasks.items()
        for language, cell in task["languages"].items()
        if cell["paired"] is not None
    ]
    p = [found["p"] for _, _, found in tested]
    lists = [attainable.get((name, language)) for name, language, _ in tested]
    claims = exchange_holm(p, [language for _, language, _ in tested], lists)
    for (_, _, found), claim, screen in zip(tested, claims, screened(p)):
        found["p_holm"], found["p_bh"] = float(claim), float(screen)
    for cell in compared:
        cell["direction"] = direction(cell)
        if cell["direction"] == CROSSES:
            largest = cell["smd"] or cell["difference"]["difference"]
            cell["crossing"] = cell["sides"][AHEAD if largest > 0 else BEHIND]
    for cell in compared:
        if cell["paired"] is not None and cell["paired"]["p_holm"] < CLAIM_LEVEL:
            cell["extreme"] = None  # something was found after all


def direction(cell: Mapping[str, Any]) -> str | None:
    """Which way a significant difference goes; ``None`` where nothing is significant.

    Returns:
        ``behind`` or ``ahead`` where the language is so over some run of levels and not the other
        way round over another; ``crosses`` where both hold. Where no run by itself is significant,
        the sign of the difference over all questions, if the curves have the same one; else
        ``unclear``. One-sided p of the runs are multiplied as the correction for many tests
        multiplies that of the cell.
    """
    paired, sides = cell["paired"], cell["sides"]
    if paired is None or paired["p_holm"] is None or paired["p_holm"] >= CLAIM_LEVEL:
        return None
    factor = max(paired["p_holm"] / paired["p"], 1.0)
    ways = [way for way in (BEHIND, AHEAD) if factor * sides[f"p_{way}"] <= SIDE]
    if ways:
        return ways[0] if len(ways) == 1 else CROSSES
    whole, largest = cell["difference"]["difference"], cell["smd"]
    if whole and (largest is None or whole * largest > 0):
        return BEHIND if whole > 0 else AHEAD
    return UNCLEAR


def _is_small(task: Task, pairs: Pairs) -> bool | None:
    """Whether the questions are too few for the size of the largest gap to be stated first."""
    if not len(pairs.c):
        return None
    if task.design is not None:
        return bool(pairs.n.sum() < FEWEST_OF_A_DESIGN)
    return bool(pairs.n.mean() < FEWEST_OF_A_LEVEL)

"""A language of a task against the baseline: the gap, its tests and what the levels show of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from xlgo_metric.comparison.adjustment import adjusted, screened
from xlgo_metric.comparison.counts import Cell, Pairs, number, pair
from xlgo_metric.comparison.levels import Levels
from xlgo_metric.families.xlgobench import stated
from xlgo_metric.statistics.adaptive.sparse import central_spread
from xlgo_metric.statistics.diagnosis import diagnose
from xlgo_metric.statistics.draws import derive_seed
from xlgo_metric.statistics.evidence import coarse, extreme, whole_interval
from xlgo_metric.statistics.gaps import whole_divergence
from xlgo_metric.statistics.isotonic import free_interval
from xlgo_metric.statistics.likelihood import fit_penalised
from xlgo_metric.statistics.misfit import Misfit
from xlgo_metric.statistics.paired import paired_test
from xlgo_metric.statistics.uncertainty import Draws, gap, spread

ENGLISH = "en"
FEWEST_LEVELS = 2
CLAIM_LEVEL = 0.05
CURVE, MODEL_FREE, UNION = "curve", "model-free", "union"
"""What makes ``paired.low`` and ``paired.high``: the fitted curves, isotonic curves, or both."""

_FEWEST_PAIRS = 5  # a level, on average; resampling fewer says nothing of their spread
_ROUNDING = 1e-9
_GAP_KEYS = ("smd", "c_star", "f_en", "f_l", "rd")
_NO_GAP: dict[str, Any] = {
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
    result = {
        **_NO_GAP,
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
        "crossing": levels.crossing(curves[0].curve, curves[1].curve, found.smd.value),
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
    found: dict[str, Any] = {
        "n": int(pairs.n.sum()),
        "interval": None,
        "p": paired_test(*counts, draws=task.options.permutations, seed=seed),
        "p_holm": None,
        "p_bh": None,
        "low": None,
        "high": None,
        "estimate": None,
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
    enough = pairs.n.sum() >= _FEWEST_PAIRS * FEWEST_LEVELS and not _is_coarse(pairs)
    if enough and len(pairs.c) >= FEWEST_LEVELS and any(one.found for one in fitted):
        counts = (pairs.k_en, pairs.k_l, pairs.discordant, pairs.n, pairs.c)
        low, high = free_interval(*counts, seed=seed)
        if given:
            low, high = min(low, found["low"]), max(high, found["high"])
        found |= {"low": low, "high": high, "interval": UNION if given else MODEL_FREE}
    elif given:
        found["interval"] = CURVE


def _is_coarse(pairs: Pairs) -> bool:
    return any(coarse(pairs.c, k, pairs.n) for k in (pairs.k_en, pairs.k_l))


def adjust(tasks: dict[str, Any]) -> None:
    """Holm and Benjamini-Hochberg over all paired tests of the section, Holm over all crossings."""
    compared = [cell for task in tasks.values() for cell in task["languages"].values()]
    tested = [cell["paired"] for cell in compared if cell["paired"] is not None]
    p = [found["p"] for found in tested]
    for found, claim, screen in zip(tested, adjusted(p), screened(p)):
        found["p_holm"], found["p_bh"] = claim, screen
    for cell in compared:
        if cell["paired"] is not None and cell["paired"]["p_holm"] < CLAIM_LEVEL:
            cell["extreme"] = None  # something was found after all
    crossings = [cell["crossing"] for cell in compared if cell["crossing"] is not None]
    for found, claim in zip(crossings, adjusted([found["p"] for found in crossings])):
        found["p_holm"] = claim

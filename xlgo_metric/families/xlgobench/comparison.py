"""A language of a task against the baseline: the gap, its tests and what the levels show of it.

``comparison.compare`` says whether languages differ over all questions (``Task.tests``); here is
added at which complexities, and by how much.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from xlgo_metric.comparison.compare import Cell
from xlgo_metric.comparison.gaps import NO_GAP, GapCell, Paired
from xlgo_metric.comparison.levels import Levels, both_extreme, gap_json
from xlgo_metric.comparison.table import Side, number
from xlgo_metric.core import MIXED, PLAIN, Record, common, condition, signature
from xlgo_metric.families.xlgobench import conditions
from xlgo_metric.families.xlgobench.together import stretched_ends
from xlgo_metric.statistics.adaptive import central_spread, draws_interval, paired_draws
from xlgo_metric.statistics.differences import inflation
from xlgo_metric.statistics.draws import Stream, derive_seed
from xlgo_metric.statistics.gaps import Draws, gap, spread
from xlgo_metric.statistics.levels import Misfit, free_interval
from xlgo_metric.statistics.paired import (
    PERMUTATIONS,
    PairedInterval,
    coarse,
    consecutive,
    exchange_test,
    whole_intervals,
)

ENGLISH = "en"
FEWEST_LEVELS = 2
FEWEST_OF_A_LEVEL = 30
"""Common questions of a level, on average, from which the SMD is stated first."""

FEWEST_OF_A_DESIGN = 200
"""The same of a plan of questions, altogether."""

CURVE, MODEL_FREE, UNION = "curve", "model-free", "union"
"""What makes ``paired.low`` and ``paired.high``: the fitted curves, isotonic curves, or both."""

_FEWEST_PAIRS = 5  # a level, on average; resampling fewer says nothing of their spread


@dataclass(frozen=True)
class Options:
    """The options of a summary; see ``summarize``."""

    seed: int
    draws: int
    permutations: int
    baseline: str


@dataclass
class Task:
    """What the languages of one task share while they are summarized."""

    name: str
    cells: dict[str, Side]
    options: Options
    tests: Mapping[str, Cell] = field(default_factory=dict)
    """Each language against the baseline over all common questions, where there are any."""
    warnings: list[str] = field(default_factory=list)
    curves: dict[str, Draws] = field(default_factory=dict)
    misfits: dict[str, Misfit] = field(default_factory=dict)
    """How well the curve of each language fits."""
    coarse: list[str] = field(default_factory=list)
    """Languages without an interval, because the levels are coarse against the drop."""
    design: conditions.Stated | None = None
    drawn: dict[str, tuple[Draws, Draws]] = field(default_factory=dict)
    """The design of a plan of questions, and the refits of each language's common questions."""

    @cached_property
    def pairs(self) -> dict[str, Levels]:
        """What each language has in common with the baseline."""
        others = dict(self.cells)
        base = others.pop(self.options.baseline, None)
        return {} if base is None else {x: Levels.of_pairs(base, y) for x, y in others.items()}

    @cached_property
    def intervals(self) -> dict[str, PairedInterval]:
        """Those of the largest gaps by language, where there are questions enough."""
        enough = {
            code: pairs
            for code, pairs in self.pairs.items()
            if len(pairs.c) >= FEWEST_LEVELS and pairs.questions >= _FEWEST_PAIRS * len(pairs.c)
        }
        fixed = {code for code, side in self.cells.items() if side.identified}
        return whole_intervals(
            enough,
            unidentified=[x for x in enough if not {x, self.options.baseline} <= fixed],
            draws=self.options.draws,
            seed=derive_seed(self.options.seed, self.name),
        )

    def warn(self, language: str, text: str) -> None:
        """Add a warning about one language."""
        self.warnings.append(f"{self.name}/{language}: {text}")

    def warn_once(self, text: str) -> None:
        """Add a warning about the task, unless it is there already."""
        self.warnings += [] if f"{self.name}: {text}" in self.warnings else [f"{self.name}: {text}"]


def compare(task: Task, cell: Side) -> GapCell:
    """The language against the baseline; every key is ``None`` where that cannot be done."""
    baseline = task.options.baseline
    base = task.cells.get(baseline)
    if base is None or cell.language == baseline:
        return dict(NO_GAP)
    identified = base.identified and cell.identified
    levels = task.pairs[cell.language]
    _warn_of_lost_pairs(task, base, cell, int(levels.n.sum()))
    if not levels.questions:
        levels = Levels.unpaired(base, cell)
    tested = task.tests.get(cell.language)
    result = {
        **NO_GAP,
        "difference": None if tested is None else tested.as_json(),
        "small": _is_small(task, levels),
        "sides": levels.sides(derive_seed(task.options.seed, task.name)),
        "paired": _paired(task, cell.language, levels) if levels.questions else None,
        "pooled": levels.pooled(),
        "extreme": both_extreme(base, cell),
    }
    if baseline not in task.curves or cell.language not in task.curves:
        return result
    shared = [(side.min(), side.max()) for side in (base.levels[0], cell.levels[0])]
    low, high = max(shared)[0], min(top for _, top in shared)
    if shared[0] != shared[1] and task.design is None:
        if low >= high:
            task.warn(cell.language, f"its levels and those of {baseline!r} do not overlap")
            return result
        task.warn(
            cell.language,
            f"its levels span another range than those of {baseline!r}: curves are compared on "
            f"{number(low)} to {number(high)}",
        )
    curves, sd = (task.curves[baseline], task.curves[cell.language]), spread
    if task.design is not None:
        sd = central_spread
        low, high = task.design.c_min, task.design.c_max
        curves = task.drawn.get(cell.language) or curves
    fitted = gap(*curves, float(low), float(high), integers=True, sd=sd)
    result |= {
        "identified": identified,
        "coarse": any(coarse(*side.levels) for side in (base, cell)),
    }
    fixed = identified and not result["small"] and not result["extreme"]
    return result | gap_json(fitted, levels, fixed=fixed)


def _warn_of_lost_pairs(task: Task, base: Side, cell: Side, pairs: int) -> None:
    """Say which answers have no partner in the other language."""
    if not pairs:
        task.warn(
            cell.language,
            f"no instance_id occurs in {task.options.baseline!r} too: no paired statistics",
        )
        return
    lost = base.n + cell.n - 2 * pairs
    if lost:
        task.warn(
            cell.language,
            f"{lost} answers have no partner with the same instance_id in the other "
            f"language: the paired statistics use the {pairs} common questions",
        )


def _paired(task: Task, language: str, pairs: Levels) -> Paired:
    """Paired test and interval over the questions answered in both languages."""
    seed = derive_seed(task.options.seed, task.name)  # languages alike get the same draws
    paired: Paired = {
        "n": pairs.questions,
        "interval": None,
        "p": exchange_test(pairs, nets=pairs.nets, draws=task.options.permutations, seed=seed),
        "p_holm": None,
        "low": None,
        "high": None,
        "estimate": None,
        "free_low": None,
        "free_high": None,
    }
    if task.design is not None:
        if len(pairs.c) >= FEWEST_LEVELS:
            stream = Stream("sparse pairs", seed)
            drawn = paired_draws(pairs, draws=task.options.draws, stream=stream)
            task.drawn[language] = drawn
            ends = task.design.c_min, task.design.c_max
            limits = draws_interval(*drawn, *ends, pairs=paired["n"])
            paired["low"], paired["high"], paired["estimate"] = (
                limits.low,
                limits.high,
                limits.estimate,
            )
    elif pairs.questions < _FEWEST_PAIRS * len(pairs.c):
        task.warn_once(f"fewer than {_FEWEST_PAIRS} common questions per level: no interval")
    elif len(pairs.c) >= FEWEST_LEVELS:
        if (interval := task.intervals.get(language)) is not None:
            paired["low"], paired["high"] = interval.low, interval.high
            paired["estimate"] = interval.estimate
        elif pairs.is_coarse:
            task.coarse.append(language)
    _widen(task, language, pairs, paired, seed)
    times = inflation(pairs.discordant, pairs.nets, np.arange(len(pairs.c)))
    for low, high, estimate in (("low", "high", "estimate"), ("free_low", "free_high", "")):
        if wide := stretched_ends(paired[low], paired[high], paired.get(estimate), times):
            paired[low], paired[high] = wide
    return paired


def _widen(task: Task, language: str, pairs: Levels, paired: Paired, seed: int) -> None:
    """Name the kind of the interval; where a curve may mislead, span the model-free one too."""
    fitted = [
        task.misfits[name] for name in (task.options.baseline, language) if name in task.misfits
    ]
    own_low, own_high = paired["low"], paired["high"]
    paired["interval"] = None if own_low is None else CURVE
    if len(pairs.c) < FEWEST_LEVELS:
        return
    if pairs.questions < _FEWEST_PAIRS * FEWEST_LEVELS:
        return
    free = free_interval(pairs, seed=seed, between=pairs.is_coarse)
    if free is None:  # accuracy rises with complexity somewhere: no curve that falls says anything
        task.warn(language, "accuracy rises with complexity: no interval of the largest gap")
        paired["low"] = paired["high"] = paired["estimate"] = paired["interval"] = None
        return
    low, high = paired["free_low"], paired["free_high"] = free
    if own_low is not None and own_high is not None:
        rejected = [fit.size for fit in fitted if fit.found]
        # Of 8 levels with 10 questions the curves' own interval covers 88% (benchmarks/misfit.py).
        few = task.design is None and _is_small(task, pairs) and not consecutive(pairs.c)
        if rejected or few:
            paired["low"], paired["high"] = min(low, own_low), max(high, own_high)
            paired["interval"] = UNION
        if rejected:
            paired["misfit_size"] = max(rejected)
    elif pairs.questions >= _FEWEST_PAIRS * len(pairs.c):
        paired["low"], paired["high"], paired["interval"] = low, high, MODEL_FREE


def _is_small(task: Task, levels: Levels) -> bool | None:
    """Whether the questions are too few for the size of the largest gap to be stated first."""
    if not levels.questions:
        return None
    if task.design is not None:
        return levels.questions < FEWEST_OF_A_DESIGN
    return levels.questions < FEWEST_OF_A_LEVEL * len(levels.c)


def signed(tasks: Sequence[Task], records: Sequence[Record], options: Options) -> str:
    """The signature of a section.

    Args:
        tasks: of the plain questions; all have the same options.
        records: all answers, those to questions under other conditions among them; at least one.
        options: of the tasks.
    """
    in_order = sorted(tasks, key=lambda task: task.name)
    every = [cell for task in in_order for cell in task.cells.values()]
    references = [record.reference for record in records]
    shapes = [cell.levels for cell in every if len(cell.levels[0])]
    per_level = {int(size) for _, _, n in shapes for size in n}
    conditions = MIXED.join(sorted({condition(reference) for reference in references}))
    reseeded = f"-s{options.seed}" if options.seed else ""
    fits = {"ls-beta" if task.design is None else "wls-redrawn" for task in tasks}
    fields = {
        "design": common(references, "design"),
        "task": MIXED.join(sorted({reference["task"] for reference in references})),
        "levels": MIXED.join(map(str, sorted({len(c) for c, _, _ in shapes}))) or None,
        "c": MIXED.join(filter(None, map(_range, in_order))) or None,
        "n": "-".join(map(str, sorted({min(per_level), max(per_level)}))) if per_level else None,
        "split": _not_default(common(references, "split"), "test"),
        "data": common(references, "data"),
        "text": common(references, "text"),
        "conditions": _not_default(conditions, PLAIN),
        "tokenizer": common(references, "tokenizer"),
        "romaniser": common(references, "romaniser"),
        "fit": f"{MIXED.join(sorted(fits))}{options.draws}{reseeded}" if tasks else None,
        "permutations": _not_default(str(options.permutations), str(PERMUTATIONS)),
        "baseline": _not_default(options.baseline, ENGLISH),
        "seed": common(references, "seed"),
    }
    return signature(fields)


def _range(task: Task) -> str | None:
    """The lowest and the highest complexity of a task, as ``10-400``; ``None`` without any."""
    if task.design is not None:
        return f"{task.design.c_min}-{task.design.c_max}"
    sizes = [size for cell in task.cells.values() for size in cell.levels[0]]
    return f"{min(sizes):g}-{max(sizes):g}" if sizes else None


def _not_default(value: str | None, default: str) -> str | None:
    return None if value == default else value

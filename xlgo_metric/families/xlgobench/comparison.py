"""A language of a task against the baseline: the gap, its tests and what the levels show of it.

``comparison.compare`` says whether languages differ over all questions (``Task.tests``); here is
added at which complexities, and by how much: of one task, and then corrected for the cells of all
tasks together (``comparison.levels.correct_over_cells``).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from operator import itemgetter

import numpy as np

from xlgo_metric.comparison.compare import Cell
from xlgo_metric.comparison.levels import Levels, both_extreme, gap_json, stretched_limits
from xlgo_metric.comparison.section import (
    NO_GAP,
    GapCell,
    Paired,
)
from xlgo_metric.comparison.table import Side, number
from xlgo_metric.families.xlgobench.conditions import Stated
from xlgo_metric.statistics.adaptive import (
    central_spread,
    draws_interval,
    paired_draws,
    sparse_draws,
)
from xlgo_metric.statistics.differences import inflation
from xlgo_metric.statistics.draws import Floats, Integers, Stream, derive_seed
from xlgo_metric.statistics.gamma import together
from xlgo_metric.statistics.gaps import (
    BASE,
    OTHER,
    Draws,
    all_curve_draws,
    cell_stream,
    gap,
    spread,
)
from xlgo_metric.statistics.levels import Misfit, free_interval, misfits
from xlgo_metric.statistics.paired import (
    PairedInterval,
    coarse,
    consecutive,
    exchange_test,
    whole_intervals,
)

FEWEST_LEVELS = 2
FEWEST_OF_A_LEVEL = 30
"""Common questions of a level, on average, from which the SMD is stated first."""

FEWEST_OF_A_DESIGN = 200
"""The same of a plan of questions, altogether."""

CURVE, MODEL_FREE, UNION = "curve", "model-free", "union"
"""What makes ``paired.low`` and ``paired.high``: the fitted curves, isotonic curves, or both."""

_FEWEST_PAIRS = 5  # a level, on average; resampling fewer says nothing of their spread


@dataclass
class Task:
    """What the languages of one task share while they are summarized.

    Attributes:
        name: of the task.
        cells: its answers by language.
        tests: each language against the baseline over all common questions, where there are any.
        design: that of a plan of questions.
        baseline, seed, draws, permutations: see ``summary.summarize``.
        warnings: about the task and its languages.
        coarse: languages without an interval, because the levels are coarse against the drop.
    """

    name: str
    cells: Mapping[str, Side]
    tests: Mapping[str, Cell]
    design: Stated | None
    baseline: str
    seed: int
    draws: int
    permutations: int
    warnings: list[str] = field(default_factory=list)
    coarse: list[str] = field(default_factory=list)

    def warn(self, language: str, notes: Mapping[str, object]) -> None:
        """Add the warnings about one language that hold."""
        self.warnings += [f"{self.name}/{language}: {x}" for x, holds in notes.items() if holds]

    def _role(self, language: str) -> str:
        """What keys the draws of a curve: languages with the same answers get the same numbers."""
        return BASE if language == self.baseline else OTHER

    @cached_property
    def _counts(self) -> dict[str, tuple[Floats, Floats, Integers]]:
        """The answers of each language that was asked at levels enough; a question counts once."""
        counts = {language: side.by_level for language, side in self.cells.items()}
        return {name: levels for name, levels in counts.items() if len(levels[0]) >= FEWEST_LEVELS}

    @cached_property
    def curves(self) -> dict[str, Draws]:
        """The curve of each language that was asked at levels enough, with its draws."""
        name, seed, draws = self.name, self.seed, self.draws
        if self.design is not None:
            return {
                x: sparse_draws(
                    *self.cells[x].levels,
                    draws=draws,
                    stream=Stream("sparse draws", seed, name, self._role(x)),
                )
                for x in self._counts
            }
        counted = {
            x: (*levels, cell_stream(name, self._role(x), seed))
            for x, levels in self._counts.items()
        }
        return together(partial(all_curve_draws, draws=draws), counted, itemgetter(0))

    @cached_property
    def misfits(self) -> dict[str, Misfit]:
        """Whether each curve fits."""
        counted = {
            x: (*levels, Stream("misfit", self.seed, self.name, self._role(x)))
            for x, levels in self._counts.items()
        }
        is_planned = self.design is not None
        return together(partial(misfits, weighted=is_planned), counted, itemgetter(0))

    @cached_property
    def pairs(self) -> dict[str, Levels]:
        """What each language has in common with the baseline."""
        others = dict(self.cells)
        base = others.pop(self.baseline, None)
        return {} if base is None else {x: Levels.of_pairs(base, y) for x, y in others.items()}

    @cached_property
    def intervals(self) -> dict[str, PairedInterval]:
        """Those of the largest gaps by language, where there are questions enough."""
        enough = {
            language: pairs
            for language, pairs in self.pairs.items()
            if len(pairs.c) >= FEWEST_LEVELS and pairs.questions >= _FEWEST_PAIRS * len(pairs.c)
        }
        fixed = {language for language, side in self.cells.items() if side.identified}
        return whole_intervals(
            enough,
            unidentified=[x for x in enough if not {x, self.baseline} <= fixed],
            draws=self.draws,
            seed=derive_seed(self.seed, self.name),
        )


def compare(task: Task, cell: Side) -> GapCell:
    """The language against the baseline; every key is ``None`` where that cannot be done."""
    base, language = task.cells.get(task.baseline), cell.language
    if base is None or language == task.baseline:
        return dict(NO_GAP)
    identified, seed = base.identified and cell.identified, derive_seed(task.seed, task.name)
    levels = task.pairs[language]
    pairs = int(levels.n.sum())
    lost = base.n + cell.n - 2 * pairs
    notes: dict[str, object] = {
        f"no instance_id occurs in {task.baseline!r} too: no paired statistics": not pairs,
        f"{lost} answers have no partner with the same instance_id in the other "
        f"language: the paired statistics use the {pairs} common questions": pairs and lost,
    }
    task.warn(language, notes)
    drawn = None
    if not levels.questions:
        levels = Levels.unpaired(base, cell)
    elif task.design is not None and len(levels.c) >= FEWEST_LEVELS:
        drawn = paired_draws(levels, draws=task.draws, stream=Stream("sparse pairs", seed))
    tested = task.tests.get(language)
    result = {
        **NO_GAP,
        "difference": None if tested is None else tested.as_json(),
        "small": _is_small(task, levels),
        "sides": levels.sides(seed),
        "paired": _paired(task, language, levels, drawn) if levels.questions else None,
        "pooled": levels.pooled(),
        "extreme": both_extreme(base, cell),
    }
    if not {task.baseline, language} <= task.curves.keys():
        return result
    shared = [(side.min(), side.max()) for side in (base.levels[0], cell.levels[0])]
    low, high, sd = float(max(shared)[0]), float(min(top for _, top in shared)), spread
    if task.design is not None:
        low, high, sd = float(task.design.c_min), float(task.design.c_max), central_spread
    elif shared[0] != shared[1]:
        notes = {
            f"its levels and those of {task.baseline!r} do not overlap": low >= high,
            f"its levels span another range than those of {task.baseline!r}: curves are compared "
            f"on {number(low)} to {number(high)}": low < high,
        }
        task.warn(language, notes)
    if low >= high:
        return result
    curves = drawn or (task.curves[task.baseline], task.curves[language])
    is_fixed = identified and not result["small"] and not result["extreme"]
    return {
        **result,
        "identified": identified,
        "coarse": any(coarse(*side.levels) for side in (base, cell)),
        **gap_json(gap(*curves, low, high, integers=True, sd=sd), levels, fixed=is_fixed),
    }


def _paired(task: Task, language: str, pairs: Levels, drawn: tuple[Draws, Draws] | None) -> Paired:
    """Paired test and interval over the questions answered in both languages."""
    seed = derive_seed(task.seed, task.name)  # languages alike get the same draws
    is_few, limits = pairs.questions < _FEWEST_PAIRS * len(pairs.c), None
    if drawn is not None and task.design is not None:
        ends = task.design.c_min, task.design.c_max
        limits = draws_interval(*drawn, *ends, pairs=pairs.questions)
    elif task.design is None and is_few:
        task.warnings.append(
            f"{task.name}: fewer than {_FEWEST_PAIRS} common questions per level: no interval"
        )
    elif task.design is None and len(pairs.c) >= FEWEST_LEVELS:
        limits = task.intervals.get(language)
        task.coarse += [language] if limits is None and pairs.is_coarse else []
    paired: Paired = {
        "n": pairs.questions,
        "interval": None if limits is None else CURVE,
        "p": exchange_test(pairs, nets=pairs.nets, draws=task.permutations, seed=seed),
        "p_holm": None,
        **dict.fromkeys(("free_low", "free_high")),
        **(dict.fromkeys(("low", "high", "estimate")) if limits is None else vars(limits)),
    }
    if len(pairs.c) >= FEWEST_LEVELS and pairs.questions >= _FEWEST_PAIRS * FEWEST_LEVELS:
        paired |= _widened(task, language, pairs, limits)
    times = inflation(pairs.discordant, pairs.nets, np.arange(len(pairs.c)))
    for low, high, estimate in (("low", "high", "estimate"), ("free_low", "free_high", "")):
        if wide := stretched_limits(paired[low], paired[high], paired.get(estimate), times):
            paired[low], paired[high] = wide
    return paired


def _widened(task: Task, language: str, pairs: Levels, limits: PairedInterval | None) -> Paired:
    """Where a curve may mislead, limits that span the model-free ones, too; and their kind."""
    seed = derive_seed(task.seed, task.name)
    free = free_interval(pairs, seed=seed, between=pairs.is_coarse)
    if free is None:  # no curve that falls says anything
        note = "accuracy rises with complexity: no interval of the largest gap"
        task.warn(language, {note: True})
        return dict.fromkeys(("low", "high", "estimate", "interval"))
    result: Paired = dict(zip(("free_low", "free_high"), free))
    fits = [task.misfits[x] for x in (task.baseline, language) if x in task.misfits]
    rejected = [fit.size for fit in fits if fit.found]
    # Of 8 levels with 10 questions the curves' own interval covers 88% (benchmarks/misfit.py).
    is_few = task.design is None and _is_small(task, pairs) and not consecutive(pairs.c)
    if limits is None and pairs.questions >= _FEWEST_PAIRS * len(pairs.c):
        result |= {"low": free[0], "high": free[1], "interval": MODEL_FREE}
    elif limits is not None and (rejected or is_few):
        span = {"low": min(free[0], limits.low), "high": max(free[1], limits.high)}
        result |= {**span, "interval": UNION}
    if limits is not None and rejected:
        result["misfit_size"] = max(rejected)
    return result


def _is_small(task: Task, levels: Levels) -> bool | None:
    """Whether the questions are too few for the size of the largest gap to be stated first."""
    if not levels.questions:
        return None
    if task.design is not None:
        return levels.questions < FEWEST_OF_A_DESIGN
    return levels.questions < FEWEST_OF_A_LEVEL * len(levels.c)

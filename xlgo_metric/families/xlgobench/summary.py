"""The XLGoBench section of a score: curves, gaps and their uncertainty by task and language."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from xlgo_metric.core import Record
from xlgo_metric.families.xlgobench import stated
from xlgo_metric.families.xlgobench.counts import UNKNOWN_LANGUAGE, Cell, cells, pair
from xlgo_metric.families.xlgobench.curve_json import band, fit_json
from xlgo_metric.signature import MIXED, common, signature
from xlgo_metric.statistics.diagnosis import diagnose
from xlgo_metric.statistics.draws import derive_seed
from xlgo_metric.statistics.fitting import fit_gamma
from xlgo_metric.statistics.gaps import average_accuracy, divergence
from xlgo_metric.statistics.likelihood import fit_penalised
from xlgo_metric.statistics.measures import band_accuracies, dw_acc, language_spread, spearman
from xlgo_metric.statistics.multiple import benjamini_hochberg, holm
from xlgo_metric.statistics.paired import PERMUTATIONS, paired_interval, paired_test
from xlgo_metric.statistics.uncertainty import DRAWS, Draws, cell_stream, curve_draws, gap, spread
from xlgo_metric.version import __version__

ENGLISH = "en"
_FEWEST_LEVELS = 2
_FEWEST_PAIRS = 5  # a level, on average; resampling fewer says nothing of their spread
_GAP_KEYS = ("smd", "c_star", "f_en", "f_l", "rd")
_NO_GAP: dict[str, Any] = {
    "significant": None,
    "identified": None,
    "paired": None,
    "penalised": None,
    **{name: None for key in _GAP_KEYS for name in (key, f"{key}_sd")},
}


@dataclass(frozen=True)
class _Options:
    seed: int
    draws: int
    permutations: int
    baseline: str


@dataclass
class _Task:
    """What the languages of one task share while they are summed up."""

    name: str
    cells: dict[str, Cell]
    options: _Options
    warnings: list[str] = field(default_factory=list)
    curves: dict[str, Draws] = field(default_factory=dict)
    design: stated.Stated | None = None
    drawn: dict[str, stated.Pair | None] = field(default_factory=dict)

    def warn(self, language: str, text: str) -> None:
        self.warnings.append(f"{self.name}/{language}: {text}")


def summarize(
    records: Sequence[Record],
    *,
    seed: int = 0,
    draws: int = DRAWS,
    permutations: int = PERMUTATIONS,
    baseline: str = ENGLISH,
) -> dict[str, Any]:
    """Everything XLGoBench reports of graded responses, and the paired statistics beside it.

    Args:
        records: graded responses of any tasks and languages, in any order (but several responses to
            one question are paired in their order). Their references should hold ``language``,
            ``complexity`` and ``instance_id``; what cannot be computed without is ``None``, and a
            warning says so.
        seed: of all draws. A cell does not depend on which other cells are there, except for
            ``p_holm`` and ``p_bh``.
        draws: Beta draws per curve and bootstrap resamples per interval, at least 2.
        permutations: draws of the paired test, at least 1.
        baseline: the language that the others are compared with.

    Returns:
        Plain JSON types, fractions throughout: ``signature``; ``tasks`` with, for each task, the
        range and ``languages``; ``dw_acc`` (four equal bands of complexity, weights 1, 2, 4, 8) and
        ``spread`` (over languages) by task; ``thinking`` (Spearman's rho of SMD and mean length of
        thinking in characters) by task; ``warnings``. docs/statistics.md explains every number.

    Raises:
        ValueError: no records, or an option out of range.
    """
    if not records:
        raise ValueError("there is nothing to sum up: no graded responses were given")
    if draws < 2 or permutations < 1:
        raise ValueError(
            f"draws must be 2 or more and permutations 1 or more: {draws}, {permutations}"
        )
    options = _Options(seed, draws, permutations, baseline)
    tasks = [
        _Task(name, found, options, design=stated.stated(found.values()))
        for name, found in cells(records).items()
    ]
    section: dict[str, Any] = {
        "signature": _signature(tasks, options),
        "baseline": baseline,
        "tasks": {task.name: _summarize_task(task) for task in tasks},
    }
    _adjust_p_values(section["tasks"])
    section["dw_acc"] = {task.name: _weighted(task) for task in tasks}
    section["spread"] = {task.name: _spread(task) for task in tasks}
    section["thinking"] = {
        task.name: _thinking(task, section["tasks"][task.name]["languages"]) for task in tasks
    }
    section["warnings"] = [text for task in tasks for text in task.warnings]
    return section


def _summarize_task(task: _Task) -> dict[str, Any]:
    sizes = [size for cell in task.cells.values() for size in cell.levels[0]]
    c_min, c_max = (min(sizes), max(sizes)) if sizes else (None, None)
    if task.design is not None:
        c_min, c_max = task.design.c_min, task.design.c_max
        task.warnings += stated.warnings(task.name, task.design)
    _warn_of_gaps_in_the_data(task)
    for language, cell in task.cells.items():
        c, k, n = cell.levels
        if len(c) >= _FEWEST_LEVELS and task.design is not None:
            seed, draws = task.options.seed, task.options.draws
            task.curves[language] = stated.curves(cell, seed=seed, draws=draws)
        elif len(c) >= _FEWEST_LEVELS:
            stream = cell_stream(task.name, language, task.options.seed)
            task.curves[language] = curve_draws(c, k, n, draws=task.options.draws, stream=stream)
    return {
        "c_min": _number(c_min),
        "c_max": _number(c_max),
        **({} if task.design is None else {"design": task.design.design}),
        "languages": {
            language: {
                **_counted(cell),
                **_fitted(task, cell, c_min, c_max),
                **_compared(task, cell),
            }
            for language, cell in task.cells.items()
        },
    }


def _warn_of_gaps_in_the_data(task: _Task) -> None:
    baseline = task.options.baseline
    if baseline not in task.cells:
        task.warnings.append(
            f"{task.name}: no answers in {baseline!r}, with which languages are compared"
        )
    for language, cell in task.cells.items():
        if language == UNKNOWN_LANGUAGE:
            task.warn(language, f"{cell.n} answers whose reference names no language")
        lost = cell.n - int(cell.levels[2].sum())
        if lost:
            task.warn(language, f"{lost} of {cell.n} answers have no complexity above 0: left out")
        if cell.repeated:
            task.warn(
                language,
                f"{cell.repeated} of {cell.n} answers are to a question that was answered before: "
                "they count like new questions, so the spreads are too small",
            )
        if baseline in task.cells and cell.wordings != task.cells[baseline].wordings:
            task.warn(
                language,
                f"asked in the wording {'+'.join(cell.wordings)}, {baseline!r} in "
                f"{'+'.join(task.cells[baseline].wordings)}: a gap may be one of wording",
            )
        if len(cell.levels[0]) < _FEWEST_LEVELS:
            task.warn(language, "fewer than two levels of complexity: no curve can be fitted")


def _counted(cell: Cell) -> dict[str, Any]:
    """Counts and rates: what holds without any model of accuracy."""
    statuses = cell.statuses()
    strict = sum(record.grade.strict for record in cell.records)
    return {
        "n": cell.n,
        "correct": cell.correct,
        "accuracy": cell.correct / cell.n,
        "strict": strict / cell.n,
        "parsed": (statuses["correct"] + statuses["wrong"]) / cell.n,
        "statuses": statuses,
        "levels": [
            {"level": level, "complexity": _number(c), "n": int(n), "correct": int(k)}
            for level, (c, k, n) in enumerate(zip(*cell.levels))
        ],
        "details": cell.details(),
    }


def _fitted(task: _Task, cell: Cell, c_min: float | None, c_max: float | None) -> dict[str, Any]:
    """The curve of one language: fit, average accuracy and band over the range of the task."""
    curves = task.curves.get(cell.language)
    if curves is None or c_min is None or c_max is None:
        return {"fit": None, "avg_acc": None, "avg_acc_sd": None, "band": None}
    fit = fit_gamma(*cell.levels)
    return {
        "fit": fit_json(fit, curves),
        "avg_acc": average_accuracy(*curves.curve, c_min, c_max),
        "avg_acc_sd": spread(average_accuracy(*curves.curves, c_min, c_max)),
        "band": band(curves, c_min, c_max),
    }


def _compared(task: _Task, cell: Cell) -> dict[str, Any]:
    """The language against the baseline; every key is ``None`` where that cannot be done."""
    baseline = task.options.baseline
    english = task.cells.get(baseline)
    if english is None or cell.language == baseline:
        return dict(_NO_GAP)
    result = {**_NO_GAP, "paired": _paired(task, english, cell)}
    if baseline not in task.curves or cell.language not in task.curves:
        return result
    shared = [(levels.min(), levels.max()) for levels in (english.levels[0], cell.levels[0])]
    low, high = max(shared)[0], min(top for _, top in shared)
    if shared[0] != shared[1] and task.design is None:
        if low >= high:
            task.warn(cell.language, f"its levels and those of {baseline!r} do not overlap")
            return result
        task.warn(
            cell.language,
            f"its levels span another range than those of {baseline!r}: compared on "
            f"{_number(low)} to {_number(high)}",
        )
    curves = task.curves[baseline], task.curves[cell.language]
    if task.design is not None:
        drawn = task.drawn.get(cell.language)
        low, high = task.design.c_min, task.design.c_max
        curves = stated.with_values(curves, drawn) if drawn else curves
    found = gap(*curves, float(low), float(high))
    for key in _GAP_KEYS:
        estimate = getattr(found, key)
        result[key], result[f"{key}_sd"] = estimate.value, estimate.sd
    result["significant"] = found.significant
    result["identified"] = all(
        diagnose(c, k / n, n.astype(np.float64))[0] for c, k, n in (english.levels, cell.levels)
    )
    result["penalised"] = _penalised(english, cell)
    return result


def _penalised(english: Cell, cell: Cell) -> dict[str, float] | None:
    """The gap between likelihood curves with a common ceiling and floor, on the common levels."""
    (c_en, k_en, n_en), (c_l, k_l, n_l) = english.levels, cell.levels
    c, in_en, in_l = np.intersect1d(c_en, c_l, assume_unique=True, return_indices=True)
    if len(c) < _FEWEST_LEVELS:
        return None
    fit = fit_penalised(c, np.stack([k_en[in_en], k_l[in_l]]), np.stack([n_en[in_en], n_l[in_l]]))
    ends = float(c.min()), float(c.max())
    found = divergence((fit.q[0], fit.r[0]), (fit.q[1], fit.r[1]), *ends)
    return {
        "smd": (fit.ceiling - fit.floor) * float(found.smd),
        "c_star": float(found.c_star),
        "ceiling": fit.ceiling,
        "floor": fit.floor,
    }


def _paired(task: _Task, english: Cell, cell: Cell) -> dict[str, Any] | None:
    """Paired test and interval over the questions answered in both languages."""
    pairs = pair(english, cell)
    if not len(pairs.c):
        task.warn(
            cell.language,
            f"no instance_id occurs in {task.options.baseline!r} too: no paired statistics",
        )
        return None
    if pairs.unpaired:
        task.warn(
            cell.language,
            f"{pairs.unpaired} answers have no partner with the same instance_id in the other "
            f"language: the paired statistics use the {int(pairs.n.sum())} common questions",
        )
    seed = derive_seed(task.options.seed, task.name, cell.language)
    counts = (pairs.k_en, pairs.k_l, pairs.discordant, pairs.n, pairs.c)
    found: dict[str, Any] = {
        "n": int(pairs.n.sum()),
        "p": paired_test(*counts, draws=task.options.permutations, seed=seed),
        "p_holm": None,
        "p_bh": None,
        "low": None,
        "high": None,
        "estimate": None,
    }
    if task.design is not None:
        drawn = stated.paired(pairs, seed=seed, draws=task.options.draws)
        task.drawn[cell.language] = drawn
        found |= stated.interval(task.design, drawn)
    elif pairs.n.mean() < _FEWEST_PAIRS:
        few = f"{task.name}: fewer than {_FEWEST_PAIRS} common questions per level: no interval"
        task.warnings += [] if few in task.warnings else [few]
    elif len(pairs.c) >= _FEWEST_LEVELS:
        interval = paired_interval(*counts, draws=task.options.draws, seed=seed)
        found |= {"low": interval.low, "high": interval.high, "estimate": interval.estimate}
    return found


def _adjust_p_values(tasks: dict[str, Any]) -> None:
    """Holm and Benjamini-Hochberg over all paired tests of the section."""
    tested = [
        cell["paired"]
        for task in tasks.values()
        for cell in task["languages"].values()
        if cell["paired"] is not None
    ]
    p = [found["p"] for found in tested]
    for found, claim, screen in zip(tested, holm(p), benjamini_hochberg(p)):
        found["p_holm"], found["p_bh"] = float(claim), float(screen)


def _weighted(task: _Task) -> dict[str, float | None]:
    bands = {language: band_accuracies(*cell.levels) for language, cell in task.cells.items()}
    return {name: None if found is None else dw_acc(found) for name, found in bands.items()}


def _spread(task: _Task) -> dict[str, Any]:
    found = language_spread({name: cell.correct / cell.n for name, cell in task.cells.items()})
    return vars(found).copy()


def _thinking(task: _Task, languages: dict[str, Any]) -> dict[str, Any] | None:
    """Mean length of thinking by language and its rank correlation with the SMD."""
    lengths: dict[str, float] = {}
    for language, cell in task.cells.items():
        texts = [r.thinking_length for r in cell.records if r.thinking_length is not None]
        if texts:
            lengths[language] = sum(texts) / len(texts)
    if not lengths:
        return None
    both = [name for name in lengths if languages[name]["smd"] is not None]
    rho, p = spearman([lengths[name] for name in both], [languages[name]["smd"] for name in both])
    return {"mean_characters": lengths, "rho": rho, "p": p}


def _signature(tasks: Sequence[_Task], options: _Options) -> str:
    in_order = sorted(tasks, key=lambda task: task.name)
    every = [cell for task in in_order for cell in task.cells.values()]
    references = [record.reference for cell in every for record in cell.records]
    shapes = [cell.levels for cell in every if len(cell.levels[0])]
    per_level = {int(size) for _, _, n in shapes for size in n}
    reseeded = f"-s{options.seed}" if options.seed else ""
    fields = {
        "design": common(references, "design"),
        "task": MIXED.join(task.name for task in in_order),
        "levels": MIXED.join(map(str, sorted({len(c) for c, _, _ in shapes}))) or None,
        "c": MIXED.join(filter(None, map(_range, in_order))) or None,
        "n": f"{min(per_level)}-{max(per_level)}" if len(per_level) > 1 else _only(per_level),
        "split": _not_default(common(references, "split"), "test"),
        "data": common(references, "data"),
        "text": common(references, "text"),
        "fit": f"{_fits(tasks)}{options.draws}{reseeded}",
        "permutations": _not_default(str(options.permutations), str(PERMUTATIONS)),
        "baseline": _not_default(options.baseline, ENGLISH),
        "seed": common(references, "seed"),
    }
    return signature(fields, __version__)


def _fits(tasks: Sequence[_Task]) -> str:
    """How curves were fitted and drawn again; two ways where only some tasks have a plan."""
    ways = {"ls-beta" if task.design is None else "ls-redrawn" for task in tasks}
    return MIXED.join(sorted(ways))


def _range(task: _Task) -> str | None:
    """The lowest and the highest complexity of a task, as ``10-400``; ``None`` without any."""
    if task.design is not None:
        return f"{task.design.c_min}-{task.design.c_max}"
    sizes = [size for cell in task.cells.values() for size in cell.levels[0]]
    return f"{min(sizes):g}-{max(sizes):g}" if sizes else None


def _only(values: set[int]) -> int | None:
    return next(iter(values), None)


def _not_default(value: str | None, default: str) -> str | None:
    return None if value == default else value


def _number(value: float | None) -> float | int | None:
    """A complexity as an integer where it is one."""
    if value is None:
        return None
    return int(value) if math.isfinite(value) and value == int(value) else float(value)

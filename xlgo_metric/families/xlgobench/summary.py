"""The XLGoBench section of a score: curves, gaps and their uncertainty by task and language."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import resources
from statistics import fmean

import numpy as np

from xlgo_metric.comparison.compare import (
    UNEQUAL,
    Comparison,
    common_tasks,
    compare as compared,
)
from xlgo_metric.comparison.levels import correct_over_cells, curve_json
from xlgo_metric.comparison.section import GapCell, Gaps, GapTask, OverTasks
from xlgo_metric.comparison.table import FIXED, UNKNOWN_LANGUAGE, AnswerTable, number, sides
from xlgo_metric.core import MIXED, PLAIN, Record, common, condition, signature
from xlgo_metric.families.xlgobench import ENGLISH
from xlgo_metric.families.xlgobench.comparison import FEWEST_LEVELS, Task, compare
from xlgo_metric.families.xlgobench.conditions import contrasts, stated, warnings_of_design
from xlgo_metric.statistics.gaps import DRAWS
from xlgo_metric.statistics.measures import spearman
from xlgo_metric.statistics.paired import PERMUTATIONS
from xlgo_metric.views import NOTHING, Row

_USUAL = {
    "split": "test",
    "conditions": PLAIN,
    "permutations": PERMUTATIONS,
    "baseline": ENGLISH,
}
"""What a signature does not say."""


def summarize(
    records: Sequence[Record],
    *,
    seed: int = 0,
    draws: int = DRAWS,
    permutations: int = PERMUTATIONS,
    baseline: str = ENGLISH,
) -> Gaps:
    """Everything XLGoBench reports of graded responses, and the paired statistics beside it.

    Args:
        records: graded responses of any tasks and languages, in any order (but several responses to
            one question are paired in their order). Their references should hold ``language``,
            ``complexity`` and ``instance_id``; what cannot be computed without is ``None``, and a
            warning says so. All but ``why`` is made of the answers to plain questions alone.
        seed: of all draws.
        draws: Beta draws per curve and bootstrap resamples per interval, at least 2.
        permutations: draws of the paired test, at least 1.
        baseline: the language that the others are compared with.

    Returns:
        Plain JSON types, fractions throughout: ``signature``; ``tasks`` with, for each task, the
        range and ``languages``; ``thinking`` (Spearman's rho of SMD and mean length of thinking in
        characters) by task; ``warnings``; where questions were asked under conditions
        ``why`` (contrasts of conditions, docs/why.md). docs/statistics.md explains every number.

    Raises:
        ValueError: no records.
    """
    if not records:
        raise ValueError(NOTHING)
    table = AnswerTable.of_records(records)
    plain = table.plain
    chosen_tasks = set(plain.frame["task"][plain.frame["design"] != FIXED])
    tests = compared(plain, baseline=baseline, required=False)
    numbers = {"seed": seed, "draws": draws, "permutations": permutations}
    options: Row = {**numbers, "baseline": baseline}
    tasks = [
        Task(
            name,
            cells,
            {cell.other: cell for cell in tests.about(task=name)},
            stated(cells.values()) if name in chosen_tasks else None,
            **options,
        )
        for name, cells in sides(plain).items()
    ]
    summed = {task.name: _summarize_task(task) for task in tasks}
    correct_over_cells(summed)
    section: Gaps = {
        "signature": _signature(tasks, summed, records, options),
        "baseline": baseline,
        "tasks": summed,
        "over_tasks": _over_tasks(plain, tests),
        "thinking": {task.name: _thinking(task, summed[task.name]["languages"]) for task in tasks},
        "warnings": [text for task in tasks for text in dict.fromkeys(task.warnings)],
    }
    if len(plain) < len(table):
        section["why"], warnings = contrasts(table, baseline)
        section["warnings"] += warnings
    return section


def _summarize_task(task: Task) -> GapTask:
    sizes = [size for cell in task.cells.values() for size in cell.levels[0]]
    ends = (min(sizes), max(sizes)) if sizes else None
    if task.design is not None:
        ends = task.design.c_min, task.design.c_max
        task.warnings += warnings_of_design(task.name, task.design)
    _warn_of_gaps_in_the_data(task)
    languages = {
        language: {
            **cell.summary(),
            **curve_json(cell, task.curves.get(language), ends, task.misfits.get(language)),
            **compare(task, cell),
        }
        for language, cell in task.cells.items()
    }
    unseen = [name for name in task.coarse if not languages[name]["extreme"]]
    if unseen:
        task.warnings.append(
            f"{task.name}: the levels lie too far apart to show the drop of accuracy in "
            f"{', '.join(unseen)} and {task.baseline}: the interval allows for any fall "
            "between them; use levels closer to each other"
        )
    c_min, c_max = map(number, ends or (None, None))
    return {
        "c_min": c_min,
        "c_max": c_max,
        "floor": [] if ends is None else floor_points(task.name, *ends),
        "languages": languages,
        **({} if task.design is None else {"design": task.design.design}),
    }


@cache
def measured_floors() -> dict[str, dict[str, list[list[float]]]]:
    """Complexity and accuracy of every shortcut of every task, complexities rising.

    Measured by ``benchmarks/floors.py``; docs/puzzles.md says what they mean for reading a curve
    and a gap.
    """
    text = resources.files(__package__).joinpath("floors.json").read_text("utf-8")
    result: dict[str, dict[str, list[list[float]]]] = json.loads(text)
    return result


def floor_points(task: str, low: float, high: float) -> list[Row]:
    """The strongest shortcut at both ends of a range and at every complexity measured in it.

    Accuracies are linear between those measured, and are not carried on beyond.

    Returns:
        ``{"complexity", "accuracy", "heuristic"}`` each, complexities rising; none for a task
        without floors.
    """
    floors = measured_floors().get(task, {})
    inside = {c for points in floors.values() for c, _ in points if low < c < high}
    heights = [
        [
            {
                "complexity": c,
                "accuracy": float(np.interp(c, *np.transpose(points))),
                "heuristic": name,
            }
            for name, points in floors.items()
            if points[0][0] <= c <= points[-1][0]
        ]
        for c in map(float, sorted({low, high, *inside}))
    ]
    return [max(points, key=lambda point: point["accuracy"]) for points in heights if points]


def _warn_of_gaps_in_the_data(task: Task) -> None:
    baseline, base = task.baseline, task.cells.get(task.baseline)
    if base is None:
        task.warnings.append(
            f"{task.name}: no answers in {baseline!r}, with which languages are compared"
        )
    for language, cell in task.cells.items():
        unplaced = cell.n - int(cell.levels[2].sum())
        chosen = int((cell.frame["design"] != FIXED).sum())
        wordings = ["+".join(side.wordings) for side in (cell, base or cell)]
        notes: dict[str, object] = {
            f"{cell.n} answers whose reference names no language": language == UNKNOWN_LANGUAGE,
            f"{unplaced} of {cell.n} answers have no complexity above 0: left out": unplaced,
            f"{cell.repeated} of {cell.n} answers are to a question that was answered before: "
            "a question counts once, with the mean of its answers": cell.repeated,
            f"answers chose {chosen} of {cell.n} questions: they do not count in the gap over "
            "all questions, which stands on the fixed design": 0 < chosen < cell.n,
            f"asked in the wording {wordings[0]}, {baseline!r} in {wordings[1]}: a gap may be one "
            "of wording": wordings[0] != wordings[1],
            "fewer than two levels of complexity: no curve can be fitted": (
                len(cell.levels[0]) < FEWEST_LEVELS
            ),
        }
        task.warn(language, notes)


def _signature(
    tasks: Sequence[Task], summed: Mapping[str, GapTask], records: Sequence[Record], options: Row
) -> str:
    """Of all answers, and of what was made of those to plain questions."""
    references = [record.reference for record in records]
    levels = [cell.levels for task in tasks for cell in task.cells.values()]
    counts = {len(c) for c, *_ in levels if len(c)}
    per_level = {int(size) for *_, n in levels for size in n}
    ends = [(summed[name]["c_min"], summed[name]["c_max"]) for name in sorted(summed)]
    fits = {"ls-beta" if task.design is None else "wls-redrawn" for task in tasks}
    seeded = f"-s{options['seed']}" if options["seed"] else ""
    fields = {
        "design": common(references, "design"),
        "task": common(references, "task"),
        "levels": MIXED.join(map(str, sorted(counts))) or None,
        "c": MIXED.join(f"{low:g}-{high:g}" for low, high in ends if low is not None) or None,
        "n": "-".join(map(str, sorted({min(per_level), max(per_level)}))) if per_level else None,
        "split": common(references, "split"),
        "data": common(references, "data"),
        "text": common(references, "text"),
        "conditions": MIXED.join(sorted({condition(reference) for reference in references})),
        "tokenizer": common(references, "tokenizer"),
        "romaniser": common(references, "romaniser"),
        "fit": f"{MIXED.join(sorted(fits))}{options['draws']}{seeded}" if tasks else None,
        "permutations": options["permutations"],
        "baseline": options["baseline"],
        "seed": common(references, "seed"),
    }
    return signature({name: x for name, x in fields.items() if x != _USUAL.get(name)})


def _over_tasks(table: AnswerTable, tests: Comparison) -> OverTasks:
    """The gap of each language over the tasks that count for all, and which may be the largest.

    Args:
        table: plain answers.
        tests: the gaps of single tasks; that of the only one that counts is not tested again.
    """
    counted, left_out = common_tasks(table, str(tests.baseline))
    cells = compared(counted, baseline=tests.baseline, within=(), required=False).cells
    tasks = list(dict.fromkeys(counted.frame["task"]))
    if len(tasks) == 1:
        own = {cell.other: cell for cell in tests.about(task=tasks[0])}
        cells = tuple(replace(own[cell.other], where=cell.where) for cell in cells)
    frame = counted.frame[counted.frame["language"].isin([cell.other for cell in cells])]
    ranks = compared(AnswerTable(frame), within=(), ranked=True).ranks()
    return {
        "tasks": tasks,
        "left_out": left_out,
        "languages": {cell.other: cell.as_json() for cell in cells},
        "last": [code for code, rank in ranks.items() if rank.high == len(ranks)],
    }


def _thinking(task: Task, languages: Mapping[str, GapCell]) -> Row | None:
    """Mean length of thinking by language and its rank correlation with the SMD."""
    lengths: dict[str, float] = {}
    for language, cell in task.cells.items():
        texts = [r.thinking_length for r in cell.records if r.thinking_length is not None]
        if texts:
            lengths[language] = fmean(texts)
    if not lengths:
        return None
    sizes = {name: smd for name in lengths if (smd := languages[name]["smd"]) is not None}
    rho, p = spearman([lengths[name] for name in sizes], list(sizes.values()))
    return {"mean_characters": lengths, "rho": rho, "p": p}


def headline(section: Gaps) -> dict[str, float]:
    """Fractions by flat names.

    Returns:
        ``<task>_accuracy`` over all languages. ``<task>_diff_<language>``, accuracy of the baseline
        minus that of the language, and ``<task>_p_<language>``, the p value of its test, corrected
        over the score; neither where answers chose the questions. ``diff_<language>`` and
        ``p_<language>``, the same over the tasks that count for every language, corrected over the
        languages. ``<task>_smd_<language>`` and its ``_sd``, and ``smd_<language>``, the mean over
        those of the tasks that count in which every language has one. No difference, p value or
        mean of a language in which another share of answers is missing than in the baseline.
    """
    numbers: dict[str, float | None] = {}
    pooled = section["over_tasks"]
    for task, entry in section["tasks"].items():
        cells = entry["languages"]
        total = sum(cell["n"] for cell in cells.values())
        numbers[f"{task}_accuracy"] = sum(cell["correct"] for cell in cells.values()) / total
        for language, cell in cells.items():
            gap = cell["difference"]
            if gap is not None and "design" not in gap["where"] and gap["refused"] != UNEQUAL:
                numbers[f"{task}_diff_{language}"] = gap["difference"]
                numbers[f"{task}_p_{language}"] = gap["p_value"]
            numbers[f"{task}_smd_{language}"] = cell["smd"]
            numbers[f"{task}_smd_{language}_sd"] = cell["smd_sd"]
    counted = {x: one for x, one in pooled["languages"].items() if one["refused"] != UNEQUAL}
    for language, one in counted.items():
        numbers[f"diff_{language}"], numbers[f"p_{language}"] = one["difference"], one["p_value"]
    present = {name: value for name, value in numbers.items() if value is not None}
    sizes = {
        task: [present.get(f"{task}_smd_{language}") for language in counted]
        for task in pooled["tasks"]
    }
    sized = [values for values in sizes.values() if None not in values]
    return present | {f"smd_{x}": fmean(of) for x, of in zip(counted, zip(*sized))}

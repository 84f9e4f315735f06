"""The XLGoBench section of a score: curves, gaps and their uncertainty by task and language."""

from collections.abc import Mapping, Sequence
from functools import partial
from operator import itemgetter
from statistics import fmean
from typing import Literal

from xlgo_metric.comparison.compare import UNEQUAL, common_tasks
from xlgo_metric.comparison.compare import compare as compared
from xlgo_metric.comparison.gaps import GapCell, Gaps, GapTask, OverTasks
from xlgo_metric.comparison.levels import curve_json
from xlgo_metric.comparison.table import (
    FIXED,
    UNKNOWN_LANGUAGE,
    AnswerTable,
    number,
    sides,
)
from xlgo_metric.core import Record
from xlgo_metric.families.xlgobench.comparison import (
    ENGLISH,
    FEWEST_LEVELS,
    Options,
    Task,
    compare,
    signed,
)
from xlgo_metric.families.xlgobench.conditions import contrasts, stated, warnings_of_design
from xlgo_metric.families.xlgobench.together import floor_points, settle
from xlgo_metric.statistics.adaptive import sparse_draws
from xlgo_metric.statistics.draws import Stream
from xlgo_metric.statistics.gamma import together
from xlgo_metric.statistics.gaps import BASE, DRAWS, OTHER, all_curve_draws, cell_stream
from xlgo_metric.statistics.levels import misfits
from xlgo_metric.statistics.measures import spearman
from xlgo_metric.statistics.paired import PERMUTATIONS
from xlgo_metric.views import NOTHING, Row


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
    options = Options(seed, draws, permutations, baseline)
    table = AnswerTable.of_records(records)
    plain_answers = table.plain
    chosen_tasks = set(plain_answers.frame["task"][plain_answers.frame["design"] != FIXED])
    plain = sides(plain_answers)
    tests = compared(plain_answers, baseline=baseline, required=False)
    tasks = [
        Task(
            name,
            answers,
            options,
            {cell.other: cell for cell in tests.about(task=name)},
            design=stated(answers.values()) if name in chosen_tasks else None,
        )
        for name, answers in plain.items()
    ]
    summed = {task.name: _summarize_task(task) for task in tasks}
    settle(summed)
    section: Gaps = {
        "signature": signed(tasks, records, options),
        "baseline": baseline,
        "tasks": summed,
        "over_tasks": _over_tasks(plain_answers, baseline),
        "thinking": {task.name: _thinking(task, summed[task.name]["languages"]) for task in tasks},
        "warnings": [text for task in tasks for text in task.warnings],
    }
    if len(table.plain) < len(table):
        section["why"], warnings = contrasts(table, baseline)
        section["warnings"] += warnings
    return section


def _summarize_task(task: Task) -> GapTask:
    sizes = [size for cell in task.cells.values() for size in cell.levels[0]]
    c_min, c_max = (min(sizes), max(sizes)) if sizes else (None, None)
    if task.design is not None:
        c_min, c_max = task.design.c_min, task.design.c_max
        task.warnings += warnings_of_design(task.name, task.design)
    _warn_of_gaps_in_the_data(task)
    _fit(task)
    ends = None if c_min is None or c_max is None else (c_min, c_max)
    method: Literal["ls", "wls"] = "ls" if task.design is None else "wls"
    languages = {
        language: {
            **cell.summary(),
            **curve_json(
                cell,
                task.curves.get(language),
                ends,
                method=method,
                misfit=task.misfits.get(language),
            ),
            **compare(task, cell),
        }
        for language, cell in task.cells.items()
    }
    unseen = [name for name in task.coarse if not languages[name]["extreme"]]
    if unseen:
        task.warnings.append(
            f"{task.name}: the levels lie too far apart to show the drop of accuracy in "
            f"{', '.join(unseen)} and {task.options.baseline}: the interval allows for any fall "
            "between them; use levels closer to each other"
        )
    section: GapTask = {
        "c_min": number(c_min),
        "c_max": number(c_max),
        "floor": floor_points(task.name, c_min, c_max),
        "languages": languages,
    }
    if task.design is not None:
        section["design"] = task.design.design
    return section


def _warn_of_gaps_in_the_data(task: Task) -> None:
    baseline = task.options.baseline
    base = task.cells.get(baseline)
    if base is None:
        task.warnings.append(
            f"{task.name}: no answers in {baseline!r}, with which languages are compared"
        )
    for language, cell in task.cells.items():
        unplaced = cell.n - int(cell.levels[2].sum())
        chosen = int((cell.frame["design"] != FIXED).sum())
        wordings = ["+".join(side.wordings) for side in (cell, base or cell)]
        notes = {
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
        for text, holds in notes.items():
            if holds:
                task.warn(language, text)


def _role(task: Task, language: str) -> str:
    """What keys the draws of a curve: languages with the same answers get the same numbers."""
    return BASE if language == task.options.baseline else OTHER


def _fit(task: Task) -> None:
    """The curves of a task, and whether they fit; a question that was asked again counts once."""
    seed, draws, is_planned = task.options.seed, task.options.draws, task.design is not None
    counts = {name: side.by_level for name, side in task.cells.items()}
    counts = {name: of for name, of in counts.items() if len(of[0]) >= FEWEST_LEVELS}
    roles = {name: (task.name, _role(task, name)) for name in counts}
    if is_planned:
        for name, role in roles.items():
            levels, stream = task.cells[name].levels, Stream("sparse draws", seed, *role)
            task.curves[name] = sparse_draws(*levels, draws=draws, stream=stream)
    else:
        drawn = {name: (*counts[name], cell_stream(*roles[name], seed)) for name in counts}
        task.curves = together(partial(all_curve_draws, draws=draws), drawn, itemgetter(0))
    tested = {name: (*counts[name], Stream("misfit", seed, *roles[name])) for name in counts}
    task.misfits = together(partial(misfits, weighted=is_planned), tested, itemgetter(0))


def _over_tasks(table: AnswerTable, baseline: str) -> OverTasks:
    """The gap of each language over the tasks that count for all, and which may be the largest."""
    counted, left_out = common_tasks(table, baseline)
    cells = compared(counted, baseline=baseline, within=(), required=False).cells
    frame = counted.frame[counted.frame["language"].isin([cell.other for cell in cells])]
    ranks = compared(AnswerTable(frame), within=(), ranked=True).ranks()
    return {
        "tasks": list(dict.fromkeys(counted.frame["task"])),
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

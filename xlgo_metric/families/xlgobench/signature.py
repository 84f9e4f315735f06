"""The signature of an XLGoBench section: what its numbers depend on."""

from __future__ import annotations

from collections.abc import Sequence

from xlgo_metric.core import MIXED, PLAIN, Record, common, condition, signature
from xlgo_metric.families.xlgobench.comparison import ENGLISH, Options, Task
from xlgo_metric.statistics.paired import PERMUTATIONS


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

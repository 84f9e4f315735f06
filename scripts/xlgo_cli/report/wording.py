"""Whether another wording can settle a gap: the command, if it changes a prompt."""

from __future__ import annotations

from collections.abc import Iterable

import xlgo_dataset as xd
from xlgo_metric.core import field_of

from .gap_marks import GapSection, baseline, gaps_of

_REVISED = "revised"
_SIZE = 20
"""Complexity of the puzzle whose prompts are compared, or the least that its task allows."""


def settling(section: GapSection) -> str:
    """The options that ask doubted cells in the wording that repairs them; empty if none does."""
    asked = field_of(section["signature"], "text") or ""
    doubted = [place for place, gap in gaps_of(section).items() if gap.flagged]
    if _REVISED in asked:
        return ""
    changed = [(task, code) for task, code in doubted if changes(task, code)]
    if not changed:
        return ""
    tasks, codes = ([*dict.fromkeys(part)] for part in zip(*changed))
    return repeat_command(tasks, [baseline(section), *codes]) + f" --text {_REVISED}"


def changes(task: str, code: str) -> bool:
    """Whether the revised wording of a language is another prompt than the paper's."""
    family = xd.FAMILIES.of_task(task)
    if family is None or _REVISED not in family.texts:
        return False
    low, high = family.complexity_range(task) or (_SIZE, _SIZE)
    instance = xd.generate(task, complexity=min(max(_SIZE, low), high), seed=0, index=0)
    return xd.render(instance, code) != xd.render(instance, code, text=_REVISED)


def repeat_command(tasks: Iterable[str], codes: Iterable[str]) -> str:
    """The beginning of a command that asks some tasks in some languages again."""
    names = {
        spec.task: spec.name
        for name in dict.fromkeys(tasks)
        if (family := xd.FAMILIES.of_task(name)) is not None
        for spec in reversed(family.harness_tasks())
        if spec.task == name and len(spec.languages) != 1
    }
    parts = [f" --tasks {','.join(names.values())}"] if names else []
    parts += [f" --languages {listed}"] if (listed := ",".join(codes)) else []
    return f"the same command with{''.join(parts)}"

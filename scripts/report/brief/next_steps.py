"""What to run next, from what a run has shown and has not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..cells import doubt, mark, others, with_gaps
from ..labels import ENGLISH
from .worst import most_behind

_MANY = 0.05
"""Share of answers from which a reason for them is worth a step of its own."""
_MOST = 2


def next_steps(score: Mapping[str, Any]) -> list[str]:
    """At most two steps, the most useful first.

    Args:
        score: of a run, with families that have gaps; nothing is advised for others.
    """
    found: list[str] = []
    for section in with_gaps(score).values():
        found += _steps(section)
    return list(dict.fromkeys(found))[:_MOST]


def _steps(section: Mapping[str, Any]) -> list[str]:
    cells = [
        (name, code, cell)
        for name, task in section["tasks"].items()
        for code, cell in task["languages"].items()
    ]
    languages = {code for _, code, _ in cells}
    if ENGLISH not in languages:
        codes = ",".join([ENGLISH, *sorted(languages)])
        return [f"ask English too, to compare with: the same command with --languages {codes}"]
    if languages == {ENGLISH}:
        return ["ask other languages too: the same command with --languages en,hi,te, for example"]
    steps = _unread(cells)
    pairs = [(name, code, cell) for name, code, cell in cells if code != ENGLISH]
    extreme = {name for name, _, cell in pairs if cell.get("extreme")}
    if extreme and len(extreme) == len({name for name, _, _ in pairs}):
        return [*steps, f"find sizes that tell: {_again(extreme)} --design adaptive"]
    worst = most_behind(section)
    if worst is None:
        return steps
    code = worst.language
    if not worst.holding:
        return [
            *steps,
            f"ask more where it tells: {_again(worst.tasks)} --languages en,{code} --design "
            "adaptive (300 prompts a language and task)",
        ]
    unsized = [
        name
        for name in worst.holding
        if doubt(dict(others(section["tasks"][name]))[code]) or _is_wide(section, name, code)
    ]
    if unsized:
        steps.append(
            f"measure how large it is: {_again(unsized)} --languages en,{code} --design adaptive"
        )
    if not _is_revised(section):
        first = worst.holding[:1]
        steps.append(
            f"see if the wording causes it: {_again(first)} --languages en,{code} --text revised"
        )
    steps.append("look at the wrong answers in the report")
    return steps


def _unread(cells: Sequence[tuple[str, str, Mapping[str, Any]]]) -> list[str]:
    total = sum(cell["n"] for _, _, cell in cells) or 1
    cut = sum(cell["statuses"].get("truncated", 0) for _, _, cell in cells)
    lost = sum(
        cell["statuses"].get(kind, 0)
        for _, _, cell in cells
        for kind in ("no_answer", "bad_format")
    )
    steps = []
    if cut > _MANY * total:
        steps.append(
            "give answers more room, many were cut off: the same command with "
            "--gen_kwargs max_gen_toks=32768"
        )
    if lost > _MANY * total:
        steps.append("look at the answers that could not be read, in the report")
    return steps


def _is_wide(section: Mapping[str, Any], name: str, code: str) -> bool:
    """Whether the size of a gap is hardly known: two standard deviations reach down to nothing."""
    cell = dict(others(section["tasks"][name]))[code]
    smd, sd = cell.get("smd"), cell.get("smd_sd")
    return mark(cell) == "●" and smd is not None and sd is not None and abs(smd) < 2 * sd


def _is_revised(section: Mapping[str, Any]) -> bool:
    return "text:revised" in str(section.get("signature", ""))


def _again(tasks: Sequence[str] | set[str] | tuple[str, ...]) -> str:
    """The beginning of a command that asks some tasks again."""
    from ...harness.task_names import every_task

    known = [
        harness
        for harness, task in every_task().items()
        if task.spec.task in tasks and "languages" in task.metadata
    ]
    names = f" --tasks {','.join(known)}" if known else ""
    return f"the same command with{names}"

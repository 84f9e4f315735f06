"""Commands to run next, chosen from the results of a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import xlgo_dataset as xd
from xlgo_metric.comparison.section import cells_of

from ...display.labels import ENGLISH
from ..gap_marks import (
    CellScores,
    GapSection,
    base_name,
    baseline,
    compared_cells,
    gap_of,
    is_behind,
    is_significant,
    verdicts_of,
    with_gaps,
)

_MANY = 0.05
"""Share of answers from which a reason for them is worth a step of its own."""
_MOSTLY = 0.5
"""Share of answers cut off from which the limit of tokens comes before all else."""

_MOST = 2


def next_steps(score: Mapping[str, object]) -> list[str]:
    """At most two steps, the most useful first.

    Args:
        score: of a run, with families that have gaps; nothing is advised for others.
    """
    found: list[str] = []
    for name, section in with_gaps(score).items():
        found += _steps(name, section)
    return list(dict.fromkeys(found))[:_MOST]


def _steps(family: str, section: GapSection) -> list[str]:
    cells = cells_of(section["tasks"])
    languages = {code for _, code, _ in cells}
    base = baseline(section)
    steps = _unread(cells)
    if _cut(cells) > _MOSTLY:
        return steps[:1]  # nothing else can be learnt before that is mended
    if base not in languages:
        codes = ",".join([base, *sorted(languages)])
        again = _again(family, section["tasks"])
        return [f"ask {base_name(section)} too, to compare with: {again} --languages {codes}"]
    if languages == {ENGLISH}:
        again = _again(family, section["tasks"])
        return [f"ask other languages too: {again} --languages en,hi,te, for example"]
    pairs = [(name, code, cell) for name, code, cell in cells if code != base]
    extreme = {name for name, _, _ in pairs}
    if all(cell.get("extreme") for _, _, cell in pairs):
        if _is_adaptive(family, extreme):
            return [
                *steps,
                f"find informative complexities: {_again(family, extreme)} --design adaptive",
            ]
        return [
            *steps,
            "use easier or harder questions, or another model: accuracy is near 0% or 100%",
        ]
    code = _first(section)
    return [*steps, *_about(code, family, section)] if code else steps


def _first(section: GapSection) -> str:
    """The language to look at first: the largest significant gap, else the largest; or none."""
    gaps = {
        (name, code): gap
        for name, code, cell in compared_cells(section)
        if not cell.get("extreme") and (gap := gap_of(cell)) is not None
    }
    verdicts = verdicts_of(section) or {code: gap for (_, code), gap in gaps.items()}
    held = {code for (_, code), gap in gaps.items() if gap.is_significant and gap.difference > 0}
    return max(
        held or {code for _, code in gaps},
        key=lambda code: verdicts[code].difference if code in verdicts else 0.0,
        default="",
    )


def _about(language: str, family: str, section: GapSection) -> list[str]:
    """What to find out about the language with the largest gap."""
    pair = f"--languages {baseline(section)},{language}"
    cells = {
        name: cell
        for name, code, cell in compared_cells(section)
        if code == language and not cell.get("extreme") and gap_of(cell) is not None
    }
    holding = [name for name, cell in cells.items() if is_significant(cell) and is_behind(cell)]
    if not holding:
        again = f"{_again(family, cells)} {pair}"
        if not _is_adaptive(family, cells):
            return [f"ask more questions: {again} and a larger --limit"]
        return [
            f"collect more answers at informative levels: {again} --design adaptive (300 prompts "
            "per language and task)"
        ]
    steps = []
    unsized = [name for name in holding if cells[name].get("smd") is None]
    if unsized and _is_adaptive(family, unsized):
        steps.append(f"measure how large it is: {_again(family, unsized)} {pair} --design adaptive")
    known = xd.family(family)
    has_revised = "revised" in known.texts
    if has_revised and "text:revised" not in section["signature"]:
        steps.append(
            f"test whether the wording causes the gap: {_again(family, holding[:1])} {pair} "
            "--text revised, then xlgo compare both runs"
        )
    return [*steps, "read the wrong answers in the report"]


def _cut(cells: Sequence[tuple[str, str, CellScores]]) -> float:
    """The share of answers that the limit of tokens cut off."""
    total = sum(cell["n"] for _, _, cell in cells) or 1
    cut: int = sum(cell["statuses"].get("truncated", 0) for _, _, cell in cells)
    return cut / total


def _unread(cells: Sequence[tuple[str, str, CellScores]]) -> list[str]:
    total = sum(cell["n"] for _, _, cell in cells) or 1
    lost = sum(
        cell["statuses"].get(kind, 0)
        for _, _, cell in cells
        for kind in ("no_answer", "bad_format")
    )
    steps = []
    if _cut(cells) > _MANY:
        steps.append(
            "raise the output limit (many answers were truncated): the same command with "
            "--gen_kwargs max_gen_toks=32768"
        )
    if lost > _MANY * total:
        steps.append("read the unparsable answers in the report")
    return steps


def _is_adaptive(family: str, tasks: Iterable[str]) -> bool:
    """Whether complexities can be chosen for all of some tasks."""
    known = xd.family(family)
    return all(name in known.TASKS and known.complexity_range(name) is not None for name in tasks)


def _again(family: str, tasks: Iterable[str]) -> str:
    """The beginning of a command that asks some tasks of a family again."""
    wanted = set(tasks)
    known = {
        task.task: task.name
        for task in reversed(xd.family(family).harness_tasks())
        if task.task in wanted and len(task.languages) != 1
    }
    names = f" --tasks {','.join(known.values())}" if known else ""
    return f"the same command with{names}"

"""Commands to run next, chosen from the results of a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import xlgo_dataset as xd
from xlgo_metric.comparison.section import cells_of

from ..gap_marks import (
    CellScores,
    GapSection,
    base_name,
    baseline,
    compared_cells,
    gaps_of,
    verdicts_of,
    with_gaps,
)
from ..wording import repeat_command, settling

_MANY = 0.05
"""Share of answers from which a reason for them is worth a step of its own."""
_MOSTLY = 0.5
"""Share of answers without an answer from which that comes before all else."""

_MOST = 2


def next_steps(score: Mapping[str, object]) -> list[str]:
    """At most two steps, the most useful first.

    Args:
        score: of a run, with families that have gaps; nothing is advised for others.
    """
    found: list[str] = []
    for section in with_gaps(score).values():
        found += _steps(section)
    return list(dict.fromkeys(found))[:_MOST]


def _steps(section: GapSection) -> list[str]:
    cells = cells_of(section["tasks"])
    codes, base = {code for _, code, _ in cells}, baseline(section)
    steps, lost = _unread(cells)
    if lost > _MOSTLY:
        return steps[:1]  # nothing else can be learnt before that is mended
    if base not in codes:
        command = repeat_command(section["tasks"], [base, *sorted(codes)])
        return [*steps, f"ask {base_name(section)} too, to compare with: {command}"]
    if codes == {base}:
        others = [code for code in ("en", "hi", "te") if code != base]
        return [
            *steps,
            f"ask other languages too: {repeat_command(section['tasks'], [base, *others])}",
        ]
    gaps = gaps_of(section)
    if not gaps and all(cell.get("extreme") for *_, cell in compared_cells(section)):
        tasks = [*section["tasks"]]
        if _is_adaptive(tasks):
            return [
                *steps,
                f"find informative complexities: {repeat_command(tasks, ())} --design adaptive",
            ]
        return [
            *steps,
            "use easier or harder questions, or another model: accuracy is near 0% or 100%",
        ]
    counted = (section.get("over_tasks") or {}).get("tasks")  # else the verdict says it
    if counted and (command := settling(section)):
        steps.append(f"test whether the wording causes the gap: {command}")
    code = _first(section)
    return [*steps, *_about(code, section)] if code else steps


def _first(section: GapSection) -> str:
    """The language to look at first: the largest significant gap, else the largest; or none."""
    gaps = gaps_of(section)
    verdicts = verdicts_of(section) or {code: gap for (_, code), gap in gaps.items()}
    held = {code for (_, code), gap in gaps.items() if gap.is_significant and gap.difference > 0}
    return max(
        held or {code for _, code in gaps},
        key=lambda code: verdicts[code].difference if code in verdicts else 0.0,
        default="",
    )


def _about(language: str, section: GapSection) -> list[str]:
    """What to find out about the language with the largest gap."""
    own = {name: gap for (name, code), gap in gaps_of(section).items() if code == language}
    behind = [name for name, gap in own.items() if gap.is_significant and gap.difference > 0]
    pair = [baseline(section), language]
    if not behind:
        if not _is_adaptive(own):
            return [f"ask more questions: {repeat_command(own, pair)} and a larger --limit"]
        return [
            "collect more answers at informative levels: "
            f"{repeat_command(own, pair)} --design adaptive"
        ]
    cells = {name: cell for name, code, cell in compared_cells(section) if code == language}
    unsized = [name for name in behind if cells[name].get("smd") is None]
    steps = ["read the wrong answers in samples.html"]
    if unsized and _is_adaptive(unsized):
        steps.insert(0, f"measure its SMD: {repeat_command(unsized, pair)} --design adaptive")
    return steps


def _unread(cells: Sequence[tuple[str, str, CellScores]]) -> tuple[list[str], float]:
    """What to do about answers that cannot be read, and their share of all."""
    total = sum(cell["n"] for *_, cell in cells) or 1
    cut, lost = (
        sum(cell["statuses"].get(kind, 0) for *_, cell in cells for kind in kinds) / total
        for kinds in (("truncated",), ("no_answer", "bad_format"))
    )
    steps = []
    if cut > _MANY:
        steps.append(
            "raise the output limit (many answers were truncated): the same command with "
            "--gen_kwargs max_gen_toks=32768"
        )
    if lost > _MANY:
        steps.append("read the unparsable answers in samples.html")
    return steps, cut + lost


def _is_adaptive(tasks: Iterable[str]) -> bool:
    """Whether complexities can be chosen for all of some tasks."""
    families = {name: xd.FAMILIES.of_task(name) for name in tasks}
    return all(
        one is not None and one.complexity_range(name) is not None for name, one in families.items()
    )

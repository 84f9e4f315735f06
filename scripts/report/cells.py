"""What the numbers of one language on one task amount to, and in which order things are shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from ..display import labels
from ..display.labels import ENGLISH

ALPHA = 0.05

Cells = Mapping[str, Any]
"""The results of one language on one task, as the summary of XLGoBench gives them."""


def anchor(*parts: str) -> str:
    """A name for a place in the page."""
    return "-".join(re.sub(r"[^A-Za-z0-9_]+", "-", part) for part in parts)


def with_gaps(score: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The parts of a score that have accuracy by complexity and gaps, by family."""
    from xlgo_metric.family import family

    sections = score["families"]
    found = {name: family(name).gaps(section) for name, section in sections.items()}
    return {
        name: _stating(_with_readings(part, sections[name]))
        for name, part in found.items()
        if part is not None
    }


def _with_readings(part: Mapping[str, Any], section: Mapping[str, Any]) -> Mapping[str, Any]:
    """A part with gaps whose cells have the readings of a gap that depends on them."""
    from xlgo_metric.comparison.readings import readings_by_cell

    found = readings_by_cell(section)
    tasks = dict(part["tasks"])
    for (name, _, code), gap in found.items():
        task = tasks.get(name)
        if task is not None and code in task["languages"]:
            cell = {**task["languages"][code], "reading": gap}
            tasks[name] = {**task, "languages": {**task["languages"], code: cell}}
    return {**part, "tasks": tasks}


def _stating(part: Mapping[str, Any]) -> Mapping[str, Any]:
    """A part with gaps whose tasks and cells name their baseline, where it is not English."""
    base = part.get("baseline", ENGLISH)
    if base == ENGLISH:
        return part
    tasks = {
        name: {
            **task,
            "baseline": base,
            "languages": {c: {**cell, "baseline": base} for c, cell in task["languages"].items()},
        }
        for name, task in part["tasks"].items()
    }
    return {**part, "tasks": tasks}


def baseline(entry: Mapping[str, Any]) -> str:
    """The language that a section, a task or a cell is compared with."""
    return str(entry.get("baseline", ENGLISH))


def base_name(entry: Mapping[str, Any]) -> str:
    """The name of the language that a section, a task or a cell is compared with."""
    return labels.language(baseline(entry)).name


def mark(cell: Cells) -> str:
    """``●`` for a gap that holds in the paired test, ``○`` for the published rule only."""
    p_value = (cell.get("paired") or {}).get("p_holm")
    if p_value is not None and p_value < ALPHA:
        return "●"
    return "○" if cell.get("significant") and has_number(cell) else ""


def doubt(cell: Cells) -> str:
    """``?`` where the answers do not fix a gap, ``!`` where no level supports one so large."""
    if cell.get("extreme") or not is_identified(cell):
        return "?"
    return "!" if not is_supported(cell) else ""


def is_identified(cell: Cells) -> bool:
    """Whether the accuracies of both languages fix a curve, so that the gap has a size."""
    return cell.get("identified") is not False


def is_supported(cell: Cells) -> bool:
    """Whether a level that was asked allows a gap as large as the curves say."""
    return cell.get("supported") is not False


def has_number(cell: Cells) -> bool:
    """Whether there is an SMD that is worth printing."""
    return cell.get("smd") is not None and doubt(cell) != "?"


def apart(cell: Cells) -> float:
    """By how much the baseline is ahead at informative levels; by the curves without any."""
    found = cell.get("pooled")
    if not found:
        return float(cell.get("smd") or 0.0)
    return float(found["k_en"] / found["n_en"] - found["k_l"] / found["n_l"])


def is_behind(cell: Cells) -> bool:
    """Whether the baseline is ahead: as tested, or, where nothing is significant, as counted."""
    found = cell.get("direction")
    return found == "behind" if found in ("behind", "ahead") else apart(cell) > 0


def crosses(cell: Cells) -> bool:
    """Whether each of the two languages is significantly ahead over some run of levels."""
    return cell.get("direction") == "crosses"


@lru_cache(maxsize=256)
def wording_differs(task: str, code: str) -> bool:
    """Whether a gap cannot be put down to the model, because the wording changes what is asked."""
    from xlgo_dataset.text.languages import FOLDER, load_language

    if not (code.isalnum() and (FOLDER / f"{code}.toml").is_file()):
        return False  # a language of another family or of another package's data
    found = load_language(code).attribution.get(task)
    return found is not None and found.paper == "no" and not found.reason.startswith("nobody")


def others(task: Mapping[str, Any]) -> list[tuple[str, Cells]]:
    """The languages of a task but its baseline."""
    base = baseline(task)
    return [(code, cell) for code, cell in task["languages"].items() if code != base]


def in_order(tasks: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The tasks of a section in the order in which the paper has them."""
    return sorted(tasks.items(), key=lambda item: labels.task_order(item[0]))


def ordered(codes: Iterable[str]) -> list[str]:
    """English first, the others by name."""
    return sorted(set(codes), key=lambda code: (code != ENGLISH, labels.language(code).name))


def by_gap(section: Mapping[str, Any]) -> list[str]:
    """The languages but the baseline, largest gap first, those without gaps last."""
    gaps: dict[str, list[float]] = {}
    for task in section["tasks"].values():
        for code, cell in others(task):
            found = gaps.setdefault(code, [])
            if has_number(cell) and is_supported(cell):
                found.append(cell["smd"])
            elif cell.get("pooled") and not cell.get("extreme"):
                found.append(apart(cell))
    return sorted(
        ordered(gaps),
        key=lambda code: -sum(gaps[code]) / len(gaps[code]) if gaps[code] else float("inf"),
    )


def colours(codes: Sequence[str]) -> dict[str, int]:
    """A colour for each language: 0 for English, the others take turns."""
    from .pictures.charts import COLOURS

    rest = [code for code in codes if code != ENGLISH]
    return {code: 1 + i % (COLOURS - 1) for i, code in enumerate(rest)} | {ENGLISH: 0}

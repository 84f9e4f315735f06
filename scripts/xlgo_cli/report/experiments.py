"""What conditions change, for the page: a sentence for each language and task.

Only a run that was asked under conditions has them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xlgo_metric.comparison.compare import Cell
from xlgo_metric.core import PLAIN, grouped

from ..display import labels
from ..display.formats import ends, points
from ..display.sentences import Statement, joined, say
from .gap_marks import GapSection, base_name, language_with_note, ordered

_MOST_FINDINGS = 3

_CONDITIONS = {
    "english_rules": "English rules",
    "english_lines": "English lines",
    "english_names": "English names",
    "english_format": "An answer format explained in English",
    "native_format": "An answer format explained in {language}",
    "romanised": "{language} in Latin letters",
    "length_matched": "English text of the length of {language}",
}


def reasons_of(section: GapSection, task: str) -> list[dict[str, Any]]:
    """A sentence for every language of a task that was asked under conditions.

    Args:
        section: of a family that has gaps, asked under conditions.
        task: the name of the task.
    """
    entries = {code: cells for (name, code), cells in _entries(section).items() if name == task}
    base = base_name(section)
    return [
        {"words": labels.language(code), "sentence": sentence(task, code, entries[code], base)}
        for code in ordered(entries)
    ]


def findings(section: GapSection) -> list[tuple[str, Statement]]:
    """Sentences on the largest significant gaps and what changes them, for the summary."""
    entries = [
        (task, code, cells)
        for (task, code), cells in _entries(section).items()
        if (gap := _gap(cells)) is not None and gap.is_significant
    ]
    entries.sort(
        key=lambda entry: -max(abs(cell.difference) for cell in entry[2] if cell.other == PLAIN)
    )
    return [("", sentence(*entry, base_name(section))) for entry in entries[:_MOST_FINDINGS]]


def _entries(section: GapSection) -> dict[tuple[str, str], list[Cell]]:
    cells = map(Cell.of_json, section["why"]["contrasts"])
    return grouped(cells, lambda cell: (cell.task, cell.language))


def _gap(cells: Sequence[Cell]) -> Cell | None:
    return next((cell for cell in cells if cell.other == PLAIN), None)


def sentence(task: str, code: str, cells: Sequence[Cell], base: str) -> Statement:
    """The gap of one language and what the conditions change: what is significant, no shares.

    Args:
        cells: of this language: its gap, and each condition against the plain questions.
        base: the name of the language that it is compared with.
    """
    language = labels.language(code).name
    about = {"task": task, "code": code}
    gap = _gap(cells)
    parts = [] if gap is None else [_size(language, base, gap, about)]
    significant = [cell.turned for cell in cells if cell.other != PLAIN and cell.is_significant]
    for contrast in sorted(significant, key=lambda contrast: -abs(contrast.difference)):
        rises = contrast.difference > 0
        low, high = (contrast if rises else contrast.turned).interval or (0.0, 0.0)
        parts.append(
            say(
                "why.contrast",
                condition=_CONDITIONS.get(contrast.baseline, contrast.baseline).format(
                    language=language
                ),
                changes="rises" if rises else "falls",
                points=points(abs(contrast.difference), signed=False),
                ends=ends(low, high),
                name=contrast.baseline,
                sign=1 if rises else -1,
                **about,
            )
        )
    if gap is not None and gap.is_significant and not significant:
        parts.append(say("why.none"))
    return joined(
        parts, before=f"{language_with_note(cells[0])}, {labels.task(task).title}: ", after="."
    )


def _size(language: str, base: str, gap: Cell, about: dict[str, str]) -> Statement:
    between = "none" if gap.interval is None else ends(*gap.interval)
    size = {"base": base, "points": points(gap.difference), "ends": between, **about}
    if not gap.is_significant:
        return say("why.no_gap", **size)
    side = "behind" if gap.difference > 0 else "ahead of"
    return say("why.gap", language=language, side=side, **size)

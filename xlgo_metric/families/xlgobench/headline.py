"""The numbers of a score that trainers and loggers want on top, by flat names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def headline(section: Mapping[str, Any]) -> dict[str, float]:
    """Fractions by flat names.

    Returns:
        ``<task>_accuracy`` over all languages. ``<task>_diff_<language>``, accuracy of the baseline
        minus that of the language over all questions asked in both, and ``<task>_p_<language>``,
        the p value of the paired test corrected over the score; every language that was compared
        has both. ``diff_<language>`` and ``p_<language>``, the verdict over all tasks and its p
        value corrected over the languages. ``<task>_smd_<language>`` and its ``_sd``, and
        ``smd_<language>``, the mean over the tasks that have one: a gap that the answers do not
        fix, or that no level supports, has no number.
    """
    found: dict[str, float] = {}
    gaps: dict[str, list[float]] = {}
    for task, entry in section["tasks"].items():
        cells = entry["languages"]
        total = sum(cell["n"] for cell in cells.values())
        found[f"{task}_accuracy"] = sum(cell["correct"] for cell in cells.values()) / total
        for language, cell in cells.items():
            if cell["difference"] is not None:
                found[f"{task}_diff_{language}"] = cell["difference"]["difference"]
            if cell["paired"] is not None:
                found[f"{task}_p_{language}"] = cell["paired"]["p_holm"]
            if cell["identified"] and cell["supported"] and not cell["extreme"]:
                found[f"{task}_smd_{language}"] = cell["smd"]
                found[f"{task}_smd_{language}_sd"] = cell["smd_sd"]
                gaps.setdefault(language, []).append(cell["smd"])
    for language, one in section["over_tasks"]["languages"].items():
        found[f"diff_{language}"], found[f"p_{language}"] = one["difference"], one["p_holm"]
    return found | {f"smd_{name}": sum(values) / len(values) for name, values in gaps.items()}

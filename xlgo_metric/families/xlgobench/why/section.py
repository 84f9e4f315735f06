"""The part of an XLGoBench section that says where gaps come from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xlgo_metric.core import PLAIN, Record
from xlgo_metric.families.xlgobench.why.answers import Together, by_condition, together
from xlgo_metric.families.xlgobench.why.causes import CONDITIONS
from xlgo_metric.families.xlgobench.why.decomposition import Taken, as_json, claim, take_apart

_FEW = 0.8


def why(records: Sequence[Record], baseline: str) -> tuple[dict[str, Any], list[str]]:
    """Every gap that answers under several conditions take apart.

    Args:
        records: graded responses under any conditions.
        baseline: the language that the others are compared with.

    Returns:
        ``asked`` (right answers by task, language and condition, over all levels) and ``tasks``
        (by task and language, see ``decomposition.as_json``); and warnings.
    """
    found = by_condition(records)
    warnings: list[str] = []
    gaps: dict[tuple[str, str], Taken] = {}
    for task, languages in found.items():
        english = languages.get(baseline, {}).get(PLAIN, [])
        for language, conditions in languages.items():
            if language == baseline or len(conditions) < 2:
                continue
            where = f"{task}/{language}"
            if not english or PLAIN not in conditions:
                missing = baseline if not english else language
                warnings.append(
                    f"{where}: no plain questions in {missing!r}: the gap cannot be taken apart; "
                    "ask all conditions together with plain"
                )
                continue
            data = together(english, conditions)
            asked, common = (data.asked, data.common) if isinstance(data, Together) else data
            if common < _FEW * asked:
                warnings.append(
                    f"{where}: {common} of {asked} questions were answered under all of "
                    f"{', '.join(conditions)}, and in {baseline!r}: only these are compared"
                )
            if isinstance(data, Together):
                gaps[task, language] = take_apart(data)
    claim(gaps)
    tasks: dict[str, dict[str, Any]] = {}
    for (task, language), taken in gaps.items():
        tasks.setdefault(task, {})[language] = as_json(taken)
    asked_by = {
        task: {
            language: {name: _counted(conditions[name]) for name in _in_order(conditions)}
            for language, conditions in languages.items()
        }
        for task, languages in found.items()
    }
    return {"asked": asked_by, "tasks": tasks}, warnings


def _in_order(conditions: dict[str, list[Record]]) -> list[str]:
    known = [name for name in CONDITIONS if name in conditions]
    return known + sorted(set(conditions) - set(known))


def _counted(records: Sequence[Record]) -> dict[str, Any]:
    right = sum(record.grade.correct for record in records)
    parsed = sum(record.grade.status in ("correct", "wrong") for record in records)
    return {"n": len(records), "correct": right, "accuracy": right / len(records),
            "parsed": parsed / len(records)}  # fmt: skip

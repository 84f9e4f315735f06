"""Tables for people of gaps taken apart, in percentage points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from xlgo_metric.core import Table

_POINTS = 100.0


def tables(section: Mapping[str, Any]) -> list[Table]:
    """``conditions``, ``causes`` and ``contrasts``; none without answers under conditions."""
    found = section.get("why")
    return [] if found is None else [_conditions(found), _causes(found), _contrasts(found)]


def _conditions(found: Mapping[str, Any]) -> Table:
    rows = tuple(
        (task, language, name, one["n"], one["correct"], _percent(one["accuracy"]),
         _percent(one["parsed"]))
        for task, languages in found["asked"].items()
        for language, conditions in languages.items()
        for name, one in conditions.items()
    )  # fmt: skip
    return Table(
        "conditions",
        "Right answers under each condition",
        ("task", "language", "condition", "answers", "right", "accuracy (%)", "parsed (%)"),
        rows,
        "Over all levels. Only plain answers make the other tables.",
    )


def _causes(found: Mapping[str, Any]) -> Table:
    rows = []
    for task, language, entry in _entries(found):
        rows.append((task, language, "the whole gap", *_effect(entry["gap"]), "", "", entry["n"]))
        steps = {step["cause"] for step in entry["steps"]}
        for name, one in entry["causes"].items():
            kind = "step" if name in steps else "alone"
            within = ", ".join(one.get("taken_out") or one.get("within") or ())
            told = f"without {within}" if one.get("taken_out") else within and f"part of {within}"
            rows.append((task, language, name, *_effect(one), kind, told, entry["n"]))
    return Table(
        "causes",
        "Where the gaps come from (points)",
        ("task", "language", "cause", "points", "95% interval", "p", "p (Holm)", "claimed", "kind",
         "overlap", "questions"),
        tuple(rows),
        "Positive: the language is behind for it. Steps sum to the gap; what stands alone is a "
        "part of others, as said, and adds to nothing. Claimed: Holm's p over all tests of this "
        "table and of the contrasts is below .05.",
    )  # fmt: skip


def _contrasts(found: Mapping[str, Any]) -> Table:
    rows = tuple(
        (task, language, name, one["against"], _percent(entry["accuracy"][name]),
         _percent(entry["accuracy"][one["against"]]), *_effect(one))
        for task, language, entry in _entries(found)
        for name, one in entry["contrasts"].items()
    )  # fmt: skip
    return Table(
        "contrasts",
        "Each condition against the plain questions (points)",
        ("task", "language", "condition", "against", "accuracy (%)", "of that (%)", "points",
         "95% interval", "p", "p (Holm)", "claimed"),
        rows,
        "On the same questions, at the levels that tell; positive where the condition is better. "
        "Sign test and interval are exact.",
    )  # fmt: skip


def _entries(found: Mapping[str, Any]) -> list[tuple[str, str, Mapping[str, Any]]]:
    return [
        (task, language, entry)
        for task, languages in found["tasks"].items()
        for language, entry in languages.items()
    ]


def _effect(one: Mapping[str, Any]) -> tuple[str, str, str, str, str]:
    ends = f"{_percent(one['low'])} to {_percent(one['high'])}"
    claimed = "yes" if one["claimed"] else "no"
    return _percent(one["estimate"]), ends, f"{one['p']:.4f}", f"{one['p_holm']:.4f}", claimed


def _percent(value: float) -> str:
    """A fraction in percent, without a minus sign before zero."""
    return f"{round(_POINTS * value, 1) + 0.0:.1f}"

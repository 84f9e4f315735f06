"""Tables for people of where answers first go wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from xlgo_metric.core import Table

_POINTS = 100.0


def tables(section: Mapping[str, Any]) -> list[Table]:
    """``faults`` (by kind) and ``first_wrong`` (by position); none where nothing is known."""
    found = section.get("faults")
    if found is None:
        return []
    return [_kinds(found, section["baseline"]), _positions(found, section["baseline"])]


def _kinds(found: Mapping[str, Any], baseline: str) -> Table:
    rows = []
    for task, language, cell in _cells(found):
        for kind, one in cell["kinds"].items():
            told = ((cell["against"] or {}).get("kinds") or {}).get(kind)
            chance = one["by_chance"]
            rows.append(
                (task, language, kind.replace("_", " "), one["n"],
                 "" if chance is None else f"{chance:.1f}", _percent(one["share"]),
                 *(("",) * 3 if told is None else _test(told)))
            )  # fmt: skip
    return Table(
        "faults",
        "Where answers first go wrong: kinds",
        ("task", "language", "kind", "answers", "by chance", "of all (%)",
         f"more than in {baseline} (points)", "95% interval", "p (Holm)"),
        tuple(rows),
        "Of wrong answers that could be read. By chance: answers of this kind to be expected were "
        "the wrong ones drawn at random; a kind that is not above it says nothing. Differences are "
        "paired by question; sign test and interval are exact, Holm over both tables.",
    )  # fmt: skip


def _positions(found: Mapping[str, Any], baseline: str) -> Table:
    rows = []
    for task, language, cell in _cells(found):
        known = sum(cell["quarters"])
        if not known:
            continue
        told = (cell["against"] or {}).get("position")
        rows.append(
            (task, language, cell["wrong"], known,
             *(_percent(n / known) for n in cell["quarters"]),
             *(("",) * 3 if told is None else
               (told["earlier"], told["later"], f"{told['p_holm']:.4f}")))
        )  # fmt: skip
    return Table(
        "first_wrong",
        "Where answers first go wrong: positions",
        ("task", "language", "wrong answers", "step known", "first quarter (%)", "second (%)",
         "third (%)", "fourth (%)", f"earlier than in {baseline}", "later", "p (Holm)"),
        tuple(rows),
        "Quarters of the way from the first step to the last. Earlier and later: over questions "
        "whose first wrong step is known in both languages.",
    )  # fmt: skip


def _cells(found: Mapping[str, Any]) -> list[tuple[str, str, Mapping[str, Any]]]:
    return [
        (task, language, cell)
        for task, languages in found["tasks"].items()
        for language, cell in languages.items()
    ]


def _test(told: Mapping[str, Any]) -> tuple[str, str, str]:
    ends = f"{_percent(told['low'])} to {_percent(told['high'])}"
    return _percent(told["difference"]), ends, f"{told['p_holm']:.4f}"


def _percent(value: float) -> str:
    """A fraction in percent, without a minus sign before zero."""
    return f"{round(_POINTS * value, 1) + 0.0:.1f}"

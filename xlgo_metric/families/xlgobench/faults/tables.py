"""Tables for people of where answers first go wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from xlgo_metric.table import Column, Table, interval

_WHERE = (Column("task"), Column("language"))
_QUARTERS = ("first quarter", "second", "third", "fourth")


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
            test = ((cell["against"] or {}).get("kinds") or {}).get(kind) or {}
            rows.append(
                (task, language, kind.replace("_", " "), one["n"], one["by_chance"], one["share"],
                 *map(test.get, ("difference", "low", "high", "p_holm")))
            )  # fmt: skip
    return Table(
        "faults",
        "Where answers first go wrong: kinds",
        (
            *_WHERE,
            Column("kind"),
            Column("answers", "count"),
            Column("by chance", "number", 1),
            Column("of all", "share", unit="%"),
            Column(f"more than in {baseline}", "difference", unit="points"),
            *interval("95% interval"),
            Column("p (Holm)", "p"),
        ),
        tuple(rows),
        "Of wrong answers that could be read. By chance: answers of this kind to be expected were "
        "the wrong ones drawn at random; a kind that is not above it says nothing. Differences are "
        "paired by question; sign test and interval are exact, Holm over both tables.",
    )


def _positions(found: Mapping[str, Any], baseline: str) -> Table:
    rows = []
    for task, language, cell in _cells(found):
        known = sum(cell["quarters"])
        test = (cell["against"] or {}).get("position") or {}
        if known:
            rows.append(
                (task, language, cell["wrong"], known, *(n / known for n in cell["quarters"]),
                 *map(test.get, ("earlier", "later", "p_holm")))
            )  # fmt: skip
    return Table(
        "first_wrong",
        "Where answers first go wrong: positions",
        (
            *_WHERE,
            Column("wrong answers", "count"),
            Column("step known", "count"),
            *(Column(name, "share", unit="%") for name in _QUARTERS),
            Column(f"earlier than in {baseline}", "count"),
            Column("later", "count"),
            Column("p (Holm)", "p"),
        ),
        tuple(rows),
        "Quarters of the way from the first step to the last. Earlier and later: over questions "
        "whose first wrong step is known in both languages.",
    )


def _cells(found: Mapping[str, Any]) -> list[tuple[str, str, Mapping[str, Any]]]:
    return [
        (task, language, cell)
        for task, languages in found["tasks"].items()
        for language, cell in languages.items()
    ]

"""What the report says of conditions and of first errors.

Where answers first go wrong, for the page: a table for each task.

Where gaps come from, for the page: a waterfall and a sentence for each language and task.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from xlgo_metric.table import Column, Table

from ..display import labels
from ..display.formats import count, points, sizes
from ..display.sentences import Said, joined, say
from .gap_marks import GapSection, base_name, in_order, ordered
from .pictures.waterfall import Step, waterfall
from .view import sortable, without_empty

_MOST_KINDS = 6


def faults_of(section: Mapping[str, Any], task: str) -> dict[str, Any] | None:
    """Kinds and positions of first wrong steps, a row a language; ``None`` where none is known.

    Args:
        section: of a family that has gaps.
        task: the name of the task.
    """
    cells = (section.get("faults") or {}).get("tasks", {}).get(task, {})
    total: dict[str, int] = {}
    for cell in cells.values():
        for kind, one in cell["kinds"].items():
            total[kind] = total.get(kind, 0) + one["n"]
    kinds = sorted(total, key=lambda kind: (-total[kind], kind))[:_MOST_KINDS]
    if not kinds:
        return None
    columns = [Column("Language"), Column("Wrong", "count")]
    for kind in kinds:
        name = kind.replace("_", " ").capitalize()
        columns += [
            Column(name, "count"),
            Column(f"{name}, mark", after=" "),
            Column(f"{name}, by chance", "number", 0, after=", by chance "),
        ]
    columns += [
        Column("In the first half", "share", 0, unit="%"),
        Column("In the first half, of", "count", after=" of "),
        Column("Earlier", "count", heading="Earlier / later"),
        Column("Later", "count", after=" / "),
        Column("Earlier / later, mark", after=" "),
    ]
    rows = tuple((code, *_row(cells[code], kinds)) for code in ordered(cells))
    table = Table("faults", "Where answers first go wrong", tuple(columns), rows)
    return sortable(without_empty(table, zeros=True), languages=True)


def _row(cell: Mapping[str, Any], kinds: list[str]) -> list[Any]:
    found: list[Any] = [cell["wrong"]]
    against = cell["against"] or {}
    for kind in kinds:
        one = cell["kinds"].get(kind, {"n": 0, "by_chance": None})
        claimed = against.get("kinds", {}).get(kind, {}).get("claimed")
        found += [one["n"], "●" if claimed else None, one["by_chance"]]
    known = sum(cell["quarters"])
    found += [sum(cell["quarters"][:2]) / known, known] if known else [None, None]
    position = against.get("position")
    if not position or not position["both"]:
        return [*found, None, None, None]
    return [*found, position["earlier"], position["later"], "●" if position["claimed"] else None]


_MOST_FINDINGS = 3

_LABELS = {
    "length": "a longer text",
    "rules": "rules in {language}",
    "format": "answer format in English",
    "lines": "lines in {language}",
    "identifiers": "Latin identifiers",
    "text": "the text in {language}",
    "names": "names in {language}",
    "reasoning": "reasoning left free",
    "script": "the script",
}
_CONDITIONS = {
    "english_rules": "English rules",
    "english_lines": "English lines",
    "english_names": "English names",
    "english_format": "An answer format explained in English",
    "native_format": "An answer format explained in {language}",
    "native_ids": "Identifiers in letters and digits of {language}",
    "think_english": "Asking the model to reason in English",
    "think_language": "Asking the model to reason in {language}",
    "romanised": "{language} in Latin letters",
    "length_matched": "English text of the length of {language}",
}

Entry = Mapping[str, Any]


def _entries(section: GapSection) -> dict[str, dict[str, Entry]]:
    """What was found under conditions, by task and language."""
    return {**section["why"]["tasks"]} if section.get("why") else {}


def reasons_of(section: GapSection, task: str) -> list[dict[str, Any]]:
    """A waterfall with its sentence for every language of a task that was asked under conditions.

    Args:
        section: of a family that has gaps.
        task: the name of the task.
    """
    entries = _entries(section).get(task, {})
    return [
        {
            "words": labels.language(code),
            "sentence": sentence(task, code, entries[code], base_name(section)),
            "chart": _picture(code, entries[code], base_name(section)),
            "notes": _notes(task, entries[code]),
        }
        for code in ordered(entries)
    ]


def findings(section: GapSection) -> list[tuple[str, Said]]:
    """Sentences on the largest significant gaps and their sources, for the summary."""
    found = [
        (task, code, entry)
        for task, languages in in_order(_entries(section))
        for code, entry in languages.items()
        if entry["gap"]["claimed"]
    ]
    found.sort(key=lambda one: -abs(one[2]["gap"]["estimate"]))
    return [("", sentence(*one, base_name(section))) for one in found[:_MOST_FINDINGS]]


def sentence(task: str, code: str, entry: Entry, base: str) -> Said:
    """The sources of the gap of one language: what was measured and is significant, no shares.

    Args:
        base: the name of the language that it is compared with.
    """
    language = labels.language(code).name
    about = {"task": task, "code": code}
    parts = [_size(language, base, entry["gap"], about)]
    contrasts = entry.get("contrasts", {})
    held = sorted(
        (name for name, one in contrasts.items() if one["claimed"]),
        key=lambda name: -abs(contrasts[name]["estimate"]),
    )
    for name in held:
        one = contrasts[name]
        parts.append(
            say(
                "why.contrast",
                condition=_CONDITIONS.get(name, name).format(language=language),
                changes="rises" if one["estimate"] > 0 else "falls",
                points=points(abs(one["estimate"])).lstrip("+"),
                ends=_ends(one, turned=one["estimate"] < 0),
                name=name,
                sign=1 if one["estimate"] > 0 else -1,
                **about,
            )
        )
    both = entry.get("interaction")
    if both and both["claimed"]:
        kind = "why.together" if both["only_together"] else "why.interaction"
        parts.append(say(kind, points=points(both["estimate"]), **about))
    whole = entry["causes"].get("text")
    if not contrasts and whole and whole["claimed"]:
        parts.append(say("why.text", **about))
    elif entry["gap"]["claimed"] and len(parts) == 1:
        parts.append(say("why.none"))
    if (edge := entry.get("context_limit")) is not None:
        parts.append(say("why.context", size=count(round(edge)), **about))
    return joined(parts, before=f"{language}, {labels.task(task).title}: ", after=".")


def _size(language: str, base: str, gap: Entry, about: Mapping[str, str]) -> Said:
    size = {"base": base, "points": points(gap["estimate"]), "ends": _ends(gap), **about}
    if not gap["claimed"]:
        return say("why.no_gap", **size)
    side = "behind" if gap["estimate"] > 0 else "ahead of"
    return say("why.gap", language=language, side=side, **size)


def _ends(one: Mapping[str, Any], *, turned: bool = False) -> str:
    low, high = (-one["high"], -one["low"]) if turned else (one["low"], one["high"])
    return f"{points(low)} to {points(high)}"


def _picture(code: str, entry: Entry, base: str) -> str:
    language = labels.language(code).name
    steps = [_step(one["cause"], one, language) for one in entry["steps"]]
    used = {one["cause"] for one in entry["steps"]}
    rest = {name: one for name, one in entry["causes"].items() if name not in used}
    alone = [_step(name, one, language) for name, one in rest.items()]
    accuracy = entry["accuracy"]
    return waterfall((base, accuracy["english"]), steps, (language, accuracy["plain"]), alone)


def _step(name: str, one: Mapping[str, Any], language: str) -> Step:
    label = _LABELS[name].format(language=language)
    return Step(label, one["estimate"], one["low"], one["high"], one["claimed"])


def _notes(task: str, entry: Entry) -> str:
    """How the numbers were made, and what overlaps, in small print."""
    told = [
        f"{count(entry['n'])} questions at {sizes(entry['levels'], labels.task(task).unit)}, each "
        "answered under every condition."
    ]
    if entry["method"] == "order-free":
        told.append("Rules and lines: mean of both orders.")
    elif entry["method"] == "one order":
        first = "rules" if "english_lines" in entry["accuracy"] else "lines"
        told.append(
            f"Rules and lines in one order, the {first} first: what they do only together counts "
            "with the second."
        )
    out = {name: one["taken_out"] for name, one in entry["causes"].items() if one.get("taken_out")}
    told += [f"The {name} without the part of {' and '.join(of)}." for name, of in out.items()]
    used = {one["cause"] for one in entry["steps"]}
    within = {name: one["within"] for name, one in entry["causes"].items() if name not in used}
    told += [f"{name.capitalize()}: a part of {' and '.join(of)}." for name, of in within.items()]
    return " ".join(told)

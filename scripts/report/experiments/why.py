"""Where gaps come from, for the page: a waterfall and a sentence for each language and task."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...display import labels
from ...display.formats import count, points, sizes
from ..cells import in_order, ordered
from ..pictures.waterfall import Step, waterfall

_MOST_FINDINGS = 3
_WORDS = ((0.9, "nearly all"), (0.5, "most"), (0.2, "a part"), (0.0, "a small part"))

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
_GOES = {
    "length": "is there in English too when the text is as long",
    "rules": "goes away when the rules are in English",
    "format": "goes away when the answer's format is explained in {language}",
    "lines": "goes away when the lines are in English",
    "identifiers": "goes away when the identifiers have letters and digits of {language}",
    "text": "remains in a text of the same length",
    "names": "goes away when rooms and keys have English names",
    "reasoning": "goes away when the model is asked to reason in English",
    "script": "goes away when {language} is written in Latin letters",
}
_WORSE = {
    "length": "a longer text helps in English",
    "rules": "English rules make it worse",
    "format": "a format explained in {language} makes it worse",
    "lines": "English lines make it worse",
    "identifiers": "identifiers in letters and digits of {language} make it worse",
    "text": "a text of the same length in English is answered worse",
    "names": "English names make it worse",
    "reasoning": "being asked to reason in English makes it worse",
    "script": "Latin letters make it worse",
}
_ALL_TEXT = "is one of the language: nothing was asked that tells its parts apart"

Entry = Mapping[str, Any]


def task_views(section: Mapping[str, Any], task: str) -> list[dict[str, Any]]:
    """A waterfall with its sentence for every language of a task that was asked under conditions.

    Args:
        section: of a family that has gaps.
        task: the name of the task.
    """
    entries = (section.get("why") or {}).get("tasks", {}).get(task, {})
    return [
        {
            "words": labels.language(code),
            "sentence": sentence(task, code, entries[code]),
            "chart": _picture(code, entries[code]),
            "notes": _notes(task, entries[code]),
        }
        for code in ordered(entries)
    ]


def findings(section: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Sentences on the largest gaps that hold and were taken apart, for "In short"."""
    found = [
        (task, code, entry)
        for task, languages in in_order((section.get("why") or {}).get("tasks", {}))
        for code, entry in languages.items()
        if entry["gap"]["claimed"]
    ]
    found.sort(key=lambda one: -abs(one[2]["gap"]["estimate"]))
    return [("", sentence(*one)) for one in found[:_MOST_FINDINGS]]


def sentence(task: str, code: str, entry: Entry) -> str:
    """Where the gap of one language comes from, in one sentence that claims what the tests hold."""
    language = labels.language(code).name
    place = f"{language}, {labels.task(task).title}: "
    gap = entry["gap"]
    told = [_size(language, gap)]
    causes = entry["causes"]
    held = sorted(
        (name for name, one in causes.items() if one["claimed"]),
        key=lambda name: -abs(causes[name]["estimate"]),
    )
    for name in held:
        size = causes[name]["estimate"]
        ends = f"{points(size)} points, 95% {_ends(causes[name])}"
        if size < 0:
            told.append(f"{_WORSE[name].format(language=language)} ({ends})")
        elif not gap["claimed"] or gap["estimate"] <= 0:
            told.append(f"{_LABELS[name].format(language=language)}: {ends}")
        elif name == "text" and not causes[name].get("taken_out"):
            told.append(f"it {_ALL_TEXT}")
        else:
            share = next(word for least, word in _WORDS if size >= least * gap["estimate"])
            told.append(f"{share} of it ({ends}) {_GOES[name].format(language=language)}")
    if gap["claimed"] and not held:
        told.append("the answers do not tell where it comes from: no cause holds")
    return f"{place}{'; '.join(told)}."


def _size(language: str, gap: Mapping[str, Any]) -> str:
    ends = f"{points(gap['estimate'])} points, 95% {_ends(gap)}"
    if not gap["claimed"]:
        return f"no gap to English holds on these questions ({ends})"
    side = "behind" if gap["estimate"] > 0 else "ahead of"
    return f"{language} is {side} English ({ends})"


def _ends(one: Mapping[str, Any]) -> str:
    return f"{points(one['low'])} to {points(one['high'])}"


def _picture(code: str, entry: Entry) -> str:
    language = labels.language(code).name
    steps = [_step(one["cause"], one, language) for one in entry["steps"]]
    used = {one["cause"] for one in entry["steps"]}
    rest = {name: one for name, one in entry["causes"].items() if name not in used}
    alone = [_step(name, one, language) for name, one in rest.items()]
    accuracy = entry["accuracy"]
    return waterfall(("English", accuracy["english"]), steps, (language, accuracy["plain"]), alone)


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

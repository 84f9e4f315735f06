"""Where gaps come from, for the page: a waterfall and a sentence for each language and task.

Only a run that was asked under conditions has them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..display import labels
from ..display.formats import count, ends, points, sizes
from ..display.sentences import Said, joined, say
from .gap_marks import GapSection, base_name, in_order, ordered
from .pictures import Step, svg, waterfall

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


def reasons_of(section: GapSection, task: str) -> list[dict[str, Any]]:
    """A waterfall with its sentence for every language of a task that was asked under conditions.

    Args:
        section: of a family that has gaps, asked under conditions.
        task: the name of the task.
    """
    entries = section["why"]["tasks"].get(task, {})
    return [
        {
            "words": labels.language(code),
            "sentence": sentence(task, code, entries[code], base_name(section)),
            "chart": _picture(task, code, entries[code], base_name(section)),
            "notes": _notes(task, entries[code]),
        }
        for code in ordered(entries)
    ]


def findings(section: GapSection) -> list[tuple[str, Said]]:
    """Sentences on the largest significant gaps and their sources, for the summary."""
    found = [
        (task, code, entry)
        for task, languages in in_order(section["why"]["tasks"])
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
                points=points(abs(one["estimate"]), signed=False),
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
    return ends(low, high)


def _picture(task: str, code: str, entry: Entry, base: str) -> str:
    language = labels.language(code).name
    steps = [_step(one["cause"], one, language) for one in entry["steps"]]
    used = {one["cause"] for one in entry["steps"]}
    rest = {name: one for name, one in entry["causes"].items() if name not in used}
    alone = [_step(name, one, language) for name, one in rest.items()]
    accuracy = entry["accuracy"]
    ends_at = (base, accuracy["english"]), steps, (language, accuracy["plain"]), alone
    figure, told = waterfall(*ends_at)
    return svg(figure, f"why-{task}-{code}", told)


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

"""The main results of the simple reasoning tasks in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

NAMES = {
    "word_count": "word counting",
    "char_count": "character counting",
    "logic_eval": "logic evaluation",
    "logic_negation": "logic negation",
    "proof_tree": "proof trees",
    "irrelevant": "proof trees with irrelevant information",
    "travel": "travel planning",
    "unpuzzles": "UNPUZZLES",
}
_FEW = 0.02
_MOST_NAMED = 3
_UNREAD = ("truncated", "no_answer", "bad_format")

Told = tuple[str, str]
_Part = tuple[str, Mapping[str, Any]]


def findings(section: Mapping[str, Any]) -> list[Told]:
    """Which tasks go best and worst, what no more than guesses, and what could not be read.

    Args:
        section: of a score.

    Returns:
        Pairs of a kind (``warn`` or an empty text) and a sentence.
    """
    parts: list[_Part] = []
    for task, entry in section["tasks"].items():
        for language, part in entry["languages"].items():
            called = NAMES.get(task, task)
            parts.append((f"{called} ({language})" if language != "en" else called, part))
    return [*_accuracies(parts), *_guesses(parts), *_doubts(parts)]


def _accuracies(parts: list[_Part]) -> Iterator[Told]:
    known = [(name, part) for name, part in parts if part["accuracy"] is not None]
    known.sort(key=lambda found: -found[1]["accuracy"])
    if not known:
        return
    if len(known) <= _MOST_NAMED:
        for name, part in known:
            yield "", f"{name[:1].upper()}{name[1:]}: {_measured(part)}."
        return
    (best, first), (worst, last) = known[0], known[-1]
    yield (
        "",
        f"Of {len(known)} tasks {best} goes best, {_measured(first)}, and {worst} worst, "
        f"{_measured(last)}.",
    )


def _measured(part: Mapping[str, Any]) -> str:
    return (
        f"{_percent(part['accuracy'])} right over {part['questions']:,} questions (95% interval "
        f"{_percent(part['low'])} to {_percent(part['high'])})"
    )


def _guesses(parts: list[_Part]) -> Iterator[Told]:
    """Tasks in which the best shortcut without reasoning lies within the interval or above."""
    named = [
        name
        for name, part in parts
        if part["low"] is not None and max(part["floors"].values(), default=-1.0) >= part["low"]
    ]
    if named:
        yield (
            "warn",
            f"In {', '.join(named[:_MOST_NAMED])}{_more(named)} this is not clearly better than a "
            "shortcut without reasoning.",
        )


def _doubts(parts: list[_Part]) -> Iterator[Told]:
    total = sum(part["responses"] for _, part in parts)
    unread = sum(part["statuses"][status] for _, part in parts for status in _UNREAD)
    if unread > _FEW * total:
        yield (
            "warn",
            f"In {unread:,} of {total:,} responses ({_percent(unread / total)}) no answer could be "
            "read; they count as not right.",
        )
    waiting = sum(part["needs_judge"] for _, part in parts)
    if waiting:
        yield "warn", f"{waiting:,} questions of free form wait for a judge and do not count yet."


def _more(named: list[str]) -> str:
    left = len(named) - _MOST_NAMED
    return f" and {left} more" if left > 0 else ""


def _percent(value: float) -> str:
    return f"{100 * value:.0f}%"

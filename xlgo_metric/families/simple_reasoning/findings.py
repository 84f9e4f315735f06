"""The main results of the simple reasoning tasks in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...table import count, ends, percent
from .summary import parts_of
from .tasks import TASKS

_FEW = 0.02
_MOST_NAMED = 3
_UNREAD = ("truncated", "no_answer", "bad_format")

Told = tuple[str, str]
Part = Mapping[str, Any]
_Part = tuple[str, Part]


def findings(section: Mapping[str, Any]) -> list[Told]:
    """Which tasks go best and worst, what no more than guesses, and what could not be read.

    Args:
        section: of a score.

    Returns:
        Pairs of a kind (``warn`` or an empty text) and a sentence.
    """
    parts: list[_Part] = []
    for task, language, part in parts_of(section["tasks"]):
        called = TASKS[task].title_within if task in TASKS else task
        parts.append((f"{called} ({language})" if language != "en" else called, part))
    return [*_accuracies(parts), *_guesses(parts), *_doubts(parts)]


def _accuracies(parts: list[_Part]) -> Iterator[Told]:
    known = [(name, part) for name, part in parts if part["accuracy"] is not None]
    known.sort(key=lambda item: -item[1]["accuracy"])
    texts = [f"{name}: {_measured(part)}" for name, part in known]
    if len(known) > _MOST_NAMED:
        (best, first), (worst, last) = known[0], known[-1]
        texts = [
            f"Highest accuracy of {len(known)} tasks: {best}, {_measured(first)}. Lowest: {worst}, "
            f"{_measured(last)}"
        ]
    for text in texts:
        yield "", f"{text[:1].upper()}{text[1:]}."


def _measured(part: Part) -> str:
    return (
        f"{percent(part['accuracy'])} correct over {count(part['questions'])} questions "
        f"(95% interval {ends(part['low'], part['high'], kind='share')})"
    )


def _guesses(parts: list[_Part]) -> Iterator[Told]:
    """Tasks in which the best shortcut without reasoning lies within the interval or above."""
    named = [
        name
        for name, part in parts
        if part["low"] is not None and max(part["floors"].values(), default=-1.0) >= part["low"]
    ]
    if named:
        left = len(named) - _MOST_NAMED
        more = f" and {left} more" if left > 0 else ""
        yield (
            "warn",
            f"Not significantly better than a shortcut without reasoning: "
            f"{', '.join(named[:_MOST_NAMED])}{more}.",
        )


def _doubts(parts: list[_Part]) -> Iterator[Told]:
    total = sum(part["responses"] for _, part in parts)
    unread = sum(part["statuses"][status] for _, part in parts for status in _UNREAD)
    if unread > _FEW * total:
        yield (
            "warn",
            f"{count(unread)} of {count(total)} responses ({percent(unread / total)}) were "
            "unparsable or truncated. They count as incorrect.",
        )
    waiting = sum(part["needs_judge"] for _, part in parts)
    if waiting:
        yield "warn", f"{count(waiting)} free-form questions wait for a judge and do not count yet."

"""The main results of the simple reasoning tasks in sentences."""

from collections.abc import Iterator

from ...family import Section, Told
from ...table import count, ends, percent
from ...views import Row
from .summary import parts_of
from .tasks import TASKS

_FEW = 0.02
_MOST_NAMED = 3
_UNREAD = ("truncated", "no_answer", "bad_format")

_Part = tuple[str, Row]


def findings(section: Section) -> list[Told]:
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
    measured = [(name, part) for name, part in parts if part["accuracy"] is not None]
    measured.sort(key=lambda item: -item[1]["accuracy"])
    texts = [f"{name}: {_measured(part)}" for name, part in measured]
    if len(measured) > _MOST_NAMED:
        (best, first), (worst, last) = measured[0], measured[-1]
        texts = [
            f"Highest accuracy of {len(measured)} tasks: {best}, {_measured(first)}. "
            f"Lowest: {worst}, {_measured(last)}"
        ]
    for text in texts:
        yield "", f"{text[:1].upper()}{text[1:]}."


def _measured(part: Row) -> str:
    return (
        f"{percent(part['accuracy'])} correct over {count(part['questions'])} questions "
        f"(95% interval {ends(part['low'], part['high'], kind='share')})"
    )


def _guesses(parts: list[_Part]) -> Iterator[Told]:
    """Tasks in which the best shortcut without reasoning lies within the interval or above."""
    tasks = [
        name
        for name, part in parts
        if part["low"] is not None and max(part["floors"].values(), default=-1.0) >= part["low"]
    ]
    if tasks:
        remaining = len(tasks) - _MOST_NAMED
        more = f" and {remaining} more" if remaining > 0 else ""
        yield (
            "warn",
            f"Not significantly better than a shortcut without reasoning: "
            f"{', '.join(tasks[:_MOST_NAMED])}{more}.",
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

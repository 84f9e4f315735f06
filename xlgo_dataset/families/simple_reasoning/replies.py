"""Answers as a model may give them: the asked form of the common kinds, and plausible errors.

A task module takes its ``phrase`` and ``wrong_answer`` from here, or has its own.
"""

from __future__ import annotations

from ...core.rng import Stream
from .base import Choice, Counts, Number
from .logic import LETTERS

_MOST_OFF = 5


def choice(answer: Choice, parallel: bool) -> str:
    """An option A to D, in the tags that the prompts ask for."""
    return f"<answer>{answer['choice']}</answer>"


def number(answer: Number, parallel: bool) -> str:
    """A number in a box."""
    return f"$\\boxed{{{answer['number']}}}$"


def wrong_choice(solution: Choice, stream: Stream) -> Choice:
    """Another option."""
    others = [letter for letter in LETTERS if letter != solution["choice"]]
    return {"choice": others[stream.integer(len(others))]}


def wrong_number(solution: Number, stream: Stream) -> Number:
    """A number that is a little too large."""
    return {"number": solution["number"] + _off(stream)}


def wrong_counts(solution: Counts, stream: Stream) -> Counts:
    """Counts of which one is a little too large."""
    off, counts = _off(stream), list(solution["counts"])
    counts[stream.integer(len(counts))] += off
    return {"counts": counts}


def _off(stream: Stream) -> int:
    return 1 + stream.integer(_MOST_OFF)

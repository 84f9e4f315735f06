"""Shortcuts that do no reasoning: a floor beside every result.

``always_a`` and ``longest`` choose by position and length; ``medoid`` takes the option that differs
least from all others, ``outlier`` the one that differs most (in logic evaluation the three false
assignments resemble each other); ``greedy`` always travels to the nearest new city. A tie counts
as the share of the tied options that is right, the hit rate of choosing among them by chance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from . import itinerary

NAMES = ("always_a", "longest", "medoid", "outlier", "greedy")

_LETTERS = "ABCD"
CHOICES = ("logic_eval", "logic_negation")


def floors(reference: Mapping[str, Any]) -> dict[str, float]:
    """What each shortcut scores on one question, between 0 and 1.

    Empty for tasks without a shortcut and for references without covariates.
    """
    task = reference.get("task")
    if task == "travel":
        legs = itinerary.greedy(reference)
        return {"greedy": float(itinerary.check(legs, reference)["violation"] is None)}
    if task not in CHOICES:
        return {}
    key = reference["answer"]["choice"]
    found = {"always_a": float(key == "A")}
    sizes = reference.get("covariates", {})
    if "option_lengths" in sizes:
        found["longest"] = _share(key, [-length for length in sizes["option_lengths"]])
    if "option_distances" in sizes:
        totals = [sum(row) for row in sizes["option_distances"]]
        found["medoid"] = _share(key, totals)
        found["outlier"] = _share(key, [-total for total in totals])
    return found


def _share(key: str, scores: Sequence[float]) -> float:
    """The chance to hit the key by choosing among the options with the least score."""
    least = [letter for letter, score in zip(_LETTERS, scores) if score == min(scores)]
    return 1 / len(least) if key in least else 0.0

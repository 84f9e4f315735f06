"""Shortcuts that do no reasoning: a floor beside every result.

``always_a`` and ``longest`` choose by position and length; ``medoid`` takes the option that differs
least from all others, ``outlier`` the one that differs most (in logic evaluation the three false
assignments resemble each other); ``greedy`` always travels to the nearest new city. A tie counts
as the share of the tied options that is right, the hit rate of choosing among them by chance.
Each scores between 0 and 1 on a question; a task names those that it has (see ``tasks``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from . import itinerary

NAMES = ("always_a", "longest", "medoid", "outlier", "greedy")

_LETTERS = "ABCD"


def of_choices(reference: Mapping[str, Any]) -> dict[str, float]:
    """The shortcuts of options A to D, as far as the covariates of a reference know them."""
    key = reference["answer"]["choice"]
    result = {"always_a": float(key == "A")}
    sizes = reference.get("covariates", {})
    if "option_lengths" in sizes:
        result["longest"] = _share(key, [-length for length in sizes["option_lengths"]])
    if "option_distances" in sizes:
        totals = [sum(row) for row in sizes["option_distances"]]
        result["medoid"] = _share(key, totals)
        result["outlier"] = _share(key, [-total for total in totals])
    return result


def of_itineraries(reference: Mapping[str, object]) -> dict[str, float]:
    """The greedy traveller."""
    legs = itinerary.greedy(reference)
    return {"greedy": float(itinerary.check(legs, reference)["violation"] is None)}


def _share(key: str, scores: Sequence[float]) -> float:
    """The chance to hit the key by choosing among the options with the least score."""
    least = [letter for letter, score in zip(_LETTERS, scores) if score == min(scores)]
    return 1 / len(least) if key in least else 0.0

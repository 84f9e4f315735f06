"""Answers as a model may give them: right ones in the asked form, and plausible wrong ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.rng import Stream
from .base import SimpleInstance
from .logic import LETTERS

SIMULATED: dict[str, float] = {
    "word_count": 4, "char_count": 100, "logic_eval": 8, "logic_negation": 8, "proof_tree": 2,
    "irrelevant": 2, "travel": 7,
}  # fmt: skip
"""By task the complexity at which the simulated model is right half of the time: invented."""

_MOST_OFF = 5


def slip(instance: SimpleInstance, solution: Mapping[str, Any], stream: Stream) -> dict[str, Any]:
    """A wrong answer in the form of ``solution``: another option, a number that is a little off,
    or an itinerary without its last leg."""
    if "choice" in solution:
        others = [letter for letter in LETTERS if letter != solution["choice"]]
        return {"choice": others[stream.integer(len(others))]}
    off = 1 + stream.integer(_MOST_OFF)
    if "number" in solution:
        return {"number": solution["number"] + off}
    if "counts" in solution:
        counts = list(solution["counts"])
        counts[stream.integer(len(counts))] += off
        return {"counts": counts}
    return {"itinerary": solution["itinerary"][:-1]}


def written(answer: Mapping[str, Any], task: str, parallel: bool = False) -> str:
    """An answer in the form that the prompts ask for."""
    if "choice" in answer:
        return f"<answer>{answer['choice']}</answer>"
    if "number" in answer:
        return f"$\\boxed{{{answer['number']}}}$"
    if "counts" in answer and parallel:
        listed = ", ".join(map(str, answer["counts"]))
        return f"#{listed}#" if task == "char_count" else f"[{listed}]"
    if task == "char_count":
        return f"The character appears #{answer['counts'][0]}# times."
    if "counts" in answer:
        return f"The words appear [ {' , '.join(map(str, answer['counts']))} ] times."
    return str([tuple(leg) for leg in answer["itinerary"]])

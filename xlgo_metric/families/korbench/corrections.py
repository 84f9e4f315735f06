"""Self-correction: several answers to one question, each given after the last was called wrong.

Whether an answer is wrong is told by the reference (oracle feedback), so what these rounds reach is
not comparable with an accuracy without feedback.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ...core import Grade
from ...reading.thinking import split_thinking
from .extraction import NULL, bracket, inner, last_answer
from .grading import grade_single

MAX_LENGTH = 10_000_000


def grade_rounds(responses: Sequence[str | None], reference: Mapping[str, Any]) -> Grade:
    """Grade the responses of all rounds to one question; the first right one ends them.

    Args:
        responses: in the order in which they were given, at least one.
        reference: as for ``grade``.

    Returns:
        The grade of the last round that counts. Its ``details`` have ``rounds`` (a verdict per
        round) and ``ending`` (``correct`` or ``max_rounds``).

    Raises:
        ValueError: there are no responses, or the reference lacks what grading needs.
    """
    if not responses:
        raise ValueError("self-correction needs at least one response")
    verdicts: list[bool] = []
    for response in responses:
        found = grade_single(response, reference)
        verdicts.append(found.correct)
        if found.correct:
            break
    details = found.details | {
        "rounds": verdicts,
        "ending": "correct" if verdicts[-1] else "max_rounds",
    }
    return Grade(found.correct, found.status, found.strict, found.answer, details)


def responses_of(prediction: str | None) -> list[str | None]:
    """The responses in a prediction: those of a JSON object with ``responses``, else itself."""
    if isinstance(prediction, str) and len(prediction) <= MAX_LENGTH:
        text = prediction.strip()
        if text.startswith("{") and '"responses"' in text:
            try:
                found = json.loads(text)
            except (ValueError, RecursionError):
                return [prediction]
            responses = found.get("responses")
            if isinstance(responses, list) and responses:
                return [one if isinstance(one, str) else None for one in responses]
    return [prediction]


def extracted(response: str | None, category: str, mode: str = "default") -> str:
    """The answer that enters the history of a conversation; ``NULL`` where none was found.

    Args:
        response: the model's whole output.
        category: of the question.
        mode: whose extraction is used.
    """
    text = split_thinking(response if isinstance(response, str) else "").answer
    if mode == "default":
        found = last_answer(text)
        return NULL if found is None else f"[[{found.content}]]"
    if category == "puzzle":
        body = inner(text)
        return body if body == NULL else f"[[{body}]]"
    return bracket(text, "clean")

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
        responses: in the order in which they were given, at least one; ``None`` for a request that
            failed, which is no answer.
        reference: as for ``grade``.

    Returns:
        The grade of the last round that counts. Its ``details`` have ``rounds`` (a verdict per
        round) and ``ending`` (``correct``, ``max_rounds``, or ``failed`` if the last request did).

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
    ending = "failed" if response is None else "correct" if found.correct else "max_rounds"
    details = found.details | {"rounds": verdicts, "ending": ending}
    return Grade(found.correct, found.status, found.strict, found.answer, details)


def responses_of(prediction: str | None) -> list[str | None]:
    """The responses in what became of a chain (JSON with ``rounds``); any other text is one."""
    text = prediction.strip() if isinstance(prediction, str) else ""
    if not (text.startswith("{") and '"rounds"' in text and len(text) <= MAX_LENGTH):
        return [prediction]
    try:
        rounds = json.loads(text).get("rounds")
    except (ValueError, RecursionError):
        return [prediction]
    if not isinstance(rounds, list):
        return [prediction]
    return [_response(each) for each in rounds] or [None]


def _response(told: Any) -> str | None:
    text = told.get("text") if isinstance(told, dict) and told.get("state") != "error" else None
    return text if isinstance(text, str) else None


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

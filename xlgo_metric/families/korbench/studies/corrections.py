"""Self-correction: reading a chain of answers, and the feedback in the next prompt.

Whether an answer is wrong is told by the reference (oracle feedback), so what these rounds reach is
not comparable with an accuracy without feedback.
"""

from __future__ import annotations

import json
from typing import Any

from ....reading.thinking import split_thinking
from ..extraction import NULL, bracket, inner
from ..found import find_answer

MAX_LENGTH = 10_000_000


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
        answer = find_answer(text).answer
        return NULL if answer is None else f"[[{answer}]]"
    if category == "puzzle":
        body = inner(text)
        return body if body == NULL else f"[[{body}]]"
    return bracket(text, "clean")

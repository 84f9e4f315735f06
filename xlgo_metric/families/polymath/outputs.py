"""Outputs in the format of PolyMath's authors: ``<model>/<level>/<language>.jsonl``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ...family import LoggedAnswer


def identified(path: Path) -> tuple[str, str]:
    """Task and model of a file."""
    level = path.resolve().parent
    return f"polymath_{path.stem}_{level.name}", level.parent.name


def logged(path: Path, row: Mapping[str, object], number: int, mode: str) -> LoggedAnswer:
    """The answer in a record, to be graded by ``mode``; its number replaces a missing index.

    Raises:
        ValueError: the record is not as it should be.
    """
    if row.get("answer") is None:
        raise ValueError("no 'answer'")
    response, thinking = row.get("answer_pred"), row.get("thinking_pred") or ""
    if not isinstance(response, str | None) or not isinstance(thinking, str):
        raise ValueError("'answer_pred' and 'thinking_pred' must be text")
    if mode == "paper" and not thinking and response is not None:
        response = f"<think></think>{response}"  # an empty field is consistent by its rules
    level, index = path.parent.name, row.get("idx", number - 1)
    name = f"polymath-{level}-i{index}"
    reference = {
        "family": "polymath", "task": "polymath", "language": path.stem, "level": level,
        "index": index, "instance_id": name, "control": "none", "mode": mode,
        "answer": str(row["answer"]),
    }  # fmt: skip
    error = None if response is not None else "no answer_pred"
    question = text if isinstance(text := row.get("question"), str) else ""
    return LoggedAnswer(question, response, reference, thinking, error)

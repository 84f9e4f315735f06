"""Outputs in the format of PolyMath's authors: ``<model>/<level>/<language>.jsonl``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from xlgo_metric.families.polymath.measures import LEVELS

from . import MODE, POLYMATH, answer, changed, line_of, lines, text


def fits(path: Path, row: Mapping[str, object]) -> bool:
    """Whether a file of JSON lines is one of these, by its folder and first line."""
    return path.parent.name in LEVELS and row.keys() >= {"answer", "answer_pred"}


def describe(path: Path) -> tuple[str, str, dict[str, object]]:
    """Task, date and description of a run, in the form that the harness has for it."""
    level = path.resolve().parent
    about: dict[str, object] = {"model_name": level.parent.name, "config": {"model": POLYMATH}}
    return f"polymath_{path.stem}_{level.name}", changed(path), about


def records(path: Path) -> Iterator[tuple[int, int, dict[str, Any] | ValueError]]:
    """Number, place and line of the harness of each record; the number replaces a missing index.

    Raises:
        OSError: the file cannot be read.
    """
    for place, (number, _, row) in enumerate(lines(path), 1):
        try:
            if isinstance(row, ValueError):
                raise row
            yield number, place, _line(row, number, path)
        except ValueError as error:
            yield number, place, error


def _line(row: Mapping[str, Any], number: int, path: Path) -> dict[str, Any]:
    if row.get("answer") is None:
        raise ValueError("no 'answer'")
    response, thinking = row.get("answer_pred"), row.get("thinking_pred") or ""
    if not isinstance(response, str | None) or not isinstance(thinking, str):
        raise ValueError("'answer_pred' and 'thinking_pred' must be text")
    if MODE.get() == "paper" and not thinking and response is not None:
        response = f"<think></think>{response}"  # an empty field is consistent by its rules
    level, index = path.parent.name, row.get("idx", number - 1)
    name = f"polymath-{level}-i{index}"
    reference = {
        "family": "polymath", "task": "polymath", "language": path.stem, "level": level,
        "index": index, "instance_id": name, "control": "none", "mode": MODE.get(),
        "answer": str(row["answer"]),
    }  # fmt: skip
    return line_of(
        name,
        text(row.get("question")),
        str(row["answer"]),
        answer(response, "stop", thinking=thinking, error=None if response else "no answer_pred"),
        fields={"language": path.stem},
        measures={},
        reference=json.dumps(reference, ensure_ascii=False),
    )

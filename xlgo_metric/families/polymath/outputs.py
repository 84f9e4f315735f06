"""Read outputs in the format of PolyMath's authors: output/<model>/<level>/<language>.jsonl."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TypedDict, cast

from ...core import Reference
from .measures import LEVELS

_TEXTS = ("answer", "answer_pred")


Parts = tuple[str | None, str, dict[str, object]]
"""Thinking, answer and reference: what ``grading.grade_parts`` takes."""


def read_parts(folder: str | Path, mode: str = "default") -> Iterator[Parts]:
    """Read every line of every file below ``folder``.

    Each line is an object with ``answer`` (the reference), ``answer_pred``, and optionally ``idx``,
    ``thinking_pred`` and ``question``.

    Args:
        folder: the folder ``output``, or that of one model in it.
        mode: ``default`` or ``paper``, see ``grade_math``.

    Yields:
        Parts whose references name model, level, language and index.

    Raises:
        ValueError: there are no such files, or a line is malformed; file and line are named.
    """
    root = Path(folder)
    files = sorted(path for path in root.rglob("*.jsonl") if path.parent.name in LEVELS)
    if not files:
        raise ValueError(
            f"{root} has no files <model>/<level>/<language>.jsonl with a level of "
            f"{', '.join(LEVELS)}"
        )
    for path in files:
        model = path.parent.parent
        origin = {
            "family": "polymath", "task": "polymath", "language": path.stem,
            "level": path.parent.name,
            "model": (root if model == root else model).resolve().name, "mode": mode,
        }  # fmt: skip
        yield from _parts(path, origin)


def _parts(path: Path, origin: Reference) -> Iterator[Parts]:
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            row = _row(path, number, line)
            reference = {
                **origin,
                "index": row.get("idx", number - 1),
                "answer": str(row["answer"]),
            }
            thinking = row.get("thinking_pred") or (None if origin["mode"] == "default" else "")
            yield thinking, row["answer_pred"], reference


class _Row(TypedDict, total=False):
    """A line of a file."""

    idx: object
    answer: object
    answer_pred: str
    thinking_pred: str | None


def _row(path: Path, number: int, line: str) -> _Row:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise ValueError(f"{path}, line {number}: not valid JSON ({error.msg})") from None
    if not isinstance(row, dict):
        raise ValueError(f"{path}, line {number}: an object is needed, not {type(row).__name__}")
    for key in _TEXTS:
        if row.get(key) is None:
            raise ValueError(f"{path}, line {number}: no {key!r}")
    if not isinstance(row["answer_pred"], str) or not isinstance(
        row.get("thinking_pred") or "", str
    ):
        raise ValueError(f"{path}, line {number}: 'answer_pred' and 'thinking_pred' must be text")
    return cast(_Row, row)

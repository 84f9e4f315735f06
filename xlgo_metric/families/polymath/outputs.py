"""Read outputs in the format of PolyMath's authors: output/<model>/<level>/<language>.jsonl."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from ...core import Reference
from ...family import LoggedAnswer
from ...json_lines import json_lines
from .measures import LEVELS


def read_parts(folder: str | Path, mode: str = "default") -> Iterator[LoggedAnswer]:
    """Read every line of every file below ``folder``.

    Each line is an object with ``answer`` (the reference), ``answer_pred``, and optionally ``idx``,
    ``thinking_pred`` and ``question``.

    Args:
        folder: the folder ``output``, or that of one model in it.
        mode: ``default`` or ``paper``, see ``grade_math``.

    Yields:
        Answers whose references name model, level, language and index.

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
            "family": "polymath",
            "task": "polymath",
            "language": path.stem,
            "level": path.parent.name,
            "model": (root if model == root else model).resolve().name,
            "mode": mode,
        }
        yield from json_lines(path, partial(_parts, origin=origin))


def _parts(number: int, row: Mapping[str, Any], origin: Reference) -> LoggedAnswer:
    """The parts of a line; its number replaces a missing index."""
    for key in ("answer", "answer_pred"):
        if row.get(key) is None:
            raise ValueError(f"no {key!r}")
    thinking = row.get("thinking_pred") or (None if origin["mode"] == "default" else "")
    if not isinstance(row["answer_pred"], str) or not isinstance(thinking, str | None):
        raise ValueError("'answer_pred' and 'thinking_pred' must be text")
    index = row.get("idx", number - 1)
    reference = {**origin, "index": index, "answer": str(row["answer"])}
    return LoggedAnswer(thinking, row["answer_pred"], reference)

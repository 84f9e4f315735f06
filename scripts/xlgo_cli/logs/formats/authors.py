"""Files in which the authors of a family published answers; the family reads their records."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from xlgo_metric.family import AnswerFiles

from ..lines import LogLine
from . import LONGEST, MODE, answer, changed, line_of, lines


@dataclass(frozen=True)
class Reader:
    """Reads the files of a family.

    Attributes:
        tool: its name.
        files: what it says of them.
    """

    tool: str
    files: AnswerFiles

    def describe(self, path: Path) -> tuple[str, str, dict[str, object]]:
        """Task, date and description of a run, in the form that the harness has for it."""
        task, model = self.files.identified(path)
        return task, changed(path), {"model_name": model, "config": {"model": self.tool}}

    def records(self, path: Path) -> Iterator[tuple[int, int, LogLine | ValueError]]:
        """Number, place and line of the harness of each record.

        Raises:
            OSError: the file cannot be read.
        """
        rows = _listed(path) if path.suffix == ".json" else lines(path)
        for position, (number, _, row) in enumerate(rows, 1):
            try:
                if isinstance(row, ValueError):
                    raise row
                yield number, position, self._line(path, row, number)
            except ValueError as error:
                yield number, position, error

    def line(self, line: LogLine) -> LogLine:
        """A line as it is."""
        return line

    def _line(self, path: Path, row: dict[str, object], number: int) -> LogLine:
        logged = self.files.logged(path, row, number, MODE.get())
        reference, correct = logged.reference, row.get("is_correct")
        return line_of(
            str(reference["instance_id"]),
            logged.prompt,
            str(reference["answer"]),
            answer(logged.response, "stop", thinking=logged.thinking, error=logged.error),
            fields={"language": reference["language"]},
            measures={"is_correct": float(correct)} if isinstance(correct, bool) else {},
            reference=json.dumps(reference, ensure_ascii=False),
        )


def _listed(path: Path) -> Iterator[tuple[int, int, dict[str, object] | ValueError]]:
    """The records of a file that is one list."""
    if path.stat().st_size > LONGEST:
        yield 1, 1, ValueError(f"more than {LONGEST >> 20} MiB")
        return
    try:
        rows = json.loads(path.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        yield 1, 1, ValueError(f"not valid JSON ({error})")
        return
    for number, row in enumerate(rows if isinstance(rows, list) else [rows], 1):
        yield number, number, row if isinstance(row, dict) else ValueError("not a JSON object")

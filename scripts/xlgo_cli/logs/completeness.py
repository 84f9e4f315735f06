"""Completeness of a run: what was counted and written, compared with what is in its folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xlgo_lm_eval.answers import events_in, files_in

from .lines import Sample, SampleFile, mapping

if TYPE_CHECKING:
    from .results import Run

PLANNED, WROTE = "planned", "wrote"
"""Events in the file of answers: the parts of a run, and the files that one of them wrote."""

_SHOWN = 6
_HOW = "score what is there with --partial"


class Expected:
    """The answers that a run should have, and those found while its samples are read."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._lines: Counter[Path] = Counter()

    def saw(self, sample: Sample) -> None:
        """Take note of a response, whether it counts or is left out."""
        if sample.repeat == 0:
            self._lines[sample.file.path] += 1

    def count(self, path: Path) -> None:
        """Take note of an answer in a file to a question that is not one of xlgo."""
        self._lines[path] += 1

    def tell(self, *, partial: bool) -> tuple[int, int] | None:
        """Compare the lines of files with the numbers of samples that the harness logged.

        Args:
            partial: missing answers are only to be noted.

        Returns:
            How many answers are there, and of how many; ``None`` where nobody counted.
        """
        self._tell_of_files(partial)
        problems, wanted_answers, found_answers = self._run.problems, 0, 0
        by_run: dict[tuple[Path, str], dict[str, SampleFile]] = {}
        for one in self._run.files:
            by_run.setdefault((one.path.parent, one.date), {})[one.task] = one
        for place, info in self._run.described.items():
            files = by_run.get(place, {})
            if not files:
                continue
            for task, wanted_of_task in _effective(info).items():
                file = files.get(task)
                if file is None and not (self._run.whole and _family(info, task)):
                    continue
                present = self._lines[file.path] if file else 0
                if not present and file is not None:
                    continue  # of another task, or broken: that is told already
                wanted_answers += wanted_of_task
                found_answers += min(present, wanted_of_task)
                if present < wanted_of_task:
                    problems.add(
                        str(file.path if file else place[0]),
                        f"{present:,} of {wanted_of_task:,} answers of {task} are there, "
                        f"as the harness counted them ({_HOW})",
                        lost=not partial,
                    )
        return (found_answers, wanted_answers) if wanted_answers else None

    def _tell_of_files(self, partial: bool) -> None:
        """Say which files are missing that the run wrote, and what it did not ask yet."""
        if not self._run.whole:
            return
        folders = {
            f for file in self._run.files for f in (file.path.parent, file.path.parent.parent)
        }
        for folder in sorted(folders):
            try:
                events = [event for path in files_in(folder) for event in events_in(path)]
                self._tell_of_events(folder, events, partial)
            except (OSError, AttributeError, KeyError, TypeError) as error:
                self._run.problems.add(str(folder), f"its events cannot be read ({error})")

    def _tell_of_events(self, folder: Path, events: list[dict[str, Any]], partial: bool) -> None:
        problems = self._run.problems
        wrote = {event["command"]: event["files"] for event in events if event["kind"] == WROTE}
        for name in sorted({name for files in wrote.values() for name in files}):
            if not (folder / name).is_file():
                problems.add(str(folder), f"{name} is missing ({_HOW})", lost=not partial)
        planned = [event["parts"] for event in events if event["kind"] == PLANNED]
        parts = planned[-1] if planned else {}
        never = [", ".join(tasks) for command, tasks in parts.items() if command not in wrote]
        if never:
            words = "; ".join(never[:_SHOWN]) + ("; ..." if len(never) > _SHOWN else "")
            problems.add(
                str(folder),
                f"{len(never)} of {len(parts)} parts of the run did not end: {words} (the "
                "command of the run resumes it)",
                lost=not partial,
            )


def _effective(info: Mapping[str, object]) -> dict[str, int]:
    """The harness's numbers of samples by task."""
    found = {}
    for task, entry in mapping(info.get("n-samples")).items():
        number = mapping(entry).get("effective")
        if type(number) is int and number > 0:
            found[str(task)] = number
    return found


def _family(info: Mapping[str, object], task: str) -> str | None:
    config = mapping(mapping(info.get("configs")).get(task))
    found = mapping(config.get("metadata")).get("xlgo_family")
    return found if isinstance(found, str) else None

"""Completeness of a run: what was counted and written, compared with what is in its folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from xlgo_lm_eval.answers import events_in, files_in

from .lines import mapping

if TYPE_CHECKING:
    from .results import Run

PLANNED, WROTE = "planned", "wrote"
"""Events in the file of answers: the parts of a run, and the files that one of them wrote."""

_SHOWN = 6
_HOW = "score what is there with --partial"


def check_complete(
    run: Run, answers: Mapping[Path, int], *, partial: bool
) -> tuple[int, int] | None:
    """Compare what is there with what the harness counted, planned and wrote.

    What lacks goes to ``run.problems``.

    Args:
        run: whose files were read.
        answers: in each of them.
        partial: missing answers are only to be noted.

    Returns:
        How many answers are there, and of how many; ``None`` where nobody counted.
    """
    if run.whole:
        _check_files(run, partial)
    asked = present = 0
    files = {(file.path.parent, file.date, file.task): file for file in run.files}
    dates = {place[:2] for place in files}
    for place, info in run.described.items():
        for task, wanted in _effective(info).items() if place in dates else ():
            file = files.get((*place, task))
            if file is None and not (run.whole and _family(info, task)):
                continue
            found = answers.get(file.path, 0) if file else 0
            if file is not None and not found:
                continue  # of another task, or broken: that is told already
            asked, present = asked + wanted, present + min(found, wanted)
            if found < wanted:
                run.problems.add(
                    str(file.path if file else place[0]),
                    f"{found:,} of {wanted:,} answers of {task} are there, as the harness counted "
                    f"them ({_HOW})",
                    lost=not partial,
                )
    return (present, asked) if asked else None


def _check_files(run: Run, partial: bool) -> None:
    """Say which files are missing that the run wrote, and what it did not ask yet."""
    folders = {f for file in run.files for f in (file.path.parent, file.path.parent.parent)}
    for folder in sorted(folders):
        try:
            events = [event for path in files_in(folder) for event in events_in(path)]
            wrote = {event["command"]: event["files"] for event in events if event["kind"] == WROTE}
            names = sorted({name for files in wrote.values() for name in files})
            planned = [dict(event["parts"]) for event in events if event["kind"] == PLANNED]
        except (OSError, AttributeError, LookupError, TypeError, ValueError) as error:
            run.problems.add(str(folder), f"its events cannot be read ({error})")
            continue
        for name in names:
            if not (folder / name).is_file():
                run.problems.add(str(folder), f"{name} is missing ({_HOW})", lost=not partial)
        parts = planned[-1] if planned else {}
        never = [", ".join(tasks) for command, tasks in parts.items() if command not in wrote]
        if never:
            words = "; ".join(never[:_SHOWN]) + ("; ..." if len(never) > _SHOWN else "")
            run.problems.add(
                str(folder),
                f"{len(never)} of {len(parts)} parts of the run did not end: {words} (the "
                "command of the run resumes it)",
                lost=not partial,
            )


def _effective(info: Mapping[str, object]) -> dict[str, int]:
    """The harness's numbers of samples by task."""
    numbers = {
        str(task): mapping(entry).get("effective")
        for task, entry in mapping(info.get("n-samples")).items()
    }
    return {task: n for task, n in numbers.items() if type(n) is int and n > 0}


def _family(info: Mapping[str, object], task: str) -> str | None:
    config = mapping(mapping(info.get("configs")).get(task))
    found = mapping(config.get("metadata")).get("xlgo_family")
    return found if isinstance(found, str) else None

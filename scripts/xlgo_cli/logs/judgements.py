"""What judges said, as ``xlgo judge`` keeps it: a ledger for each judge beside the results.

A judgement is found by the digest of what was asked, so one of another response, or of another
wording, is never taken. Nothing here asks a judge.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from xlgo_metric.core import Grade
from xlgo_metric.family import family_of

from .costs import JudgeSpent

FOLDER = "judgements"
"""In the folder of the results."""
LEDGER = b'{"kind": "xlgo-ledger"'
"""How a ledger begins."""

_FAILED = "error"
_LATEST = 1e12  # seconds since 1970
_ABOVE = 2  # folders between the samples and the folder that was given as results


@dataclass
class Judgements:
    """The replies of one judge.

    Attributes:
        judge: its name: that of its ledger.
        replies: by what was asked; empty where no reply came.
        repeats: further replies to the same question, by that and the number of the repetition.
        last: when the newest reply was asked for, in seconds since 1970; ``None`` if the judge
            never replied.
        spent: what its replies took.
        before: those of the judge that was asked before this one, for answers about which this
            one said nothing that can be read.
    """

    judge: str
    replies: dict[str, str] = field(default_factory=dict)
    repeats: dict[tuple[str, int], str] = field(default_factory=dict)
    last: float | None = None
    spent: JudgeSpent | None = None
    before: Judgements | None = None

    def decide(self, grade: Grade, response: str | None, reference: Mapping[str, object]) -> Grade:
        """The grade after this judge, if it needs one and was asked.

        Raises:
            ValueError: the reference lacks what a judge must know.
        """
        judge = family_of(reference).judge
        if grade.status != "needs_judge" or judge is None:
            return grade
        asked = judge.questions(grade, response or "", reference)
        replies = [self.replies.get(question.key) for question in asked]
        own = grade
        if not all(reply is None for reply in replies):
            own = judge.decide(grade, replies, self.judge)
        if own.status != "needs_judge" or self.before is None:
            return own
        earlier = self.before.decide(grade, response, reference)
        return own if earlier.status == "needs_judge" else earlier


def folders_of(samples: Iterable[Path]) -> list[Path]:
    """Where judgements of these files of samples can be: beside them or in a folder above."""
    found: dict[Path, None] = {}
    for path in samples:
        for folder in list(path.resolve().parents)[: _ABOVE + 1]:
            found[folder / FOLDER] = None
    return [folder for folder in found if folder.is_dir()]


def read_judgements(samples: Iterable[Path], judge: str | None = None) -> Judgements | None:
    """The judgements that count for some files of samples.

    Args:
        samples: the files.
        judge: how the name of the judge begins; by default the one that was asked last, and where
            it said nothing that can be read, the one before.

    Returns:
        ``None`` where nobody judged.

    Raises:
        ValueError: no judge of that name, or a file that is damaged.
    """
    fits = all_judgements(samples)
    if judge is not None:
        there = ", ".join(one.judge for one in fits) or "none: judge with `xlgo judge`"
        fits = [one for one in fits if one.judge.startswith(judge)]
        if not fits:
            raise ValueError(f"no judgements by {judge!r}: there are {there}")
    fits.sort(key=lambda one: (one.last or 0.0, one.judge), reverse=True)
    if judge is None:
        for later, earlier in pairwise(fits):
            later.before = earlier
    return fits[0] if fits else None


def all_judgements(samples: Iterable[Path]) -> list[Judgements]:
    """The judgements of every judge that replied, for some files of samples.

    Raises:
        ValueError: a file is damaged.
    """
    found: dict[str, Judgements] = {}
    for folder in folders_of(samples):
        for path in sorted(folder.glob("*.jsonl")):
            fresh = Judgements(path.stem, spent=JudgeSpent(path.stem))
            _read(path, found.setdefault(path.stem, fresh))
    return [one for one in found.values() if one.last is not None]


def _read(path: Path, into: Judgements) -> None:
    """Add what a ledger holds; of several replies to one question the last counts."""
    for row in _rows(path):
        if into.spent is not None and "run" in row:
            run = row["run"] if isinstance(row["run"], dict) else {}
            into.spent.model = str(run.get("model", ""))
            continue
        repeat, started = row.get("repeat", 0), row.get("started", 0.0)
        is_time = isinstance(started, int | float) and abs(started) < _LATEST
        if not (isinstance(repeat, int) and is_time):
            raise ValueError(
                f"{path}: 'repeat' must be an integer and 'started' a timestamp in every judgement"
            )
        key = str(row.get("chain", ""))
        reply = str(row.get("output", ""))
        into.repeats[key, repeat] = reply
        if repeat == 0:
            into.replies[key] = reply
        if row.get("status") != _FAILED:
            if into.spent is not None:
                into.spent.count(row.get("usage"), row.get("seconds"))
            into.last = max(into.last or 0.0, float(started))


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    """The header, which has ``run``, and the replies."""
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.endswith(b"\n"):
                return  # cut by a kill; the next judging mends it
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                raise ValueError(f"{path}, line {number} is damaged: remove that line") from None
            if number == 1 and not line.startswith(LEDGER):
                return  # somebody else's file
            if isinstance(row, dict):
                yield row


def is_ledger(path: Path) -> bool:
    """Whether a file is a ledger, which holds no samples."""
    try:
        with path.open("rb") as file:
            return file.read(len(LEDGER)) == LEDGER
    except OSError:
        return False

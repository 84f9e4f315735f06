"""What judges said, as ``xlgo judge`` keeps it: a file of answers for each beside the results.

A judgement is found by the digest of what was asked, so one of another response, or of another
wording, is never taken. Nothing here asks a judge.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from xlgo_lm_eval.answers import MISSING, rows_of
from xlgo_metric.core import Grade
from xlgo_metric.family import family_of

from .lines import reply_of

FOLDER = "judgements"
"""In the folder of the results."""
_LATEST = 1e12  # seconds since 1970
_ABOVE = 2  # folders between the samples and the folder that was given as results


@dataclass
class Judgements:
    """The replies of one judge.

    Attributes:
        judge: its name: that of its file.
        repeats: replies by what was asked and the number of the repetition, from 0; empty where
            no reply came.
        last: when the newest reply was asked for, in seconds since 1970; ``None`` if the judge
            never replied.
    """

    judge: str
    repeats: dict[tuple[str, int], str] = field(default_factory=dict)
    last: float | None = None

    def decide(self, grade: Grade, response: str | None, reference: Mapping[str, object]) -> Grade:
        """The grade after this judge, if it needs one and was asked.

        Raises:
            ValueError: the reference lacks what a judge must know.
        """
        judge = family_of(reference).judge
        if grade.status != "needs_judge" or judge is None:
            return grade
        questions = judge.questions(grade, response or "", reference)
        replies = [self.repeats.get((question.key, 0)) for question in questions]
        return judge.decide(grade, replies, self.judge) if set(replies) - {None} else grade


def folders_of(samples: Iterable[Path]) -> list[Path]:
    """Where judgements of these files of samples can be: beside them or in a folder above."""
    above = [list(path.resolve().parents)[: _ABOVE + 1] for path in samples]
    candidates = dict.fromkeys(folder / FOLDER for folders in above for folder in folders)
    return [folder for folder in candidates if folder.is_dir()]


def read_judgements(samples: Iterable[Path], judge: str | None = None) -> Judgements | None:
    """The judgements that count for some files of samples.

    Args:
        samples: the files.
        judge: how the name of the judge begins; by default the one that was asked last.

    Returns:
        ``None`` where nobody judged.

    Raises:
        ValueError: no judge of that name, or a file that is damaged.
    """
    by_judge: dict[str, Judgements] = {}
    for path in (p for folder in folders_of(samples) for p in sorted(folder.glob("*.ndjson"))):
        _read(path, by_judge.setdefault(path.stem, Judgements(path.stem)))
    fits = [judgements for judgements in by_judge.values() if judgements.last is not None]
    if judge is not None:
        names = (
            ", ".join(judgements.judge for judgements in fits) or "none: judge with `xlgo judge`"
        )
        fits = [judgements for judgements in fits if judgements.judge.startswith(judge)]
        if not fits:
            raise ValueError(f"no judgements by {judge!r}: there are {names}")
    return max(fits, key=lambda one: (one.last or 0.0, one.judge), default=None)


def _read(path: Path, into: Judgements) -> None:
    """Add what a file of answers holds; of several replies to one question the last counts."""
    try:
        rows = [row for _, _, row in rows_of(path)]
    except OSError as error:
        raise ValueError(f"{path}: cannot be read ({error.strerror or error})") from error
    for row in rows:
        if "run" in row:
            continue
        repeat, timestamp = row.get("repeat", 0), row.get("at", 0.0)
        if not (
            isinstance(repeat, int)
            and isinstance(timestamp, int | float)
            and abs(timestamp) < _LATEST
        ):
            raise ValueError(
                f"{path}: 'repeat' must be an integer and 'at' a timestamp in every judgement"
            )
        text = str(row.get("text", ""))
        into.repeats[str(row.get("chain", "")), repeat] = text
        if reply_of(row, text).state != MISSING:
            into.last = max(into.last or 0.0, float(timestamp))

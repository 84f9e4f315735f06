"""Answers that are missing or refused, and files of a run that are not in its folder.

Such answers are in no rate, and are counted by task, language and reason.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from xlgo_lm_eval.answers import steps_of
from xlgo_lm_eval.replies import MISSING, REFUSED
from xlgo_metric.core import PLAIN, Record, condition
from xlgo_metric.family import family

from ..display import labels
from .lines import mapping
from .results import Run

Place = tuple[str, str, str]
"""Family, task and language."""

_LEVEL = 0.05
_SHOWN, _SHOWN_PARTS = 3, 6
_HOW = "score what is there with --partial"
_LONGEST = 120


@dataclass
class Absent:
    """The answers of a run that are not there.

    Attributes:
        reasons: of each place, how many lack by state and reason.
    """

    reasons: dict[Place, Counter[tuple[str, str]]] = field(
        default_factory=lambda: defaultdict(Counter)
    )

    def add(self, cell: Place, state: str, error: str | None) -> None:
        """Count one."""
        self.reasons[cell][state, (error or "not known")[:_LONGEST]] += 1

    def number(self, cell: Place, state: str | None = None) -> int:
        """How many lack in a place, of one state or of both."""
        return sum(
            n
            for (reason_state, _), n in self.reasons[cell].items()
            if state in (None, reason_state)
        )

    @property
    def total(self) -> int:
        """How many lack."""
        return sum(counts.total() for counts in self.reasons.values())

    def words(self) -> str:
        """How many lack, by state, language and reason, in one sentence."""
        by_language: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for (_, _, language), counts in self.reasons.items():
            for (state, reason), n in counts.items():
                by_language[state, language][reason] += n
        parts = [
            f"{labels.language(language).name or language} {counts.total():,} {state} "
            f"({'; '.join(reason for reason, _ in counts.most_common(_SHOWN))})"
            for (state, language), counts in by_language.items()
        ]
        return f"{self.total:,} answers are in no rate: {', '.join(parts)}"

    def as_json(self, expected: Mapping[Place, int]) -> list[dict[str, Any]]:
        """A row for each place in which answers lack.

        Args:
            expected: how many answers each place should have.
        """
        return [
            {
                "family": cell[0],
                "task": cell[1],
                "language": cell[2],
                "asked": expected.get(cell, 0),
                "missing": self.number(cell, MISSING),
                "refused": self.number(cell, REFUSED),
                "reasons": [
                    {"state": state, "reason": reason, "n": n}
                    for (state, reason), n in counts.most_common()
                ],
            }
            for cell, counts in self.reasons.items()
            if counts
        ]


@dataclass(frozen=True)
class Unequal:
    """A language in which more or fewer answers lack than in the baseline, by more than chance.

    Attributes:
        place: of the language.
        absent, asked: answers that lack, and that should be there.
        baseline_absent, baseline_asked: the same of the baseline.
        low, high: bounds of the gap (a difference of accuracies): every answer that lacks is right
            in one of the two languages and wrong in the other.
    """

    place: Place
    absent: int
    asked: int
    baseline_absent: int
    baseline_asked: int
    low: float
    high: float

    def sentence(self, baseline: str) -> str:
        """It in words."""
        task, language = labels.task(self.place[1]).title, labels.language(self.place[2]).name
        return (
            f"{task}: {self.absent} of {self.asked} answers are missing in {language}, "
            f"{self.baseline_absent} of {self.baseline_asked} in {labels.language(baseline).name}, "
            f"more than chance explains. With all of them right or all wrong the gap would be "
            f"between {100 * self.low:+.0f} and {100 * self.high:+.0f} points: no result"
        )


def unequal(
    absent: Absent,
    expected: Mapping[Place, int],
    records: Iterable[tuple[tuple[Any, ...], Record]],
    baseline: str,
) -> Iterator[Unequal]:
    """Yield the languages in which other shares of answers lack than in the baseline.

    Fisher's exact test of each language and task, corrected after Bonferroni at 5% together.

    Args:
        absent: what lacks.
        expected: how many answers each place should have.
        records: the graded answers by family, task, language and more.
        baseline: its code.
    """
    right = Counter(
        key[:3]
        for key, record in records
        if record.grade.correct and condition(record.reference) == PLAIN
    )
    pairs = [
        (cell, (*cell[:2], baseline))
        for cell in expected
        if cell[2] != baseline
        and (*cell[:2], baseline) in expected
        and absent.number(cell) + absent.number((*cell[:2], baseline))
        and family(cell[0]).is_binary
    ]
    for cell, base in pairs:
        from scipy.stats import fisher_exact  # half a second to import, and rarely needed

        table = [[absent.number(p), expected[p] - absent.number(p)] for p in (cell, base)]
        if len(pairs) * fisher_exact(table)[1] > _LEVEL:
            continue
        (low, high), (base_low, base_high) = (
            (right[p] / expected[p], (right[p] + absent.number(p)) / expected[p])
            for p in (cell, base)
        )
        yield Unequal(
            cell, absent.number(cell), expected[cell], absent.number(base), expected[base],
            base_low - high, base_high - low,
        )  # fmt: skip


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
    expected = present = 0
    files = {(file.path.parent, file.date, file.task): file for file in run.files}
    dates = {run_key[:2] for run_key in files}
    for run_key, info in run.described.items():
        for task, number, is_ours in _effective(info) if run_key in dates else ():
            file = files.get((*run_key, task))
            if file is None and not (run.whole and is_ours):
                continue
            answered = answers.get(file.path, 0) if file else 0
            if file is not None and not answered:
                continue  # of another task, or broken: that is told already
            expected, present = expected + number, present + min(answered, number)
            if answered < number:
                run.problems.add(
                    str(file.path if file else run_key[0]),
                    f"{answered:,} of {number:,} answers of {task} are there, as the harness "
                    f"counted them ({_HOW})",
                    lost=not partial,
                )
    return (present, expected) if expected else None


def _check_files(run: Run, partial: bool) -> None:
    """Say which files are missing that the run wrote, and what it did not ask yet."""
    folders = {f for file in run.files for f in (file.path.parent, file.path.parent.parent)}
    for folder in sorted(folders):
        try:
            parts, wrote = steps_of(folder)
            names = sorted({name for event in wrote.values() for name in event["files"]})
            never = [", ".join(tasks) for command, tasks in parts.items() if command not in wrote]
        except (OSError, AttributeError, LookupError, TypeError, ValueError) as error:
            run.problems.add(str(folder), f"its events cannot be read ({error})")
            continue
        for name in names:
            if not (folder / name).is_file():
                run.problems.add(str(folder), f"{name} is missing ({_HOW})", lost=not partial)
        if never:
            words = "; ".join(never[:_SHOWN_PARTS]) + ("; ..." if never[_SHOWN_PARTS:] else "")
            run.problems.add(
                str(folder),
                f"{len(never)} of {len(parts)} parts of the run did not end: {words} (the "
                "command of the run resumes it)",
                lost=not partial,
            )


def _effective(info: Mapping[str, object]) -> Iterator[tuple[str, int, bool]]:
    """The harness's number of samples of each task, and whether the task is ours."""
    for task, entry in mapping(info.get("n-samples")).items():
        config = mapping(mapping(info.get("configs")).get(task))
        is_ours = isinstance(mapping(config.get("metadata")).get("xlgo_family"), str)
        n = mapping(entry).get("effective")
        if type(n) is int and n > 0:
            yield str(task), n, is_ours

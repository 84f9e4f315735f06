"""Answers that are missing or refused, and files of a run that are not in its folder.

Such answers are in no rate, and are counted by task, language and reason.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from xlgo_lm_eval.answers import steps_of
from xlgo_lm_eval.replies import MISSING, REFUSED
from xlgo_metric.core import PLAIN, Record, condition, grouped
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
        counts: how many lack by place, state and reason.
    """

    counts: Counter[tuple[Place, str, str]] = field(default_factory=Counter)

    def add(self, place: Place, state: str, error: str | None) -> None:
        """Count one."""
        self.counts[place, state, (error or "not known")[:_LONGEST]] += 1

    @property
    def by_place(self) -> Counter[Place]:
        """How many lack in each place, of all states."""
        numbers = Counter[Place]()
        for (place, *_), n in self.counts.items():
            numbers[place] += n
        return numbers

    def words(self) -> str:
        """How many lack, by state, language and reason, in one sentence."""
        by_language: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for ((_, _, language), state, reason), n in self.counts.items():
            by_language[state, language][reason] += n
        parts = [
            f"{labels.language(language).name or language} {counts.total():,} {state} "
            f"({'; '.join(reason for reason, _ in counts.most_common(_SHOWN))})"
            for (state, language), counts in by_language.items()
        ]
        return f"{self.counts.total():,} answers are in no rate: {', '.join(parts)}"

    def as_json(self, asked: Mapping[Place, int]) -> list[dict[str, Any]]:
        """A row for each place in which answers lack.

        Args:
            asked: how many answers each place should have.
        """
        return [
            {
                **dict(zip(("family", "task", "language"), place)),
                "asked": asked[place],
                **{
                    state: sum(n for (_, of, _), n in entries if of == state)
                    for state in (MISSING, REFUSED)
                },
                "reasons": [
                    {"state": state, "reason": reason, "n": n} for (_, state, reason), n in entries
                ],
            }
            for place, entries in grouped(
                self.counts.most_common(), lambda entry: entry[0][0]
            ).items()
        ]


class Unequal(NamedTuple):
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
    absent: Mapping[Place, int],
    asked: Mapping[Place, int],
    records: Iterable[tuple[tuple[Any, ...], Record]],
    base: str,
) -> list[Unequal]:
    """The languages in which other shares of answers lack than in the baseline.

    Fisher's exact test of each language and task, corrected after Bonferroni at 5% together.

    Args:
        absent: how many answers lack in each place; 0 where it has none.
        asked: how many it should have.
        records: the graded answers by family, task, language and more.
        base: code of the baseline.
    """
    right = Counter(
        key[:3]
        for key, record in records
        if record.grade.correct and condition(record.reference) == PLAIN
    )
    pairs = [
        (place, of_base)
        for place in asked
        for of_base in [(*place[:2], base)]
        if place != of_base and of_base in asked and absent[place] + absent[of_base]
        if family(place[0]).is_binary
    ]
    result = []
    for pair in pairs:
        from scipy.stats import fisher_exact  # half a second to import, and rarely needed

        table = [(absent[p], asked[p] - absent[p]) for p in pair]
        if len(pairs) * fisher_exact(table)[1] > _LEVEL:
            continue
        (low, high), (base_low, base_high) = (
            (right[p] / asked[p], (right[p] + absent[p]) / asked[p]) for p in pair
        )
        counts = (absent[pair[0]], asked[pair[0]], absent[pair[1]], asked[pair[1]])
        result.append(Unequal(pair[0], *counts, base_low - high, base_high - low))
    return result


def check_complete(run: Run, *, partial: bool) -> int:
    """Compare what is there with what the harness counted, planned and wrote.

    What lacks goes to ``run.problems``.

    Args:
        run: whose files were read.
        partial: missing answers are only to be noted.

    Returns:
        How many answers lack that the harness has counted.
    """
    if run.whole:
        _check_files(run, partial)
    lacking = 0
    files = {file.key: file for file in run.files}
    for key, config, info in run.tasks():
        counts = mapping(mapping(info.get("n-samples")).get(key[2]))
        file, n = files.get(key), counts.get("effective")
        is_ours = isinstance(mapping(config.get("metadata")).get("xlgo_family"), str)
        answered = run.answered[file.path] if file else 0
        # Without any answers the file is of another task, or broken: that is told already.
        is_counted = answered if file else run.whole and is_ours
        if type(n) is int and is_counted and answered < n:
            lacking += n - answered
            run.problems.add(
                str(file.path if file else key[0]),
                f"{answered:,} of {n:,} answers of {key[2]} are there, as the harness "
                f"counted them ({_HOW})",
                lost=not partial,
            )
    return lacking


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
        lacks = [f"{name} is missing ({_HOW})" for name in names if not (folder / name).is_file()]
        if never:
            words = "; ".join(never[:_SHOWN_PARTS]) + ("; ..." if never[_SHOWN_PARTS:] else "")
            lacks.append(
                f"{len(never)} of {len(parts)} parts of the run did not end: {words} (the "
                "command of the run resumes it)"
            )
        for words in lacks:
            run.problems.add(str(folder), words, lost=not partial)

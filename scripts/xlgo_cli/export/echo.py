"""``xlgo verify FOLDER --family NAME``: another team's data and our grading of them, both proved.

Every reference answer of the folder is graded as a response. By our own rules each must be right.
The published rules of a family refuse some reference answers; those must be the known ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import xlgo_dataset as xd
from xlgo_metric.core import Grade
from xlgo_metric.extras import Published
from xlgo_metric.family import family as grading_family

from .. import workers

_SHOWN = 20


@dataclass
class _Refused:
    """What one mode calls wrong, as ``part: name``, by whether that is known.

    Attributes:
        known: refused as they should be.
        unknown: refused, and nothing says whether they should be.
        wrong: refused or accepted against what is known.
    """

    known: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def check_source(folder: Path, name: str) -> int:
    """Grade all reference answers and print the rejected ones; 0 if as expected, else 1.

    Raises:
        ValueError: an unknown family, or a folder that does not hold its data.
    """
    data, published = xd.family(name), grading_family(name).extra(Published)
    if data.gold_answers is None:
        raise ValueError(f"{name} has no check of a local copy of its data")
    counts: Counter[str] = Counter()
    by_mode = {mode: _Refused() for mode in _modes(name)}
    # A whole copy has some thousand answers: they fit into memory.
    gold_answers = list(data.gold_answers(folder))
    work = ((echo, (name, echo)) for echo in gold_answers)
    for echo, grades in workers.in_order(_graded, work, workers.available_processors()):
        counts[echo.part] += 1
        known = published.published_rejects_gold(echo.part, echo.name, echo.reference)
        for place, (mode, grade) in enumerate(grades.items()):
            expected = known if place else False
            where = f"{echo.part}: {echo.name}"
            if expected is not None and expected == grade.correct:
                by_mode[mode].wrong.append(
                    f"{where} ({'accepted' if grade.correct else 'refused'})"
                )
            elif not grade.correct:
                (by_mode[mode].known if expected else by_mode[mode].unknown).append(where)
    counted = ", ".join(f"{count:,} {part}" for part, count in counts.items())
    revisions = {
        str(echo.reference["revision"]) for echo in gold_answers if "revision" in echo.reference
    }
    print(f"{folder}: {counted} (revision {', '.join(sorted(revisions)) or 'unknown'})")
    for mode, refused in by_mode.items():
        _tell(mode, refused)
    return 1 if any(refused.wrong for refused in by_mode.values()) else 0


def _graded(work: tuple[str, xd.GoldAnswer]) -> dict[str, Grade]:
    name, echo = work
    grading = grading_family(name)
    return {
        mode: grading.grade(echo.response, {**echo.reference, "mode": mode})
        for mode in _modes(name)
    }


def _modes(name: str) -> tuple[str, ...]:
    return grading_family(name).extra(Published).modes


def _tell(mode: str, refused: _Refused) -> None:
    if not (refused.known or refused.unknown or refused.wrong):
        print(f"mode {mode}: every reference answer is right")
        return
    count = len(refused.known)
    print(f"mode {mode}: refuses {count:,} reference answers that are known to be refused")
    for kind, names in _by_part(refused.known).items():
        print(f"  {kind} ({len(names)}): {_listed(names)}")
    for kind, names in _by_part(refused.unknown).items():
        print(f"  also {kind} ({len(names)}), of which nothing is known beforehand")
    for kind, names in _by_part(refused.wrong).items():
        print(f"  NOT AS IT SHOULD BE, {kind} ({len(names)}): {_listed(names)}")


def _by_part(places: list[str]) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for place in places:
        part, _, name = place.partition(": ")
        found.setdefault(part, []).append(name)
    return found


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return "; ".join(names[:_SHOWN]) + more

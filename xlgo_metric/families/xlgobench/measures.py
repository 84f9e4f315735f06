"""What is measured of an answer to a puzzle.

The harness hands the values of every question to one aggregation function per metric. A value may
be a tuple, so the rows ``diff_<language>`` get a ``Right`` of every question of a task that
holds several languages, and ``smd_<language>`` (task, language, complexity, correct) to
fit both curves. The harness has no standard error for such metrics; a second metric named
``smd_<language>_stderr``, aggregated after the first, takes the place of the missing one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from math import sqrt
from typing import TYPE_CHECKING, Any, cast

from ...core import COMMON_MEASURES, UNKNOWN, Grade, Measure, Reference

if TYPE_CHECKING:
    from ...comparison.table import Curve

ENGLISH = "en"

Value = tuple[str, str, int, bool]
"""Task, language (with its condition, where one is not plain), complexity and whether right."""

Right = tuple[str, str, str, bool]
"""Structure, question, language and whether right; a question by itself is its own structure."""

_Aggregate = Callable[[Sequence[Any]], float | str]

MEASURES = tuple(replace(one, plain_only=True) for one in COMMON_MEASURES)
"""Of every puzzle: the harness's table is that of the plain questions."""


def with_gaps(languages: Sequence[str]) -> tuple[Measure, ...]:
    """``MEASURES`` and, of questions asked in English and others, the gap of each language."""
    others = [code for code in languages if code != ENGLISH]
    gaps = [measure for code in others for measure in _of_language(code)]
    return (*MEASURES, *gaps)


def _of_language(code: str) -> list[Measure]:
    """The difference and the gap of one language, each with its standard error."""
    aggregates = {
        f"diff_{code}": (_question, partial(diff, language=code)),
        f"diff_{code}_stderr": (_question, partial(diff_stderr, language=code)),
        f"smd_{code}": (_pair, partial(smd, language=code)),
        f"smd_{code}_stderr": (_pair, partial(smd_stderr, language=code)),
    }
    return [
        Measure(name, value, False, cast(_Aggregate, of), plain_only=True)
        for name, (value, of) in aggregates.items()
    ]


def _pair(grade: Grade, reference: Reference) -> tuple[object, ...] | None:
    """A ``Value``; ``None`` without English among the codes that are asked in one task, which the
    key ``languages`` lists."""
    languages = reference.get("languages", ())
    if ENGLISH not in languages:  # type: ignore[operator]
        return None
    asked = (reference[name] for name in ("task", "language", "complexity"))
    return (*asked, grade.correct)


def _question(grade: Grade, reference: Reference) -> tuple[object, ...] | None:
    """A ``Right``, of the same answers as ``_pair``."""
    if _pair(grade, reference) is None:
        return None
    question = str(reference.get("instance_id"))
    structure = str(reference.get("structure") or question)
    return structure, question, str(reference["language"]), grade.correct


def diff(values: Sequence[Right], language: str) -> float | str:
    """Accuracy in English minus accuracy in a language, over all questions asked in both.

    Returns:
        A fraction in [-1, 1]; ``UNKNOWN`` without common questions.
    """
    found = [one for of in _differences(values, language).values() for one in of]
    return sum(found) / len(found) if found else UNKNOWN


def diff_stderr(values: Sequence[Right], language: str) -> float | str:
    """The standard error of ``diff``, from the spread of the structures' differences."""
    found = _differences(values, language).values()
    if len(found) < 2:
        return UNKNOWN
    n = sum(map(len, found))
    mean = sum(map(sum, found)) / n
    spread = sum(sum(one - mean for one in of) ** 2 for of in found)
    return sqrt(spread * len(found) / (len(found) - 1)) / n


def _differences(values: Sequence[Right], language: str) -> dict[str, list[float]]:
    """Of each common question, the share of correct answers in English minus that in a language;
    by structure."""
    right: dict[str, dict[str, list[bool]]] = {ENGLISH: {}, language: {}}
    structures: dict[str, str] = {}
    for structure, question, code, correct in values:
        if code in right:
            right[code].setdefault(question, []).append(correct)
            structures[question] = structure
    english, other = right[ENGLISH], right[language]
    found: dict[str, list[float]] = {}
    for question, each in other.items():
        if question in english:
            share = sum(english[question]) / len(english[question]) - sum(each) / len(each)
            found.setdefault(structures[question], []).append(share)
    return found


def smd(values: Sequence[Value], language: str) -> float | str:
    """Signed max divergence of a language from English (XLGoBench, equation 2), a fraction.

    Args:
        values: of every question of one task, in any order.
        language: the language to compare with English.

    Returns:
        A fraction in [-1, 1], positive where English is ahead; ``UNKNOWN`` if either has
        fewer than two levels, they span no common range, or the answers fix no gap.
    """
    found = _gap(values, language)
    return UNKNOWN if found is None else found.smd


def smd_stderr(values: Sequence[Value], language: str) -> float | str:
    """The standard deviation of ``smd`` over 300 Beta draws (XLGoBench, appendix B)."""
    found = _gap(values, language)
    return UNKNOWN if found is None else found.smd_sd


def _gap(values: Sequence[Value], language: str) -> Curve | None:
    """The gap over whole complexities that both languages span.

    ``None`` where the answers fix no gap: a curve is not identified, or the model solves almost
    nothing or almost everything in both languages.
    """
    import pandas as pd

    from xlgo_metric.comparison.levels import both_extreme
    from xlgo_metric.comparison.table import Side, curve

    frame = pd.DataFrame(values, columns=["task", "language", "complexity", "correct"])
    task = values[0][0] if values else ""
    sides = {code: frame[frame["language"] == code] for code in (ENGLISH, language)}
    found = curve({"task": task}, sides, fewest=2)
    solved = found and both_extreme(*(Side(task, code, of) for code, of in sides.items()))
    return None if solved else found

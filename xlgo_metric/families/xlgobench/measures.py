"""What is measured of an answer to a puzzle.

The harness hands the values of every question to one aggregation function per metric. A value may
be a tuple, so the rows ``diff_<language>`` get a ``Right`` of every question of a task that
holds several languages, and ``smd_<language>`` (task, language, complexity, correct) to
fit both curves. The harness has no standard error for such metrics; a second metric named
``smd_<language>_stderr``, aggregated after the first, takes the place of the missing one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from math import sqrt
from typing import Any, cast

from ...core import COMMON_MEASURES, UNKNOWN, Grade, Measure, Reference

ENGLISH = "en"

Value = tuple[str, str, int, bool]
"""Task, language (with its condition, where one is not plain), complexity and whether right."""

Right = tuple[str, str, str, bool]
"""Structure, question, language and whether right; a question by itself is its own structure."""

_Aggregate = Callable[[Sequence[Any]], float | str]

_Cell = tuple[str, str, tuple[tuple[int, int, int], ...]]
"""Task, language, and per level its complexity, correct answers and answers."""


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
    found = _gap(*_cells(values, language))
    return UNKNOWN if found is None else found[0]


def smd_stderr(values: Sequence[Value], language: str) -> float | str:
    """The standard deviation of ``smd`` over 300 Beta draws (XLGoBench, appendix B)."""
    found = _gap(*_cells(values, language))
    return UNKNOWN if found is None else found[1]


def _cells(values: Sequence[Value], language: str) -> tuple[_Cell, _Cell]:
    """English and the other language, with the correct answers of every level."""
    right: dict[str, Counter[int]] = {ENGLISH: Counter(), language: Counter()}
    total: dict[str, Counter[int]] = {ENGLISH: Counter(), language: Counter()}
    task = values[0][0] if values else ""
    for _, code, complexity, correct in values:
        if code in total:
            total[code][complexity] += 1
            right[code][complexity] += correct
    english, other = (
        (task, code, tuple((c, right[code][c], total[code][c]) for c in sorted(total[code])))
        for code in (ENGLISH, language)
    )
    return english, other


@lru_cache(maxsize=1024)
def _gap(english: _Cell, other: _Cell) -> tuple[float, float] | None:
    """The gap over whole complexities that both languages span, and its standard deviation.

    ``None`` where the answers fix no gap: a curve is not identified, or the model solves almost
    nothing or almost everything in both languages.
    """
    from xlgo_metric.statistics.gaps import gap

    spans = [(levels[0][0], levels[-1][0]) for _, _, levels in (english, other) if len(levels) > 1]
    if len(spans) < 2:
        return None
    low, high = max(span[0] for span in spans), min(span[1] for span in spans)
    if low >= high:
        return None
    solved = {_solves(english), _solves(other)}
    fixed = _identified(english) and _identified(other)
    if not fixed or solved in ({"nothing"}, {"everything"}):
        return None
    found = gap(_draws(english), _draws(other), low, high, whole=True).smd
    return found.value, found.sd


def _identified(cell: _Cell) -> bool:
    import numpy as np

    from xlgo_metric.statistics.fitting import diagnose

    c, k, n = np.array(cell[2], dtype=np.float64).T
    return diagnose(c, k / n, n)[0]


def _solves(cell: _Cell) -> str | None:
    import numpy as np

    from xlgo_metric.statistics.paired import extreme

    _, k, n = np.array(cell[2], dtype=np.int64).T
    return extreme(k, n)


@lru_cache(maxsize=256)
def _draws(cell: _Cell) -> Any:
    from xlgo_metric.statistics.gaps import cell_stream, curve_draws

    task, language, levels = cell
    c, k, n = zip(*levels)
    return curve_draws(c, k, n, stream=cell_stream(task, language, 0))

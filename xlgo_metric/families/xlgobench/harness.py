"""What lm-evaluation-harness shows in its own results table for the puzzles.

The harness hands the values of every question to one aggregation function per metric. A value may
be a tuple, so the rows ``smd_<language>`` get (task, language, complexity, correct) of every
question of a task that holds several languages, and fit both curves from them. The harness has no
standard error for such a metric; a second metric named ``smd_<language>_stderr``, aggregated after
the first, takes the place of the missing one in the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from statistics import fmean
from typing import Any

from xlgo_metric.core import Grade

ENGLISH = "en"
UNKNOWN = "N/A"
"""What the harness prints where a number cannot be given, as for its own standard errors."""

Value = tuple[str, str, int, bool]
"""Task, language, complexity and whether the answer was right."""

HARNESS: dict[str, tuple[Callable[..., Any], bool]] = {
    "acc": (fmean, True),
    "parsed": (fmean, True),
    "strict": (fmean, True),
    "truncated": (fmean, False),
}
"""Metrics of every task: how to aggregate them, and whether higher is better."""

_Cell = tuple[str, str, tuple[tuple[int, int, int], ...]]
"""Task, language, and per level its complexity, right answers and answers."""


def language_rows(languages: Iterable[str]) -> dict[str, tuple[Callable[..., Any], bool]]:
    """Metrics of a task that holds English and other languages, in the form of ``HARNESS``.

    Args:
        languages: codes; English itself gets no row.
    """
    rows: dict[str, tuple[Callable[..., Any], bool]] = {}
    for language in languages:
        if language != ENGLISH:
            rows[f"smd_{language}"] = (partial(smd, language=language), False)
            rows[f"smd_{language}_stderr"] = (partial(smd_stderr, language=language), False)
    return rows


def harness_values(grade: Grade, reference: dict[str, Any]) -> dict[str, Any]:
    """The metrics of one question.

    Args:
        grade: of the response.
        reference: its key ``languages`` lists the codes that are asked together in one task;
            without it, or without English in it, there are no rows ``smd_<language>``.
    """
    values: dict[str, Any] = {
        "acc": float(grade.correct),
        "parsed": float(grade.status in ("correct", "wrong")),
        "strict": float(grade.strict),
        "truncated": float(grade.status == "truncated"),
    }
    languages = reference.get("languages", ())
    if ENGLISH in languages:
        value: Value = (
            reference["task"], reference["language"], reference["complexity"], grade.correct,
        )  # fmt: skip
        values |= dict.fromkeys(language_rows(languages), value)
    return values


def smd(values: Sequence[Value], language: str) -> float | str:
    """Signed max divergence of a language from English (XLGoBench, equation 2), a fraction.

    Args:
        values: of every question of one task, in any order.
        language: the language to compare with English.

    Returns:
        A fraction in [-1, 1], positive where English is ahead; ``UNKNOWN`` if either has
        fewer than two levels or they span no common range.
    """
    found = _gap(*_cells(values, language))
    return UNKNOWN if found is None else found[0]


def smd_stderr(values: Sequence[Value], language: str) -> float | str:
    """The standard deviation of ``smd`` over 300 Beta draws (XLGoBench, appendix B)."""
    found = _gap(*_cells(values, language))
    return UNKNOWN if found is None else found[1]


def _cells(values: Sequence[Value], language: str) -> tuple[_Cell, _Cell]:
    """English and the other language, with the right answers of every level."""
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
    """The gap and its standard deviation, on the complexities that both languages span."""
    from xlgo_metric.statistics.uncertainty import gap

    spans = [(levels[0][0], levels[-1][0]) for _, _, levels in (english, other) if len(levels) > 1]
    if len(spans) < 2:
        return None
    low, high = max(span[0] for span in spans), min(span[1] for span in spans)
    if low >= high:
        return None
    found = gap(_draws(english), _draws(other), low, high).smd
    return found.value, found.sd


@lru_cache(maxsize=256)
def _draws(cell: _Cell) -> Any:
    from xlgo_metric.statistics.uncertainty import cell_stream, curve_draws

    task, language, levels = cell
    c, k, n = zip(*levels)
    return curve_draws(c, k, n, stream=cell_stream(task, language, 0))

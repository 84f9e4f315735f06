"""What lm-evaluation-harness shows in its own results table for the puzzles.

The harness hands the values of every question to one aggregation function per metric. A value may
be a tuple, so the rows ``smd_<language>`` get (task, language, complexity, correct) of every
question of a task that holds several languages, and fit both curves from them. The harness has no
standard error for such a metric; a second metric named ``smd_<language>_stderr``, aggregated after
the first, takes the place of the missing one in the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from ...core import PLAIN, Grade, condition
from ...family import HarnessMetric, common_values

ENGLISH = "en"
_STDERR = "_stderr"
UNKNOWN = "N/A"
"""What the harness prints where a number cannot be given, as for its own standard errors."""

Value = tuple[str, str, int, bool]
"""Task, language (with its condition, where one is not plain), complexity and whether right."""

_Cell = tuple[str, str, tuple[tuple[int, int, int], ...]]
"""Task, language, and per level its complexity, right answers and answers."""


def language_rows(languages: Iterable[str]) -> dict[str, HarnessMetric]:
    """Metrics of a task that holds English and other languages.

    Args:
        languages: codes; English itself gets no row.
    """
    others = [code for code in languages if code != ENGLISH]
    names = [f"smd_{code}{ending}" for code in others for ending in ("", _STDERR)]
    return dict.fromkeys(names, HarnessMetric(higher_is_better=False, mean=False))


def aggregate(metric: str, values: Sequence[Value]) -> float | str:
    """The value of one of ``language_rows``.

    Raises:
        ValueError: it is none of them.
    """
    if not metric.startswith("smd_"):
        raise ValueError(f"unknown metric {metric!r}: allowed are smd_<language>")
    language = metric.removeprefix("smd_")
    if language.endswith(_STDERR):
        return smd_stderr(values, language.removesuffix(_STDERR))
    return smd(values, language)


def harness_values(grade: Grade, reference: Mapping[str, Any]) -> dict[str, Any]:
    """The metrics of one question.

    Args:
        grade: of the response.
        reference: its key ``languages`` lists the codes that are asked together in one task;
            without it, or without English in it, there are no rows ``smd_<language>``. A question
            under another condition than the plain one has no metrics: the harness's table is that
            of the plain questions.
    """
    if condition(reference) != PLAIN:
        return {}
    values = common_values(grade)
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
        fewer than two levels, they span no common range, or the answers fix no gap.
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
    """The gap over whole complexities that both languages span, and its standard deviation.

    ``None`` where the answers fix no gap: a curve is not identified, or the model solves almost
    nothing or almost everything in both languages.
    """
    from ...statistics.uncertainty import gap

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

    from ...statistics.diagnosis import diagnose

    c, k, n = np.array(cell[2], dtype=np.float64).T
    return diagnose(c, k / n, n)[0]


def _solves(cell: _Cell) -> str | None:
    import numpy as np

    from ...statistics.evidence import extreme

    _, k, n = np.array(cell[2], dtype=np.int64).T
    return extreme(k, n)


@lru_cache(maxsize=256)
def _draws(cell: _Cell) -> Any:
    from ...statistics.uncertainty import cell_stream, curve_draws

    task, language, levels = cell
    c, k, n = zip(*levels)
    return curve_draws(c, k, n, stream=cell_stream(task, language, 0))

"""XLGoBench: what is known of its wordings, what is measured of an answer, and the family.

The harness hands the values of every answer to one aggregation function per metric. A value may
be a tuple, so the rows ``diff_<language>`` and ``smd_<language>`` get a ``Value`` of every answer
to a task that holds several languages. The harness has no standard error for such metrics; a second
metric named ``smd_<language>_stderr``, aggregated after the first, takes the place of the missing
one.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, lru_cache, partial
from importlib import resources
from math import sqrt
from typing import Any

from ...core import COMMON_MEASURES, UNKNOWN, Grade, Measure, Reference
from ...family import Family, deferred
from ...option import BASELINE, DRAWS, SEED, Option
from .grading import grade, partial_credit

DOUBTFUL, EDITED, MACHINE_WRITTEN = "doubtful", "edited", "machine-written"


@cache
def wordings() -> dict[tuple[str, str, str], set[str]]:
    """What is known of each task, language and wording: its status, and ``DOUBTFUL``.

    A metric knows nothing of the language files; ``xlgo language wordings`` writes
    ``wordings.json`` from them.
    """
    text = resources.files(__package__).joinpath("wordings.json").read_text("utf-8")
    result: dict[tuple[str, str, str], set[str]] = {}
    for task, wording, status, languages in json.loads(text):
        for language in languages:
            result.setdefault((task, language, wording), set()).add(status)
    return result


def wording_of(task: str, language: str, wording: str) -> tuple[str, bool]:
    """Status of a wording, and whether it may cause a gap; one from a file edits the paper's."""
    paper = wordings().get((task, language, "paper"), set())
    statuses = wordings().get((task, language, wording), paper & {MACHINE_WRITTEN} or {EDITED})
    return "".join(statuses - {DOUBTFUL}) if paper else "", DOUBTFUL in statuses


ENGLISH = "en"

Value = tuple[str, str, int, bool, str, str]
"""Of an answer, as in ``COLUMNS``; a question by itself is its own structure."""

COLUMNS = ("task", "language", "complexity", "correct", "question", "structure")

MEASURES = tuple(replace(one, plain_only=True) for one in COMMON_MEASURES)
"""Of every puzzle: the harness's table is that of the plain questions."""


@lru_cache(maxsize=64)
def measures_of(task: str, languages: tuple[str, ...]) -> tuple[Measure, ...]:
    """Those of one language, or with its gaps where a harness task asks several together."""
    return with_gaps(languages) if len(languages) > 1 else MEASURES


def with_gaps(languages: Sequence[str]) -> tuple[Measure, ...]:
    """``MEASURES`` and, of questions asked in English and others, difference and gap of each.

    Each has its standard error.
    """
    codes = [code for code in languages if code != ENGLISH]
    gaps = [
        Measure(
            f"{name}_{code}{suffix}", _value, False, partial(_number, function, code, index),
            plain_only=True,
        )
        for code in codes
        for name, function in {"diff": diff, "smd": smd}.items()
        for index, suffix in enumerate(("", "_stderr"))
    ]  # fmt: skip
    return (*MEASURES, *gaps)


def _number(
    function: Callable[[Sequence[Any], str], tuple[float, float]],
    language: str,
    index: int,
    values: Sequence[Any],
) -> float:
    return _numbers(function, language, tuple(values))[index]


@lru_cache(maxsize=1)  # the gap and its error are asked for one after the other
def _numbers(
    function: Callable[[Sequence[Any], str], tuple[float, float]],
    language: str,
    values: tuple[Any, ...],
) -> tuple[float, float]:
    return function(values, language)


def _value(grade: Grade, reference: Reference) -> tuple[object, ...] | None:
    """A ``Value``; ``None`` without English among the codes that are asked in one task, which the
    key ``languages`` lists."""
    languages = reference.get("languages", ())
    if ENGLISH not in languages:  # type: ignore[operator]
        return None
    question = str(reference.get("instance_id"))
    task, language, complexity = (reference[name] for name in COLUMNS[:3])
    structure = str(reference.get("structure") or question)
    return task, language, complexity, grade.correct, question, structure


def diff(values: Sequence[Value], language: str) -> tuple[float, float]:
    """The gap of a language to English: the mean over complexities, alike, on common questions.

    Of several answers to a question the mean counts.

    Returns:
        A fraction in [-1, 1] and its standard error, from the spread of the structures'
        differences; ``UNKNOWN`` without common questions, or for the error of one structure.
    """
    import pandas as pd

    from xlgo_metric.statistics.differences import Contrast

    frame = pd.DataFrame(values, columns=COLUMNS).astype({"correct": float})
    right = frame.pivot_table("correct", "question", "language").reindex(
        columns=[ENGLISH, language]
    )
    if (right := right.dropna()).empty:
        return UNKNOWN, UNKNOWN
    about = frame.drop_duplicates("question").set_index("question").loc[right.index]
    difference = right[ENGLISH] - right[language]
    contrast = Contrast.of(difference, about["structure"], level=about["complexity"])
    off = contrast.total - contrast.weight * contrast.difference
    error = sqrt((off**2).sum() * len(off) / (len(off) - 1)) if len(off) > 1 else UNKNOWN
    return contrast.difference, error


def smd(values: Sequence[Value], language: str) -> tuple[float, float]:
    """Signed max divergence of a language from English (XLGoBench, equation 2), a fraction.

    Args:
        values: of every answer to one task, in any order; of several answers to a question the
            mean counts.
        language: the language to compare with English.

    Returns:
        A fraction in [-1, 1], positive where English is ahead, and its standard deviation over 300
        Beta draws (appendix B). ``UNKNOWN`` unless whole complexities lie within what both
        languages span and the answers fix the gap, by the rule of every table: both curves are
        identified, there are about 30 questions a level, the model does not solve almost nothing or
        everything, and a level allows so large a gap.
    """
    import pandas as pd

    from xlgo_metric.comparison.levels import Levels, both_extreme
    from xlgo_metric.comparison.table import Side, curve
    from xlgo_metric.families.xlgobench.comparison import FEWEST_OF_A_LEVEL

    frame = pd.DataFrame(values, columns=COLUMNS)
    frame["repeat"] = frame.groupby(["language", "question"]).cumcount()
    task = values[0][0] if values else ""
    base, second = (
        Side(task, code, answers)
        for code in (ENGLISH, language)
        for answers in [frame[frame["language"] == code]]
    )
    result = curve(base, second)
    if result is None or both_extreme(base, second):
        return UNKNOWN, UNKNOWN
    first = [
        Side(task, side.language, side.frame[side.frame["repeat"] == 0]) for side in (base, second)
    ]
    levels = Levels.unpaired(*first)  # one answer to a question: these are independent
    enough = levels.n.mean() >= FEWEST_OF_A_LEVEL <= levels.n_other.mean()
    fixed = enough and levels.supports(result.smd.value)
    return (result.smd.value, result.smd.sd) if fixed else (UNKNOWN, UNKNOWN)


FAMILY = Family(
    name="xlgobench",
    options=(
        BASELINE,
        SEED,
        DRAWS,
        Option("permutations", "integer", "draws of the paired test", 19_999, least=1),
    ),
    wording_of=wording_of,
    grading_only_fields=frozenset({"answer", "edges"}),
    grade=grade,
    summarize=deferred("summary.summarize", __package__),
    tables=deferred("tables.tables", __package__),
    measures_of=measures_of,
    gaps=lambda section: section,
    headline=deferred("summary.headline", __package__),
    partial_credit=partial_credit,
)
"""The five puzzles of XLGoBench."""

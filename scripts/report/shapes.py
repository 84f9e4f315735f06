"""The parts of a score that have gaps, as the report reads them.

Keys that only some scores have may be absent; a number that the answers do not identify is
``None``. Shares and differences are fractions.
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict

from xlgo_metric.comparison.readings import ReadingGap


class LevelCount(TypedDict):
    """Answers at one complexity."""

    level: int
    complexity: float
    n: int
    correct: int


class Band(TypedDict):
    """A fitted curve with its 95% limits, point by point."""

    complexity: list[float]
    mean: list[float]
    low: list[float]
    high: list[float]


class Limits(TypedDict):
    """The ends of an interval."""

    low: float
    high: float


class LimitsTogether(Limits, total=False):
    """The same, and the ends that hold for all cells together."""

    low_all: float
    high_all: float


class Counted(LimitsTogether):
    """Correct answers of a language and its baseline over some levels, and an exact interval."""

    levels: list[float]
    n_en: int
    k_en: int
    n_l: int
    k_l: int


class Size(LimitsTogether):
    """A difference of accuracies, baseline minus language."""

    difference: float


class Difference(Size, total=False):
    """Baseline minus language over all common questions."""

    n: int


class Paired(TypedDict, total=False):
    """The paired test of one gap, and the interval of its largest difference."""

    p: float | None
    p_holm: float | None
    low: float | None
    high: float | None
    low_all: float
    high_all: float
    estimate: float | None
    free_low: float | None
    free_high: float | None
    interval: str
    n: int


class Fit(TypedDict, total=False):
    """A fitted curve."""

    q: float
    r: float
    identified: bool
    warnings: list[str]
    misfit_size: float | None


class CellScores(TypedDict, total=False):
    """One language on one task."""

    n: int
    correct: int
    accuracy: float
    strict: float
    parsed: float
    statuses: dict[str, int]
    levels: list[LevelCount]
    details: dict[str, float]
    fit: Fit
    band: Band | None
    avg_acc: float | None
    avg_acc_sd: float | None
    smd: float | None
    smd_sd: float | None
    significant: bool | None
    identified: bool | None
    supported: bool | None
    extreme: Literal["nothing", "everything"] | None
    solves: str | None
    small: bool
    wording: bool
    direction: str | None
    difference: Difference | None
    pooled: Counted | None
    crossing: Counted | None
    paired: Paired | None
    c_star: float | None
    f_en: float | None
    f_l: float | None
    rd: float | None
    rd_sd: float | None
    reading: ReadingGap
    baseline: str


class FloorPoint(TypedDict):
    """The accuracy of the best known shortcut at one complexity."""

    complexity: float
    accuracy: float


class TaskScores(TypedDict, total=False):
    """One task in every language."""

    languages: dict[str, CellScores]
    c_min: float
    c_max: float
    floor: list[FloorPoint]
    design: object
    baseline: str


class Verdict(TypedDict, total=False):
    """One language over all tasks, each with the same weight."""

    difference: float
    low: float
    high: float
    low_all: float
    high_all: float
    p_holm: float
    n: int
    tasks: int
    standing: str
    left_out: list[str]


class OverTasks(TypedDict):
    """Verdicts by language, and the languages that share the last place."""

    languages: dict[str, Verdict]
    last: list[str]


class Why(TypedDict):
    """Sources of gaps: entries by task and language, of runs under conditions."""

    tasks: dict[str, dict[str, Any]]


class Faults(TypedDict):
    """First wrong steps, by task and language."""

    tasks: dict[str, dict[str, Any]]


class GapSection(TypedDict, total=False):
    """The part of a family that has gaps."""

    tasks: dict[str, TaskScores]
    over_tasks: OverTasks
    baseline: str
    signature: str
    warnings: list[str]
    why: Why
    faults: Faults

"""The part of a section that has accuracy by complexity and gaps to a baseline, as JSON holds it.

``Family.gaps`` returns a ``Gaps``; docs/statistics.md explains every number. All are fractions
unless something else is said, and ``None`` stands where a number cannot be given.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired  # from Python 3.11 on in typing

    from xlgo_metric.statistics.claims import Verdict


class Level(TypedDict):
    """Correct answers at one complexity."""

    level: int
    complexity: float | int | None
    n: int
    correct: int


class Counted(TypedDict):
    """Two languages over some levels together, and the exact limits of their difference."""

    levels: list[float | int]
    n_en: int
    k_en: int
    n_l: int
    k_l: int
    only_en: int | None
    only_l: int | None
    low: float
    high: float
    between: NotRequired[bool]
    low_all: NotRequired[float]
    high_all: NotRequired[float]


class Sides(TypedDict):
    """Where each of two languages is ahead: one-sided p, and the counts where it is."""

    p_behind: float
    p_ahead: float
    behind: Counted | None
    ahead: Counted | None


class Paired(TypedDict):
    """The paired test over the questions that both languages answered, and an interval."""

    n: int
    p: float
    p_holm: float | None
    p_bh: float | None
    estimate: float | None
    low: float | None
    high: float | None
    interval: NotRequired[str | None]
    free_low: NotRequired[float | None]
    free_high: NotRequired[float | None]
    low_all: NotRequired[float | None]
    high_all: NotRequired[float | None]
    free_low_all: NotRequired[float | None]
    free_high_all: NotRequired[float | None]
    first_only: NotRequired[int | None]
    second_only: NotRequired[int | None]


class Fit(TypedDict):
    """The parameters of a fitted curve, and whether it fits."""

    q: float
    r: float
    q_sd: float
    r_sd: float
    r2: float | None
    deviance: float | None
    misfit: NotRequired[bool]
    misfit_p: NotRequired[float]
    misfit_size: NotRequired[float]
    identified: bool
    warnings: list[str]


class Gap(TypedDict):
    """A language against the baseline; every entry is ``None`` where that cannot be done."""

    difference: Verdict | None
    wording: NotRequired[bool | None]
    small: bool | None
    sides: Sides | None
    direction: str | None
    significant: bool | None
    identified: bool | None
    coarse: bool | None
    extreme: str | None
    supported: bool | None
    most: float | None
    pooled: Counted | None
    crossing: Counted | None
    paired: Paired | None
    penalised: dict[str, float] | None
    smd: float | None
    smd_sd: float | None
    c_star: float | None
    c_star_sd: float | None
    f_en: float | None
    f_en_sd: float | None
    f_l: float | None
    f_l_sd: float | None
    rd: float | None
    rd_sd: float | None


class GapCell(Gap):
    """A language of a task: its counts, its curve, and its gap to the baseline."""

    n: int
    correct: int
    accuracy: float
    strict: float | None
    parsed: float
    statuses: dict[str, int]
    levels: list[Level]
    details: dict[str, float]
    solves: str | None
    fit: Fit | None
    avg_acc: float | None
    avg_acc_sd: float | None
    band: dict[str, list[float]] | None


class GapTask(TypedDict):
    """A task: its range of complexity and its languages."""

    c_min: float | int | None
    c_max: float | int | None
    languages: dict[str, GapCell]
    design: NotRequired[str]
    floor: NotRequired[object]
    wordings: NotRequired[list[str]]


class Gaps(TypedDict):
    """Tasks whose languages are compared with a baseline."""

    baseline: str
    tasks: dict[str, GapTask]
    warnings: list[str]


def cells_of(tasks: Mapping[str, GapTask]) -> list[tuple[str, str, GapCell]]:
    """Task, language and cell of every language of every task."""
    return [
        (name, language, cell)
        for name, task in tasks.items()
        for language, cell in task["languages"].items()
    ]

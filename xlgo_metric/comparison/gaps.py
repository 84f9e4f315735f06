"""What sections hold of comparisons, as JSON has it.

``Family.gaps`` returns a ``Gaps``, the part with accuracy by complexity and gaps to a baseline;
docs/statistics.md explains every number. All are fractions unless something else is said, and
``None`` stands where a number cannot be given.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired  # from Python 3.11 on in typing

CellJson = dict[str, Any]
"""A cell of ``comparison.compare`` as ``Cell.as_json`` gives it; ``Cell.of_json`` reads it."""


class Level(TypedDict):
    """Correct answers at one complexity."""

    level: int
    complexity: float
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


class Sides(TypedDict):
    """Where each of two languages is ahead: one-sided p, and the counts where it is."""

    p_behind: float
    p_ahead: float
    behind: Counted | None
    ahead: Counted | None


class Paired(TypedDict, total=False):
    """Whether two languages differ at some complexity, and an interval of the largest gap.

    ``p`` is of the exchange test over levels, ``p_holm`` corrected over the section: a claim of its
    own, which is not that of the difference over all questions.
    """

    n: int
    p: float
    p_holm: float | None
    estimate: float | None
    low: float | None
    high: float | None
    interval: str | None
    misfit_size: float
    free_low: float | None
    free_high: float | None
    low_all: float | None
    high_all: float | None
    free_low_all: float | None
    free_high_all: float | None


class Fit(TypedDict, total=False):
    """The parameters of a fitted curve, and whether it fits."""

    q: float
    r: float
    q_sd: float
    r_sd: float
    r2: float | None
    deviance: float | None
    misfit: bool
    misfit_p: float
    misfit_size: float
    identified: bool
    warnings: list[str]


class Gap(TypedDict):
    """A language against the baseline; every entry is ``None`` where that cannot be done.

    ``difference`` is the typed cell of the gap (``Cell.as_json``). What follows from fitted curves
    is there only where the answers fix it: both curves are identified, a level allows so large a
    gap, and there are questions enough (``small`` says that there are not).
    """

    difference: CellJson | None
    small: bool | None
    sides: Sides | None
    published_rule: bool | None
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


NO_GAP: Mapping[str, object] = dict.fromkeys(Gap.__annotations__)
"""A ``Gap`` where nothing can be done."""


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


class FloorPoint(TypedDict):
    """The accuracy of the best known shortcut at one complexity."""

    complexity: float
    accuracy: float
    heuristic: str


class GapTask(TypedDict):
    """A task: its range of complexity and its languages."""

    c_min: float | int | None
    c_max: float | int | None
    languages: dict[str, GapCell]
    design: NotRequired[str]
    floor: NotRequired[list[FloorPoint]]
    baseline: NotRequired[str]
    wordings: NotRequired[list[str]]


class Gaps(TypedDict):
    """Tasks whose languages are compared with a baseline."""

    baseline: str
    tasks: dict[str, GapTask]
    warnings: list[str]


class ByLanguage(TypedDict):
    """The comparison of a family's languages with the baseline."""

    baseline: str
    cells: list[CellJson]


class Rates(TypedDict):
    """How many decided answers are correct under each reading; fractions."""

    task: str
    asked_as: str
    language: str
    n: int
    strict: float
    in_form: float
    lenient: float


class ReadingGap(TypedDict):
    """A language against the baseline under every reading, on the questions answered in both.

    ``depends`` says that the sign or the significance of the gap depends on the reading.
    """

    task: str
    asked_as: str
    language: str
    n: int
    by_reading: dict[str, CellJson]
    depends: bool


class Readings(TypedDict):
    """The three readings of a family's answers, and of its gaps to the baseline."""

    baseline: str
    rates: list[Rates]
    gaps: list[ReadingGap]

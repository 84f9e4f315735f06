"""The section of a score that XLGoBench has, in plain JSON types; see ``summary``."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from xlgo_metric.comparison.gaps import Gaps

if TYPE_CHECKING:
    from typing_extensions import NotRequired  # from Python 3.11 on in typing

    from xlgo_metric.statistics.claims import Verdicts


class Thinking(TypedDict):
    """Mean length of thinking by language, and its rank correlation with the SMD."""

    mean_characters: dict[str, float]
    rho: float | None
    p: float | None


class Effect(TypedDict):
    """What a cause or a condition does: a fraction with its interval, p value and claim."""

    estimate: float
    low: float
    high: float
    p: float
    claimed: bool


class Cause(Effect):
    """A cause of a gap, and how it overlaps with others."""

    within: NotRequired[list[str]]
    whole: NotRequired[Effect]
    taken_out: NotRequired[list[str]]


class Contrast(Effect):
    """A condition against another one."""

    against: str


class Interaction(Effect):
    """Rules and lines together."""

    only_together: bool


class Step(TypedDict):
    """A step of the way from the baseline to a language."""

    cause: str
    estimate: float
    low: float
    high: float
    claimed: bool


class Why(TypedDict):
    """The gap of a language decomposed; see ``why.decomposition.as_json``."""

    n: int
    levels: list[float | int]
    accuracy: dict[str, float]
    gap: Effect
    method: str
    interaction: Interaction | None
    length_share: dict[str, float] | None
    causes: dict[str, Cause]
    steps: list[Step]
    contrasts: dict[str, Contrast]
    context_limit: NotRequired[float | None]


class Asked(TypedDict):
    """Answers under one condition."""

    n: int
    correct: int
    accuracy: float
    parsed: float
    told: NotRequired[int]
    as_asked: NotRequired[int]


class WhySection(TypedDict):
    """Correct answers by task, language and condition, and the gaps that these take apart."""

    asked: dict[str, dict[str, dict[str, Asked]]]
    tasks: dict[str, dict[str, Why]]


class XlgoSection(Gaps):
    """See ``summary.summarize``."""

    signature: str
    over_tasks: Verdicts
    dw_acc: dict[str, dict[str, float | None]]
    spread: dict[str, dict[str, object]]
    thinking: dict[str, Thinking | None]
    why: NotRequired[WhySection]

"""What a section of KOR-Bench's score holds: plain JSON types, by name; shares are fractions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired


class Interval(TypedDict):
    """An exact 95% interval."""

    low: float
    high: float


class Short(Interval):
    """The accuracy over some questions."""

    questions: int
    accuracy: float


class Types(Interval):
    """The error rate of a type of cipher steps."""

    steps: int
    error_rate: float


class Round(Interval):
    """Accuracy after a round of self-correction, and the share of remaining errors corrected."""

    round: int
    accuracy: float
    unresolved: int
    corrected: float | None
    by_category: dict[str, float]
    corrected_by_category: dict[str, float | None]


class Scores(TypedDict):
    """Accuracies under this package's and the published grading."""

    questions: int
    score_default: float
    score_paper: float


class Block(Short, Scores):  # type: ignore[misc]  # both count the questions
    """The numbers of a task; some have more."""

    responses: int
    correct: int
    format_failures: float
    strict: float
    statuses: dict[str, int]
    real_life_rate: NotRequired[float]
    real_life_low: NotRequired[float]
    real_life_high: NotRequired[float]
    pass_rate: NotRequired[float]
    pass_rate_default: NotRequired[float]
    pass_rate_paper: NotRequired[float]
    types: NotRequired[dict[str, Types]]
    rounds: NotRequired[list[Round]]


class PairedQuestions(Interval):
    """Two ways of asking the same questions."""

    questions: int
    first: float
    second: float
    only_first: int
    only_second: int
    difference: float
    p: float


class Sides(TypedDict):
    """Released and fresh questions side by side."""

    released: Short
    fresh: Short


class RuleSides(Sides):
    """Those of one rule."""

    rule_id: str


class Fresh(Sides):
    """Those of all rules, and of each."""

    rules: list[RuleSides]


class SubsetErrors(TypedDict):
    """How far subsets of one size are from the whole."""

    error: float
    deviation: float
    gini: float | None


class Subset(SubsetErrors):
    """Those of one size and way of drawing."""

    drawn: str
    share: float


ByKind = dict[str, dict[str, Short]]
"""By category and kind."""

Kind = Literal["by_rule", "by_tag", "by_format"]
"""By what questions are parted."""


class KorSection(TypedDict):
    """The whole section."""

    signature: str
    tasks: dict[str, Block]
    warnings: list[str]
    overall: NotRequired[Block]
    overall_no_rule: NotRequired[Block]
    mixed: NotRequired[dict[str, float]]
    models: NotRequired[dict[str, dict[str, dict[str, Scores]]]]
    by_rule: NotRequired[ByKind]
    by_tag: NotRequired[ByKind]
    by_format: NotRequired[ByKind]
    trick: NotRequired[PairedQuestions]
    rules: NotRequired[dict[str, PairedQuestions]]
    subsets: NotRequired[list[Subset]]
    fresh: NotRequired[Fresh]

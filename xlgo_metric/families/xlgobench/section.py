"""The section of a score that XLGoBench has, in plain JSON types; see ``summary``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

from xlgo_metric.comparison.gaps import Gaps

if TYPE_CHECKING:
    from typing_extensions import NotRequired  # from Python 3.11 on in typing

    from xlgo_metric.statistics.claims import Verdicts


class Thinking(TypedDict):
    """Mean length of thinking by language, and its rank correlation with the SMD."""

    mean_characters: dict[str, float]
    rho: float | None
    p: float | None


class XlgoSection(Gaps):
    """See ``summary.summarize``."""

    signature: str
    over_tasks: Verdicts
    dw_acc: dict[str, dict[str, float | None]]
    spread: dict[str, dict[str, object]]
    thinking: dict[str, Thinking | None]
    why: NotRequired[dict[str, Any]]

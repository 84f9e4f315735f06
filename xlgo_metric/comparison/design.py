"""Whether questions were chosen without regard to what is compared: only then is a test valid.

An adaptive design asks where its own model turns from correct to incorrect. Over languages it
pools their answers, so the choice says nothing of which is ahead; between two models, or two runs,
it is the choice of one of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from xlgo_metric.statistics.adaptive import NAME

if TYPE_CHECKING:
    import pandas as pd

PLAN_OF = "plan-of-"
"""Begins the design of a plan that the adaptive run of one model made; its name follows."""

ADAPTIVE = NAME.partition("-")[0]
_BY_ANSWERS = ("model", "run")


def slug(model: str) -> str:
    """The name of a model as it stands in a design."""
    return re.sub(r"[^\w.-]+", "_", model)


def maker(design: str, answered_by: str) -> str | None:
    """The slug of the model whose answers chose the questions of a design; ``None`` if none did."""
    if design.startswith(ADAPTIVE):
        return slug(answered_by)
    return design.partition(PLAN_OF)[2] or None


def chosen_by(by: str, sides: Mapping[str, pd.DataFrame]) -> str:
    """Why two sides must not be tested on their common questions; empty if they may."""
    if by == "condition":
        choosers = [name for name, side in sides.items() if _is_adaptive(side)]
        if len(choosers) == 1:
            return (
                f"the answers under the condition {choosers[0]} chose the questions: no exact test"
            )
    if by not in _BY_ANSWERS:
        return ""
    models = [slug(name) for side in sides.values() for name in side["model"].unique()]
    for name, side in sides.items():
        for design, model in side[["design", "model"]].drop_duplicates().itertuples(index=False):
            chooser = maker(str(design), str(model))
            if chooser is not None and chooser in models:
                return (
                    f"{name if by == 'run' else chooser} chose questions by its own answers: no "
                    f"exact test between the two {by}s"
                )
    return ""


def chosen_together(by: str, sides: Mapping[str, pd.DataFrame]) -> str:
    """How answers chose the questions of both sides; empty if they did not.

    An adaptive run pools languages and conditions, so that its choice tells nothing of which is
    ahead.
    """
    if by in ("language", "condition") and all(_is_adaptive(side) for side in sides.values()):
        return f"an adaptive run chose the questions by the answers of both {by}s together"
    return ""


def _is_adaptive(side: pd.DataFrame) -> bool:
    return any(str(design).startswith(ADAPTIVE) for design in side["design"].unique())

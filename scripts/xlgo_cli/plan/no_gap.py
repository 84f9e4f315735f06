"""``xlgo plan --no-gap``: questions needed to claim that there is no gap."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from xlgo_metric.statistics.claims import POWER, questions_needed
from xlgo_metric.statistics.gamma import gamma_accuracy
from xlgo_metric.table import Column, Table, percent

from .costs import Cost, Curves, pooled


def discordant(found: Cost, curves: Curves, *, alike: float) -> float:
    """The expected share of questions that exactly one of two equal languages answers correctly.

    Args:
        found: a design; the share is that of its questions.
        curves: those that are expected.
        alike: the correlation of two languages' answers to one question, in [0, 1).
    """
    q, r = np.exp(pooled(curves)[0])
    sizes = np.array(list(found.cells), dtype=np.float64)
    f = np.asarray(gamma_accuracy(sizes, q, r))
    n = np.array(list(found.cells.values()), dtype=np.float64)
    return float((n * 2.0 * f * (1.0 - f)).sum() / n.sum() * (1.0 - alike))


def needed(
    found: Cost, curves: Curves, *, alike: float, margin: float, languages: int
) -> int | None:
    """Questions in each language until an equal language is likely found equal.

    Args:
        found, curves, alike: as in :func:`discordant`.
        margin: a fraction.
        languages: how many are compared with the baseline together.

    Returns:
        ``None`` where no question is expected to differ, so that the design tells nothing.
    """
    share = discordant(found, curves, alike=alike)
    if share <= 0.0:
        return None
    return questions_needed(share, margin=margin, languages=languages)


def table(rows: Sequence[tuple[Cost, float, int | None]], margin: float) -> Table:
    """For people; ``margin`` in points."""
    return Table(
        "no_gap",
        f"Questions to claim no gap within ±{margin:g} points",
        (
            Column("task"), Column("design"), Column("discordant", "share"),
            Column("planned", "count"), Column("needed", "count"),
        ),
        tuple((one.task, one.design, share, one.prompts, n) for one, share, n in rows),
        f"In each language, for a {percent(POWER)} chance that the 95% interval of its gap, for "
        "all languages together, lies within the margin, if there is no gap.",
    )  # fmt: skip

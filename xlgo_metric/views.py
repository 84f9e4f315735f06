"""Answers as a frame, what is measured of them by any keys, and tables as layouts of that.

A family measures its answers once, into one long frame with a row for each combination of keys;
its section holds the rows (``rows_of``), and every table is a layout of them: ``listed`` has a row
for each, ``wide`` spreads one column over the values of a key.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .core import Measure, Record
from .table import Column, Kind, Table, listed

if TYPE_CHECKING:
    import pandas as pd

Row = dict[str, Any]
"""Numbers and names by column, in plain JSON types."""

NOTHING = "there is nothing to summarize: no graded responses were given"

NORMAL = 1.959963984540054
"""The 0.975 quantile of the normal distribution."""

QUESTION = "question"
"""The column of a frame that names the question of an answer."""


def frame_of(
    records: Sequence[Record], measures: Sequence[Measure] = (), blank: Mapping[str, object] = {}
) -> pd.DataFrame:
    """A row an answer: the fields of its grade and its reference, and each measure by its name.

    Of lists and objects among the fields nothing is kept but the parameters of the question. An
    answer without ``instance_id`` is one to a question of its own. What ``blank`` names is there
    in every row, by default with its value.

    Raises:
        ValueError: there are no records.
    """
    import pandas as pd

    if not records:
        raise ValueError(NOTHING)

    rows = []
    for number, record in enumerate(records):
        grade, reference = record.grade, record.reference
        params = reference.get("params")
        more = params if isinstance(params, dict) else {}
        fields = {**blank, **grade.details, **more, **reference}
        entry = {
            name: value for name, value in fields.items() if not isinstance(value, list | dict)
        }
        entry |= {"correct": grade.correct, "status": grade.status}
        entry |= {measure.name: measure.of(record) for measure in measures}
        rows.append({**entry, QUESTION: reference.get("instance_id", number)})
    return pd.DataFrame(rows).astype(dict.fromkeys(blank, object))


def measured(
    frame: pd.DataFrame, keys: Sequence[str], names: Sequence[str], **more: object
) -> pd.DataFrame:
    """The means of measures by keys, in which each question weighs the same.

    Args:
        frame: see ``frame_of``. Answers that lack a key are left out.
        keys: its columns; none for all answers together.
        names: its columns of numbers. Their exact 95% limits over questions stand beside the first
            of them, as ``low`` and ``high``.
        more: columns with the same value in every row.

    Returns:
        A row for each combination of keys, in the order in which they first occur, with
        ``questions`` and ``responses`` (counts).
    """
    rows = frame.dropna(subset=list(keys)) if keys else frame.assign(**more)
    by = [rows[key] for key in keys] or [rows[name] for name in more]
    by_question = rows.groupby([*by, rows[QUESTION]], sort=False)[list(names)].mean()
    levels = list(range(len(by)))
    groups = by_question.groupby(level=levels, sort=False)
    result = groups.mean()
    result.insert(0, "questions", groups.size())
    result.insert(1, "responses", rows.groupby(by, sort=False).size())
    if names:
        result["low"], result["high"] = exact_limits(result[names[0]], result["questions"])
    return result.reset_index().assign(**more)


def exact_limits(mean: Any, n: Any) -> tuple[Any, Any]:
    """The exact (Clopper-Pearson) 95% interval of a share over ``n`` independent questions.

    For means of repeated responses, whose spread is smaller, it is wider than it need be.

    Args:
        mean, n: numbers, or arrays of one shape.

    Raises:
        ValueError: ``n`` is not positive or ``mean`` not between 0 and 1.
    """
    import numpy as np
    from scipy.stats import beta

    mean, n = np.asarray(mean, dtype=np.float64), np.asarray(n)
    if not ((n >= 1) & ~((mean < 0) | (mean > 1))).all():
        raise ValueError(f"no interval for a mean of {mean} over {n} questions")
    right = mean * n
    low = np.where(right > 0, beta.ppf(0.025, right, n - right + 1), mean)
    high = np.where(right < n, beta.ppf(0.975, right + 1, n - right), mean)
    return low, high


def wilson(mean: float, n: float, times: float = NORMAL) -> tuple[float, float]:
    """Wilson's 95% score interval for a mean of ``n`` independent values in [0, 1].

    Exact shares are its usual case; for values between 0 and 1, whose spread is smaller, it is
    wider than it need be. ``times`` standard errors are the plain interval, by default 1.96.

    Raises:
        ValueError: ``n`` is not positive or ``mean`` not in [0, 1].
    """
    if n <= 0 or not 0 <= mean <= 1:
        raise ValueError(f"no interval for a mean of {mean} over {n} values")
    weight = times * times / n
    centre = (mean + weight / 2) / (1 + weight)
    half = times * math.sqrt(mean * (1 - mean) / n + weight / (4 * n)) / (1 + weight)
    return max(0.0, centre - half), min(1.0, centre + half)


def rows_of(frame: pd.DataFrame) -> list[Row]:
    """The rows of a frame in plain JSON types; what is not known is ``None``."""
    plain = frame.astype(object).where(frame.notna(), None)
    return [{str(name): value for name, value in row.items()} for row in plain.to_dict("records")]


def ordered(names: Iterable[str], first: Sequence[str] = ()) -> list[str]:
    """Each name once: those of ``first`` in their order, then the others by code."""
    present = set(names)
    return [name for name in first if name in present] + sorted(present - set(first))


def ranked(
    name: str,
    title: str,
    models: Mapping[str, Row],
    columns: Mapping[str, Column],
    caption: str = "",
) -> list[Table]:
    """A table of many models, ranked by the first column; models with one value share a rank.

    Args:
        name, title, caption: of the table.
        models: numbers by model and column; what a model lacks is empty.
        columns: how they are written. Those that no model has are left out.

    Returns:
        Nothing for fewer than two models, or without any number in the first column.
    """
    import pandas as pd

    frame = pd.DataFrame.from_dict(models, orient="index", columns=list(columns))
    frame = frame.dropna(axis=1, how="all").rename_axis("model")
    first = next(iter(columns), "")
    if len(frame) < 2 or first not in frame:
        return []
    rank = frame[first].astype(float).rank(method="min", ascending=False)
    sorted_frame = frame.assign(rank=rank).reset_index().sort_values(["rank", "model"])
    heads = {"rank": Column("rank", "count"), "model": Column("model")}
    heads |= {one: column for one, column in columns.items() if one in frame}
    return [listed(name, title, sorted_frame.astype({"rank": "Int64"}), heads, caption)]


Over = Callable[["pd.DataFrame"], "pd.Series[float]"]
"""From rows of numbers over the columns of a table to one number a row."""

MEAN: Over = lambda wide: wide.mean(axis=1)  # noqa: E731
SD: Over = lambda wide: wide.std(axis=1, ddof=0)  # noqa: E731
RANGE: Over = lambda wide: wide.max(axis=1) - wide.min(axis=1)  # noqa: E731


def wide(
    name: str,
    title: str,
    frame: pd.DataFrame,
    rows: Mapping[str, str],
    value: str,
    *,
    columns: tuple[str, Sequence[str]],
    before: Mapping[str, Over] | None = None,
    after: Mapping[str, Over] | None = None,
    kind: Kind = "share",
    digits: int | None = None,
    caption: str = "",
) -> Table:
    """A table with one measure over the values of a key.

    Args:
        name, title, caption: of the table.
        frame: of anything that was measured, at most one row for each cell.
        rows: the headings of the keys that part the rows, by their names.
        value: the column that the cells have. Rows without any number are left out.
        columns: the key that parts the columns, and its values in their order.
        before, after: what is computed over the columns and stands on either side of them.
        kind, digits: of the numbers.
    """
    from .table import columns as of_kind

    key, names = columns
    index = list(rows)
    cells = frame.dropna(subset=[value]).astype({value: float})
    pivot = cells.pivot_table(value, index, key, sort=False, observed=True)
    pivot = pivot.reindex(columns=list(names)) if len(pivot) else pivot
    parts = [
        {head: function(pivot) for head, function in (some or {}).items()}
        for some in (before, after)
    ]
    heads = (*(before or ()), *names, *(after or ()))
    layout = pivot.assign(**parts[0], **parts[1]).reindex(columns=list(heads)).reset_index()
    every = {x: Column(head) for x, head in rows.items()}
    every |= dict(zip(heads, of_kind(kind, *heads, digits=digits)))
    return listed(name, title, layout, every, caption)

"""What people said of answers, and how far a judge agrees with them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path

import pandas as pd

from xlgo_metric.table import Column, Table, interval
from xlgo_metric.views import exact_limits

WHERE = ("model", "task", "language", "question")
"""Columns of a file of labels that name an answer; only ``question`` is needed."""

Labels = frozenset[str]


def labels_of(path: Path) -> pd.DataFrame:
    """A CSV file of labels: ``question``, ``label`` (several joined by ``;``), perhaps ``WHERE``.

    Raises:
        ValueError: it cannot be read, lacks a column or names an answer twice.
    """
    try:
        frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    except (OSError, ValueError) as error:
        raise ValueError(f"--labels {path}: not a readable CSV file ({error})") from None
    if missing := {"question", "label"} - {*frame}:
        raise ValueError(f"--labels {path}: no column {', '.join(sorted(missing))}")
    keys = [name for name in WHERE if name in frame]
    if frame.duplicated(keys).any():
        twice = frame.loc[frame.duplicated(keys), "question"].iloc[0]
        raise ValueError(f"--labels {path}: {twice} has two rows: add a column of {WHERE[:3]}")
    return frame


def agreement(
    people: pd.DataFrame,
    judged: Sequence[tuple[tuple[str, ...], Sequence[str] | None]],
    judge: str,
    groups: Mapping[str, str] = {},
) -> Table:
    """How far a judge agrees with people, a row for each of their labels and one for all.

    Args:
        people: from ``labels_of``.
        judged: what names each answer (``WHERE``), and its labels; ``None`` where no reply could
            be read.
        groups: what labels count as, where that is another name.

    Raises:
        ValueError: no label is of one of these answers.
    """
    keys = [name for name in WHERE if name in people]
    by_key: dict[tuple[str, ...], Labels | None] = {}
    for name, labels in judged:
        key = tuple(dict(zip(WHERE, name))[column] for column in keys)
        by_key[key] = None if labels is None else frozenset(label.casefold() for label in labels)
    folded = {name.casefold(): group.casefold() for name, group in groups.items()}
    pairs: list[tuple[Labels, Labels]] = []
    unread = 0
    for *key, text in people[[*keys, "label"]].itertuples(index=False):
        if tuple(key) not in by_key:
            continue
        parts = (part.strip().casefold() for part in text.split(";"))
        human, model = frozenset(folded.get(one, one) for one in parts), by_key[tuple(key)]
        if model is None:
            unread += 1
        else:
            pairs.append((human, model))
    if not pairs and not unread:
        raise ValueError("--labels: no label is of an answer that was judged")
    rows = []
    names = sorted({one for human, _ in pairs for one in human})
    for label in [*names, "all"] if pairs else []:
        chosen_pairs = [pair for pair in pairs if label == "all" or label in pair[0]]
        same = sum(
            human == model if label == "all" else label in model for human, model in chosen_pairs
        )
        share = 1 - same / len(chosen_pairs)
        rows.append(
            (
                label,
                len(chosen_pairs),
                same,
                share,
                *map(float, exact_limits(share, len(chosen_pairs))),
            )
        )
    return Table(
        "agreement",
        f"{judge} against people",
        (
            Column("label of people"),
            Column("answers", "count"),
            Column("judged alike", "count"),
            Column("judged otherwise", "share", 1, unit="%"),
            *interval("95% interval", "share", 1),
        ),
        tuple(rows),
        f"Exact intervals over answers. Cohen's kappa {_kappa(pairs):.2f}; {unread} replies could "
        "not be read.",
    )


def _kappa(pairs: Sequence[tuple[Labels, Labels]]) -> float:
    """Cohen's kappa of two sides; NaN without pairs, or where chance alone makes them agree."""
    from sklearn.metrics import cohen_kappa_score

    names = [[";".join(sorted(labels)) for labels in pair] for pair in pairs]
    return float(cohen_kappa_score(*zip(*names))) if len({*chain(*names)}) > 1 else math.nan

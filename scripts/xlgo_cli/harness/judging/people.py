"""What people said of answers, and how far a judge agrees with them."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

import pandas as pd

from xlgo_metric.core import Grade
from xlgo_metric.family import family_of, grade_safely
from xlgo_metric.table import Column, Table, interval
from xlgo_metric.views import exact_limits

from ...display.formats import show
from ...logs.lines import Sample
from ...logs.results import Run, read_judgements, read_samples

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
    judged: Sequence[tuple[Sequence[str], Sequence[str] | None]],
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
    folded = {name.casefold(): group.casefold() for name, group in groups.items()}
    by_key = {
        tuple(dict(zip(WHERE, name))[column] for column in keys): labels for name, labels in judged
    }
    compared = [
        (text.split(";"), by_key[tuple(key)])
        for *key, text in people[[*keys, "label"]].itertuples(index=False)
        if tuple(key) in by_key
    ]
    if not compared:
        raise ValueError("--labels: no label is of an answer that was judged")
    pairs = [
        (_labels(human, folded), _labels(labels))
        for human, labels in compared
        if labels is not None
    ]
    rows = []
    names = sorted({name for human, _ in pairs for name in human})
    for label in [*names, "all"] if pairs else []:
        is_all = label == "all"
        alike = [
            human == model if is_all else label in model
            for human, model in pairs
            if is_all or label in human
        ]
        share = 1 - sum(alike) / len(alike)
        limits = map(float, exact_limits(share, len(alike)))
        rows.append((label, len(alike), sum(alike), share, *limits))
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
        f"Exact intervals over answers. Cohen's kappa {_kappa(pairs):.2f}; "
        f"{len(compared) - len(pairs)} replies could not be read.",
    )


def _labels(texts: Sequence[str], folded: Mapping[str, str] = {}) -> Labels:
    """Labels whose case does not matter, by what they count as."""
    names = (text.strip().casefold() for text in texts)
    return frozenset(folded.get(name, name) for name in names)


def _kappa(pairs: Sequence[tuple[Labels, Labels]]) -> float:
    """Cohen's kappa of two sides; NaN without pairs, or where chance alone makes them agree."""
    from sklearn.metrics import cohen_kappa_score

    names = [[";".join(sorted(labels)) for labels in pair] for pair in pairs]
    return float(cohen_kappa_score(*zip(*names))) if len({*chain(*names)}) > 1 else math.nan


def show_agreement(run: Run, people: pd.DataFrame, judge: str) -> None:
    """Print how far a judge's verdicts on the answers of a run agree with those of people.

    Correct answers that it rejects and incorrect ones that it accepts are the false positives and
    false negatives of table 11 of the UNPUZZLES paper.

    Raises:
        ValueError: no label is of one of these answers.
    """
    judged = [
        ([*where_of(run, sample)], None if grade.status == "needs_judge" else (grade.status,))
        for sample, grade in graded(run, judge)
        if grade.status == "needs_judge" or "judge" in grade.details
    ]
    show(agreement(people, judged, judge))


def graded(run: Run, judge: str | None = None) -> Iterator[tuple[Sample, Grade]]:
    """The answers of a run that are there, graded, by a judge where it was asked.

    Args:
        judge: see ``read_judgements``.
    """
    judgements = read_judgements([file.path for file in run.files], judge)
    for sample in read_samples(run):
        if sample.reply.is_there:
            own = family_of(sample.reference).grade
            grade = grade_safely(own, sample.response, sample.graded_by)
            if judgements is not None:
                grade = judgements.decide(grade, sample.response, sample.reference)
            yield sample, grade


def where_of(run: Run, sample: Sample) -> tuple[str, ...]:
    """What names an answer; see ``WHERE``."""
    names = (sample.reference.get(name, "") for name in ("task", "language"))
    question = sample.reference.get("instance_id", sample.where)
    return (run.model, *map(str, (*names, question)))

"""Do the scores of several models agree with ratings from outside?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from xlgo_dataset.text.languages import code_of
from xlgo_metric.comparison import AnswerTable
from xlgo_metric.comparison.compare import READINGS
from xlgo_metric.statistics.measures import pearson, spearman
from xlgo_metric.table import Column, Table

from ..logs import tables
from ..logs.formats import TABLE, tool_of
from ..logs.graded_run import GradedRun, score_folder

CORRECT = "correct"


def agreement(
    ratings: Path, results: Sequence[Path], measure: str = CORRECT, **reading: Any
) -> tuple[Table, list[GradedRun]]:
    """Correlations between ratings and the scores of several models, and the runs of these.

    Args:
        ratings: a file of scores, a table of answers, or a run.
        results: of one model each.
        measure: score of an answer in results folders.
        reading: of runs, see ``score_folder``.

    Raises:
        ValueError: ratings or results cannot be read, or have no such measure.
    """
    if not ratings.exists():
        raise ValueError(
            f"{ratings}: no such file: first give a CSV file of ratings, then results folders"
        )
    runs = [score_folder(path, **reading) for path in results if not _is_table(path)]
    if len({scored.run.model for scored in runs}) < len(runs):
        raise ValueError("two results folders have the same model name: pass each model once")
    frames = [_frame(path) for path in results if _is_table(path)]
    frames += [_measured(scored, measure) for scored in runs]
    first = _scores([_frame(ratings, **reading)])
    return _agreement(ratings.name, first, _scores(frames)), runs


def _is_table(path: Path) -> bool:
    return path.is_file() and tool_of(path) == TABLE


def _measured(scored: GradedRun, measure: str) -> pd.DataFrame:
    """The plain answers of a run, with a measure of them as ``correct``.

    Raises:
        ValueError: none has it.
    """
    names = () if measure in READINGS else (measure,)
    frame = AnswerTable.of_answers(scored.answers(measures=names), names).plain.frame
    known = frame[frame[measure].notna()]
    if known.empty:
        raise ValueError(
            f"{scored.run.model}: no answer has the measure {measure!r}: choose another with "
            "--measure, such as chrf_gated or mqm80_gated (LiT)"
        )
    return known.assign(**{CORRECT: known[measure]})


def _frame(path: Path, **reading: Any) -> pd.DataFrame:
    """``model``, ``language`` and ``correct`` of a table of answers, a file of scores, or a run.

    A file of scores has the columns ``model`` and ``score``, and perhaps ``language``.

    Args:
        path: where it is.
        reading: of runs, see ``score_folder``.

    Raises:
        ValueError: a score is no number.
    """
    if not _is_table(path):
        return score_folder(path, **reading).table.frame
    heads = pd.read_csv(path, nrows=0).columns if path.suffix == ".csv" else ()
    if {"model", "score"} <= set(heads) <= {"model", "score", "language", "source"}:
        frame = pd.read_csv(path, keep_default_na=False).rename(columns={"score": "correct"})
        wrong = frame["correct"][pd.to_numeric(frame["correct"], errors="coerce").isna()]
        if len(wrong):  # the row is counted as editors do
            text = str(wrong.iloc[0])[:60]
            raise ValueError(f"{path}: row {wrong.index[0] + 2}: column score: {text!r}: no number")
        frame = frame if "language" in frame else frame.assign(language="")
    else:
        frame = tables.table_in(path).frame
    return frame.assign(model=frame["model"].astype(str).replace("", path.stem))


def _scores(frames: Iterable[pd.DataFrame]) -> Mapping[tuple[str, str], float]:
    """Mean scores by model and language, of frames as ``_frame`` makes them."""
    parts = [
        frame[["model"]].assign(
            language=frame["language"].astype(str).map(code_of),
            score=frame["correct"].astype(float),
        )
        for frame in frames
    ]
    means = pd.concat(parts).groupby(["model", "language"])["score"].mean()
    return {(str(model), str(code)): float(mean) for (model, code), mean in means.items()}


def _agreement(
    name: str,
    first: Mapping[tuple[str, str], float],
    second: Mapping[tuple[str, str], float],
) -> Table:
    """Correlations over models (means over languages), and over models and languages.

    Raises:
        ValueError: no model is in both.
    """
    sides = [pd.Series(side).rename_axis(["model", "language"]) for side in (first, second)]
    by_model = [side.groupby("model").mean() for side in sides]
    if not by_model[0].index.intersection(by_model[1].index).size:
        models = (", ".join(map(str, side.index[:5])) for side in by_model)
        raise ValueError(f"{name}: no model is in both: there are {' and '.join(models)}")
    rows = []
    for over, (one, other) in (("models", by_model), ("models and languages", sides)):
        pairs = pd.concat([one, other], axis=1, join="inner").to_numpy().T
        rows.append((over, pairs.shape[1], pearson(*pairs), *spearman(*pairs)))
    numbers = (Column("Pearson", "number", 3), Column("Spearman", "number", 3), Column("p", "p"))
    return Table(
        "correlation",
        f"Agreement of {name} with the other scores",
        (Column("Over"), Column("Pairs", "count"), *numbers),
        tuple(rows),
        "Means over languages are one value a model. p: of Spearman's correlation, exact up to 8 "
        "pairs; values of one model in several languages are not independent.",
    )

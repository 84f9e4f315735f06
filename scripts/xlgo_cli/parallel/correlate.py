"""``xlgo correlate``: do the scores of several models agree with ratings from outside?"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ..arguments import JUDGE, Argument, Completed, chosen_from
from ..logs.formats import TABLE, tool_of
from ..report.choice import tell
from .command import COLUMNS, take_columns

if TYPE_CHECKING:
    import pandas as pd

    from xlgo_metric.table import Table

    from ..logs.graded_run import GradedRun


def _able() -> list[str]:
    """The families that can be correlated with ratings."""
    from xlgo_metric.family import FAMILIES

    return [name for name, one in FAMILIES.items() if one.correlate is not None]


ARGUMENTS = (
    Argument(
        "ratings",
        type=Path,
        help="CSV file with the columns model and score, and where known language and source, "
        "with the models' names as in the results; or a table of answers",
    ),
    Argument(
        "results",
        type=Path,
        nargs="+",
        help="one results folder for each model, or tables of answers",
    ),
    Argument(
        "--family",
        type=chosen_from(_able),
        help="family of the scores, if there are several, such as lit",
    ),
    Argument("--metric", help="score to use (default: the family's own)"),
    Argument("--view", help="average to use (default: the family's own)"),
    Argument("--part", help="part of the results to use (default: the family's own)"),
    Argument("--out", type=Path, help="CSV file to write the table to"),
    *JUDGE,
    COLUMNS,
    Completed(take_columns),
)
_OF_FAMILIES = ("family", "metric", "view", "part")


def run(args: argparse.Namespace) -> int:
    """Print the tables; 0 if all could be read, 1 if something was lost on the way.

    Raises:
        ValueError: ratings or results cannot be read, or an option is invalid.
    """
    from xlgo_metric.family import family

    from ..display.formats import comma_separated, show
    from ..folders import write_text
    from ..logs.graded_run import score_folder

    def graded(path: Path) -> GradedRun:
        return score_folder(path, judge=args.judge, partial=args.partial)

    if not args.ratings.exists():
        raise ValueError(
            f"{args.ratings}: no such file: first give a CSV file of ratings, then results folders"
        )
    files = [path for path in args.results if path.is_file() and tool_of(path) == TABLE]
    runs = [graded(path) for path in args.results if path not in files]
    for scored in runs:
        tell(scored)
    if len({scored.run.model for scored in runs}) < len(runs):
        raise ValueError("two results folders have the same model name: pass each model once")
    options = {name: value for name in _OF_FAMILIES if (value := getattr(args, name)) is not None}
    able = _able()
    families = [name for name in able if any(name in scored.score["families"] for scored in runs)]
    if files or args.ratings.is_dir() or not (families or options):
        if options:
            raise ValueError(f"--{next(iter(options))}: of a family: tables have one score a row")
        is_run = args.ratings.is_dir()
        first = graded(args.ratings).table.frame if is_run else _frame(args.ratings)
        frames = [*(scored.table.frame for scored in runs), *map(_frame, files)]
        tables = [_agreement(args.ratings.name, _scores([first]), _scores(frames))]
    elif args.family is None and len(families) != 1:
        problem = (
            f"several of these: choose with --family: {', '.join(families)}"
            if families
            else f"none of the families that can be correlated: {', '.join(able)}"
        )
        raise ValueError(f"the results have {problem}")
    else:
        name = options.pop("family", None) or families[0]
        records = {scored.run.model: scored.of_family(name) for scored in runs}
        correlate = family(name).correlate
        assert correlate is not None
        tables = correlate(records, args.ratings, **options)
    show(*tables)
    if args.out is not None:
        write_text(args.out, "\n".join(map(comma_separated, tables)))
        print(args.out)
    return 1 if any(scored.problems.lost for scored in runs) else 0


def _frame(path: Path) -> pd.DataFrame:
    """``model``, ``language`` and ``correct`` of a table of answers, or a file of scores.

    A file of scores has the columns ``model`` and ``score``, and perhaps ``language``.

    Raises:
        ValueError: the file cannot be read, or a score is no number.
    """
    import pandas as pd

    from ..logs.formats import tables

    heads = pd.read_csv(path, nrows=0).columns if path.suffix == ".csv" else ()
    if {"model", "score"} <= set(heads) <= {"model", "score", "language", "source"}:
        frame = pd.read_csv(path, keep_default_na=False).rename(columns={"score": "correct"})
        scores = frame["correct"]
        for row, score in scores[pd.to_numeric(scores, errors="coerce").isna()].items():
            number = int(str(row)) + 2  # as editors count
            raise ValueError(f"{path}: row {number}: column score: {str(score)[:60]!r}: no number")
        frame = frame if "language" in frame else frame.assign(language="")
    else:
        frame = tables.verdicts(path)
    return frame.assign(model=frame["model"].astype(str).replace("", path.stem))


def _scores(frames: Iterable[pd.DataFrame]) -> Mapping[tuple[str, str], float]:
    """Mean scores by model and language, of frames as ``_frame`` makes them."""
    import pandas as pd

    from xlgo_dataset.text.language_codes import code_of

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
    import pandas as pd

    from xlgo_metric.statistics.measures import pearson, spearman
    from xlgo_metric.table import Column, Table

    sides = [pd.Series(side).rename_axis(["model", "language"]) for side in (first, second)]
    by_model = [side.groupby("model").mean() for side in sides]
    if not by_model[0].index.intersection(by_model[1].index).size:
        models = (", ".join(map(str, side.index[:5])) for side in by_model)
        raise ValueError(f"{name}: no model is in both: there are {' and '.join(models)}")
    rows = []
    for unit, (ours, theirs) in (("models", by_model), ("models and languages", sides)):
        pairs = pd.concat([ours, theirs], axis=1, join="inner").to_numpy().T
        rows.append((unit, pairs.shape[1], pearson(*pairs), *spearman(*pairs)))
    numbers = (Column("Pearson", "number", 3), Column("Spearman", "number", 3), Column("p", "p"))
    return Table(
        "correlation",
        f"Agreement of {name} with the other scores",
        (Column("Over"), Column("Pairs", "count"), *numbers),
        tuple(rows),
        "Means over languages are one value a model. p: of Spearman's correlation, exact up to 8 "
        "pairs; values of one model in several languages are not independent.",
    )

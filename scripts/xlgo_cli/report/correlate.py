"""``xlgo correlate``: do the scores of several models agree with ratings from outside?"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ..arguments import JUDGE, Argument, chosen_from
from .choice import tell

if TYPE_CHECKING:
    from xlgo_metric.core import Record


def _able() -> list[str]:
    """The families that can be correlated with ratings."""
    from xlgo_metric.family import FAMILIES

    return [name for name, one in FAMILIES.items() if one.correlate is not None]


ARGUMENTS = (
    Argument(
        "ratings", type=Path,
        help="CSV file with the columns model and score, and where known language and source, "
        "with the models' names as in the results",
    ),
    Argument("results", type=Path, nargs="+", help="one results folder for each model"),
    Argument(
        "--family", type=chosen_from(_able),
        help="family of the scores, if there are several, such as lit",
    ),
    Argument("--metric", help="score to use (default: the family's own)"),
    Argument("--view", help="average to use (default: the family's own)"),
    Argument("--part", help="part of the results to use (default: the family's own)"),
    Argument("--out", type=Path, help="CSV file to write the table to"),
    *JUDGE,
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Print the tables; 0 if all could be read, 1 if something was lost on the way.

    Raises:
        ValueError: ratings or results cannot be read, or an option is invalid.
    """
    from xlgo_metric.family import family

    from ..display.formats import comma_separated, show
    from ..folders import write_text
    from ..logs.graded_run import score_folder

    if not args.ratings.is_file():
        raise ValueError(
            f"{args.ratings}: no such file: first give a CSV file of ratings, then results folders"
        )
    runs = [
        score_folder(path, judge=args.judge, partial=args.partial, details=False)
        for path in args.results
    ]
    for scored in runs:
        tell(scored)
    if len({scored.run.model for scored in runs}) < len(runs):
        raise ValueError("two results folders have the same model name: pass each model once")
    there = [name for name in _able() if any(name in one.score["families"] for one in runs)]
    if args.family is None and len(there) != 1:
        problem = f"several of these: choose with --family: {', '.join(there)}" if there else (
            f"none of the families that can be correlated: {', '.join(_able())}"
        )  # fmt: skip
        raise ValueError(f"the results have {problem}")
    name = args.family or there[0]
    records: dict[str, list[Record]] = {one.run.model: one.of_family(name) for one in runs}
    options = {"metric": args.metric, "view": args.view, "part": args.part}
    given = {key: value for key, value in options.items() if value is not None}
    correlate = family(name).correlate
    assert correlate is not None
    tables = correlate(records, args.ratings, **given)
    show(*tables)
    if args.out is not None:
        write_text(args.out, "\n".join(map(comma_separated, tables)))
        print(args.out)
    return 1 if any(scored.problems.lost for scored in runs) else 0

"""The run that the options of a command choose among several in a folder, graded."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from ..arguments import pairs

if TYPE_CHECKING:
    from ..logs.costs import Lengths
    from ..logs.graded_run import GradedRun


def baseline_of(args: argparse.Namespace) -> dict[str, object]:
    """What ``--baseline`` says, as options of the score."""
    return {} if args.baseline is None else {"baseline": args.baseline}


def selected_run(args: argparse.Namespace, lengths: Lengths | None = None) -> GradedRun:
    """The run that the options of ``arguments.CHOICE`` choose, graded.

    Args:
        lengths: see :func:`xlgo_cli.logs.graded_run.score_folder`.

    Raises:
        ValueError: there is none, the prices cannot be read, or ``--metadata-file`` does nothing.
    """
    from xlgo_metric.family import family

    from ..logs.costs import read_prices
    from ..logs.graded_run import score_folder

    prices = None if args.prices is None else read_prices(args.prices)
    options = pairs("--options", args.options) | baseline_of(args)
    if args.metadata_file is not None:
        if not args.metadata_file.is_file():
            raise ValueError(f"--metadata-file: {args.metadata_file}: no such file")
        options["metadata_file"] = str(args.metadata_file)
    scored = score_folder(
        args.results, model=args.model, date=args.date, judge=args.judge, prices=prices,
        options=options, quiet=args.quiet, partial=args.partial, lengths=lengths,
    )  # fmt: skip
    if args.metadata_file is not None and not any(
        option.name == "metadata_file"
        for name in scored.score["families"]
        for option in family(name).options
    ):
        raise ValueError("--metadata-file: only for answers to PolyMath: there are none")
    if args.unaudited:
        scored.score["unaudited"] = True
    return scored


def tell(scored: GradedRun, *, lost_only: bool = False) -> None:
    """Print problems of reading; ``lost_only`` omits mere notes."""
    for problem in scored.problems.items:
        if lost_only and not problem.lost:
            continue
        print(f"{'error' if problem.lost else 'note'}: {problem}", file=sys.stderr)

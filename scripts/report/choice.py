"""Options that choose a run among several in a folder, and the run that they choose."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ..logs.lines import pairs

if TYPE_CHECKING:
    from ..logs.graded_run import GradedRun


def add_choice(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose among several runs in one folder, and how they are scored."""
    parser.add_argument("--model", help="model to read, if the folder has several")
    parser.add_argument(
        "--run", dest="date", metavar="DATE",
        help="run to read: a prefix of the date in its file names, such as 2026-03-01 "
        "(default: newest)",
    )  # fmt: skip
    add_judge(parser)
    parser.add_argument(
        "--options", nargs="+", metavar="KEY=VALUE",
        help="options of the score, such as baseline=zh or weights=1/5/10,missing=drop: "
        "`xlgo tasks NAME` lists those of a task",
    )  # fmt: skip


def add_prices(parser: argparse.ArgumentParser) -> None:
    """Add the option of commands that say what a run took."""
    parser.add_argument(
        "--prices", type=Path, help="TOML or JSON file with prices of tokens (see docs/cost.md)"
    )


def add_judge(parser: argparse.ArgumentParser) -> None:
    """Add the options that every command with results has: whose judgements, and if some lack."""
    parser.add_argument(
        "--judge",
        help="prefix of the name of the judge whose verdicts count (default: most recent)",
    )
    parser.add_argument(
        "--partial", action="store_true",
        help="accept runs with missing answers: list them and exit with 0",
    )  # fmt: skip


def baseline_of(args: argparse.Namespace) -> dict[str, object]:
    """What ``--baseline`` says, as options of the score."""
    return {} if args.baseline is None else {"baseline": args.baseline}


def chosen(args: argparse.Namespace, *, details: bool = True) -> GradedRun:
    """The run that the options of ``add_choice`` choose, graded.

    Args:
        details: see :func:`xlgo_cli.logs.graded_run.score_folder`.

    Raises:
        ValueError: there is none, or the prices cannot be read.
    """
    from ..logs.costs import read_prices
    from ..logs.graded_run import score_folder

    prices = None if args.prices is None else read_prices(args.prices)
    options = pairs("--options", args.options) | baseline_of(args)
    return score_folder(
        args.results, model=args.model, date=args.date, judge=args.judge, prices=prices,
        options=options, quiet=args.quiet, partial=args.partial, details=details,
    )  # fmt: skip


def tell(scored: GradedRun, *, lost_only: bool = False) -> None:
    """Print problems of reading; ``lost_only`` omits mere notes."""
    for problem in scored.problems.items:
        if lost_only and not problem.lost:
            continue
        print(f"{'error' if problem.lost else 'note'}: {problem}", file=sys.stderr)

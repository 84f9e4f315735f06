"""``xlgo leaderboard``: many models, ranked on the questions that all of them answered."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ..display.tables import show, terminal
from ..report.choice import add_judge
from .entries import Entry, choose, read_entries
from .site import as_json, table, write_site
from .standings import Board, board

TITLE = "Does it serve other languages as well as English?"


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``leaderboard`` to the command line."""
    parser = subparsers.add_parser("leaderboard", help="rank many models: a static site")
    parser.add_argument("results", type=Path, nargs="+", help="the results folder of each model")
    parser.add_argument(
        "--out", type=Path, default=Path("leaderboard"),
        help="folder to write into (default: leaderboard)",
    )  # fmt: skip
    parser.add_argument("--title", default=TITLE, help=f"of the page (default: {TITLE})")
    parser.add_argument(
        "--json", action="store_true", help="print the numbers as JSON (the site is written too)"
    )
    parser.add_argument(
        "--verify", action=argparse.BooleanOptionalAction, default=True,
        help="make the questions of each run again, and rank no run in which some differ "
        "(default: yes; see docs/trust.md)",
    )  # fmt: skip
    add_judge(parser)
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Write the site and print the ranking; 0 if all could be read, 1 if something was lost.

    Raises:
        ValueError: fewer than two models can be compared, or the folder cannot be written.
    """
    found, failed, entries = make(
        args.results, args.judge, partial=args.partial, proves=args.verify
    )
    page = write_site(found, args.out, args.title)
    tell(found, entries)
    if args.json:
        print(json.dumps(as_json(found) | {"page": str(page)}, ensure_ascii=False, indent=1))
    else:
        show(table(found), terminal())
        print(page)
    return 1 if failed or any(entry.lost for entry in entries) else 0


def make(
    folders: Sequence[Path], judge: str | None, *, partial: bool = False, proves: bool = True
) -> tuple[Board, int, list[Entry]]:
    """The board of some folders, how many of them cannot be read, and what was read.

    Raises:
        ValueError: fewer than two models can be compared, or a run was given twice.
    """
    # A pattern such as results/* also finds the state of a queue, which is no run.
    given = [path for path in folders if path.suffix == ".jsonl" or not path.is_file()]
    with tempfile.TemporaryDirectory(prefix="xlgo-") as keep:
        entries, failed = read_entries(given, Path(keep), judge, partial=partial, proves=proves)
        return board(choose(entries, failed)), len(failed), entries


def tell(found: Board, entries: Sequence[Entry]) -> None:
    """Print what could not be read, and which models are not ranked."""
    for entry in entries:
        for problem in entry.problems:
            print(f"{'error' if entry.lost else 'note'}: {entry.name}: {problem}", file=sys.stderr)
    for name, why in found.field.left_out:
        print(f"note: not ranked: {name}: {why}", file=sys.stderr)

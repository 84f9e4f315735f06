"""``xlgo leaderboard``: many models, ranked on the questions that all of them answered."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..arguments import JUDGE, Argument
from ..parallel import command as parallel

if TYPE_CHECKING:
    from xlgo_metric.table import Table

    from ..parallel.graded import Read
    from .entries import Entry
    from .standings import Board


ARGUMENTS = (
    Argument("results", type=Path, nargs="+", help="results folders, of one model or several"),
    Argument(
        "--out", type=Path, default=Path("leaderboard"),
        help="folder to write into (default: leaderboard)",
    ),
    Argument("--title", help="title of the page (default: Accuracy by model, …)"),
    Argument(
        "--json", action="store_true", help="print the numbers as JSON (the site is written too)"
    ),
    Argument(
        "--verify", action=argparse.BooleanOptionalAction, default=True,
        help="generate the questions of each run again; do not rank runs in which some differ "
        "(default: yes; see docs/trust.md)",
    ),
    *JUDGE,
    *parallel.ARGUMENTS,
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Write the site and print the ranking; 0 if all could be read, 1 if something was lost.

    Raises:
        ValueError: fewer than two models can be compared, or the folder cannot be written.
    """
    from ..parallel.graded import reader
    from .site import write_site
    from .tables_site import write_tables_site

    read = reader(args, parallel.options_of(args))
    board, failed, entries = make(args.results, read, proves=args.verify and not args.parallel)
    own = family_tables(entries)
    tell(board, entries)
    if board is None:
        page = write_tables_site(own, entries, args.out, args.title or "Models by their scores")
    else:
        title = args.title or f"Accuracy by model, and gaps to {board.base}"
        page = write_site(board, args.out, title)
    print_numbers(board, entries, own, page, args.out / "tables", as_json=args.json)
    return 1 if failed or any(entry.lost for entry in entries) else 0


def print_numbers(
    board: Board | None,
    entries: Sequence[Entry],
    own: Sequence[Table],
    page: Path,
    folder: Path,
    *,
    as_json: bool,
) -> None:
    """Print the numbers and the path of the page.

    Args:
        board: if answers are correct or incorrect.
        entries: the models.
        own: tables of families for many models, which are written into ``folder``, too.
        page, folder: paths.
        as_json: the numbers as JSON and nothing else.
    """
    from ..display.formats import show, terminal
    from . import site, tables_site

    if as_json:
        numbers = tables_site.as_json(own, entries) if board is None else site.as_json(board)
        print(json.dumps(numbers | {"page": str(page)}, ensure_ascii=False, indent=1))
    elif board is not None:
        show(site.table(board), terminal())
    write_tables(own, folder, shows=not as_json)
    if not as_json:
        print(page)


def family_tables(entries: Sequence[Entry]) -> list[Table]:
    """The tables that families have for many models, beyond correct answers."""
    from xlgo_metric.extras import Models
    from xlgo_metric.family import family

    sections: dict[str, dict[str, Any]] = {}
    for entry in entries:
        for name, section in entry.score["families"].items():
            sections.setdefault(name, {})[entry.name] = section
    return [
        one
        for name, own in sections.items()
        if (models := family(name).extra(Models)) is not None
        for one in models.many(own)
    ]


def write_tables(tables: Sequence[Table], folder: Path, *, shows: bool = True) -> None:
    """Write each table as Markdown and CSV, and print them unless ``shows`` is false."""
    from ..display.formats import show, terminal, write_table
    from ..folders import explained

    if not tables:
        return
    with explained("write", folder):
        folder.mkdir(parents=True, exist_ok=True)
        for one in tables:
            if shows:
                show(one, terminal())
            write_table(one, folder / one.name)
    if shows:
        print(folder)


def make(
    folders: Sequence[Path], read: Read, *, proves: bool = True
) -> tuple[Board | None, int, list[Entry]]:
    """The board of some folders, how many of them cannot be read, and what was read.

    ``read`` grades a folder. There is no board of runs whose answers are not correct or
    incorrect, if their family has tables of its own for many models.

    Raises:
        ValueError: fewer than two models can be compared, or a run was given twice.
    """
    from .entries import choose, read_entries
    from .standings import board

    # A pattern such as results/* also finds the state of a queue, which is no run.
    given = [path for path in folders if path.suffix == ".jsonl" or not path.is_file()]
    with tempfile.TemporaryDirectory(prefix="xlgo-") as keep:
        entries, failed = read_entries(given, Path(keep), read, proves=proves)
        if not entries and len(reasons := {why for _, why in failed}) == 1:
            raise ValueError(
                f"{failed[0][0]}: {reasons.pop()}"
            )  # such as a baseline in which nothing was asked
        if not any(len(entry.answers) for entry in entries) and family_tables(entries):
            return None, len(failed), entries
        return board(choose(entries, failed)), len(failed), entries


def tell(found: Board | None, entries: Sequence[Entry]) -> None:
    """Print what could not be read, and which models are not ranked."""
    for entry in entries:
        for problem in entry.problems:
            print(f"{'error' if entry.lost else 'note'}: {entry.name}: {problem}", file=sys.stderr)
    for name, why in found.field.left_out if found is not None else ():
        print(f"note: not ranked: {name}: {why}", file=sys.stderr)

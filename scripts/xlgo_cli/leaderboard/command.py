"""``xlgo leaderboard``: many models, ranked on the questions that all of them answered."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..arguments import JUDGE, REQUIRE, UNAUDITED, Argument
from ..logs.formats import tool_of
from ..parallel import command as parallel

if TYPE_CHECKING:
    from xlgo_metric.family import Section
    from xlgo_metric.table import Table

    from ..parallel.graded import Read
    from .entries import Entry
    from .standings import Board


ARGUMENTS = (
    Argument("results", type=Path, nargs="+", help="results folders, of one model or several"),
    Argument(
        "--out",
        type=Path,
        default=Path("leaderboard"),
        help="folder to write into (default: leaderboard)",
    ),
    Argument("--title", help="title of the page (default: Accuracy by model, …)"),
    Argument(
        "--json", action="store_true", help="print the numbers as JSON (the site is written too)"
    ),
    REQUIRE,
    UNAUDITED,
    *JUDGE,
    *parallel.ARGUMENTS,
)


def run(args: argparse.Namespace) -> int:
    """Write the site and print the ranking; 0 if all could be read, 1 if something was lost.

    Raises:
        ValueError: fewer than two models can be compared, or the folder cannot be written.
    """
    from ..display.formats import show, write_table
    from ..folders import explained
    from ..logs.costs import lengths
    from ..parallel.graded import reader
    from .site import site_of, site_of_tables

    board, failed, entries = make(args.results, reader(args, parallel.options_of(args)))
    family_rows = [
        *family_tables(entries),
        *lengths({one.name: one.scored.score for one in entries}),
    ]
    tell(board, entries)
    if board is None:
        content = site_of_tables(family_rows, entries, args.title or "Models by their scores")
    else:
        title = args.title or f"Accuracy by model, and gaps to {board.base}"
        content = site_of(replace(board, unaudited=args.unaudited), title)
    page, folder = content.write(args.out), args.out / "tables"
    with explained("write", folder):
        for each_table in family_rows:
            folder.mkdir(parents=True, exist_ok=True)
            write_table(each_table, folder / each_table.name)
    if args.json:
        print(json.dumps({**content.numbers, "page": str(page)}, ensure_ascii=False, indent=1))
    else:
        show(*([] if board is None else [content.rows]), *family_rows)
        print(*([folder] if family_rows else []), page, sep="\n")
    return 1 if failed or any(entry.scored.problems.lost for entry in entries) else 0


def family_tables(entries: Sequence[Entry]) -> list[Table]:
    """The tables that families have for many models, beyond correct answers."""
    from xlgo_metric.family import family

    sections: dict[str, dict[str, Section]] = {}
    for entry in entries:
        for name, section in entry.scored.score["families"].items():
            sections.setdefault(name, {})[entry.name] = section
    answers = {entry.name: entry.answers for entry in entries}
    return [
        rows
        for name, scores_by_model in sections.items()
        for rows in family(name).many(scores_by_model, answers)
    ]


def make(folders: Sequence[Path], read: Read) -> tuple[Board | None, int, list[Entry]]:
    """The board of some folders, how many of them cannot be read, and what was read.

    ``read`` grades a folder. There is no board of runs whose answers are not correct or
    incorrect, if their family has tables of its own for many models.

    Raises:
        ValueError: fewer than two models can be compared, or a run was given twice.
    """
    from .entries import choose, read_entries
    from .standings import board

    # A pattern such as results/* also finds folders that are no run.
    paths = [
        path for path in folders if path.suffix == ".jsonl" or not path.is_file() or tool_of(path)
    ]
    entries, failed = read_entries(paths, read)
    if not entries and len(reasons := {why for _, why in failed}) == 1:
        raise ValueError(
            f"{failed[0][0]}: {reasons.pop()}"
        )  # such as a baseline in which nothing was asked
    if not any(len(entry.answers) for entry in entries) and family_tables(entries):
        return None, len(failed), entries
    return board(choose(entries, failed)), len(failed), entries


def tell(ranked: Board | None, entries: Sequence[Entry]) -> None:
    """Print what could not be read, and which models are not ranked."""
    for entry in entries:
        for problem in entry.scored.problems.items:
            print(
                f"{'error' if entry.scored.problems.lost else 'note'}: {entry.name}: {problem}",
                file=sys.stderr,
            )
    for name, why in ranked.field.left_out if ranked is not None else ():
        print(f"note: not ranked: {name}: {why}", file=sys.stderr)

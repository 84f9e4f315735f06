"""``xlgo leaderboard``: many models, ranked on the questions that all of them answered."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

from ..arguments import JUDGE, REQUIRE, UNAUDITED, Argument
from ..parallel import command as parallel

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
    import pandas as pd

    from ..display.formats import show, write_table
    from ..folders import explained
    from ..logs.costs import lengths
    from .page import site_of, site_of_tables
    from .standings import family_tables, make, tell

    board, failed, entries = make(args.results, parallel.reader(args))
    frames = [one.scored.costs.frame.assign(model=one.name) for one in entries]
    family_rows = [
        *family_tables(entries),
        *lengths(pd.concat(frames), "model", "task"),
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
            write_table(each_table, folder / each_table.name)
    if args.json:
        print(json.dumps({**content.numbers, "page": str(page)}, ensure_ascii=False, indent=1))
    else:
        show(*([] if board is None else [content.rows]), *family_rows)
        print(*([folder] if family_rows else []), page, sep="\n")
    return 1 if failed or any(entry.scored.problems.lost for entry in entries) else 0

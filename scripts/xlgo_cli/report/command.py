"""``xlgo report``: one HTML page from what lm-evaluation-harness wrote, and files beside it."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from ..arguments import CHOICE, RESULTS, UNAUDITED, Argument
from ..parallel import command as parallel

ARGUMENTS = (
    RESULTS,
    Argument("--out", type=Path, help="folder to write into (default: <results>/report)"),
    *CHOICE,
    UNAUDITED,
    Argument(
        "--no-samples", dest="samples", action="store_false",
        help="leave out the page of all answers, and its data",
    ),
    Argument(
        "--against", type=Path, metavar="EARLIER",
        help="results of an earlier run: also say whether each gap changed, as xlgo compare does",
    ),
    Argument(
        "--manuscript", type=Path, metavar="FOLDER",
        help="also write figures (PDF, SVG, PNG), tables (LaTeX, Markdown), a methods paragraph "
        "and references into this folder, for a paper",
    ),
    *parallel.ARGUMENTS,
    parallel.WRITTEN,
    Argument("--quiet", "-q", action="store_true", help="print only the path of the page"),
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Write the report; 0 if all could be read, 1 if something was lost on the way.

    Raises:
        ValueError: there is nothing to report, or the folder cannot be written.
    """
    from .findings import Told, brief
    from .write import Content, default_folder, write_files

    read, changes = parallel.reader(args), list[Told]()
    scored = read(args.results, args.model)
    tables = [*scored.beside]
    if args.against is not None:
        from .compare.comparison import comparison, gap_table, gaps_apart

        earlier = read(args.against, None)
        earlier.problems.tell()
        pair = comparison(earlier, scored)
        tables, changes = [*tables, replace(gap_table(pair), name="changes")], gaps_apart(pair)
    content = Content.of(scored)
    page = write_files(
        scored, args.out or default_folder(args.results), samples=args.samples,
        tables=tables, changes=changes, content=content,
    )  # fmt: skip
    if args.manuscript is not None:
        from ..leaderboard.page import differences
        from ..leaderboard.standings import make
        from ..logs.results import models_in
        from .manuscript import write_manuscript

        models = None
        if args.model is None and len(models_in(args.results)) > 1:
            board, *_ = make([args.results], read)
            models = differences(board) if board is not None and board.differences else None
        write_manuscript(content, args.manuscript, models)
    scored.problems.tell()
    if not args.quiet:
        print(brief(scored.score), *(sentence for _, sentence in changes), sep="\n\n", end="\n\n")
    print(page)
    return 1 if scored.problems.lost else 0

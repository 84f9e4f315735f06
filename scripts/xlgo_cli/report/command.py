"""``xlgo report``: one HTML page from what lm-evaluation-harness wrote, and files beside it."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..arguments import CHOICE, RESULTS, UNAUDITED, Argument
from ..parallel import command as parallel

if TYPE_CHECKING:
    from xlgo_metric.table import Table

    from ..logs.graded_run import GradedRun
    from .findings import Told
    from .grid import Grid

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
    from ..logs.graded_run import selected_run
    from .findings import brief
    from .write import Content, default_folder, write_files

    more: list[Table] = []
    changes: list[Told] = []
    if args.parallel:
        scored, more = parallel.graded_with_tables(args)
    else:
        scored = selected_run(args)
    if args.against is not None:
        table, changes = _changes(args, scored)
        more = [*more, table]
    content = Content.of(scored)
    page = write_files(
        scored, args.out or default_folder(args.results), samples=args.samples,
        tables=more, changes=changes, content=content,
    )  # fmt: skip
    if args.manuscript is not None:
        from .manuscript import write_manuscript

        write_manuscript(content, args.manuscript, _models(args))
    scored.problems.tell()
    if not args.quiet:
        print(brief(scored.score), *(sentence for _, sentence in changes), sep="\n\n", end="\n\n")
    print(page)
    return 1 if scored.problems.lost else 0


def _changes(args: argparse.Namespace, scored: GradedRun) -> tuple[Table, list[Told]]:
    """How the gaps of a run differ from those of an earlier one, as a table and in sentences."""
    from ..parallel.comparing import reader
    from .compare.comparison import comparison, gap_table, gaps_apart

    earlier = reader(args, parallel.options_of(args))(args.against, None)
    earlier.problems.tell()
    pair = comparison(earlier, scored)
    return replace(gap_table(pair), name="changes"), gaps_apart(pair)


def _models(args: argparse.Namespace) -> Grid | None:
    """All models of the folder side by side, unless one was chosen."""
    from ..leaderboard.page import differences
    from ..leaderboard.standings import make
    from ..logs.results import models_in
    from ..parallel.comparing import reader

    if args.model is not None or len(models_in(args.results)) < 2:
        return None
    board, *_ = make([args.results], reader(args, parallel.options_of(args)))
    return differences(board) if board is not None and board.differences else None

"""``xlgo report``: one HTML page from what lm-evaluation-harness wrote, and files beside it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ..arguments import CHOICE, PRICES, RESULTS, Argument
from ..parallel import command as parallel
from .choice import chosen, tell

if TYPE_CHECKING:
    from xlgo_metric.table import Table

ARGUMENTS = (
    RESULTS,
    Argument("--out", type=Path, help="folder to write into (default: <results>/report)"),
    *CHOICE,
    PRICES,
    Argument(
        "--against", type=Path, metavar="EARLIER",
        help="results folder of an earlier run of the same questions, such as before training: "
        "tests whether each gap changed",
    ),
    Argument(
        "--dataset-id",
        help="name of the dataset on the Hub (owner/name): also write the result files of a model "
        "page",
    ),
    Argument(
        "--no-samples", dest="samples", action="store_false",
        help="leave out the page of all answers, and its data",
    ),
    Argument(
        "--plots", action="store_true",
        help="also write curves and gaps as SVG, PNG and PDF files, for papers and slides",
    ),
    *parallel.ARGUMENTS,
    Argument("--quiet", "-q", action="store_true", help="print only the path of the page"),
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Write the report; 0 if all could be read, 1 if something was lost on the way.

    Raises:
        ValueError: there is nothing to report, or the folder cannot be written.
    """
    from ..logs.formats import TABLE, tables
    from ..logs.outputs import write_outputs
    from .against import findings
    from .brief.screen import brief
    from .write import default_folder, write_files

    more: list[Table] = []
    since = None
    if args.parallel:
        if args.against is not None:
            raise ValueError("--against compares runs of xlgo's tasks: leave out --parallel")
        scored, more = parallel.graded_with_tables(args)
    else:
        scored = chosen(args)
    if args.against is not None:
        from ..logs.graded_run import score_folder
        from .against import change

        options = {key: scored.options[key] for key in ("baseline",) if key in scored.options}
        since = change(scored, score_folder(args.against, details=False, options=options))
    if args.out is None and not args.parallel:
        write_outputs(scored, default_folder(args.results).parent)
    out = args.out or default_folder(args.results)
    has_texts = any(
        file.tool != TABLE or tables.has_responses(file.path) for file in scored.run.files
    )
    page = write_files(
        scored, out, args.dataset_id, samples=args.samples and has_texts, plots=args.plots,
        tables=more, since=since,
    )  # fmt: skip
    tell(scored)
    if not args.quiet:
        print(brief(scored.score), end="\n\n")
        if since is not None:
            print(*(said for _, said in findings(since)), sep="\n", end="\n\n")
    print(page)
    return 1 if scored.problems.lost else 0

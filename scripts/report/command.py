"""``xlgo report``: one HTML page from what lm-evaluation-harness wrote, and files beside it."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..parallel import command as parallel
from .choice import add_choice, add_prices, chosen, tell


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``report`` to the command line."""
    parser = subparsers.add_parser(
        "report", help="write an HTML report and tables from a results folder"
    )
    parser.add_argument("results", type=Path, help="results folder or samples file")
    parser.add_argument("--out", type=Path, help="folder to write into (default: <results>/report)")
    add_choice(parser)
    add_prices(parser)
    parser.add_argument(
        "--dataset-id", default="xlgo",
        help="name of the dataset on the Hub (owner/name), for the result files of a model page",
    )  # fmt: skip
    parser.add_argument(
        "--no-samples", dest="samples", action="store_false",
        help="leave out the page of all answers, and its data",
    )  # fmt: skip
    parser.add_argument(
        "--plots", action="store_true",
        help="also write curves and heat maps as SVG and PNG files, for papers and slides",
    )  # fmt: skip
    parallel.add_options(parser)
    parser.add_argument(
        "--quiet", "-q", action="store_true", help="print only the path of the page"
    )
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Write the report; 0 if all could be read, 1 if something was lost on the way.

    Raises:
        ValueError: there is nothing to report, or the folder cannot be written.
    """
    from ..logs.outputs import write_outputs
    from .brief.screen import brief
    from .write import default_folder, write_files

    parallel.check(args)
    if args.parallel:
        return parallel.run(args, args.out or default_folder(args.results))
    scored = chosen(args)
    if args.out is None:
        write_outputs(scored, default_folder(args.results).parent)
    out = args.out or default_folder(args.results)
    page = write_files(scored, out, args.dataset_id, samples=args.samples, plots=args.plots)
    tell(scored)
    if not args.quiet:
        print(brief(scored.score), end="\n\n")
    print(page)
    return 1 if scored.problems.lost else 0

"""``xlgo compare``: two models side by side, on the questions that both answered."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from ...arguments import JUDGE, Argument
from ...parallel import command as parallel

ARGUMENTS = (
    Argument("first", type=Path, help="results folder of one model, or a table of two"),
    Argument("second", type=Path, nargs="*", help="results folder of another"),
    Argument(
        "--out",
        type=Path,
        default=Path("comparison.html"),
        help="the page to write (default: comparison.html)",
    ),
    Argument(
        "--json", action="store_true", help="print the numbers as JSON (the page is written too)"
    ),
    Argument(
        "--measure",
        metavar="NAME",
        help="compare them by this score of an answer, too, such as mqm80_gated (LiT), "
        "score_paper (KOR-Bench) or strict (default: correct answers alone)",
    ),
    *JUDGE,
    *parallel.arguments(allow_differences=True),
)


def run(args: argparse.Namespace) -> int:
    """Print a table and write a page; 0 if all could be read, 1 if something was lost.

    Raises:
        ValueError: one of the folders holds nothing, both are one run, they have no question in
            common, or their settings differ and that is not allowed.
    """
    from ...logs.results import find_run, models_in

    read = parallel.reader(args)
    paths = [args.first, *args.second]
    names: list[str] | list[None] = [None] * len(paths)
    if not args.second:
        names, paths = models_in(args.first), [args.first] * 2
    if not names:
        find_run(args.first)  # says what is wrong
    if len(names) != 2:
        where = ", ".join(map(str, dict.fromkeys(paths)))
        models = "one model" if len(names) == 1 else f"{len(names)} models"
        raise ValueError(
            f"{where}: {models}: give the results of two (xlgo leaderboard ranks more)"
        )
    from ...display.formats import show
    from ...folders import write_text
    from .comparison import as_json, comparison, difference, page, tables

    first_run, second_run = (read(path, name) for path, name in zip(paths, names))
    for scored in (first_run, second_run):
        scored.problems.tell()
    pair = comparison(first_run, second_run, args.measure, allow_differences=args.allow_differences)
    write_text(args.out, page(pair))
    if args.json:
        print(json.dumps(as_json(pair) | {"page": str(args.out)}, ensure_ascii=False, indent=1))
    else:
        for warning in (*map(difference, pair.differences), *pair.notes):
            print(f"warning: {warning}")
        show(*tables(pair))
        print(args.out)
    return 1 if first_run.problems.lost or second_run.problems.lost else 0

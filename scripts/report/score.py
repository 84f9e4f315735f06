"""``xlgo score``: grade saved responses again and compute everything anew, without the model."""

from __future__ import annotations

import argparse
import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..key_values import pairs
from .choice import add_choice, chosen, tell

if TYPE_CHECKING:
    from xlgo_metric.core import Grade
    from xlgo_metric.family import Family, LoggedAnswer

_OUR_FORMAT = "lm-eval"


def formats() -> dict[str, Family]:
    """Families by what they call the files of another team's scripts that they read."""
    from xlgo_metric.family import FAMILIES

    return {f.log_format: f for f in FAMILIES.values() if f.log_format is not None}


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``score`` to the command line."""
    parser = subparsers.add_parser(
        "score", help="grade saved responses again, of lm-eval or of other scripts"
    )
    parser.add_argument("results", type=Path, help="a file of samples, or a folder that holds them")
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument(
        "--brief", action="store_true", help="print the score in one screen (the default)"
    )
    shown.add_argument("--table", action="store_true", help="print all tables")
    shown.add_argument("--json", action="store_true", help="print the whole score as JSON")
    parser.add_argument(
        "--quiet", "-q", action="store_true", help="show no progress, and no notes of the reader"
    )
    parser.add_argument(
        "--format", type=_format, default=_OUR_FORMAT,
        help="who wrote the files: lm-eval (default), or what a family calls files that it reads, "
        "such as polymath or kor",
    )  # fmt: skip
    parser.add_argument(
        "--mode", default="default",
        help="by which rules answers of such files are graded: default, or as their paper's code",
    )  # fmt: skip
    add_choice(parser)
    parser.set_defaults(func=run)


def _format(text: str) -> str:
    # Names of families, not choices of the option: --help does not import them all.
    allowed = (_OUR_FORMAT, *(() if text == _OUR_FORMAT else formats()))
    if text not in allowed:
        raise argparse.ArgumentTypeError(
            f"invalid choice: {text!r} (choose from {', '.join(allowed)})"
        )
    return text


def run(args: argparse.Namespace) -> int:
    """Print the score; 0 if all could be read, 1 if something was lost on the way.

    Raises:
        ValueError: there is nothing to grade.
    """
    from .brief.screen import brief

    if args.format != _OUR_FORMAT:
        options = pairs("--options", args.options)
        score, lost = _others(args.results, args.format, args.mode, options), False
    else:
        scored = chosen(args, details=args.json or args.table)
        if not args.quiet or scored.problems.lost:
            tell(scored)
        score, lost = scored.score, scored.problems.lost
    if args.json:
        print(json.dumps(score, ensure_ascii=False, indent=1))
    elif args.table or args.format != _OUR_FORMAT:
        _print_tables(score)
    else:
        print(brief(score))
    return 1 if lost else 0


def _others(path: Path, log_format: str, mode: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The score of files that another team's scripts wrote."""
    from xlgo_metric.core import Record
    from xlgo_metric.scoring import summarize

    from .. import workers
    from ..logs.graded_run import SCHEMA

    answers = formats()[log_format].read_logs(path, mode)
    graded = workers.in_order(
        _grade_logged, ((a, (log_format, a)) for a in answers), workers.available_processors()
    )
    records = [
        Record(grade, a.reference, None if a.thinking is None else len(a.thinking), a.response)
        for a, grade in graded
    ]
    return {"schema": SCHEMA} | summarize(records, **options)


def _grade_logged(work: tuple[str, LoggedAnswer]) -> Grade:
    from xlgo_metric.guard import guarded

    log_format, answer = work
    where = str(answer.reference.get("id", "a row"))
    return guarded(formats()[log_format].grade_logged, answer, where=where)


def _print_tables(score: dict[str, Any]) -> None:
    from xlgo_metric.scoring import tables

    from ..display.tables import show, terminal

    console = terminal()
    plain = functools.partial(console.print, markup=False, highlight=False, soft_wrap=True)
    for warning in score.get("warnings", []):
        plain(f"warning: {warning}")
    for table in tables(score):
        show(table, console)
    plain(score["signature"])
    if "generation" in score:
        plain(f"generation: {score['generation']}")
    for section in score["families"].values():
        for warning in section.get("warnings", []):
            plain(f"warning: {warning}")

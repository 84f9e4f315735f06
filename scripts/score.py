"""``xlgo score``: grade saved responses again and compute everything anew, without the model."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from xlgo_metric.core import Grade, Record

from . import workers
from .report import add_choice, tell
from .scored import score_folder

FORMATS = ("lm-eval", "polymath")
MODES = ("default", "paper")


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``score`` to the command line."""
    parser = subparsers.add_parser(
        "score", help="grade saved responses again, of lm-eval or of PolyMath's own scripts"
    )
    parser.add_argument("results", type=Path, help="a file of samples, or a folder that holds them")
    parser.add_argument("--json", action="store_true", help="print the whole score as JSON")
    parser.add_argument(
        "--format", choices=FORMATS, default="lm-eval",
        help="who wrote the files (default: lm-eval)",
    )  # fmt: skip
    parser.add_argument(
        "--mode", choices=MODES, default="default",
        help="how PolyMath's answers are compared: by our rules or those of the paper's code",
    )  # fmt: skip
    add_choice(parser)
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Print the score; 0 if all could be read, 1 if something was lost on the way.

    Raises:
        ValueError: there is nothing to grade.
    """
    if args.format == "polymath":
        score, lost = _polymath(args.results, args.mode), False
    else:
        scored = score_folder(args.results, model=args.model, date=args.date)
        tell(scored)
        score, lost = scored.score, scored.problems.lost
    if args.json:
        print(json.dumps(score, ensure_ascii=False, indent=1))
    else:
        _print_tables(score)
    return 1 if lost else 0


def _polymath(path: Path, mode: str) -> dict[str, Any]:
    from xlgo_metric.polymath.outputs import read_parts
    from xlgo_metric.scoring import summarize

    graded = workers.in_order(
        _grade_parts, ((p, p) for p in read_parts(path, mode)), workers.available_processors()
    )
    return summarize(
        Record(grade, reference, thinking, answer)
        for (thinking, answer, reference), grade in graded
    )


def _grade_parts(parts: tuple[str | None, str, dict[str, Any]]) -> Grade:
    from xlgo_metric.guard import guarded
    from xlgo_metric.polymath.responses import grade_parts

    return guarded(grade_parts, *parts, where=str(parts[2].get("id", "a row")))


def _print_tables(score: dict[str, Any]) -> None:
    from xlgo_metric.scoring import tables

    from .tables import show, terminal

    console = terminal()
    for table in tables(score):
        show(table, console)
    console.print(score["signature"], markup=False, highlight=False, soft_wrap=True)
    for section in score["families"].values():
        for warning in section.get("warnings", []):
            console.print(f"warning: {warning}", markup=False, highlight=False, soft_wrap=True)

"""``xlgo score``: grade saved responses and compute every number again, without the model."""

from __future__ import annotations

import argparse
import json

from xlgo_metric.scoring import Score
from xlgo_metric.table import Table

from ..arguments import CHOICE, RESULTS, UNAUDITED, Argument, OneOf
from ..parallel import command as parallel

ARGUMENTS = (
    RESULTS,
    OneOf(
        Argument(
            "--brief", action="store_true", help="print the score in one screen (the default)"
        ),
        Argument("--table", action="store_true", help="print all tables"),
        Argument("--json", action="store_true", help="print the whole score as JSON"),
    ),
    Argument(
        "--tokenizer", needs="--table",
        help="count the tokens of prompts and answers: tekken, qwen, characters, or a name or "
        "folder of transformers (default: the counts in the log)",
    ),
    Argument("--quiet", "-q", action="store_true", help="hide progress and log-reading notices"),
    *CHOICE,
    UNAUDITED,
    *parallel.ARGUMENTS,
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Print the score; 0 if all could be read, 1 if something was lost on the way.

    Raises:
        ValueError: there is nothing to grade.
    """
    from ..logs.costs import lengths
    from .findings import brief

    scored = parallel.reader(args)(args.results, args.model)
    if not args.quiet or scored.problems.lost:
        scored.problems.tell()
    score = scored.score
    if args.json:
        print(json.dumps(score, ensure_ascii=False, indent=1))
    elif args.table:
        _print_tables(score, lengths(scored.costs.frame, "task", "language"))
    else:
        print(brief(score))
    return 1 if scored.problems.lost else 0


def _print_tables(score: Score, more: list[Table]) -> None:
    from xlgo_metric.scoring import tables

    from ..display.formats import show

    for warning in score.get("warnings", []):
        print(f"warning: {warning}")
    show(*tables(score), *more)
    print(score["signature"])
    if "generation" in score:
        print(f"generation: {score['generation']}")
    for section in score["families"].values():
        for warning in section.get("warnings", []):
            print(f"warning: {warning}")

"""``xlgo score``: grade saved responses and compute every number again, without the model."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..arguments import CHOICE, PRICES, RESULTS, UNAUDITED, Argument, OneOf, chosen_from, pairs
from ..parallel import command as parallel
from .choice import baseline_of, selected_run, tell

if TYPE_CHECKING:
    from xlgo_metric.core import Grade
    from xlgo_metric.family import LoggedAnswer, Published

    from ..logs.graded_run import GradedRun

_OUR_FORMAT = "lm-eval"


def formats() -> dict[str, Published]:
    """How the authors of families wrote answers, by what these call their files."""
    from xlgo_metric.family import FAMILIES

    published = (family.published for family in FAMILIES.values())
    return {form.external_format: form for form in published if form is not None}


ARGUMENTS = (
    RESULTS,
    OneOf(
        Argument(
            "--brief", action="store_true", help="print the score in one screen (the default)"
        ),
        Argument("--table", action="store_true", help="print all tables"),
        Argument("--json", action="store_true", help="print the whole score as JSON"),
    ),
    Argument("--quiet", "-q", action="store_true", help="hide progress and log-reading notices"),
    Argument(
        "--format", type=chosen_from(formats, _OUR_FORMAT), default=_OUR_FORMAT,
        help="format of the files: lm-eval (default), or a format of a family, such as polymath or "
        "kor",
    ),
    Argument(
        "--mode", default="default",
        help="grading rules for non-lm-eval files: default, or their paper's code",
    ),
    *CHOICE,
    UNAUDITED,
    PRICES,
    *parallel.ARGUMENTS,
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Print the score; 0 if all could be read, 1 if something was lost on the way.

    Raises:
        ValueError: there is nothing to grade.
    """
    from .screen import brief

    if args.parallel and args.format != _OUR_FORMAT:
        raise ValueError("--parallel takes grades as they were logged: leave out --format")
    if args.format != _OUR_FORMAT:
        options = pairs("--options", args.options) | baseline_of(args)
        score, lost = _external_score(args.results, args.format, args.mode, options), False
    else:
        scored = _parallel(args) if args.parallel else selected_run(args)
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


def _parallel(args: argparse.Namespace) -> GradedRun:
    from ..parallel.graded import graded

    return graded(
        args.results,
        args.parallel,
        parallel.options_of(args),
        model=args.model,
        date=args.date,
        partial=args.partial,
    )


def _external_score(
    path: Path, external_format: str, mode: str, options: Mapping[str, object]
) -> dict[str, object]:
    """The score of files that another team's scripts wrote."""
    from xlgo_metric.core import Record
    from xlgo_metric.scoring import summarize

    from .. import workers
    from ..logs.graded_run import SCHEMA

    answers = formats()[external_format].read(path, mode)
    graded = workers.in_order(
        _grade_logged, ((a, (external_format, a)) for a in answers), workers.available_processors()
    )
    records = [
        Record(grade, a.reference, None if a.thinking is None else len(a.thinking), a.response)
        for a, grade in graded
    ]
    return {"schema": SCHEMA, **summarize(records, **options)}


def _grade_logged(work: tuple[str, LoggedAnswer]) -> Grade:
    from xlgo_metric.family import grade_safely

    external_format, answer = work
    where = str(answer.reference.get("id", "a row"))
    return grade_safely(formats()[external_format].grade, answer, where=where)


def _print_tables(score: dict[str, Any]) -> None:
    from xlgo_metric.scoring import tables

    from ..display.formats import show

    for warning in score.get("warnings", []):
        print(f"warning: {warning}")
    show(*tables(score))
    print(score["signature"])
    if "generation" in score:
        print(f"generation: {score['generation']}")
    for section in score["families"].values():
        for warning in section.get("warnings", []):
            print(f"warning: {warning}")

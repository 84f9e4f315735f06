"""``--parallel``: gaps between languages on any parallel benchmark, in the log of any tool."""

from __future__ import annotations

import argparse
from dataclasses import fields
from typing import TYPE_CHECKING

from xlgo_dataset.core import Json
from xlgo_metric.option import codes

from ..arguments import EVERY, KINDS, Argument, Completed, Group, Part, languages, pairs

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ..logs.graded_run import GradedRun
    from .comparing import Options


COLUMNS = Argument(
    "--columns", metavar="NAME=COLUMN,…", nargs="+", default=[],
    help="columns of a table of answers, as in question=qid,correct=ok (default: by name)",
)  # fmt: skip


def take_columns(args: argparse.Namespace) -> None:
    """Let ``--columns`` hold for all tables of the command."""
    from ..logs import lines

    columns = pairs("--columns", args.columns)
    lines.COLUMNS.set({name: str(column) for name, column in columns.items()})


def _complete(args: argparse.Namespace) -> None:
    """Tables of answers need no ``--parallel``: their languages stand in a column."""
    from ..logs.formats import MODE, TABLE, tool_of

    MODE.set(args.mode)
    take_columns(args)
    given = [getattr(args, name, None) for name in ("results", "first", "second", "others")]
    paths = [
        path
        for argument in given
        for path in (argument if isinstance(argument, list) else [argument])
    ]
    files = [path for path in paths if path and path.suffix and not path.is_dir()]
    if (
        files
        and len(files) == len([*filter(None, paths)])
        and all(not path.exists() or tool_of(path) == TABLE for path in files)
    ):
        args.parallel = args.parallel or [EVERY]


def arguments(*, allow_differences: bool = False) -> tuple[Part, ...]:
    """``--baseline``, ``--parallel`` and what belongs to it, and ``--allow-differences``.

    Args:
        allow_differences: that option means something without ``--parallel``, too.
    """
    pattern = "--parallel PATTERN"
    return (
        Completed(_complete),
        COLUMNS,
        Argument(
            "--mode", choices=("default", "paper", "stored"), default="default",
            help="grading rules for the answer files of KOR-Bench's and PolyMath's authors: "
            "default, or the published code (stored: as their stored verdicts)",
        ),
        Argument(
            "--baseline", metavar="LANG", help="the language to compare with (default: English)"
        ),
        Group(
            "any parallel benchmark",
            Argument(
                "--parallel", metavar="PATTERN", action="append", nargs="?", const=EVERY,
                default=[],
                help="names of tasks with {lang} in the place of the language and perhaps * for a "
                "subject, such as 'mgsm_direct_{lang}' or 'global_mmlu_{lang}_*'; may be given "
                "several times; without {lang}, a field of the questions names the language",
            ),
            languages("all", needs=pattern),
            Argument(
                "--language-by", metavar="FIELD", needs=pattern,
                help="the field of a question that names its language, or id for the end of its "
                "id (default: found by its name and values)",
            ),
            Argument(
                "--pair-by", metavar="FIELD,…", type=codes, default=[], needs=pattern,
                help="fields of a document that name a question in every language, or doc_id "
                "(default: what is known of the benchmark, else a field that names questions, "
                "else doc_id)",
            ),
            Argument(
                "--same", metavar="FIELD", default="target", needs=pattern,
                help="what must be the same in all languages: target (default), a field of the "
                "document, or none",
            ),
            Argument(
                "--cluster-by", metavar="FIELD", needs=pattern,
                help="the field that questions about one text share: the test exchanges them "
                "together; subject, or none for each question by itself (default: a field whose "
                "values repeat alike in every language)",
            ),
            Argument(
                "--metric", needs=pattern,
                help="the measure, such as acc_norm (default: the log's first)",
            ),
            Argument(
                "--filter", needs=pattern, help="the filter of the harness whose answers count"
            ),
            Argument(
                "--read", choices=KINDS, default="", needs=pattern,
                help="grade the responses again against the gold, and say what of each gap is the "
                "log's own filter (default: the log's verdicts)",
            ),
            Argument(
                "--common", action="store_true", needs=pattern,
                help="leave out questions that were not asked in both languages, instead of "
                "stopping",
            ),
            Argument(
                "--allow-differences", action="store_true",
                needs="" if allow_differences else pattern,
                help="compare results with different settings (shots, chat template, sampling, "
                "wording, data version); the differences are named",
            ),
            about="for logs of any tool in which the same questions are asked in several languages",
        ),
    )  # fmt: skip


ARGUMENTS = arguments()
WRITTEN = Argument(
    "--written", action="store_true", needs="--parallel PATTERN",
    help="also say in which language answers and reasoning are written",
)  # fmt: skip


def options_of(args: argparse.Namespace) -> Options:
    """The options of the command line."""
    from .comparing import Options

    names = [field.name for field in fields(Options)]
    values = {name: value for name, value in vars(args).items() if name in names}
    options: Json = {n: tuple(v) if isinstance(v, list) else v for n, v in values.items()}
    return Options(**options)


def reader(args: argparse.Namespace) -> Callable[[Path, str | None], GradedRun]:
    """What grades the run of a model (the newest if ``None``), as the options of a command say.

    Args:
        args: with ``parallel`` (patterns; none for the tasks of xlgo), ``baseline``, ``judge`` and
            ``partial``; other options where the command has them.

    Raises:
        ValueError: an option does nothing there.
    """
    from xlgo_dataset.text.tokenizers import counter
    from xlgo_metric.family import family

    from ..logs.formats import TABLE, tool_of
    from ..logs.graded_run import score_folder

    given, required = vars(args), None
    if (file := given.get("require")) is not None:
        from ..logs.questions import read_design

        if args.parallel:
            raise ValueError("--require is for tasks of xlgo: leave out --parallel")
        required = read_design(file)
    options = pairs("--options", given.get("options"))
    of_run = {"baseline": args.baseline, "metadata_file": given.get("metadata_file")}
    options |= {name: str(value) for name, value in of_run.items() if value is not None}
    tokens = counter(tokenizer) if (tokenizer := given.get("tokenizer")) else None

    def read(path: Path, model: str | None) -> GradedRun:
        is_table = path.is_file() and tool_of(path) == TABLE
        if patterns := args.parallel or [EVERY] * is_table:
            from .comparing import graded

            for name in ("options", "judge", "metadata_file"):
                if given.get(name) is not None:
                    raise ValueError(
                        f"--{name.replace('_', '-')}: only for tasks of xlgo, not for --parallel "
                        "or tables"
                    )
            return graded(path, patterns, options_of(args), model=model, partial=args.partial)
        scored = score_folder(
            path, model=model, judge=args.judge, options=options, partial=args.partial,
            quiet=given.get("quiet", False), counter=tokens, required=required,
        )  # fmt: skip
        if "metadata_file" in options and not any(
            option.name == "metadata_file"
            for name in scored.score["families"]
            for option in family(name).options
        ):
            raise ValueError("--metadata-file: only for answers to PolyMath: there are none")
        if given.get("unaudited"):
            scored.score["unaudited"] = True
        return scored

    return read

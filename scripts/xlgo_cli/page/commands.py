"""The commands that show results, each a function with its arguments, which have its name.

``--parallel`` takes gaps between languages from any parallel benchmark, in the log of any tool.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

from xlgo_dataset.core import Json
from xlgo_lm_eval.arguments import pairs
from xlgo_metric.core import refuse
from xlgo_metric.option import codes

from ..arguments import (
    CHOICE,
    EVERY,
    JUDGE,
    KINDS,
    REQUIRE,
    RESULTS,
    UNAUDITED,
    Argument,
    Completed,
    Group,
    OneOf,
    Part,
    languages,
)

if TYPE_CHECKING:
    from ..logs.graded_run import GradedRun
    from ..parallel.comparing import Options


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
    given = [getattr(args, name, None) for name in ("results", "first", "second")]
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


PARALLEL = arguments()
WRITTEN = Argument(
    "--written", action="store_true", needs="--parallel PATTERN",
    help="also say in which language answers and reasoning are written",
)  # fmt: skip


def options_of(args: argparse.Namespace) -> Options:
    """The options of the command line."""
    from ..parallel.comparing import Options

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
    from xlgo_metric.family import family

    from ..logs.formats import TABLE, tool_of
    from ..logs.graded_run import score_folder

    given, required, tokens = vars(args), None, None
    if (file := given.get("require")) is not None:
        from ..logs.questions import read_design

        refuse("--require ", (args.parallel, "is for tasks of xlgo: leave out --parallel"))
        required = read_design(file)
    options = pairs("--options", given.get("options"))
    of_run = {"baseline": args.baseline, "metadata_file": given.get("metadata_file")}
    options |= {name: str(value) for name, value in of_run.items() if value is not None}
    if tokenizer := given.get("tokenizer"):
        from xlgo_dataset.text.tokenizers import counter

        tokens = counter(tokenizer)

    def read(path: Path, model: str | None) -> GradedRun:
        is_table = path.is_file() and tool_of(path) == TABLE
        if patterns := args.parallel or [EVERY] * is_table:
            from ..parallel.comparing import graded

            refuse("", *(
                (given.get(name.replace("-", "_")) is not None,
                 f"--{name}: only for tasks of xlgo, not for --parallel or tables")
                for name in ("options", "judge", "metadata-file")
            ))  # fmt: skip
            return graded(path, patterns, options_of(args), model=model, partial=args.partial)
        scored = score_folder(
            path, model=model, judge=args.judge, options=options, partial=args.partial,
            quiet=given.get("quiet", False), counter=tokens, required=required,
            texts=_MOST_TEXTS * given.get("samples", False),
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


_MOST_TEXTS = 30_000_000
"""Characters of prompts and responses that a report keeps in memory for its page of answers."""

REPORT = (
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
    *PARALLEL,
    WRITTEN,
    Argument("--quiet", "-q", action="store_true", help="print only the path of the page"),
)  # fmt: skip


def report(args: argparse.Namespace) -> int:
    """Write the report; 0 if all could be read, 1 if something was lost on the way.

    Raises:
        ValueError: there is nothing to report, or the folder cannot be written.
    """
    from .findings import Told, brief
    from .write import Content, default_folder, write_files

    read, changes = reader(args), list[Told]()
    scored = read(args.results, args.model)
    tables = [*scored.beside]
    if args.against is not None:
        from .comparison import comparison, gap_table, gaps_apart

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
    return _lost(scored)


def _lost(*runs: GradedRun) -> int:
    """The exit code: 1 if something of the runs could not be read, else 0."""
    return int(any(scored.problems.lost for scored in runs))


SCORE = (
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
    *PARALLEL,
)  # fmt: skip


def score(args: argparse.Namespace) -> int:
    """Grade saved responses and print every number again, without the model.

    Raises:
        ValueError: there is nothing to grade.
    """
    from .findings import brief

    scored = reader(args)(args.results, args.model)
    if not args.quiet or scored.problems.lost:
        scored.problems.tell()
    if args.json:
        print(json.dumps(scored.score, ensure_ascii=False, indent=1))
    elif args.table:
        _print_tables(scored)
    else:
        print(brief(scored.score))
    return _lost(scored)


def _print_tables(scored: GradedRun) -> None:
    from xlgo_metric.scoring import tables

    from ..display.formats import show
    from ..logs.costs import lengths

    whole, sections = scored.score, scored.score["families"].values()
    for warning in whole.get("warnings", []):
        print(f"warning: {warning}")
    show(*tables(whole), *lengths(scored.costs.frame, "task", "language"))
    print(whole["signature"])
    if "generation" in whole:
        print(f"generation: {whole['generation']}")
    for warning in (text for section in sections for text in section.get("warnings", [])):
        print(f"warning: {warning}")


_AS_JSON = "print the numbers as JSON (the page is written too)"
COMPARE = (
    Argument("first", type=Path, help="results folder of one model, or a table of two"),
    Argument("second", type=Path, nargs="*", help="results folder of another"),
    Argument(
        "--out", type=Path, default=Path("comparison.html"),
        help="the page to write (default: comparison.html)",
    ),
    Argument("--json", action="store_true", help=_AS_JSON),
    Argument(
        "--measure", metavar="NAME",
        help="compare them by this score of an answer, too, such as mqm80_gated (LiT), "
        "score_paper (KOR-Bench) or strict (default: correct answers alone)",
    ),
    *JUDGE,
    *arguments(allow_differences=True),
)  # fmt: skip


def compare(args: argparse.Namespace) -> int:
    """Print a table of two models and write a page; 0 if all could be read, 1 if not.

    Raises:
        ValueError: one of the folders holds nothing, both are one run, they have no question in
            common, or their settings differ and that is not allowed.
    """
    from ..logs.results import find_run, models_in

    read = reader(args)
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
    from ..display.formats import show
    from ..folders import write_text
    from .comparison import as_json, comparison, difference, page, tables

    first, second = runs = [read(path, name) for path, name in zip(paths, names)]
    for scored in runs:
        scored.problems.tell()
    pair = comparison(first, second, args.measure, allow_differences=args.allow_differences)
    write_text(args.out, page(pair))
    if args.json:
        print(json.dumps(as_json(pair) | {"page": str(args.out)}, ensure_ascii=False, indent=1))
    else:
        for warning in (*map(difference, pair.differences), *pair.notes):
            print(f"warning: {warning}")
        show(*tables(pair))
        print(args.out)
    return _lost(*runs)


LEADERBOARD = (
    Argument("results", type=Path, nargs="+", help="results folders, of one model or several"),
    Argument(
        "--out", type=Path, default=Path("leaderboard"),
        help="folder to write into (default: leaderboard)",
    ),
    Argument("--title", help="title of the page (default: Accuracy by model, …)"),
    Argument("--json", action="store_true", help=_AS_JSON.replace("page", "site")),
    REQUIRE,
    UNAUDITED,
    *JUDGE,
    *PARALLEL,
)  # fmt: skip


def leaderboard(args: argparse.Namespace) -> int:
    """Write the site and print the ranking; 0 if all could be read, 1 if something was lost.

    Raises:
        ValueError: fewer than two models can be compared, or the folder cannot be written.
    """
    import pandas as pd

    from ..display.formats import show, write_table
    from ..leaderboard.page import site_of, site_of_tables
    from ..leaderboard.standings import family_tables, make, tell
    from ..logs.costs import lengths

    board, failed, entries = make(args.results, reader(args))
    frames = [one.scored.costs.frame.assign(model=one.name) for one in entries]
    family_rows = [*family_tables(entries), *lengths(pd.concat(frames), "model", "task")]
    tell(board, entries)
    if board is None:
        content = site_of_tables(family_rows, entries, args.title or "Models by their scores")
    else:
        content = site_of(
            replace(board, unaudited=args.unaudited),
            args.title or f"Accuracy by model, and gaps to {board.base}",
        )
    page, folder = content.write(args.out), args.out / "tables"
    for each_table in family_rows:
        write_table(each_table, folder / each_table.name)
    if args.json:
        print(json.dumps({**content.numbers, "page": str(page)}, ensure_ascii=False, indent=1))
    else:
        show(*([] if board is None else [content.rows]), *family_rows)
        print(*([folder] if family_rows else []), page, sep="\n")
    return int(bool(failed)) or _lost(*(entry.scored for entry in entries))


CORRELATE = (
    Argument(
        "ratings", type=Path,
        help="CSV file with the columns model and score, and where known language, with the "
        "models' names as in the results; or a table of answers",
    ),
    Argument(
        "results", type=Path, nargs="+",
        help="one results folder for each model, or tables of answers",
    ),
    Argument(
        "--measure", metavar="NAME", default="correct",
        help="score of an answer in results folders, such as mqm80_gated (LiT) or strict "
        "(default: correct answers)",
    ),
    Argument("--out", type=Path, help="CSV file to write the table to"),
    *JUDGE,
    COLUMNS,
    Completed(take_columns),
)  # fmt: skip


def correlate(args: argparse.Namespace) -> int:
    """Do the scores of several models agree with ratings from outside? Print a table.

    Raises:
        ValueError: ratings or results cannot be read, or have no such measure.
    """
    from ..display.formats import comma_separated, show
    from ..folders import write_text
    from ..parallel.correlate import agreement

    table, runs = agreement(
        args.ratings, args.results, args.measure, judge=args.judge, partial=args.partial
    )
    for scored in runs:
        scored.problems.tell()
    show(table)
    if args.out is not None:
        write_text(args.out, comma_separated(table))
        print(args.out)
    return _lost(*runs)

"""``--parallel``: gaps between languages on any parallel benchmark, in the log of any tool."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from xlgo_metric.option import codes

from ..arguments import Argument, Group, Part, languages

if TYPE_CHECKING:
    from .comparing import Options, ParallelRun


def arguments(*, allow_differences: bool = False) -> tuple[Part, ...]:
    """``--baseline``, ``--parallel`` and what belongs to it, and ``--allow-differences``.

    Args:
        allow_differences: that option means something without ``--parallel``, too.
    """
    pattern = "--parallel PATTERN"
    return (
        Argument(
            "--baseline", metavar="LANG", help="the language to compare with (default: English)"
        ),
        Group(
            "any parallel benchmark",
            Argument(
                "--parallel", metavar="PATTERN", action="append", nargs="?", const="*", default=[],
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
                "--same", metavar="FIELD", needs=pattern,
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


def options_of(args: argparse.Namespace) -> Options:
    """The options of the command line."""
    from .comparing import Options
    from .pairing import TARGET

    return Options(
        baseline=args.baseline,
        languages=tuple(args.languages),
        pair_by=tuple(args.pair_by),
        same=args.same or TARGET,
        metric=args.metric,
        filter=args.filter,
        common=args.common,
        allow_differences=args.allow_differences,
        language_by=args.language_by,
        cluster_by=args.cluster_by,
    )


def run(args: argparse.Namespace, out: Path) -> int:
    """Write the page and the files beside it, and print the main results.

    Args:
        out: the folder to write into.

    Returns:
        0 if all could be read, 1 if something was lost.

    Raises:
        ValueError: see :func:`xlgo_cli.parallel.comparing.compare_languages`.
    """
    from .comparing import compare_languages

    found = compare_languages(
        args.results, args.parallel, options_of(args), model=args.model, date=args.date
    )
    path = write_parallel(found, out)
    tell(found)
    print(path)
    return 1 if found.problems.lost else 0


def write_parallel(found: ParallelRun, out: Path) -> Path:
    """Write ``parallel.html``, ``parallel.json`` and the tables; each is replaced in one step.

    Returns:
        The path of the page.

    Raises:
        ValueError: the folder cannot be written.
    """
    from ..display.formats import comma_separated, markdown
    from ..folders import write_json, write_text
    from . import views
    from .page import page

    every = [views.tables_of(one) for one in found.benchmarks]
    write_text(out / "parallel.md", "\n".join(markdown(one) for few in every for one in few))
    for number, few in enumerate(every):
        stem = f"parallel-{number + 1}" if number else "parallel"
        for table in few:
            name = stem if table.name == "parallel" else f"{stem}-{table.name}"
            write_text(out / f"{name}.csv", comma_separated(table))
    write_json(out / "parallel.json", views.as_json(found))
    write_text(out / "parallel.html", page(found))
    return out / "parallel.html"


def tell(found: ParallelRun) -> None:
    """Print sentences, tables, warnings and signatures."""
    from ..display.formats import show
    from . import views

    sentences = (f"  {text}" for _, text in views.findings(found))
    print(f"{found.run.model}, in short", *sentences, "", sep="\n")
    show(*(table for one in found.benchmarks for table in views.tables_of(one)))
    for note in found.notes:
        print(f"note: {note}")
    for one in found.benchmarks:
        print(one.signature)

"""``--parallel``: gaps between languages on any parallel benchmark, in the log of any tool."""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from ..key_values import joined

if TYPE_CHECKING:
    from .comparing import Options, ParallelRun

_OPTIONS = (
    "languages",
    "pair_by",
    "same",
    "cluster_by",
    "metric",
    "filter",
    "common",
    "allow_differences",
    "language_by",
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--baseline``, ``--parallel`` and what belongs to it, and ``--allow-differences``."""
    parser.add_argument(
        "--baseline", metavar="LANG", help="the language to compare with (default: English)"
    )
    group = parser.add_argument_group(
        "any parallel benchmark",
        "for logs of any tool in which the same questions are asked in several languages",
    )
    group.add_argument(
        "--parallel", metavar="PATTERN", action="append", nargs="?", const="*", default=[],
        help="names of tasks with {lang} in the place of the language and perhaps * for a subject, "
        "such as 'mgsm_direct_{lang}' or 'global_mmlu_{lang}_*'; may be given several times; "
        "without {lang}, a field of the questions names the language",
    )  # fmt: skip
    group.add_argument(
        "--languages", nargs="+", metavar="CODE",
        help="languages to compare, as `en te` or `en,te` (default: all)",
    )  # fmt: skip
    group.add_argument(
        "--language-by", metavar="FIELD",
        help="the field of a question that names its language, or id for the end of its id "
        "(default: found by its name and values)",
    )  # fmt: skip
    group.add_argument(
        "--pair-by", metavar="FIELD,…",
        help="fields of a document that name a question in every language, or doc_id (default: "
        "what is known of the benchmark, else a field that names questions, else doc_id)",
    )  # fmt: skip
    group.add_argument(
        "--same", metavar="FIELD", default=None,
        help="what must be the same in all languages: target (default), a field of the document, "
        "or none",
    )  # fmt: skip
    group.add_argument(
        "--cluster-by", metavar="FIELD",
        help="the field that questions about one text or subject share: the test exchanges them "
        "together; subject, or none for each question by itself (default: found in the documents)",
    )  # fmt: skip
    group.add_argument("--metric", help="the measure, such as acc_norm (default: the log's first)")
    group.add_argument("--filter", help="the filter of the harness whose answers count")
    group.add_argument(
        "--common", action="store_true", default=None,
        help="leave out questions that were not asked in both languages, instead of stopping",
    )  # fmt: skip
    group.add_argument(
        "--allow-differences", action="store_true", default=None,
        help="compare results with different settings (shots, chat template, sampling, wording, "
        "data version); the differences are named",
    )  # fmt: skip


def check(args: argparse.Namespace, own: Collection[str] = ()) -> None:
    """Refuse options that mean nothing without ``--parallel``.

    Args:
        own: those that mean something to the command without it.

    Raises:
        ValueError: one of them was given.
    """
    given = [name for name in _OPTIONS if vars(args)[name] is not None and name not in own]
    if given and not args.parallel:
        raise ValueError(f"--{given[0].replace('_', '-')} belongs to --parallel PATTERN: give both")


def options_of(args: argparse.Namespace) -> Options:
    """The options of the command line."""
    from .comparing import Options
    from .pairing import TARGET

    return Options(
        baseline=args.baseline,
        languages=_listed(joined(args.languages)),
        pair_by=_listed(args.pair_by),
        same=args.same or TARGET,
        metric=args.metric,
        filter=args.filter,
        common=bool(args.common),
        allow_differences=bool(args.allow_differences),
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
    from ..folders import explained, write_text
    from . import views
    from .page import page

    with explained("write", out):
        every = [views.tables_of(one) for one in found.benchmarks]
        write_text(out / "parallel.md", "\n".join(markdown(one) for few in every for one in few))
        for number, few in enumerate(every):
            stem = f"parallel-{number + 1}" if number else "parallel"
            for table in few:
                name = stem if table.name == "parallel" else f"{stem}-{table.name}"
                write_text(out / f"{name}.csv", comma_separated(table))
        text = json.dumps(views.as_json(found), ensure_ascii=False, indent=1)
        write_text(out / "parallel.json", text + "\n")
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


def _listed(text: str | None) -> tuple[str, ...]:
    return tuple(word for part in (text or "").split(",") if (word := part.strip()))

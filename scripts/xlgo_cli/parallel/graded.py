"""Parallel benchmarks of other people as graded runs: for ``xlgo compare`` and leaderboards.

The languages are found, paired and checked as ``xlgo report --parallel`` does; the answers are rows
of the one ``AnswerTable``, and a question of two models is one question if its fields say so.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from xlgo_metric.comparison.frames import FAMILY
from xlgo_metric.core import Record
from xlgo_metric.score_dict import Score

from ..logs.formats import TABLE, tool_of
from ..logs.graded_run import SCHEMA, GradedRun, Key, score_folder
from ..logs.lines import fingerprint, fingerprint_line
from ..logs.missing import check_complete
from ..report.choice import baseline_of
from ..verification.design import read_design
from .comparing import Options, ParallelRun, compare_languages
from .known import ENGLISH, EVERY

Read = Callable[[Path, str | None], GradedRun]
"""Grades the run of a model (the newest if ``None``) in a folder."""


def reader(args: argparse.Namespace, options: Options) -> Read:
    """What grades a folder, as the options of a command say.

    Args:
        args: with ``parallel`` (patterns; none for the tasks of xlgo), ``baseline``, ``judge`` and
            ``partial``.
        options: how logs of other benchmarks are read and paired.
    """

    if args.parallel and getattr(args, "require", None) is not None:
        raise ValueError("--require is for tasks of xlgo: leave out --parallel")
    required = None if (file := getattr(args, "require", None)) is None else read_design(file)

    def read(path: Path, model: str | None) -> GradedRun:
        is_table = path.is_file() and tool_of(path) == TABLE
        if patterns := args.parallel or [EVERY] * is_table:
            return graded(path, patterns, options, model=model, partial=args.partial)
        return score_folder(
            path, model=model, judge=args.judge, options=baseline_of(args), partial=args.partial,
            details=False, required=required,
        )  # fmt: skip

    return read


def graded(
    path: Path,
    patterns: Sequence[str],
    options: Options,
    *,
    model: str | None = None,
    date: str | None = None,
    partial: bool = False,
) -> GradedRun:
    """The answers to parallel benchmarks in a folder or log of any tool, as it graded them.

    Args:
        path, patterns, options, model, date: see :func:`comparing.compare_languages`. English
            becomes ``en``, whatever the tasks call it.
        partial: missing answers are noted, not counted as lost.

    Raises:
        ValueError: see :func:`comparing.compare_languages`.
    """
    found = compare_languages(path, patterns, options, model=model, date=date)
    return of_run(found, path, partial=partial)


def of_run(parallel_run: ParallelRun, path: Path, *, partial: bool = False) -> GradedRun:
    """The answers of a run to parallel benchmarks; see ``graded``."""
    from xlgo_metric.scoring import summarize

    run = parallel_run.run
    run.problems.items[:] = parallel_run.problems.items
    sides = [side for one in parallel_run.benchmarks for side in one.answers.values()]
    answers = Counter(file.path for side in sides for file in side.frame["file"])
    there = check_complete(run, answers, partial=partial)
    for note in (note for one in parallel_run.benchmarks for note in one.notes):
        run.problems.add(str(path), note.rstrip("."), lost=False)
    records = [_english(record) for one in parallel_run.benchmarks for record in one.records]
    settings = {
        (FAMILY, one.title): {file.settings for file in one.files}
        for one in parallel_run.benchmarks
    }
    generation = fingerprint_line(
        fingerprint(one for several in settings.values() for one in several)
    )
    base = str(records[0].reference["language"])
    score = summarize(records, baseline=base)
    alerts = [alert for one in parallel_run.benchmarks for alert in one.alerts]
    if alerts:
        score["warnings"] = [*alerts, *score.get("warnings", [])]
    score = Score({"schema": SCHEMA, "generation": generation, **score})
    return GradedRun(
        run, score, len(records), settings, [(_key(one), one) for one in records],
        {"baseline": base}, there=there,
    )  # fmt: skip


def _english(record: Record) -> Record:
    """The same answer; English is ``en``, whatever the tasks call it."""
    if record.reference["language"] not in ENGLISH[1:]:
        return record
    return replace(record, reference={**record.reference, "language": "en"})


def _key(record: Record) -> Key:
    family, task, language, question = (
        str(record.reference[name]) for name in ("family", "task", "language", "instance_id")
    )
    return family, task, language, question, 0

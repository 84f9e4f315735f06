"""Parallel benchmarks of other people as graded runs: for ``xlgo compare`` and leaderboards.

The languages are found, paired and checked as ``xlgo report --parallel`` does; the answers are rows
of the one ``AnswerTable``, and a question of two models is one question if its fields say so.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from xlgo_metric.comparison.frames import FAMILY
from xlgo_metric.comparison.section import KEY, by_language
from xlgo_metric.core import Record
from xlgo_metric.families.parallel import section_of
from xlgo_metric.family import family
from xlgo_metric.score_dict import Score
from xlgo_metric.version import __version__

from ..logs.formats import TABLE, tool_of
from ..logs.graded_run import SCHEMA, GradedRun, Key, score_folder
from ..logs.lines import fingerprint, fingerprint_line
from ..logs.missing import check_complete
from ..report.choice import baseline_of
from ..verification.design import read_design
from .again import part_sentences
from .comparing import Options, ParallelRun, compare_languages
from .known import EVERY

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
            required=required,
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
        path, patterns, options, model, date: see :func:`comparing.compare_languages`.
        partial: missing answers are noted, not counted as lost.

    Raises:
        ValueError: see :func:`comparing.compare_languages`.
    """
    compared = compare_languages(path, patterns, options, model=model, date=date)
    return of_run(compared, path, partial=partial)


def of_run(compared: ParallelRun, path: Path, *, partial: bool = False) -> GradedRun:
    """The answers of a run to parallel benchmarks; see ``graded``."""
    run, benchmarks, table = compared.run, compared.benchmarks, compared.table
    run.problems.items[:] = compared.problems.items
    answers = Counter[Path]()
    for frame in (frame for benchmark in benchmarks for frame in benchmark.frames.values()):
        for file, number in frame["file"].value_counts().items():
            answers[file.path] += number
    counts = check_complete(run, answers, partial=partial)
    for note in (note for benchmark in benchmarks for note in benchmark.notes):
        run.problems.add(str(path), note.rstrip("."), lost=False)
    settings = {
        (FAMILY, benchmark.title): {file.settings for file in benchmark.files}
        for benchmark in benchmarks
    }
    parts = [text for one in benchmarks for text in part_sentences(one.parts, one.title)]
    correct, base = table.frame["correct"].astype(float), benchmarks[0].baseline
    section = {
        **section_of(
            table.frame.assign(acc=correct), [benchmark.about for benchmark in benchmarks]
        ),
        KEY: by_language(table, base),
        **({"parts": parts} if parts else {}),
    }
    accuracy = {"accuracy": float(correct.mean()), "parsed": 1.0}
    alerts = [alert for benchmark in benchmarks for alert in benchmark.alerts]
    score = Score({
        "schema": SCHEMA,
        "generation": fingerprint_line(fingerprint(set().union(*settings.values()))),
        "signature": section["signature"],
        "version": __version__,
        "headline": accuracy | family(FAMILY).headline(section),
        "families": {FAMILY: section},
        **({"warnings": alerts} if alerts else {}),
    })  # fmt: skip
    records = LoggedRecords(
        table.frame, {benchmark.title: benchmark.about for benchmark in benchmarks}, run.date
    )
    scored = GradedRun(run, score, settings, records, {"baseline": base}, there=counts)
    vars(scored)["table"] = table
    return scored


@dataclass(frozen=True)
class LoggedRecords(Collection[tuple[Key, Record]]):
    """The answers of a table as records, each made when it is asked for.

    Attributes:
        frame: the answers, with ``file`` and ``place``.
        about: what all references to a task say, by the task.
        date: of the run.
    """

    frame: pd.DataFrame
    about: Mapping[str, Mapping[str, str]]
    date: str

    def __len__(self) -> int:
        return len(self.frame)

    def __contains__(self, item: object) -> bool:
        return any(item == row for row in self)

    def __iter__(self) -> Iterator[tuple[Key, Record]]:
        grade = family(FAMILY).grade
        for row in self.frame.itertuples():
            reference = {
                "family": FAMILY,
                **self.about[row.task],
                "instance_id": row.question,
                "text_id": row.cluster.removeprefix(f"{FAMILY} "),
                "language": row.language,
                "correct": row.correct,
            }
            where = f"{row.file.path}: {row.place}"
            record = Record(grade(None, reference), reference, run=self.date, where=where)
            yield (FAMILY, row.task, row.language, row.question, 0), record

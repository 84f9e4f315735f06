"""Parallel benchmarks in a results folder: found, read, paired and tested."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from shlex import quote

import pandas as pd

from xlgo_metric.comparison import AnswerTable, Cell, compare
from xlgo_metric.comparison.frames import FAMILY, table_of_rows
from xlgo_metric.comparison.section import KEY
from xlgo_metric.core import Record, refuse
from xlgo_metric.families.parallel import section_of
from xlgo_metric.family import family
from xlgo_metric.scoring import Score
from xlgo_metric.version import __version__

from ..arguments import EVERY
from ..logs import tables
from ..logs.formats import TABLE
from ..logs.graded_run import SCHEMA, GradedRun, Key
from ..logs.lines import (
    COLUMNS,
    Problem,
    Problems,
    SampleFile,
    differences,
    fingerprint,
    fingerprint_line,
    mapping,
)
from ..logs.results import Run, check_complete, find_run, models_in
from ..page.grid import anchor
from .answers import (
    FIELD,
    LANGUAGE,
    QUESTION,
    Choice,
    Parts,
    answers_of,
    choose,
    doubts,
    kind_of,
    line_at,
    part_sentences,
    part_table,
    parts_of_gaps,
    read_log,
    written_in_table,
)
from .pairing import (
    DOC_ID,
    KNOWN,
    LANG,
    NOTHING,
    SUBJECT,
    TARGET,
    Benchmark,
    Paired,
    baseline_in,
    benchmark_of,
    cluster_field,
    clusters_note,
    codes_of,
    common_key,
    matches,
    of_tables,
    pair,
    parts_by,
)

ANSWERS = "answers"
"""What the task is called of a table that names none."""


@dataclass(frozen=True)
class Options:
    """How logs are read and paired; see ``xlgo report --help``.

    Attributes:
        baseline: the language that others are compared with; English if ``None``.
        languages: the only ones that count; all if there are none.
        pair_by: fields that name a question, or ``doc_id``; chosen by itself if empty.
        same: what must be the same in both languages: ``target``, a field, or ``none``.
        metric, filter: which answers of the log count.
        common: leave out questions that were not asked in both languages.
        allow_differences: compare languages that were asked with different settings.
        language_by: the field of a question that names its language, in logs where it is no part
            of the task's name; found by itself if ``None``.
        cluster_by: the field of questions that hang together, ``subject`` or ``none``; chosen by
            itself if ``None``.
        read: grade the responses again, as ``number`` or ``choice``; empty for the log's verdicts.
        written: also say in which language answers and reasoning are written.
    """

    baseline: str | None = None
    languages: tuple[str, ...] = ()
    pair_by: tuple[str, ...] = ()
    same: str = TARGET
    metric: str | None = None
    filter: str | None = None
    common: bool = False
    allow_differences: bool = False
    language_by: str | None = None
    cluster_by: str | None = None
    read: str = ""
    written: bool = False


@dataclass(frozen=True)
class Compared:
    """One benchmark in all its languages.

    Attributes:
        title: what it is called.
        choice: which answers of the log count.
        baseline: the language that the others are compared with.
        frames: the answers of each language, the baseline first; see ``answers_of``.
        table: the answers to paired questions, those in the baseline first, with the columns
            ``logged``, ``file``, ``place``, ``target`` and ``prompt`` of ``frames``.
        parts: what of each gap is the log's filter, where responses were read again.
        alerts: why the log's verdicts should not be believed, in sentences.
        about: what must agree before two results are compared: task, version, metric, filter, and
            ``paired_by``, what pairs the questions.
        notes: what a reader should know, in sentences.
    """

    title: str
    choice: Choice
    baseline: str
    frames: Mapping[str, pd.DataFrame]
    table: AnswerTable
    parts: Sequence[Cell]
    alerts: Sequence[str]
    about: Mapping[str, str]
    notes: list[str]

    @property
    def files(self) -> list[SampleFile]:
        """The logs."""
        return list(dict.fromkeys(file for frame in self.frames.values() for file in frame["file"]))


@dataclass(frozen=True)
class ParallelRun:
    """Everything that a report on parallel benchmarks says.

    Attributes:
        run: the run that the logs are of, with what could not be read of them.
        benchmarks: one for each pattern.
    """

    run: Run
    benchmarks: list[Compared]

    @cached_property
    def table(self) -> AnswerTable:
        """The answers to all benchmarks."""
        frames = [benchmark.table.frame for benchmark in self.benchmarks]
        return AnswerTable(pd.concat(frames, ignore_index=True))

    @cached_property
    def gaps(self) -> tuple[Cell, ...]:
        """The gaps of all benchmarks, tested together."""
        return compare(self.table, "language", self.benchmarks[0].baseline).cells


def compare_languages(
    results: Path,
    patterns: Sequence[str],
    options: Options = Options(),
    *,
    model: str | None = None,
) -> ParallelRun:
    """Pair the languages of parallel benchmarks in a results folder, log or table of any tool.

    Args:
        results: what the tool wrote; of lm-evaluation-harness with ``--log_samples``.
        patterns: names of tasks with ``{lang}`` in the place of the language.
        options: see :class:`Options`.
        model: which run, if the folder has several.

    Raises:
        ValueError: nothing fits a pattern, or the questions of two languages cannot be paired
            beyond doubt; the message says why, in one line.
    """
    run = find_run(results, model=model)
    problems = Problems()
    newest: dict[str, SampleFile] = {}
    for file in run.files:
        newest.setdefault(file.task, file)
    abouts = [benchmark_of(pattern) for pattern in dict.fromkeys(patterns)]
    is_table, several = run.files[0].tool == TABLE, model or len(models_in(results)) > 1
    if is_table:
        problems.add(str(results), tables.taken(results), lost=False)
        abouts = of_tables(newest) if patterns == [EVERY] else abouts
    command = _command(results, options, run.model if several else "")
    benchmarks = [
        _compare(about, newest, options, run, problems=problems, command=f"{command}{pattern}")
        for about in abouts
        for pattern in [f" --parallel {quote(about.pattern)}" * (not is_table)]
    ]
    used = {file.task for benchmark in benchmarks for file in benchmark.files}
    for file in run.files:
        if file.task in used and file is not newest[file.task]:
            problems.add(str(file.path), "an older run of the same task: left out", lost=False)
    concerned = (problem for problem in run.problems.items if _concerns(problem, used))
    run.problems.items[:] = [*problems.items, *concerned]
    return ParallelRun(run, benchmarks)


def parts_of(
    about: Benchmark, newest: Mapping[str, SampleFile], options: Options, problems: Problems
) -> tuple[str | None, Parts]:
    """The field that tells the languages of a benchmark apart, if one does, and their logs.

    Raises:
        ValueError: fewer than two languages are there, or a log cannot be read.
    """
    fields = {*options.pair_by, *about.key, about.shared, options.cluster_by, options.same}
    fields |= {options.language_by}
    needed = sorted(filter(None, fields - {TARGET, NOTHING, DOC_ID, SUBJECT}))
    some = ", ".join(sorted(newest)[:4]) + (" …" if len(newest) > 4 else "")
    if LANG not in about.pattern:
        logs = {
            name: read_log(file, problems, needed)
            for name, file in newest.items()
            if fnmatchcase(name, about.pattern)
        }
        if not logs:
            raise ValueError(
                f"--parallel {about.pattern}: no task of the run fits: there are {some}"
            )
        is_table = any(log.file.tool == TABLE for log in logs.values())
        field = options.language_by or (LANGUAGE if is_table else None)
        return parts_by(logs, field, options.languages)
    tasks = matches(about.pattern, newest, options.languages)
    refuse(
        f"{about.pattern}: ",
        (not tasks, f"no task of the run fits this pattern: there are {some}"),
        (
            len(tasks) < 2,
            f"only one language was asked ({', '.join(tasks)}): a comparison needs two or more",
        ),
    )
    return None, {
        language: {
            subject: read_log(newest[name], problems, needed) for subject, name in subjects.items()
        }
        for language, subjects in tasks.items()
    }


def _compare(
    about: Benchmark,
    newest: Mapping[str, SampleFile],
    options: Options,
    run: Run,
    *,
    problems: Problems,
    command: str,
) -> Compared:
    """One benchmark; raises ValueError as ``compare_languages`` does.

    Args:
        newest: the logs by task.
        command: reports on it, without ``--read``.
    """
    field, parts = parts_of(about, newest, options, problems)
    code = baseline_in(parts, options.baseline)
    log = next(iter(parts[code].values()))
    is_table = log.file.tool == TABLE
    tasks = {log.file.task for logs in parts.values() for log in logs.values()}
    title = about.title if about.pattern.strip("*") or len(tasks) > 1 else log.file.task
    if is_table and not log.file.part[1] and len({file.path for file in run.files}) == 1:
        title = ANSWERS  # not the file's name: two files are of one task
    choice = choose(log, options.metric, options.filter, about.filter, options.read)
    codes, ordered = codes_of(parts), {code: parts[code], **parts}
    frames = {
        codes[name]: frame.assign(language=codes[name])
        for name, frame in answers_of(ordered, choice, field)
    }
    code = codes[code]
    version, notes = _settings(frames, run, options)
    pair_fields = options.pair_by or about.key
    by = () if pair_fields == (DOC_ID,) else pair_fields
    if not pair_fields and is_table:
        by = (QUESTION,) if FIELD + QUESTION in frames[code] else ()
    elif not pair_fields and about not in KNOWN:
        by = common_key([*frames.values()], common=options.common)
    paired = [
        pair(frames[code], frame, by, options.same, common=options.common)
        for language, frame in frames.items()
        if language != code
    ]
    column = "cluster" if is_table and "cluster" in log.document else None  # it says so
    cluster_by = column if options.cluster_by is None else options.cluster_by
    clusters = cluster_field(paired, log.document, cluster_by, about.shared, by)
    paired_by, metric = ",".join(by) or DOC_ID, f"read-{choice.read}"
    terms = {
        "task": title, "version": version, "filter": choice.filter, "paired_by": paired_by,
        "metric": metric if choice.read else choice.metric,
    }  # fmt: skip
    table = answer_table(paired, clusters, title)
    notes += _choices(title, choice)
    if field is not None:
        notes.append(
            f"{title}: the language is the field {field!r} (--language-by), questions are "
            f"paired by {paired_by} (--pair-by)."
        )
    first = table.frame[table.frame["language"] == [*frames][1]]
    notes.append(
        clusters_note(title, clusters, first["cluster"].nunique(), first["question"].nunique())
    )
    cells, alerts = tuple[Cell, ...](), list[str]()
    if choice.read and choice.metric:
        cells = parts_of_gaps(table, code)
    elif not choice.read:
        row = frames[code].iloc[0]
        kind = kind_of(line_at(row["file"], row["place"])) or "number"
        alerts = doubts(frames, title, choice.metric, f"{command} --read {kind}")
    notes += [note for pairing in paired for note in pairing.notes]
    return Compared(title, choice, code, frames, table, cells, alerts, terms, notes)


def answer_table(paired: Sequence[Paired], clusters: str, title: str) -> AnswerTable:
    """The answers to questions that are paired with the baseline, those of the baseline first.

    Args:
        clusters: the field of the baseline's documents that names the cluster of a question,
            ``subject``, or ``none``.
    """
    base = pd.concat([pairing.base for pairing in paired]).drop_duplicates("question")
    more = ["logged", "file", "place", "target", "prompt"]
    columns = ["language", "question", "repeat", "correct", *more]
    parts = [base, *(part for pairing in paired for part in (pairing.other, pairing.more))]
    rows = pd.concat([part[columns] for part in parts], ignore_index=True)
    rows = rows[~rows.duplicated(["language", "question", "repeat"])].reset_index(drop=True)
    cluster = title + " " + rows["question"]
    if clusters != NOTHING:
        column = FIELD + clusters if FIELD + clusters in base else SUBJECT
        cluster = rows["question"].map(base.set_index("question")[column].astype(str))
    table = table_of_rows(rows.assign(task=title, cluster=FAMILY + " " + cluster))
    return AnswerTable(table.frame.assign(**rows[more]))


def _settings(
    frames: Mapping[str, pd.DataFrame], run: Run, options: Options
) -> tuple[str, list[str]]:
    """The version of the task, and what is not known of the settings.

    Args:
        frames: of each language, the one that the others are held against first.

    Raises:
        ValueError: a language was asked with other settings than the baseline.
    """
    files = list(dict.fromkeys(file for frame in frames.values() for file in frame["file"]))
    if all(file.tool == TABLE for file in files):
        return "?", []
    versions = {
        file: str(mapping(run.described.get(file.key[:2], {}).get("versions")).get(file.task, "?"))
        for file in files
    }
    reference, notes = files[0], list[str]()
    if all(file.settings is None for file in files):
        return versions[reference], [
            "With what settings the answers were made is not known (results_*.json is missing)."
        ]
    for file in files:
        of_file, of_reference = (fingerprint([one.settings]) for one in (file, reference))
        unlike = differences(of_reference, of_file)
        if versions[file] != versions[reference]:
            unlike.append(f"version of the task ({versions[reference]} and {versions[file]})")
        if not unlike:
            continue
        text = f"{reference.task} and {file.task} differ in their settings: {'; '.join(unlike)}"
        if not options.allow_differences:
            raise ValueError(
                f"{text}: a gap may come from that (--allow-differences compares them anyway)"
            )
        notes.append(f"{text}.")
    return versions[reference], notes


def _choices(title: str, choice: Choice) -> list[str]:
    """What counts as an answer, where the log has a choice."""
    filters = [name for name in choice.filters if name != choice.filter]
    measures = [name for name in choice.filters[choice.filter] if name != choice.metric]
    as_read = f"the responses are read again, as a {choice.read} (--read)" * bool(choice.read)
    as_filtered = (
        f"answers count as the filter {choice.filter} reads them; the log also has "
        f"{', '.join(filters)} (--filter)"
    ) * bool(filters)
    measured = (
        f"the measure is {choice.metric}; the log also has {', '.join(measures)} (--metric)"
    ) * bool(measures)
    return [f"{title}: {text}." for text in (as_read or as_filtered, measured) if text]


def _concerns(problem: Problem, tasks: Collection[str]) -> bool:
    """Whether a problem of the folder is about these tasks, or about all of it."""
    name = Path(problem.where).name
    return not name.startswith("samples_") or any(
        name.startswith(f"samples_{task}_") for task in tasks
    )


def _command(results: Path, options: Options, model: str) -> str:
    """The command line of a report with these options, but for its pattern."""
    columns = " ".join(quote(f"{role}={name}") for role, name in COLUMNS.get({}).items())
    given = {
        f"--{field.name.replace('_', '-')}": value
        for field in fields(options)
        if (value := getattr(options, field.name)) != field.default
        and field.name not in ("read", "written")
    }
    words = [
        name
        if value is True
        else f"{name} {quote(value if isinstance(value, str) else ','.join(value))}"
        for name, value in given.items()
    ]
    first = [f"xlgo report {quote(str(results))}", f"--columns {columns}" * bool(columns)]
    return " ".join(filter(None, [*first, f"--model {quote(model)}" * bool(model), *words]))


def graded(
    path: Path,
    patterns: Sequence[str],
    options: Options,
    *,
    model: str | None = None,
    partial: bool = False,
) -> GradedRun:
    """The answers to parallel benchmarks in a folder or log of any tool, as it graded them.

    Args:
        path, patterns, options, model: see :func:`comparing.compare_languages`.
        partial: missing answers are noted, not counted as lost.

    Raises:
        ValueError: see :func:`comparing.compare_languages`.
    """
    compared = compare_languages(path, patterns, options, model=model)
    run, benchmarks, table = compared.run, compared.benchmarks, compared.table
    for frame in (frame for benchmark in benchmarks for frame in benchmark.frames.values()):
        for file, number in frame["file"].value_counts().items():
            run.answered[file.path] += number
    lacking = check_complete(run, partial=partial)
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
        KEY: {"baseline": base, "cells": [cell.as_json() for cell in compared.gaps]},
        **({"parts": parts} if parts else {}),
    }
    alerts = [alert for benchmark in benchmarks for alert in benchmark.alerts]
    score = Score({
        "schema": SCHEMA,
        "generation": fingerprint_line(fingerprint(set().union(*settings.values()))),
        "signature": section["signature"],
        "version": __version__,
        "headline": {
            "accuracy": float(correct.mean()), "parsed": 1.0, **family(FAMILY).headline(section),
        },
        "families": {FAMILY: section},
        **({"warnings": alerts} if alerts else {}),
    })  # fmt: skip
    records = _records(table.frame, {one.title: one.about for one in benchmarks}, run.date)
    asked = Counter(
        {
            (FAMILY, benchmark.title, code): len(frame)  # also those that are in no pair
            for benchmark in benchmarks
            for code, frame in benchmark.frames.items()
        }
    )
    beside = [
        replace(table, name=anchor(FAMILY, one.title, table.name))
        for one in benchmarks
        for table in [
            *([part_table(one.parts, one.title, one.baseline)] if one.parts else []),
            *([written_in_table(one.frames.values(), one.title)] if options.written else []),
        ]
    ]
    scored = GradedRun(
        run, score, settings, records, {"baseline": base}, beside=beside, asked=asked,
        lacking=lacking,
    )  # fmt: skip
    vars(scored)["table"] = table
    return scored


def _records(
    frame: pd.DataFrame, about: Mapping[str, Mapping[str, str]], date: str
) -> list[tuple[Key, Record]]:
    """The answers of a table as records.

    Args:
        frame: the answers, with ``file`` and ``place``.
        about: what all references to a task say, by the task.
        date: of the run.
    """
    grade = family(FAMILY).grade
    references = (
        {
            "family": FAMILY,
            **about[row.task],
            "instance_id": row.question,
            "text_id": row.cluster.removeprefix(f"{FAMILY} "),
            "language": row.language,
            "correct": row.correct,
        }
        for row in frame.itertuples()
    )
    return [
        (
            (FAMILY, row.task, row.language, row.question, row.repeat),
            Record(
                grade(None, reference), reference, run=date, where=f"{row.file.path}: {row.place}"
            ),
        )
        for row, reference in zip(frame.itertuples(), references)
    ]

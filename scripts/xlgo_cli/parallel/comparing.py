"""Parallel benchmarks in a results folder: found, read, paired and tested."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from xlgo_metric.comparison import AnswerTable, Cell, Draft, drafts, settle
from xlgo_metric.comparison.compare import CORRECT
from xlgo_metric.comparison.gaps import Readings
from xlgo_metric.comparison.section import readings_of
from xlgo_metric.core import Record

from ..logs.formats import TABLE, tables
from ..logs.lines import (
    Problem,
    Problems,
    SampleFile,
    differences,
    fingerprint,
    fingerprint_line,
    mapping,
)
from ..logs.results import Run, find_run
from . import again
from .answers import (
    FIELD,
    FILTER,
    QUESTION,
    Answers,
    Choice,
    Files,
    Split,
    choose,
    first_document,
    line_of,
    read_answers,
)
from .by_field import files_of
from .clusters import candidates, cluster_field, note
from .known import (
    EVERY,
    KNOWN,
    LANG,
    Benchmark,
    baseline_of,
    benchmark_of,
    matches,
    of_tables,
    suggested,
)
from .pairing import DOC_ID, NOTHING, TARGET, common_key, pair
from .table import answer_table, records, rows_of

if TYPE_CHECKING:
    import pandas as pd


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


@dataclass
class Compared:
    """One benchmark in all its languages.

    Attributes:
        title: what it is called.
        pattern: of the names of its tasks.
        choice: which answers of the log count.
        baseline: the language that the others are compared with.
        answers: of each language, the baseline first.
        rows: the answers to paired questions, those in the baseline first; see ``rows_of``.
        records: the same as other commands take them.
        drafts: the gap of each other language before its test.
        readings: the same answers as each filter of the log reads them; ``None`` with one filter.
        parts: what of each gap is the log's filter, where responses were read again.
        alerts: why the log's verdicts should not be believed, in sentences.
        by: what pairs the questions, in words.
        signature: what must agree before two results are compared, as a line.
        generation: how the answers were made, as a line.
        notes: what a reader should know, in sentences.
        settled: the gaps of the whole report by the ``id`` of their draft, tested when asked for.
    """

    title: str
    pattern: str
    choice: Choice
    baseline: str
    answers: Mapping[str, Answers]
    rows: pd.DataFrame
    records: list[Record]
    drafts: Sequence[Draft]
    readings: Readings | None
    parts: Sequence[Cell]
    alerts: Sequence[str]
    by: str
    signature: str
    generation: str
    notes: list[str]
    settled: Callable[[], Mapping[int, Cell]] = dict

    @property
    def gaps(self) -> list[Cell]:
        """One for each other language, all gaps of the report tested together."""
        return [self.settled()[id(draft)] for draft in self.drafts]

    @property
    def base(self) -> pd.DataFrame:
        """The answers in the baseline, also to questions that no other language was asked."""
        return self.answers[self.baseline].frame

    @property
    def files(self) -> list[SampleFile]:
        """The logs."""
        return [file for answers in self.answers.values() for file in answers.tasks.values()]


@dataclass
class ParallelRun:
    """Everything that a report on parallel benchmarks says.

    Attributes:
        run: the run that the logs are of.
        benchmarks: one for each pattern.
        problems: what could not be read.
    """

    run: Run
    benchmarks: list[Compared]
    problems: Problems

    @property
    def gaps(self) -> list[Cell]:
        """The gaps of all benchmarks."""
        return [gap for one in self.benchmarks for gap in one.gaps]

    @property
    def notes(self) -> list[str]:
        """What a reader should know, in sentences, each once."""
        found = [note for one in self.benchmarks for note in one.notes]
        return list(dict.fromkeys([*found, *map(str, self.problems.items)]))


def compare_languages(
    results: Path,
    patterns: Sequence[str],
    options: Options = Options(),
    *,
    model: str | None = None,
    date: str | None = None,
) -> ParallelRun:
    """Compare the languages of parallel benchmarks in a results folder of lm-evaluation-harness.

    Args:
        results: what the harness wrote, with ``--log_samples``.
        patterns: names of tasks with ``{lang}`` in the place of the language.
        options: see :class:`Options`.
        model, date: which run, if the folder has several.

    Returns:
        Gaps, those of all languages and benchmarks tested together.

    Raises:
        ValueError: nothing fits a pattern, or the questions of two languages cannot be paired
            beyond doubt; the message says why, in one line.
    """
    run = find_run(results, model=model, date=date)
    problems = Problems()
    newest: dict[str, SampleFile] = {}
    for file in run.files:
        newest.setdefault(file.task, file)
    abouts = [benchmark_of(pattern) for pattern in dict.fromkeys(patterns)]
    if (is_table := run.files[0].tool == TABLE) and patterns == [EVERY]:
        abouts = of_tables(newest)
    if is_table:
        problems.add(str(results), tables.taken(results), lost=False)
    comparisons: list[Compared] = []
    used: set[str] = set()
    for about in abouts:
        split, files = _languages(about, newest, options)
        used |= {file.task for subjects in files.values() for file in subjects.values()}
        comparisons.append(
            _compare(about, files, options, run, problems, split=split, results=results)
        )
    for file in run.files:
        if file.task in used and file is not newest[file.task]:
            problems.add(str(file.path), "an older run of the same task: left out", lost=False)
    problems.items += [one for one in run.problems.items if _concerns(one, used)]
    every = [draft for one in comparisons for draft in one.drafts]
    settled = cache(lambda: dict(zip(map(id, every), settle(every))))
    for one in comparisons:
        one.settled = settled
    return ParallelRun(run, comparisons, problems)


def _languages(
    about: Benchmark, newest: Mapping[str, SampleFile], options: Options
) -> tuple[Split | None, Files]:
    """What tells the languages of a benchmark apart beside the names of tasks, and their files.

    Raises:
        ValueError: fewer than two languages are there.
    """
    if LANG not in about.pattern:
        is_table = any(file.tool == TABLE for file in newest.values())
        field = options.language_by or ("language" if is_table else None)
        return files_of(about.pattern, newest, field, options.languages)
    tasks = matches(about.pattern, newest, options.languages)
    if len(tasks) < 2:
        raise ValueError(_too_few(about.pattern, tasks, list(newest)))
    return None, {
        language: {subject: newest[name] for subject, name in subjects.items()}
        for language, subjects in tasks.items()
    }


def _compare(
    about: Benchmark,
    files: Files,
    options: Options,
    run: Run,
    problems: Problems,
    *,
    split: Split | None,
    results: Path,
) -> Compared:
    """One benchmark; raises ValueError as ``compare_languages`` does."""
    title = _title(about, files)
    code = baseline_of(files, options.baseline)
    first_file = next(iter(files[code].values()))
    choice = choose(first_file, options.metric, options.filter, about.filter, options.read)
    pair_fields = options.pair_by or about.key
    by = () if pair_fields == (DOC_ID,) else pair_fields
    needed = [*by, *([options.same] if options.same not in (TARGET, NOTHING) else [])]
    firsts = [next(iter(files[language].values())) for language in (code, *files)]
    given = options.cluster_by
    if given is None and first_file.tool == TABLE and "cluster" in first_document(first_file):
        given = "cluster"  # a column that says so
    shared = candidates(firsts, given, about.shared, by)
    in_base = given is not None  # a field given is read in the baseline alone
    kept = {
        language: [*needed, *(shared if language == code or not in_base else ())] if by else None
        for language in files
    }
    read = read_answers(files, choice, kept, problems, split=split)
    answers = {code: read.pop(code), **read}
    versions = {
        file: _versions(file, run) for one in answers.values() for file in one.tasks.values()
    }
    notes = _settings_notes(versions, options)
    if not pair_fields and first_file.tool == TABLE:
        by = (QUESTION,) if FIELD + QUESTION in answers[code].frame else ()
    elif not pair_fields and about not in KNOWN:
        by = common_key([*answers.values()], common=options.common)
    paired = [
        pair(answers[code], other, by, options.same, common=options.common)
        for other in read.values()
    ]
    notes += _more_notes(title, choice)
    if split is not None:
        notes.append(
            f"{title}: the language is the field {split.field!r} (--language-by), questions are "
            f"paired by {', '.join(by) or DOC_ID} (--pair-by)."
        )
    clusters = cluster_field(paired, shared, given, first_file)
    rows = rows_of(paired, clusters)
    first = rows.loc[rows["language"] == next(iter(read)), "cluster"]
    notes.append(note(title, clusters, first.nunique(), len(first)))
    paired_by, (version, harness) = ",".join(by) or DOC_ID, versions[first_file]
    metric = f"read-{choice.read}" if choice.read else choice.metric
    origin = {"metric": metric, "filter": choice.filter, "paired_by": paired_by}
    found = list(records(rows, {"task": title, **origin, "version": version}, run.date))
    table = answer_table(rows, title)
    gaps = drafts(table, "language", code, within=["task"])
    readings, parts = _readings(choice, table, code), tuple[Cell, ...]()
    alerts = list[str]()
    if choice.read and choice.metric:
        parts = again.parts_of_gaps(table, code, FILTER + choice.filter)
        notes += again.part_sentences(parts, title)
    elif not choice.read:
        kind = again.kind_of(line_of(answers[code].frame.iloc[0])) or "number"
        pattern = "" if first_file.tool == TABLE else f" --parallel {quote(about.pattern)}"
        command = f"xlgo report {quote(str(results))}{pattern}{_flags(options)} --read {kind}"
        frames = {name: one.frame for name, one in answers.items()}
        alerts = again.doubts(frames, title, choice.metric, command)
    terms = {"parallel": about.pattern, "baseline": code, "version": version, "lm_eval": harness}
    return Compared(
        title=title,
        pattern=about.pattern,
        choice=choice,
        baseline=code,
        answers=answers,
        rows=rows,
        records=found,
        drafts=gaps,
        readings=readings,
        parts=parts,
        alerts=alerts,
        by=paired_by,
        signature=_signature(terms | origin, clusters, [one.cell for one in gaps]),
        generation=fingerprint_line(fingerprint([first_file.settings])),
        notes=[
            *notes,
            *_depending(title, readings),
            *(told for one in paired for told in one.notes),
        ],
    )


def _signature(terms: Mapping[str, str], clusters: str, gaps: Sequence[Cell]) -> str:
    """What must agree before two results are compared, as a line.

    Args:
        terms: how the answers were chosen and paired.
        clusters: what names the clusters, or ``none``.
        gaps: whose numbers of questions it tells.
    """
    from xlgo_metric.version import STATISTICS_VERSION, __version__

    fields = {
        **terms,
        **({"clusters": clusters} if clusters != NOTHING else {}),
        "n": "+".join(map(str, sorted({one.n for one in gaps}))),
        "statistics": STATISTICS_VERSION,
        "xlgo": __version__,
    }
    return "|".join(f"{name}:{value}" for name, value in fields.items())


def _title(about: Benchmark, files: Files) -> str:
    """The benchmark; where nothing names it, the only task."""
    names = {file.task for subjects in files.values() for file in subjects.values()}
    return names.pop() if not about.pattern.strip("*") and len(names) == 1 else about.title


def _readings(choice: Choice, table: AnswerTable, baseline: str) -> Readings | None:
    """The gaps under every filter that reads all the answers: the strict and the flexible one."""
    read = table.frame.notna().all()
    names = choice.readings if choice.read else choice.readings[1:]
    others = {name: FILTER + name for name in names if read[FILTER + name]}
    if choice.read:
        others = {again.LOGGED if name == "none" else name: of for name, of in others.items()}
    measures = {again.AGAIN if choice.read else choice.filter: CORRECT, **others}
    return readings_of(table, baseline, measures) if len(measures) > 1 else None


def _depending(title: str, readings: Readings | None) -> list[str]:
    """Where a gap depends on the filter."""
    where = [gap for gap in readings["gaps"] if gap["depends"]] if readings else []
    if not where or readings is None:
        return []
    return [
        f"{title}: the direction or significance of the gap to {readings['baseline']} depends on "
        f"how answers are read ({', '.join(where[0]['by_reading'])}) in "
        f"{', '.join(gap['language'] for gap in where)}."
    ]


def _concerns(problem: Problem, tasks: Collection[str]) -> bool:
    """Whether a problem of the folder is about these tasks, or about all of it."""
    name = Path(problem.where).name
    return not name.startswith("samples_") or any(
        name.startswith(f"samples_{task}_") for task in tasks
    )


def _too_few(pattern: str, tasks: Mapping[str, object], names: Sequence[str]) -> str:
    if tasks:
        only = ", ".join(tasks)
        return f"{pattern}: only one language was asked ({only}): a comparison needs two or more"
    some = ", ".join(sorted(names)[:4]) + (" …" if len(names) > 4 else "")
    more = suggested(names)
    advice = f"; patterns that fit: {', '.join(more)}" if more else ""
    return f"{pattern}: no task of the run fits this pattern: there are {some}{advice}"


def _settings_notes(versions: Mapping[SampleFile, tuple[str, str]], options: Options) -> list[str]:
    """What is not known of the settings; languages that were asked otherwise are refused.

    Args:
        versions: of each file, the one that the others are held against first.

    Raises:
        ValueError: a language was asked with other settings than the baseline.
    """
    notes: list[str] = []
    if all(file.tool == TABLE for file in versions):
        return []
    if all(file.settings is None for file in versions):
        return [
            "With what settings the answers were made is not known (results_*.json is missing)."
        ]
    reference = next(iter(versions))
    for file, (version, _) in versions.items():
        prints = [fingerprint([one.settings]) for one in (reference, file)]
        unlike = differences(prints[0], prints[1], same_model=True)
        if version != versions[reference][0]:
            unlike.append(f"version of the task ({versions[reference][0]} and {version})")
        if not unlike:
            continue
        text = f"{reference.task} and {file.task} differ in their settings: {'; '.join(unlike)}"
        if not options.allow_differences:
            raise ValueError(
                f"{text}: a gap may come from that (--allow-differences compares them anyway)"
            )
        notes.append(f"{text}.")
    return notes


def _more_notes(title: str, choice: Choice) -> list[str]:
    notes = []
    others = [name for name in choice.filters if name != choice.filter]
    if choice.read:
        notes.append(f"{title}: the responses are read again, as a {choice.read} (--read).")
    elif others:
        notes.append(
            f"{title}: answers count as the filter {choice.filter} reads them; the log "
            f"also has {', '.join(others)} (--filter)."
        )
    measures = [name for name in choice.filters[choice.filter] if name != choice.metric]
    if measures:
        notes.append(
            f"{title}: the measure is {choice.metric}; the log also has "
            f"{', '.join(measures)} (--metric)."
        )
    return notes


def _versions(file: SampleFile, run: Run) -> tuple[str, str]:
    """The version of the task and of the harness; ``?`` where the description is lost."""
    info = run.described.get((file.path.parent, file.date), {})
    version = mapping(info.get("versions")).get(file.task, "?")
    return str(version), str(info.get("lm_eval_version", "?"))


def _flags(options: Options) -> str:
    """The options of the command line that differ from the usual ones."""
    words = []
    for field in fields(options):
        if (value := getattr(options, field.name)) != field.default:
            words.append(f" --{field.name.replace('_', '-')}")
            if value is not True:
                words.append(f" {quote(value if isinstance(value, str) else ','.join(value))}")
    return "".join(words)

"""Parallel benchmarks in a results folder: found, read, paired and tested."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from xlgo_metric.comparison import AnswerTable, Cell, compare, corrected
from xlgo_metric.comparison.compare import CORRECT
from xlgo_metric.comparison.gaps import Readings
from xlgo_metric.comparison.section import readings_of
from xlgo_metric.core import Record

from ..logs.graded_run import Key
from ..logs.lines import Problem, Problems, SampleFile, differences, fingerprint, shown
from ..logs.results import Run, find_run
from .answers import Answers, Choice, Split, choose, read_answers
from .by_field import files_of
from .clusters import candidates, chosen, note, of_pairs
from .known import KNOWN, LANG, Benchmark, baseline_of, known, matches, suggested
from .pairing import DOC_ID, NOTHING, TARGET, Paired, common_key, pair
from .table import answer_table, lost_alone, measure, records

Files = Mapping[str, Mapping[str, SampleFile]]
"""By language and subject."""


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


@dataclass
class Compared:
    """One benchmark in all its languages.

    Attributes:
        title: what it is called.
        pattern: of the names of its tasks.
        choice: which answers of the log count.
        base: the answers in the baseline.
        paired: every other language beside it.
        records: the answers to paired questions, those in the baseline first.
        gaps: one for each of ``paired``, corrected for all gaps of the report.
        readings: the same answers as each filter of the log reads them; ``None`` with one filter.
        lost: the questions that only one language loses, by language.
        by: what pairs the questions, in words.
        clusters: what questions that hang together share: a field, ``subject`` or ``none``.
        versions: of the task and of the harness, as it names them.
        generation: how the answers were made, as a line.
        notes: what a reader should know, in sentences.
    """

    title: str
    pattern: str
    choice: Choice
    base: Answers
    paired: list[Paired]
    records: list[tuple[Key, Record]]
    gaps: Sequence[Cell]
    readings: Readings | None
    lost: dict[str, list[str]]
    by: str
    clusters: str
    versions: tuple[str, str]
    generation: str
    notes: list[str] = field(default_factory=list)

    @property
    def signature(self) -> str:
        """What must agree before two results are compared, as a line."""
        from xlgo_metric.version import STATISTICS_VERSION, __version__

        task, harness = self.versions
        count = {one.n for one in self.gaps}
        return "|".join(
            [
                f"parallel:{self.pattern}",
                f"baseline:{self.base.language}",
                f"version:{task}",
                f"lm_eval:{harness}",
                f"metric:{self.choice.metric}",
                f"filter:{self.choice.filter}",
                f"paired_by:{self.by}",
                *([f"clusters:{self.clusters}"] if self.clusters != NOTHING else []),
                f"n:{'+'.join(map(str, sorted(count)))}",
                f"statistics:{STATISTICS_VERSION}",
                f"xlgo:{__version__}",
            ]
        )


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
        found += [note for one in self.benchmarks for pair_ in one.paired for note in pair_.notes]
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
        Gaps with exact tests, corrected for all languages and benchmarks together.

    Raises:
        ValueError: nothing fits a pattern, or the questions of two languages cannot be paired
            beyond doubt; the message says why, in one line.
    """
    abouts = [known(pattern) for pattern in dict.fromkeys(patterns)]
    run = find_run(results, model=model, date=date)
    problems = Problems()
    newest: dict[str, SampleFile] = {}
    for file in run.files:
        newest.setdefault(file.task, file)
    comparisons: list[Compared] = []
    used: set[str] = set()
    for about in abouts:
        split, files = _languages(about, newest, options)
        used |= {file.task for subjects in files.values() for file in subjects.values()}
        comparisons.append(_compare(about, files, options, problems, split=split, date=run.date))
    for file in run.files:
        if file.task in used and file is not newest[file.task]:
            problems.add(str(file.path), "an older run of the same task: left out", lost=False)
    problems.items += [one for one in run.problems.items if _concerns(one, used)]
    adjusted = iter(corrected([gap for one in comparisons for gap in one.gaps]))
    for one in comparisons:
        one.gaps = [next(adjusted) for _ in one.gaps]
    return ParallelRun(run, comparisons, problems)


def _languages(
    about: Benchmark, newest: Mapping[str, SampleFile], options: Options
) -> tuple[Split | None, Files]:
    """What tells the languages of a benchmark apart beside the names of tasks, and their files.

    Raises:
        ValueError: fewer than two languages are there.
    """
    if LANG not in about.pattern:
        return files_of(about.pattern, newest, options.language_by, options.languages)
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
    problems: Problems,
    *,
    split: Split | None,
    date: str,
) -> Compared:
    """One benchmark; raises ValueError as ``compare_languages`` does."""
    title = _title(about, files)
    code = baseline_of(files, options.baseline)
    first_file = next(iter(files[code].values()))
    choice = choose(first_file, options.metric, options.filter, about.filter)
    pair_fields = options.pair_by or about.key
    by = () if pair_fields == (DOC_ID,) else pair_fields
    needed = [*by, *([options.same] if options.same not in (TARGET, NOTHING) else [])]
    shared = candidates(first_file, options.cluster_by, about.shared)
    kept_fields = {
        language: [*needed, *(shared if language == code else ())] if by else None
        for language in files
    }
    read = {
        language: read_answers(
            language, subjects, choice, kept_fields[language], problems, split=split
        )
        for language, subjects in files.items()
    }
    base = read.pop(code)
    notes = _settings_notes(base, read, options)
    if not pair_fields and about not in KNOWN:
        by = common_key([base, *read.values()], common=options.common)
    paired = [pair(base, other, by, options.same, common=options.common) for other in read.values()]
    notes += _more_notes(title, choice, [base, *read.values()])
    if split is not None:
        notes.append(
            f"{title}: the language is the field {split.field!r} (--language-by), questions are "
            f"paired by {', '.join(by) or DOC_ID} (--pair-by)."
        )
    clusters = chosen(base, shared, options.cluster_by)
    groups = [of_pairs(one, clusters) for one in paired]
    cluster_sizes = [(len(set(group)), len(group)) for group in groups if group is not None]
    notes += [note(title, clusters, *cluster_sizes[0])] if cluster_sizes else []
    paired_by, versions = ",".join(by) or DOC_ID, _versions(first_file)
    origin = {"metric": choice.metric, "filter": choice.filter, "paired_by": paired_by}
    said = {"task": title, **origin, "version": versions[0]}
    rows = list(records(paired, groups, said, date))
    table = answer_table(rows)
    readings = _readings(choice, table, code)
    return Compared(
        title=title,
        pattern=about.pattern,
        choice=choice,
        base=base,
        paired=paired,
        records=rows,
        gaps=compare(table, "language", code, within=["task"]).cells,
        readings=readings,
        lost=lost_alone(table),
        by=paired_by,
        clusters=clusters,
        versions=versions,
        generation=shown(fingerprint([first_file.settings])),
        notes=[*notes, *_depending(title, readings)],
    )


def _title(about: Benchmark, files: Files) -> str:
    """The benchmark; where nothing names it, the only task."""
    names = {file.task for subjects in files.values() for file in subjects.values()}
    return names.pop() if not about.pattern.strip("*") and len(names) == 1 else about.title


def _readings(choice: Choice, table: AnswerTable, baseline: str) -> Readings | None:
    """The gaps under every filter that reads all the answers: the strict and the flexible one."""
    read = table.frame.notna().all()
    others = {name: measure(name) for name in choice.readings[1:] if read[measure(name)]}
    measures = {choice.filter: CORRECT, **others}
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


def _settings_notes(base: Answers, others: Mapping[str, Answers], options: Options) -> list[str]:
    """What is not known of the settings; languages that were asked otherwise are refused.

    Raises:
        ValueError: a language was asked with other settings than the baseline.
    """
    notes: list[str] = []
    reference = next(iter(base.tasks.values()))
    files = [file for one in (base, *others.values()) for file in one.tasks.values()]
    if all(file.settings is None for file in files):
        return [
            "With what settings the answers were made is not known (results_*.json is missing)."
        ]
    for file in files:
        prints = [fingerprint([one.settings]) for one in (reference, file)]
        unlike = differences(prints[0], prints[1], same_model=True)
        versions = [_versions(one)[0] for one in (reference, file)]
        if versions[0] != versions[1]:
            unlike.append(f"version of the task ({versions[0]} and {versions[1]})")
        if not unlike:
            continue
        text = f"{reference.task} and {file.task} differ in their settings: {'; '.join(unlike)}"
        if not options.allow_differences:
            raise ValueError(
                f"{text}: a gap may come from that (--allow-differences compares them anyway)"
            )
        notes.append(f"{text}.")
    return notes


def _more_notes(title: str, choice: Choice, languages: Sequence[Answers]) -> list[str]:
    notes = []
    others = [name for name in choice.filters if name != choice.filter]
    if others:
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
    digits = {one.language: one.other_digits for one in languages if one.other_digits}
    if digits:
        told = ", ".join(f"{number} in {language}" for language, number in digits.items())
        notes.append(
            f"{title}: wrong answers hold digits of another script than 0 to 9 ({told}): "
            "see whether the harness's filter reads them before you speak of a gap."
        )
    return notes


def _versions(file: SampleFile) -> tuple[str, str]:
    """The version of the task and of the harness; ``?`` where the description is lost."""
    info = _description(file.path.parent, file.date)
    versions = info.get("versions")
    found = versions.get(file.task, "?") if isinstance(versions, dict) else "?"
    return str(found), str(info.get("lm_eval_version", "?"))


@lru_cache(maxsize=64)
def _description(folder: Path, date: str) -> dict[str, object]:
    for path in folder.glob(f"results_{date}.json"):
        try:
            data = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError):
            continue
        if isinstance(data, dict):
            return data
    return {}

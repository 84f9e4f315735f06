"""Parallel benchmarks in a results folder: found, read, paired and tested."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from xlgo_metric.comparison import Cell, corrected

from ..logs.lines import SampleFile
from ..logs.read_errors import Problem, Problems
from ..logs.results import Run, find_run
from ..logs.settings import differences, fingerprint, shown
from .answers import Answers, Choice, choose, read_answers
from .gaps import gap_of, lost_alone
from .known import KNOWN, Benchmark, baseline_of, known, matches, suggested
from .pairing import DOC_ID, NOTHING, TARGET, Key, Paired, common_key, pair


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
    """

    baseline: str | None = None
    languages: tuple[str, ...] = ()
    pair_by: tuple[str, ...] = ()
    same: str = TARGET
    metric: str | None = None
    filter: str | None = None
    common: bool = False
    allow_differences: bool = False


@dataclass
class Compared:
    """One benchmark in all its languages.

    Attributes:
        about: what is known about it.
        choice: which answers of the log count.
        base: the answers in the baseline.
        paired: every other language beside it.
        gaps: one for each of ``paired``, corrected for all gaps of the report.
        lost: the questions that only one language loses, by language.
        by: what pairs the questions, in words.
        versions: of the task and of the harness, as it names them.
        generation: how the answers were made, as a line.
        notes: what a reader should know, in sentences.
    """

    about: Benchmark
    choice: Choice
    base: Answers
    paired: list[Paired]
    gaps: list[Cell]
    lost: dict[str, list[Key]]
    by: str
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
                f"parallel:{self.about.pattern}",
                f"baseline:{self.base.language}",
                f"version:{task}",
                f"lm_eval:{harness}",
                f"metric:{self.choice.metric}",
                f"filter:{self.choice.filter}",
                f"paired_by:{self.by}",
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
        model, date: which run, where the folder holds several.

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
    found = []
    used: set[str] = set()
    for about in abouts:
        tasks = matches(about.pattern, newest, options.languages)
        if len(tasks) < 2:
            raise ValueError(_too_few(about.pattern, tasks, list(newest)))
        used |= {name for subjects in tasks.values() for name in subjects.values()}
        files = {
            language: {subject: newest[name] for subject, name in subjects.items()}
            for language, subjects in tasks.items()
        }
        found.append(_compare(about, files, options, problems))
    for file in run.files:
        if file.task in used and file is not newest[file.task]:
            problems.add(str(file.path), "an older run of the same task: left out", lost=False)
    problems.items += [one for one in run.problems.items if _concerns(one, used)]
    adjusted = iter(corrected([gap for one in found for gap in one.gaps]))
    for one in found:
        one.gaps = [next(adjusted) for _ in one.gaps]
    return ParallelRun(run, found, problems)


def _compare(
    about: Benchmark,
    files: Mapping[str, Mapping[str, SampleFile]],
    options: Options,
    problems: Problems,
) -> Compared:
    """One benchmark; raises ValueError as ``compare_languages`` does."""
    code = baseline_of(files, options.baseline)
    first = next(iter(files[code].values()))
    choice = choose(first, options.metric, options.filter, about.filter)
    given = options.pair_by or about.key
    by = () if given == (DOC_ID,) else given
    needed = [*by, *([options.same] if options.same not in (TARGET, NOTHING) else [])]
    kept = needed if by else None
    read = {
        language: read_answers(language, subjects, choice, kept, problems)
        for language, subjects in files.items()
    }
    base = read.pop(code)
    notes = _settings_notes(base, read, options)
    if not given and about not in KNOWN:
        by = common_key([base, *read.values()])
    paired = [pair(base, other, by, options.same, common=options.common) for other in read.values()]
    notes += _more_notes(about, choice, [base, *read.values()])
    return Compared(
        about=about,
        choice=choice,
        base=base,
        paired=paired,
        gaps=[gap_of(about.title, one) for one in paired],
        lost=lost_alone(paired),
        by=",".join(by) or DOC_ID,
        versions=_versions(first),
        generation=shown(fingerprint([first.settings])),
        notes=notes,
    )


def _concerns(problem: Problem, tasks: Collection[str]) -> bool:
    """Whether a problem of the folder is about these tasks, or about all of it."""
    name = Path(problem.where).name
    return not name.startswith("samples_") or any(
        name.startswith(f"samples_{task}_") for task in tasks
    )


def _too_few(pattern: str, tasks: Mapping[str, Any], names: Sequence[str]) -> str:
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
        told = differences(prints[0], prints[1], same_model=True)
        versions = [_versions(one)[0] for one in (reference, file)]
        if versions[0] != versions[1]:
            told.append(f"version of the task ({versions[0]} and {versions[1]})")
        if not told:
            continue
        text = f"{reference.task} and {file.task} were not asked alike: {'; '.join(told)}"
        if not options.allow_differences:
            raise ValueError(
                f"{text}: a gap may come from that (--allow-differences compares them all the same)"
            )
        notes.append(f"{text}.")
    return notes


def _more_notes(about: Benchmark, choice: Choice, languages: Sequence[Answers]) -> list[str]:
    notes = []
    others = [name for name in choice.filters if name != choice.filter]
    if others:
        notes.append(
            f"{about.title}: answers count as the filter {choice.filter} reads them; the log "
            f"also has {', '.join(others)} (--filter)."
        )
    measures = [name for name in choice.filters[choice.filter] if name != choice.metric]
    if measures:
        notes.append(
            f"{about.title}: the measure is {choice.metric}; the log also has "
            f"{', '.join(measures)} (--metric)."
        )
    digits = {one.language: one.other_digits for one in languages if one.other_digits}
    if digits:
        told = ", ".join(f"{number} in {language}" for language, number in digits.items())
        notes.append(
            f"{about.title}: wrong answers hold digits of another script than 0 to 9 ({told}): "
            "see whether the harness's filter reads them before you speak of a gap."
        )
    if about.shared:
        notes.append(
            f"{about.title}: several questions share a text, so they are not independent; the "
            "test takes each question by itself and may find a little too much."
        )
    return notes


def _versions(file: SampleFile) -> tuple[str, str]:
    """The version of the task and of the harness; ``?`` where the description is lost."""
    info = _description(file.path.parent, file.date)
    versions = info.get("versions")
    found = versions.get(file.task, "?") if isinstance(versions, dict) else "?"
    return str(found), str(info.get("lm_eval_version", "?"))


@lru_cache(maxsize=64)
def _description(folder: Path, date: str) -> dict[str, Any]:
    for path in folder.glob(f"results_{date}.json"):
        try:
            data = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError):
            continue
        if isinstance(data, dict):
            return data
    return {}

"""Reading what lm-evaluation-harness wrote: folders of ``samples_*.jsonl`` and ``results_*.json``.

Whatever can be read is read; what cannot is a ``Problem`` (``xlgo_cli.logs.lines``) that
names the file and the line. Lines are read one at a time: a prompt may have 160 kB.

A judgement (``xlgo judge``) is found by the digest of what was asked, so one of another response,
or of another wording, is never taken. Nothing here asks a judge.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import xlgo_dataset as xd
from xlgo_lm_eval.answers import MISSING, rows_of, steps_of
from xlgo_lm_eval.arguments import redacted_json
from xlgo_metric.core import Grade, refuse
from xlgo_metric.family import family, family_of

from .formats import TABLE, changed, check_is_log, is_json_log, lines_at, read, reader_of, tool_of
from .lines import (
    AnotherTaskError,
    Doc,
    Problems,
    Sample,
    SampleFile,
    TaskKey,
    differences,
    fingerprint,
    key_of,
    mapping,
    parse,
    printable,
    reply_of,
    request_of,
    settings_of,
)

if TYPE_CHECKING:
    from xlgo_metric.comparison import AnswerTable

_DATE = r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?"
_SAMPLES = re.compile(rf"samples_(?P<task>.+?)(?:_(?P<date>{_DATE}))?\.jsonl")
_LONGEST_NAME = 300
_SHOWN_PARTS = 6
_LOOKED = 20  # questions whose texts are compared where their hashes differ: 4 is "4"
_LONGEST = 80
_HOW = "score what is there with --partial"
_RESULTS = re.compile(rf".*_(?P<date>{_DATE})\.json")
_NO_LOG = re.compile(rf".*_{_DATE}\.json|scores\.json")

JUDGEMENTS = "judgements"
"""The folder of what judges said, in that of the results: a file of answers for each."""
_LATEST = 1e12  # seconds since 1970
_ABOVE = 2  # folders between the samples and the folder that was given as results


@dataclass
class Run:
    """The files that belong to one report.

    Attributes:
        model: the name of the model.
        files: the samples, newest first.
        info: the harness's description of the newest run (``results_*.json``), perhaps empty.
        described: the harness's descriptions of the model's runs, by folder and date.
        left_out: older files of samples that do not belong to it.
        whole: it is all that a folder holds, not a file or date that was chosen.
        answered: how many questions each file answers, as far as it was read.
    """

    model: str
    files: list[SampleFile]
    info: dict[str, object]
    problems: Problems
    described: dict[tuple[Path, str], dict[str, object]] = field(default_factory=dict)
    left_out: Sequence[SampleFile] = ()
    whole: bool = True
    answered: Counter[Path] = field(default_factory=Counter)

    @property
    def date(self) -> str:
        """When the newest run ended."""
        return self.files[0].date

    def tasks(self) -> Iterator[tuple[TaskKey, Doc, Doc]]:
        """Each task that the harness describes and that was not left out.

        Yields:
            Its key, its configuration (empty if there is none) and the description.
        """
        left_out = {file.key for file in self.left_out}
        for run_key, info in self.described.items():
            configs = mapping(info.get("configs"))
            for task in {**mapping(info.get("n-samples")), **configs}:
                if (*run_key, task) not in left_out:
                    yield (*run_key, task), mapping(configs.get(task)), info


def models_in(path: Path) -> list[str]:
    """Return the names of the models with samples below ``path``, sorted; none if unreadable."""
    return sorted({file.model for file in _files(path, Problems())[0]})


def find_run(path: Path, *, model: str | None = None) -> Run:
    """The samples below ``path`` that make one report: of one model, the newest of each task.

    Older runs of a task belong to it where their settings and the options of their questions agree.

    Args:
        path: a folder that the harness or inspect wrote into, or one file of samples.
        model: the model, if the folder has several; else that of the newest samples.

    Raises:
        ValueError: there is no such file or folder, or it holds no samples that fit.
    """
    problems = Problems()
    refuse(
        f"{path}: ",
        (not path.exists(), "there is no such file or folder"),
        (
            path.suffix == ".json" and not is_json_log(path),
            "holds no samples: give samples_*.jsonl or the folder of both, or a table of answers "
            "as .jsonl, .csv, .tsv or .parquet",
        ),
    )
    files, described = _files(path, problems)
    if not files:
        none = (
            f"{path}: no samples_*.jsonl here or below: run lm-eval with --log_samples (xlgo run "
            "does so), or give the folder that holds the samples"
        )
        raise ValueError(next(iter(map(str, problems.items)), none))
    models = sorted({file.model for file in files})
    if model is not None and model not in models:
        raise ValueError(f"{path}: no samples of {model!r}: there are {', '.join(models)}")
    files.sort(key=lambda file: file.task)
    files.sort(key=lambda file: file.date, reverse=True)
    newest = next(file for file in files if model in (None, file.model))
    if model is None and len(models) > 1:
        names = ", ".join(name for name in models if name != newest.model)
        problems.add(
            str(path),
            f"several models; this is {newest.model}, the "
            f"{'first' if newest.tool == TABLE else 'newest'}. Left out: {names} "
            "(choose with --model)",
            lost=False,
        )
    files = [file for file in files if file.model == newest.model]
    alike = _alike(files, problems)
    kept = {file.key[:2] for file in alike}
    info = described.get((newest.path.parent, newest.date), {})
    return Run(
        newest.model,
        alike,
        info,
        problems,
        {run_key: info for run_key, info in described.items() if run_key in kept},
        [file for file in files if file not in alike],
        path.is_dir(),
    )


def _alike(files: Sequence[SampleFile], problems: Problems) -> list[SampleFile]:
    """Of each task the newest file, and older ones whose answers were made with its settings.

    A task of the harness counts by its name, and by what it asks: the languages of a task may be
    tasks of their own. What a family pairs (``Family.paired``) belongs to one run.
    """
    newest: dict[tuple[str, str, str], SampleFile] = {}
    files_alike = []
    for file in files:
        way = _way(file)
        names = [("harness", file.task, way)]
        if file.settings and file.settings.task:
            names.append(("asked", file.settings.task, way))
        first = next((newest[name] for name in names if name in newest), file)
        for name in names:
            newest.setdefault(name, file)
        if first.date == file.date or (file.settings and file.settings == first.settings):
            files_alike.append(file)
            continue
        why = "an older run of the same task"
        if file.settings is None or first.settings is None:
            why += ", and the settings of one are not known"
        else:
            both = file.settings, first.settings
            theirs, ours = (fingerprint([one]) for one in both)
            differing = differences(theirs, ours)
            theirs, ours = ({n.removeprefix("xlgo_"): v for n, v in one.options} for one in both)
            differing += differences(theirs, ours)
            why += f" with other settings: {', '.join(differing) or 'model arguments'}"
        problems.add(
            str(file.path), f"{why}: left out (give this file alone to see it)", lost=False
        )
    plain = {file.task for file in files_alike if not _way(file)}
    return [
        replace(file, condition=_way(file)) if file.task in plain else file for file in files_alike
    ]


def _way(file: SampleFile) -> str:
    """How a file asks its questions, where its family pairs answers by it; else empty."""
    options = dict(file.settings.options) if file.settings else {}
    owner = xd.FAMILIES.of_task(options["xlgo_task"]) if "xlgo_task" in options else None
    paired = family(owner.name).paired if owner else ()
    return ",".join(f"{name}={value}" for name, value in paired if options.get(name) == value)


_UNKNOWN = "of a task and language that a newer run answered too (the settings are not known)"
_REPEATED = "of questions that a newer run answered too"
_TWICE = "that occur more than once"


def read_samples(
    run: Run, seen: Callable[[Sample], object] = lambda sample: None
) -> Iterator[Sample]:
    """The responses in the files of ``run``, read line by line.

    A question that was answered in several runs counts once: the newest wins. What cannot be read,
    and what is left out, goes to ``run.problems``.

    Args:
        seen: called with every response, also with those that are left out.
    """
    answered: dict[tuple[Any, ...], str] = {}
    cells: dict[tuple[str, ...], str] = {}
    for file in run.files:
        skipped = Counter[str]()
        try:
            for sample in read_file(file, run.problems):
                seen(sample)
                run.answered[file.path] += sample.repeat == 0
                holder = cells.setdefault(_cell(sample), file.date)
                key = (*_cell(sample), *key_of(sample.reference, sample.where), sample.repeat)
                newest = answered.setdefault(key, f"{file.date} {sample.where}")
                if holder != file.date and file.settings is None:
                    skipped[_UNKNOWN] += 1
                elif newest == f"{file.date} {sample.where}":
                    yield sample
                else:
                    skipped[_TWICE if newest.startswith(file.date) else _REPEATED] += 1
        except OSError as error:
            run.problems.add(str(file.path), f"cannot be read: {error.strerror or error}")
        for why, count in skipped.items():
            run.problems.add(str(file.path), f"{count} answers {why}: left out", lost=False)
        run.problems.close(file.path)


def _below(folder: Path, problems: Problems) -> list[Path]:
    """The JSONL files in a folder and in those below it; a folder that cannot be read is named."""

    def unreadable(error: OSError) -> None:
        problems.add(str(error.filename), f"cannot be read: {error.strerror or error}")

    paths = (
        Path(top, name)
        for top, _, names in os.walk(folder, onerror=unreadable)
        for name in names
        if name.endswith(".jsonl") or (not _NO_LOG.fullmatch(name) and is_json_log(Path(name)))
    )
    return sorted(path for path in paths if path.is_file())


def _descriptions(
    folders: Iterable[Path], problems: Problems
) -> dict[tuple[Path, str], dict[str, object]]:
    """What the harness wrote about each run, by folder and date."""
    descriptions: dict[tuple[Path, str], dict[str, object]] = {}
    for path in sorted(p for folder in folders for p in folder.glob("*.json")):
        match = _RESULTS.fullmatch(path.name)
        if not match:
            continue
        try:
            data = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            problems.add(str(path), f"cannot be read ({error}): its description is missing", False)
            continue
        if isinstance(data, dict):
            descriptions[path.parent, match["date"]] = redacted_json(data)
    return descriptions


def _files(
    path: Path, problems: Problems
) -> tuple[list[SampleFile], dict[tuple[Path, str], dict[str, object]]]:
    """The logs at or below a path, and the descriptions of their runs by folder and date."""
    paths = [path] if path.is_file() else _below(path, problems)
    described = _descriptions({p.parent for p in paths}, problems)
    return [file for p in paths for file in _sample_files(p, described)], described


def _sample_files(
    path: Path, described: dict[tuple[Path, str], dict[str, object]]
) -> list[SampleFile]:
    """The log in a file, or those in a table: one for each model and task."""
    check_is_log(path)
    match = _SAMPLES.fullmatch(path.name)
    tool = "" if match and match["date"] else tool_of(path)
    if tool == TABLE:
        from . import tables

        return [
            SampleFile(path, task or path.stem, changed(path), model or path.stem, None, tool, part)
            for part in tables.table_in(path).parts
            for model, task in [part]
        ]
    task = match["task"] if match else path.stem
    date = (match and match["date"]) or changed(path)
    if tool:
        task, date, info = reader_of(tool).describe(path)
        described[path.parent, date] = redacted_json(info)
    settings = settings_of(described.get((path.parent, date), {}), task)
    return [SampleFile(path, task, date, _model(path.parent, date, described), settings, tool)]


def _model(folder: Path, date: str, described: dict[tuple[Path, str], dict[str, object]]) -> str:
    """The model of a run; where its description is lost, that of the others in the folder."""
    names = {
        when: printable(str(info["model_name"]))[:_LONGEST_NAME]
        for (where, when), info in described.items()
        if where == folder and info.get("model_name")
    }
    distinct = set(names.values())
    return names.get(date) or (distinct.pop() if len(distinct) == 1 else folder.resolve().name)


def read_file(file: SampleFile, problems: Problems) -> Iterator[Sample]:
    """The responses in a file; what is wrong with them goes to ``problems``.

    Raises:
        OSError: the file cannot be read.
    """
    foreign = number = 0
    for number, _, data, first in read(file.path, file.tool, file.part):
        try:
            if isinstance(data, ValueError):
                raise data
            samples = list(parse(data, file, number, first))
        except AnotherTaskError:
            foreign += 1
            continue
        except (ValueError, RecursionError) as error:
            kind = "column" if str(error).startswith("column") else "broken line"
            problems.add_line(file.path, number, kind, f"{error}; left out")
            continue
        for sample in samples:
            if file.condition:
                sample.reference["condition"] = file.condition
            if sample.reply.is_there and not (sample.response or "").strip():
                why = "empty answer; graded as no answer"
                problems.add_line(file.path, number, "empty answer", why, lost=False)
            yield sample
    problems.foreign += foreign
    if foreign:
        problems.add(
            str(file.path),
            f"{foreign} lines of another task (they have no column doc.reference): left out; "
            "xlgo report --parallel compares their languages",
            lost=False,
        )
    elif not number:
        problems.add(str(file.path), "the file is empty")


def _cell(sample: Sample) -> tuple[str, ...]:
    """What only one run may answer; a level with a name is a task of its own in the harness."""
    reference = sample.reference
    names = ("family", "task", "language", "text", "condition")
    level = reference.get("level")
    return (
        *(str(reference.get(name, "")) for name in names),
        level if isinstance(level, str) else "",
    )


def check_complete(run: Run, *, partial: bool) -> int:
    """Compare what is there with what the harness counted, planned and wrote.

    What lacks goes to ``run.problems``.

    Args:
        run: whose files were read.
        partial: missing answers are only to be noted.

    Returns:
        How many answers lack that the harness has counted.
    """
    if run.whole:
        _check_files(run, partial)
    lacking = 0
    files = {file.key: file for file in run.files}
    for key, config, info in run.tasks():
        counts = mapping(mapping(info.get("n-samples")).get(key[2]))
        file, n = files.get(key), counts.get("effective")
        is_ours = isinstance(mapping(config.get("metadata")).get("xlgo_family"), str)
        answered = run.answered[file.path] if file else 0
        # Without any answers the file is of another task, or broken: that is told already.
        is_counted = answered if file else run.whole and is_ours
        if type(n) is int and is_counted and answered < n:
            lacking += n - answered
            run.problems.add(
                str(file.path if file else key[0]),
                f"{answered:,} of {n:,} answers of {key[2]} are there, as the harness "
                f"counted them ({_HOW})",
                lost=not partial,
            )
    return lacking


def _check_files(run: Run, partial: bool) -> None:
    """Say which files are missing that the run wrote, and what it did not ask yet."""
    folders = {f for file in run.files for f in (file.path.parent, file.path.parent.parent)}
    for folder in sorted(folders):
        try:
            parts, wrote = steps_of(folder)
            names = sorted({name for event in wrote.values() for name in event["files"]})
            never = [", ".join(tasks) for command, tasks in parts.items() if command not in wrote]
        except (OSError, AttributeError, LookupError, TypeError, ValueError) as error:
            run.problems.add(str(folder), f"its events cannot be read ({error})")
            continue
        lacks = [f"{name} is missing ({_HOW})" for name in names if not (folder / name).is_file()]
        if never:
            words = "; ".join(never[:_SHOWN_PARTS]) + ("; ..." if never[_SHOWN_PARTS:] else "")
            lacks.append(
                f"{len(never)} of {len(parts)} parts of the run did not end: {words} (the "
                "command of the run resumes it)"
            )
        for words in lacks:
            run.problems.add(str(folder), words, lost=not partial)


def other_questions(first: AnswerTable, second: AnswerTable) -> list[str]:
    """How two logs differ in questions that have the same name, in words; empty if they do not.

    Correct answers are compared where both logs have them, and texts of tables that have them: a
    log has each model's own request.
    """
    from xlgo_metric.comparison import frames as hashes

    frames = [table.frame for table in (first, second)]
    if any("target" not in frame for frame in frames):
        return []
    paired = frames[0].merge(frames[1], on=["task", "language", "question"], suffixes=("_0", "_1"))
    of_tables = paired[["file_0", "file_1"]].map(lambda file: file.tool == TABLE).all(axis=1)
    for name, called, value_of, rows in (
        ("target", "another correct answer", lambda line: str(line.get("target")), paired),
        ("prompt", "another text", request_of, paired[of_tables]),
    ):
        values = rows[[f"{name}_0", f"{name}_1"]]
        is_logged = ~values.isin([hashes.key_of(None), hashes.key_of("")]).any(axis=1)
        unlike = rows[is_logged & (values.iloc[:, 0] != values.iloc[:, 1])]
        for row in unlike.iloc[:_LOOKED].itertuples():
            lines = [
                next(lines_at(file.path, [offset], file.tool))
                for file, offset in ((row.file_0, row.place_0), (row.file_1, row.place_1))
            ]
            texts = [value_of(line).strip()[:_LONGEST] for line in lines]
            if len(set(texts)) > 1:
                return [
                    f"questions: {len(unlike)} of the {len(rows)} that have the same name have "
                    f"{called} (first {lines[0]['doc_id']} in {row.language}: {texts[0]!r} and "
                    f"{texts[1]!r}), so they are others"
                ]
    return []


@dataclass
class Judgements:
    """The replies of one judge.

    Attributes:
        judge: its name: that of its file.
        repeats: replies by what was asked and the number of the repetition, from 0; empty where
            no reply came.
        last: when the newest reply was asked for, in seconds since 1970; ``None`` if the judge
            never replied.
    """

    judge: str
    repeats: dict[tuple[str, int], str] = field(default_factory=dict)
    last: float | None = None

    def decide(self, grade: Grade, response: str | None, reference: Mapping[str, object]) -> Grade:
        """The grade after this judge, if it needs one and was asked.

        Raises:
            ValueError: the reference lacks what a judge must know.
        """
        judge = family_of(reference).judge
        if grade.status != "needs_judge" or judge is None:
            return grade
        questions = judge.questions(grade, response or "", reference)
        replies = [self.repeats.get((question.key, 0)) for question in questions]
        return judge.decide(grade, replies, self.judge) if set(replies) - {None} else grade


def read_judgements(samples: Iterable[Path], judge: str | None = None) -> Judgements | None:
    """The judgements that count for some files of samples: beside them, or in a folder above.

    Args:
        samples: the files.
        judge: how the name of the judge begins; by default the one that was asked last.

    Returns:
        ``None`` where nobody judged.

    Raises:
        ValueError: no judge of that name, or a file that is damaged.
    """
    by_judge: dict[str, Judgements] = {}
    above = (folder for path in samples for folder in [*path.resolve().parents][: _ABOVE + 1])
    folders = (folder / JUDGEMENTS for folder in dict.fromkeys(above))
    for path in (path for folder in folders for path in sorted(folder.glob("*.ndjson"))):
        _read_judge(path, by_judge.setdefault(path.stem, Judgements(path.stem)))
    fits = [judgements for judgements in by_judge.values() if judgements.last is not None]
    if judge is not None:
        names = (
            ", ".join(judgements.judge for judgements in fits) or "none: judge with `xlgo judge`"
        )
        fits = [judgements for judgements in fits if judgements.judge.startswith(judge)]
        if not fits:
            raise ValueError(f"no judgements by {judge!r}: there are {names}")
    return max(fits, key=lambda one: (one.last or 0.0, one.judge), default=None)


def _read_judge(path: Path, into: Judgements) -> None:
    """Add what a file of answers holds; of several replies to one question the last counts."""
    for _, _, row in rows_of(path):
        if "run" in row:
            continue
        repeat, timestamp = row.get("repeat", 0), row.get("at", 0.0)
        if not (
            isinstance(repeat, int)
            and isinstance(timestamp, int | float)
            and abs(timestamp) < _LATEST
        ):
            raise ValueError(
                f"{path}: 'repeat' must be an integer and 'at' a timestamp in every judgement"
            )
        text = str(row.get("text", ""))
        into.repeats[str(row.get("chain", "")), repeat] = text
        if reply_of(row, text).state != MISSING:
            into.last = max(into.last or 0.0, float(timestamp))

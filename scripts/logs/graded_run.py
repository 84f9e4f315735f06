"""Grading a run again, without the model: the score, and examples of what went wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from xlgo_metric.core import STATUSES, Grade, Record
from xlgo_metric.family import family_of
from xlgo_metric.reading.thinking import split_thinking

from .. import workers
from ..report import labels
from .read_errors import Problems
from .results import Run, Sample, find_run, read_samples, total_size

PROMPT_HEAD, PROMPT_TAIL = 1500, 1200
"""Characters of a long prompt that an example keeps; the question stands at the end."""

RESPONSE_HEAD, RESPONSE_TAIL = 600, 2400
"""Characters of a long response that an example keeps; the answer stands at the end."""

_HEAVY = frozenset({"answer", "edges"})
_ANSWER = 1500
_VAST = 1e300
_PER_KIND = 3
_TEXTS_PER_KIND = 24


@dataclass(frozen=True)
class Example:
    """A graded response that a person can look at, its long texts shortened."""

    family: str
    task: str
    language: str
    status: str
    complexity: float | None
    identity: str
    prompt: str
    response: str
    answer: str
    details: str
    shortened: bool


@dataclass
class Examples:
    """Keeps, of each task, kind of failure and language, the smallest puzzle it happened on."""

    _found: dict[tuple[str, str, str, str], Example] = field(default_factory=dict)

    def offer(self, sample: Sample, grade: Grade) -> None:
        """Consider one response; right answers are not kept."""
        if grade.correct:
            return
        reference = sample.reference
        family = family_of(reference).name
        task, language = (str(reference.get(key, "")) for key in ("task", "language"))
        key = (family, task, grade.status, language)
        size = reference.get("complexity")
        complexity = float(size) if isinstance(size, int | float) and abs(size) < _VAST else None
        kept = self._found.get(key)
        if kept is not None and (kept.complexity or 0) <= (complexity or 0):
            return
        if kept is None and sum(other[:3] == key[:3] for other in self._found) >= _TEXTS_PER_KIND:
            return
        prompt = _asked(sample.prompt)
        noted = {name: value for name, value in grade.details.items() if value not in (None, [])}
        self._found[key] = Example(
            *key[:2],
            language,
            grade.status,
            complexity,
            str(reference.get("instance_id", "")),
            shorten(prompt, PROMPT_HEAD, PROMPT_TAIL),
            shorten(sample.response or "", RESPONSE_HEAD, RESPONSE_TAIL),
            shorten(_dumps(reference.get("answer")), _ANSWER, 0),
            shorten(_dumps(noted), _ANSWER, 0) if noted else "",
            len(prompt) > PROMPT_HEAD + PROMPT_TAIL,
        )

    def of(self, family: str, task: str | None = None) -> list[Example]:
        """A few examples of each kind of failure, of as many languages as there are."""
        chosen: dict[tuple[str, str], list[Example]] = {}
        for example in sorted(self._found.values(), key=lambda e: (e.complexity or 0, e.language)):
            if example.family == family and task in (None, example.task):
                kept = chosen.setdefault((example.task, example.status), [])
                if len(kept) < _PER_KIND:
                    kept.append(example)
        kinds: list[str] = list(STATUSES)
        keys = sorted(chosen, key=lambda key: (key[0], kinds.index(key[1])))
        return [example for key in keys for example in chosen[key]]


@dataclass(frozen=True)
class GradedRun:
    """A run and its score.

    Attributes:
        run: the files, and what could not be read of them.
        score: what :func:`xlgo_metric.scoring.score` returns.
        count: graded responses.
        outcomes: for each family, task and language, whether each question (by its instance id
            and repeat) was answered rightly.
    """

    run: Run
    score: dict[str, Any]
    count: int
    examples: Examples
    outcomes: dict[tuple[str, str, str], dict[tuple[str, int], bool]]

    @property
    def problems(self) -> Problems:
        """What could not be read, or was left out."""
        return self.run.problems


def score_folder(
    path: Path, *, model: str | None = None, date: str | None = None, quiet: bool = False
) -> GradedRun:
    """Grade everything in a results folder or file of samples.

    Args:
        path, model, date: see :func:`xlgo_cli.logs.results.find_run`.
        quiet: show no progress bar.

    Raises:
        ValueError: there is nothing that can be graded; the message says why.
    """
    return score_run(find_run(path, model=model, date=date), quiet=quiet)


def score_run(run: Run, *, quiet: bool = False) -> GradedRun:
    """Grade the samples of a run; see :func:`score_folder`."""
    from xlgo_metric.scoring import summarize

    examples = Examples()
    outcomes: dict[tuple[str, str, str], dict[tuple[str, int], bool]] = {}
    records: list[Record] = []
    with progress_bar("Reading and grading", total_size(run), quiet) as advance:
        samples = ((s, (s.response, s.reference)) for s in read_samples(run, advance))
        for sample, found in workers.in_order(_grade, samples, workers.available_processors()):
            reference = sample.reference
            if isinstance(found, str):
                reason = f"column doc.reference: cannot be graded against ({found})"
                run.problems.add_line(sample.file.path, sample.line, "reference", reason)
                continue
            if "error" in found.details:
                reason = f"grading raised {found.details['error']}: it counts as bad_format"
                run.problems.add_line(sample.file.path, sample.line, "answer", reason)
            examples.offer(sample, found)
            cell = (
                family_of(reference).name,
                str(reference["task"]),
                str(reference.get("language", "")),
            )
            identity = str(reference.get("instance_id") or sample.where)
            known, repeat = outcomes.setdefault(cell, {}), sample.repeat
            while (identity, repeat) in known:  # another wording of the same instance
                repeat += 1
            known[identity, repeat] = found.correct
            records.append(_record(sample, found))
    if not records:
        told = "; ".join(str(problem) for problem in run.problems.items[:5])
        raise ValueError(f"no sample of {run.model} could be graded: {told}")
    records.sort(key=lambda record: labels.task_order(record.reference["task"]))
    return GradedRun(run, summarize(records), len(records), examples, outcomes)


def _grade(pair: tuple[str | None, dict[str, Any]]) -> Grade | str:
    """The grade of a response, or why its reference cannot be used."""
    from xlgo_metric.guard import guarded
    from xlgo_metric.scoring import read_reference

    response, reference = pair
    try:
        reference = read_reference(reference)
        where = str(reference.get("instance_id") or reference["task"])
        return guarded(family_of(reference).grade, response, reference, where=where)
    except ValueError as error:
        return str(error)


def _record(sample: Sample, grade: Grade) -> Record:
    """What the summary needs of a response: no texts, of which there may be gigabytes."""
    heavy = family_of(sample.reference).heavy
    reference = {key: value for key, value in sample.reference.items() if key not in heavy}
    if "answer" in heavy:
        grade = replace(grade, answer=None)
    text = split_thinking(sample.response or "").thinking
    return Record(grade, reference, thinking_length=None if text is None else len(text))


def shorten(text: str, head: int, tail: int) -> str:
    """The beginning and the end of a long text, and between them how much was left out."""
    if len(text) <= head + tail:
        return text
    cut = len(text) - head - tail
    return f"{text[:head]}\n[… {cut:,} characters left out …]\n{text[len(text) - tail :]}"


@contextmanager
def progress_bar(title: str, total: int, quiet: bool) -> Iterator[Any]:
    """A progress bar on the error output, of ``total`` bytes; yields what advances it.

    On anything but a terminal nothing is shown.
    """
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn(),
        console=console, transient=True, disable=quiet or not console.is_terminal,
    ) as progress:  # fmt: skip
        task = progress.add_task(title, total=total)
        yield lambda size: progress.advance(task, size)


def _asked(prompt: str) -> str:
    """The text of a prompt; that of a chat is logged as a JSON list of messages."""
    if not prompt.startswith("[{"):
        return prompt
    try:
        return "\n\n".join(str(message["content"]) for message in json.loads(prompt))
    except (ValueError, TypeError, KeyError, RecursionError):
        return prompt


def _dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)

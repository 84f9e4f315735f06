"""The tasks of xlgo in inspect (extra ``inspect``): ``inspect eval xlgo/slt -T languages=en,te``.

Every task whose questions are asked once each is here; chains need ``xlgo run``. Grades and
numbers are those of ``xlgo run`` on the same answers.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    mean as mean_of_values,
    metric,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState, generate

import xlgo_dataset as xd
import xlgo_metric as xm
from xlgo_dataset.core import Row
from xlgo_metric.core import Grade
from xlgo_metric.scoring import read_reference

from .questions import grade_answer, questions, task_names

SCORER = "xlgo"
"""The name of the scorer, by which a log is recognized."""

_STOPPED = ("max_tokens", "model_length")
"""Reasons of inspect for an answer that was cut off."""


def samples(rows: Iterable[Row]) -> Iterator[Sample]:
    """Questions in the form of inspect."""
    for row in rows:
        columns = {key: row[key] for key in ("instance_id", "language", "complexity", "level")}
        yield Sample(
            id=row["id"],
            input=row["prompt"],
            target=row["answer"],
            metadata=columns | {"reference": row["reference"]},
        )


@metric(name="gaps")
def gaps() -> Metric:
    """Accuracy by language, and the flat numbers of ``xlgo_metric.score``: differences and SMD.

    With several epochs a question may be answered correctly in part of them: the tests then need
    the log itself (``xlgo report LOG``), and accuracies alone are shown.
    """

    def measure(scores: list[SampleScore]) -> dict[str, str | int | float | bool | None]:
        values: dict[str, list[float]] = defaultdict(list)
        for sample in scores:
            values[str((sample.sample_metadata or {}).get("language"))].append(
                sample.score.as_float()
            )
        numbers: dict[str, str | int | float | bool | None] = {
            f"accuracy_{code}": sum(right) / len(right) for code, right in values.items()
        }
        if all(sample.score.as_float() in (0.0, 1.0) for sample in scores):
            numbers |= xm.summarize(map(_record, scores))["headline"]
        return numbers

    return measure


def _record(score: SampleScore) -> xm.Record:
    reference = read_reference((score.sample_metadata or {})["reference"])
    reference["structure"] = xd.isomorphism_hash_of(reference)
    return xm.Record(Grade(**(score.score.metadata or {})["grade"]), reference)


@scorer(metrics=[mean_of_values(), stderr(), gaps()], name=SCORER)
def exact() -> Scorer:
    """Grade by rule, as ``xlgo run`` does; the explanation is the status."""

    async def score(state: TaskState, target: Target) -> Score:
        reference = str(state.metadata["reference"])
        cut = state.output.stop_reason in _STOPPED
        grade = grade_answer(state.output.completion, reference, cut=cut)
        return Score(
            value=float(grade.correct),
            answer=None if grade.answer is None else json.dumps(grade.answer, ensure_ascii=False),
            explanation=grade.status,
            metadata={"status": grade.status, "grade": grade.to_json()},
        )

    return score


def _build_task(
    title: str, names: Sequence[str], languages: str | list[str], split: str, **options: Any
) -> Task:
    rows = (row for name in names for row in questions(name, languages, split=split, **options))
    return Task(
        dataset=MemoryDataset(list(samples(rows)), title),
        solver=generate(),
        scorer=exact(),
        version=xd.family_of(names[0]).DATA_VERSION,
    )


@task
def puzzles(languages: str | list[str] = "", split: str = "test", **kwargs: Any) -> Task:
    """The five puzzles in one log."""
    return _build_task("puzzles", xd.TASKS, languages, split, **kwargs)


def _task(name: str) -> Callable[..., Task]:
    # Old releases of inspect (0.3.150) pass further options only to a parameter named "kwargs".
    def make(languages: str | list[str] = "", split: str = "test", **kwargs: Any) -> Task:
        return _build_task(name, [name], languages, split, **kwargs)

    make.__doc__ = xd.family_of(name).labels[name].about
    registered: Callable[..., Task] = task(name=name)(make)
    return registered


TASKS: dict[str, Callable[..., Task]] = {name: _task(name) for name in task_names()}
"""Each task by name; inspect finds them as ``xlgo/<name>``, and all puzzles as ``xlgo/puzzles``."""

"""The tasks of xlgo in inspect (extra ``inspect``): ``inspect eval xlgo/slt -T languages=en,te``.

Every task whose questions are asked once each is here; chains need ``xlgo run``. Grades and
numbers are those of ``xlgo run`` on the same answers.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer, stderr
from inspect_ai.scorer import mean as mean_of_values
from inspect_ai.solver import TaskState, generate

import xlgo_dataset as xd
import xlgo_metric as xm
from xlgo_lm_eval.utils import codes
from xlgo_metric.core import Grade
from xlgo_metric.scoring import cut_off, read_reference

SCORER = "xlgo"
"""The name of the scorer, by which a log is recognized."""

_STOPPED = ("max_tokens", "model_length")
"""Reasons of inspect for an answer that was cut off."""


def task_names() -> tuple[str, ...]:
    """The tasks that inspect can ask: those that are no chains of prompts."""
    chains = {spec.task for f in xd.FAMILIES.values() for spec in f.harness_tasks() if spec.step}
    names = (task for family in xd.FAMILIES.values() for task in family.TASKS)
    return tuple(name for name in names if name not in chains)


def samples(
    name: str, languages: str | Sequence[str] = "", *, split: str = "test", **options: Any
) -> Iterator[Sample]:
    """The questions of a task, level by level in all languages, so that ``--limit`` keeps pairs.

    Args:
        name: of the task.
        languages: codes, joined by commas or as a list; by default those of the data set.
        split: ``test``, ``validation`` or ``train``.
        options: of the task's family, such as ``preset`` and ``seed``.

    Raises:
        ValueError: an unknown language or option, or a value that is not allowed.
    """
    family = xd.family_of(name)
    asked = codes(languages) or family.default_languages(name)
    if unknown := [code for code in asked if code not in family.languages(name)]:
        allowed = ", ".join(family.languages(name))
        raise ValueError(f"{name}: unknown language {unknown[0]!r}: allowed are {allowed}")
    for row in family.rows(name, asked, split=split, **options):
        told = {key: row[key] for key in ("instance_id", "language", "complexity", "level")}
        yield Sample(
            id=row["id"], input=row["prompt"], target=row["answer"],
            metadata=told | {"reference": row["reference"]},
        )  # fmt: skip


def grade_output(text: str, stop_reason: str | None, reference: str) -> Grade:
    """The grade of a response; one that was cut off is ``truncated`` unless it can be read."""
    grade = xm.grade(text, reference)
    return cut_off(grade) if stop_reason in _STOPPED else grade


@metric(name="gaps")
def gaps() -> Metric:
    """Accuracy by language, and the flat numbers of ``xlgo_metric.score``: differences and SMD.

    With several epochs a question may be answered correctly in part of them: the tests then need
    the log itself (``xlgo report LOG``), and accuracies alone are shown.
    """

    def measure(scores: list[SampleScore]) -> dict[str, str | int | float | bool | None]:
        values: dict[str, list[float]] = defaultdict(list)
        for one in scores:
            values[str((one.sample_metadata or {}).get("language"))].append(one.score.as_float())
        found: dict[str, str | int | float | bool | None] = {
            f"accuracy_{code}": sum(right) / len(right) for code, right in values.items()
        }
        if all(one.score.as_float() in (0.0, 1.0) for one in scores):
            found |= xm.summarize(map(_record, scores))["headline"]
        return found

    return measure


def _record(one: SampleScore) -> xm.Record:
    reference = read_reference((one.sample_metadata or {})["reference"])
    return xm.Record(Grade(**(one.score.metadata or {})["grade"]), reference)


@scorer(metrics=[mean_of_values(), stderr(), gaps()], name=SCORER)
def exact() -> Scorer:
    """Grade by rule, as ``xlgo run`` does; the status stands in the explanation."""

    async def score(state: TaskState, target: Target) -> Score:
        reference = str(state.metadata["reference"])
        grade = grade_output(state.output.completion, state.output.stop_reason, reference)
        return Score(
            value=float(grade.correct),
            answer=None if grade.answer is None else json.dumps(grade.answer, ensure_ascii=False),
            explanation=grade.status,
            metadata={"status": grade.status, "grade": grade.to_json()},
        )

    return score


def _task(name: str) -> Callable[..., Task]:
    def make(languages: str | list[str] = "", split: str = "test", **options: Any) -> Task:
        found = MemoryDataset(list(samples(name, languages, split=split, **options)), name)
        version = xd.family_of(name).DATA_VERSION
        return Task(dataset=found, solver=generate(), scorer=exact(), version=version)

    make.__doc__ = xd.family_of(name).labels[name].about
    registered: Callable[..., Task] = task(name=name)(make)
    return registered


TASKS: dict[str, Callable[..., Task]] = {name: _task(name) for name in task_names()}
"""Every task by name; inspect finds them as ``xlgo/<name>``."""

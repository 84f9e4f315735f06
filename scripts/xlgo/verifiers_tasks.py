"""The tasks of xlgo as a taskset of verifiers (extra ``verifiers``): ``vf-eval xlgo``.

Rewards are those of ``xlgo_metric``: 1 for a correct answer, and less for a wrong one that begins
well. The metric ``correct`` is the grade that ``xlgo run`` gives to the same answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import verifiers.v1 as vf
from pydantic import Field

import xlgo_dataset as xd
import xlgo_metric as xm

from .questions import grade_answer, questions


class XlgoConfig(vf.TasksetConfig):
    """Which questions to ask.

    Attributes:
        tasks, languages: joined by commas; by default the five puzzles in the languages of the
            dataset.
        split: ``train`` has no puzzle of the other two.
        preset: ``paper``, ``lite`` or ``smoke``.
        options: others of the tasks' family, such as ``{"levels": 5}``.
    """

    tasks: str = ",".join(xd.TASKS)
    languages: str = ""
    split: str = "train"
    preset: str | None = None
    options: dict[str, Any] = Field(default_factory=dict)


class XlgoData(vf.TaskData):
    """A question: what it is about, and its reference as JSON."""

    instance_id: str
    language: str
    complexity: int | None
    level: int | None
    reference: str


class XlgoTask(vf.Task[XlgoData, vf.State, vf.TaskConfig]):
    """One question, asked once and graded by rule."""

    @property
    def key(self) -> str:
        """The id of the question."""
        return str(self.data.id)

    @vf.reward(weight=1.0)
    async def partial(self, trace: vf.Trace) -> float:
        """``xlgo_metric.partial_reward`` of the answer."""
        (reward,) = xm.partial_reward([answer_of(trace)], [self.data.reference])
        return reward

    @vf.metric
    async def correct(self, trace: vf.Trace) -> float:
        """1 if the answer is correct."""
        cut = trace.is_truncated
        return float(grade_answer(answer_of(trace), self.data.reference, cut=cut).correct)

    @vf.metric
    async def form(self, trace: vf.Trace) -> float:
        """``xlgo_metric.format_reward`` of the answer."""
        (reward,) = xm.format_reward([answer_of(trace)], [self.data.reference])
        return reward


class XlgoTaskset(vf.Taskset[XlgoTask, XlgoConfig]):
    """The questions of one or several tasks, in every language asked for."""

    def load(self) -> Iterator[XlgoTask]:
        """Make the questions, task by task.

        Raises:
            ValueError: an unknown task, language or option.
        """
        config = self.config
        options = config.options | ({} if config.preset is None else {"preset": config.preset})
        for name in filter(None, map(str.strip, config.tasks.split(","))):
            for row in questions(name, config.languages, split=config.split, **options):
                columns = {key: row[key] for key in XlgoData.__annotations__}
                data = XlgoData(id=row["id"], name=row["task"], prompt=row["prompt"], **columns)
                yield XlgoTask(data, config.task)


def answer_of(trace: vf.Trace) -> str:
    """What the model answered, as it gave it."""
    messages = trace.assistant_messages
    return (messages[-1].content or "") if messages else ""

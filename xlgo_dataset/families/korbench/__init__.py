"""The family KOR-Bench: reasoning by rules that were invented for the test (arXiv 2410.06526).

The questions of five categories are loaded from a local folder or the Hub; nothing of them is part
of this project. ``kor_cipher_fresh`` is generated: new texts for the 25 cipher rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from xlgo_metric.core import PLAIN
from xlgo_metric.option import Option

from ...core.rng import Stream
from ...extras import LoadedData, Parts, Simulated
from ...family import GeneratedFamily, GoldAnswer, HarnessTask, Row
from . import fresh, harness, questions, released
from .fresh import FreshInstance
from .gold_answers import gold_answers
from .questions import GENERATED, LOADED, TASKS

_SOURCE = """\
The rules of {tasks} are those of

> KOR-Bench: Benchmarking Language Models on Knowledge-Orthogonal Reasoning Tasks
> (https://arxiv.org/abs/2410.06526).

The rule texts, the questions and the programs that solve them were written for this project.
"""


class _LoadedData(LoadedData):
    def gold_answers(self, source: Path) -> Iterator[GoldAnswer]:
        return gold_answers(source)


class _Simulated(Simulated):
    def half_right(self, task: str) -> float | None:
        return 12.0 if task == fresh.TASK else None

    def wrong_answer(self, instance: FreshInstance, stream: Stream) -> dict[str, object]:
        return fresh.wrong_answer(instance, stream)

    def phrase(
        self, answer: Mapping[str, object], task: str, language: str, text: str, stream: Stream
    ) -> str:
        return fresh.bracketed(answer)


class _Parts(Parts):
    def shards(self, task: str, **given: Any) -> int:
        return questions.shards(task, **given)


class KorBench(GeneratedFamily):
    """Rules of five categories, their mixtures, self-correction, and fresh questions of ciphers."""

    name = questions.NAME
    extras = (_LoadedData(), _Simulated(), _Parts())
    title = "Rules that no model has seen (KOR-Bench)"
    DATA_VERSION = questions.DATA_VERSION
    labels = harness.LABELS
    source = _SOURCE

    def languages(self, task: str) -> tuple[str, ...]:
        return questions.languages(task)

    def task_options(self, task: str) -> tuple[Option, ...]:
        return questions.task_options(task)

    def rows(
        self,
        task: str,
        languages: Sequence[str],
        *,
        split: str = released.SPLIT,
        indexes: Iterable[int] | None = None,
        **given: Any,
    ) -> Iterator[Row]:
        return questions.rows(task, languages, split=split, indexes=indexes, **given)

    def harness_tasks(self) -> tuple[HarnessTask, ...]:
        return harness.harness_tasks()

    def generate(self, task: str, **parameters: Any) -> FreshInstance:
        return questions.generate(task, **parameters)

    def solve(self, instance: FreshInstance) -> dict[str, object]:
        return questions.solve(instance)

    def answer(self, instance: FreshInstance, language: str) -> str:
        return fresh.answer(instance)

    def render(
        self, instance: FreshInstance, language: str, text: str = "paper", condition: str = PLAIN
    ) -> str:
        return questions.render(instance, language, text)

    def read(
        self, task: str, prompt: str, language: str, text: str = "paper", condition: str = PLAIN
    ) -> FreshInstance:
        return questions.read(task, prompt, language, text)

    def instance_from_json(self, task: str, data: Mapping[str, object]) -> FreshInstance:
        return questions.instance_from_json(task, data)


FAMILY = KorBench()

__all__ = ["FAMILY", "GENERATED", "LOADED", "TASKS", "KorBench"]

"""The family KOR-Bench: reasoning by rules that were invented for the test (arXiv 2410.06526).

The questions of five categories are loaded from a local folder or the Hub; nothing of them is part
of this project. ``kor_cipher_fresh`` is generated: new texts for the 25 cipher rules.
"""

from __future__ import annotations

from ...extras import LoadedData, Parts, Simulated
from ...family import GeneratedFamily
from . import fresh, harness, questions
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
    gold_answers = staticmethod(gold_answers)


class _Simulated(Simulated):
    def half_right(self, task: str) -> float | None:
        return 12.0 if task == fresh.TASK else None


class _Parts(Parts):
    shards = staticmethod(questions.shards)


class KorBench(GeneratedFamily):
    """Rules of five categories, their mixtures, self-correction, and fresh questions of ciphers."""

    name = questions.NAME
    extras = (_LoadedData(), _Simulated(), _Parts())
    title = "Rules that no model has seen (KOR-Bench)"
    DATA_VERSION = questions.DATA_VERSION
    labels = harness.LABELS
    source = _SOURCE

    languages = staticmethod(questions.languages)
    task_options = staticmethod(questions.task_options)
    options = staticmethod(questions.options)
    rows = staticmethod(questions.rows)
    harness_tasks = staticmethod(harness.harness_tasks)
    generate = staticmethod(questions.generate)
    solve = staticmethod(fresh.solve)
    render = staticmethod(questions.render)
    instance_from_json = staticmethod(questions.instance_from_json)

    def answer(self, instance: FreshInstance, language: str) -> str:
        return fresh.answer(instance)


FAMILY = KorBench()

__all__ = ["FAMILY", "GENERATED", "LOADED", "TASKS", "KorBench"]

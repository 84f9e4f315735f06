"""The family of simple reasoning: tasks that are easy and tedious, and UNPUZZLES."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...core.rng import Stream
from ...declared import Specimen
from ...family import GeneratedFamily, HarnessTask, Row, TaskLabels
from ...option import Option
from ...text.languages import LANGUAGES
from . import counting, harness, prompts, questions, replies
from .base import SimpleInstance
from .questions import GENERATED, LOADED, PER_SETTING, TASKS

_SOURCE = """\
The tasks {tasks} are built after

> Frontier LLMs still struggle with simple reasoning tasks.
"""


class SimpleReasoning(GeneratedFamily):
    """The seven generated tasks and the two that are loaded from the authors' release."""

    name = "simple_reasoning"
    title = "Simple reasoning"
    TASKS = TASKS
    DATA_VERSION = questions.DATA_VERSION
    source = _SOURCE
    labels = {  # noqa: RUF012 (read only)
        "word_count": TaskLabels(
            "Counting words", "Words", "How often each word of a list occurs in a text.", "words"
        ),
        "char_count": TaskLabels(
            "Counting characters", "Characters", "How often a character occurs in a text.",
            "words of the text",
        ),
        "logic_eval": TaskLabels(
            "Evaluating logic", "Logic", "The assignment that makes a formula true.", "depth"
        ),
        "logic_negation": TaskLabels(
            "Negating logic", "Negation", "The negation of a first-order formula.", "depth"
        ),
        "proof_tree": TaskLabels(
            "Proof trees", "Proofs", "A word problem made from a proof tree.", "depth"
        ),
        "irrelevant": TaskLabels(
            "Irrelevant facts", "Irrelevant",
            "A word problem among irrelevant people and sentences.", "trees",
        ),
        "travel": TaskLabels(
            "Travel plans", "Travel", "An itinerary within a budget.", "cities to visit"
        ),
        "unpuzzles": TaskLabels(
            "UNPUZZLES", "UNPUZZLES", "Well-known puzzles made trivial.", "units of complexity"
        ),
        "released": TaskLabels(
            "The authors' questions", "Released", "The fixed questions of the authors' release.",
            "units of complexity",
        ),
    }  # fmt: skip

    simulated = replies.SIMULATED
    texts = prompts.TEXTS
    former_names = harness.FORMER_NAMES

    @property
    def generated(self) -> tuple[str, ...]:
        return tuple(GENERATED)

    def languages(self, task: str) -> tuple[str, ...]:
        return questions.languages(task)

    def default_languages(self, task: str) -> tuple[str, ...]:
        """Those that have the wording ``paper``, the default of ``text``."""
        codes = questions.languages(task)
        own = [code for code in codes if questions.wording(task, code, "paper") == "paper"]
        return tuple(code for code in LANGUAGES if code in own)

    def splits(self, task: str) -> tuple[str, ...]:
        return ("test",) if task in LOADED else super().splits(task)

    def options(self, task: str, **given: Any) -> dict[str, Any]:
        return questions.options(task, **given)

    def task_options(self, task: str) -> tuple[Option, ...]:
        return questions.task_options(task)

    def rows(
        self,
        task: str,
        languages: Sequence[str],
        *,
        split: str = "test",
        indexes: Iterable[int] | None = None,
        **given: Any,
    ) -> Iterator[Row]:
        return questions.rows(task, languages, split=split, **given)

    def files(self, task: str, **given: Any) -> tuple[Path, ...]:
        sources = questions.options(task, **given).get("source", ())
        names = [sources] if isinstance(sources, str) else sources
        return tuple(path for path in map(Path, names) if path.exists())

    def wordings(self, language: str) -> Iterator[tuple[str, str]]:
        """The strings of the parallel text and the sentences that are counted in."""
        if language in prompts.parallel_languages():
            for key, text in prompts.table(prompts.PARALLEL, language).items():
                if isinstance(text, str):
                    yield f"parallel.{key}", text
        if language in counting.languages("char_count"):
            for number, article in enumerate(counting.load(language).articles, 1):
                for line, text in enumerate(article, 1):
                    yield f"counting.articles.{number}.{line}", text

    def harness_tasks(self) -> tuple[HarnessTask, ...]:
        return harness.harness_tasks()

    def specimens(self, task: str) -> tuple[Specimen, ...]:
        """The paper's wording where there is one, and the parallel one in every language."""
        return (
            Specimen("", self.default_languages(task)),
            Specimen("parallel", self.languages(task), harness.SMALL[task] | {"text": "parallel"}),
        )

    def generate(self, task: str, **parameters: Any) -> SimpleInstance:
        return questions.generate(task, **parameters)

    def solve(self, instance: SimpleInstance) -> dict[str, Any]:
        return questions.solve(instance)

    def answer(self, instance: SimpleInstance, language: str) -> dict[str, Any]:
        return questions.answer(instance, language)

    def render(self, instance: SimpleInstance, language: str, text: str = "paper") -> str:
        return questions.render(instance, language, text)

    def read(self, task: str, prompt: str, language: str, text: str = "paper") -> SimpleInstance:
        return questions.read(task, prompt, language, text)

    def slip(self, instance: SimpleInstance, stream: Stream) -> dict[str, Any]:
        return replies.slip(instance, questions.solve(instance), stream)

    def phrase(
        self, answer: Mapping[str, Any], task: str, language: str, text: str, stream: Stream
    ) -> str:
        parallel = questions.wording(task, language, text) == "parallel"
        return replies.written(questions.named(answer, task, language, text), task, parallel)

    def instance_from_json(self, task: str, data: Mapping[str, Any]) -> SimpleInstance:
        return questions.instance_from_json(task, data)


FAMILY = SimpleReasoning()

__all__ = ["FAMILY", "GENERATED", "LOADED", "PER_SETTING", "TASKS", "SimpleReasoning"]

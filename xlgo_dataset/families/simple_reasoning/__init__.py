"""The family of simple reasoning: tasks that are easy and tedious, and UNPUZZLES."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...declared import GalleryExample
from ...extras import Simulated, Wordings
from ...family import GeneratedFamily, TaskLabels
from ...text.languages import LANGUAGES
from . import counting, harness, prompts, questions
from .questions import GENERATED, LOADED, PER_SETTING, TASKS, has_parallel_text

_SOURCE = """\
The tasks {tasks} are built after

> Frontier LLMs still struggle with simple reasoning tasks.
"""


class _Wordings(Wordings):
    def wordings(self, language: str) -> Iterator[tuple[str, str]]:
        """The strings of the parallel text and the sentences that are counted in."""
        if language in prompts.codes(prompts.PARALLEL):
            for key, text in prompts.table(prompts.PARALLEL, language).items():
                if isinstance(text, str):
                    yield f"parallel.{key}", text
        if language in counting.languages("char_count"):
            for number, article in enumerate(counting.load(language).articles, 1):
                for line, text in enumerate(article, 1):
                    yield f"counting.articles.{number}.{line}", text

    def gallery_examples(self, task: str) -> tuple[GalleryExample, ...]:
        """The task's own wording, and the parallel one in every language where it has one."""
        every = FAMILY.languages(task)
        if not has_parallel_text(task):
            return (GalleryExample("", every),)
        parallel = {**GENERATED[task].small, "text": "parallel"}
        return (
            GalleryExample("", FAMILY.default_languages(task)),
            GalleryExample("parallel", every, parallel),
        )


class _Simulated(Simulated):
    def half_right(self, task: str) -> float | None:
        return GENERATED[task].half_right if task in GENERATED else None

    def response(self, answer: Mapping[str, object], task: str) -> str:
        return GENERATED[task].response(answer)


class SimpleReasoning(GeneratedFamily):
    """The seven generated tasks and the two that are loaded from the authors' release."""

    name = "simple_reasoning"
    extras = (_Wordings(), _Simulated())
    title = "Simple reasoning"
    DATA_VERSION = questions.DATA_VERSION
    source = _SOURCE
    labels = {  # noqa: RUF012 (read only)
        **{name: task.labels for name, task in GENERATED.items()},
        "unpuzzles": TaskLabels(
            "UNPUZZLES", "UNPUZZLES", "Well-known puzzles made trivial.", "units of complexity",
            loaded=("test",),
        ),
        "released": TaskLabels(
            "The authors' questions", "Released", "The fixed questions of the authors' release.",
            "units of complexity", loaded=("test",),
        ),
    }  # fmt: skip

    texts = prompts.TEXTS

    languages = staticmethod(questions.languages)

    def default_languages(self, task: str) -> tuple[str, ...]:
        """Those that have the wording ``paper``, the default of ``text``."""
        codes = questions.languages(task)
        own = [code for code in codes if questions.wording(task, code, "paper") == "paper"]
        return tuple(code for code in LANGUAGES if code in own)

    task_options = staticmethod(questions.task_options)
    rows = staticmethod(questions.rows)
    harness_tasks = staticmethod(harness.harness_tasks)
    generate = staticmethod(questions.generate)
    solve = staticmethod(questions.solve)
    answer = staticmethod(questions.answer)
    render = staticmethod(questions.render)
    instance_from_json = staticmethod(questions.instance_from_json)


FAMILY = SimpleReasoning()

__all__ = ["FAMILY", "GENERATED", "LOADED", "PER_SETTING", "TASKS", "SimpleReasoning"]

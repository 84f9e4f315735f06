"""The family XLGoBench: puzzles of adjustable complexity.

Five are those of the paper; ``dsa_perm`` stands beside them, in a harness group of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from xlgo_metric.core import PLAIN
from xlgo_metric.option import Option

from ...core.instance import Instance
from ...core.rng import Stream
from ...core.version import DATA_VERSION
from ...extras import Levels, Parts, Simulated, Wordings
from ...family import GeneratedFamily, HarnessTask, Row, drawn
from ...text.languages import LANGUAGES, TEXTS
from . import instances
from . import rows as data
from .conditions import PromptVariant, condition
from .conditions.length import Padding
from .instances import PUZZLES, TASKS

if TYPE_CHECKING:
    import pyarrow as pa

_SOURCE = """\
The puzzles {tasks}, their wording and the measures are those of

> Purvam Jain, Preethi Jyothi, Vihari Piratla, Suvrat Raju: XLGoBench: Detecting cross-lingual
> skill gaps with algorithmic tasks.

`dsa_perm`, where it is among them, is not theirs: it is their `dsa` with keys that permute the
rooms.
"""


class _Levels(Levels):
    def levels(self, task: str, **given: Any) -> dict[int, int]:
        return data.levels(task, **given)

    def may_repeat(self, task: str, complexity: int) -> bool | None:
        return instances.may_repeat(task, complexity)

    def isomorphism_hash(self, instance: Instance) -> str:
        return instances.isomorphism_hash(instance)


class _Wordings(Wordings):
    def render_with(self, instance: Instance, strings: Mapping[str, str]) -> str:
        return instances.render_with(instance, strings)


class _Simulated(Simulated):
    def half_right(self, task: str) -> float | None:
        return sum(PUZZLES[task].RANGES["smoke"]) / 2

    def wrong_answer(self, instance: Instance, stream: Stream) -> dict[str, Any]:
        return instances.wrong_answer(instance, stream)

    def phrase(
        self, answer: Mapping[str, Any], task: str, language: str, text: str, stream: Stream
    ) -> dict[str, object]:
        return instances.phrase(answer, task, language, text, stream)


class _Parts(Parts):
    def shards(self, task: str, **given: Any) -> int:
        count: int = data.options(task, **given)["per_level"]
        return count

    def tables(self, task: str, languages: Sequence[str], **asked: Any) -> Iterator[pa.Table]:
        return data.tables(task, languages, **asked)

    def questions(
        self, task: str, languages: Sequence[str], *, split: str = "test", **given: Any
    ) -> Iterator[Row]:
        return data.questions(task, languages, split=split, **given)

    def prompt(self, reference: Mapping[str, Any], text: str) -> str:
        one = PromptVariant(reference["language"], condition(reference.get("condition", PLAIN)))
        filled = {one: Padding.from_told(reference)} if one.condition.filled else {}
        prompt: str = instances.render_asked(drawn(reference), [one], text, filled)[0].as_py()
        return prompt


class XlgoBench(GeneratedFamily):
    """The five puzzles of XLGoBench and the one beside them."""

    name = data.NAME
    title = "Algorithmic puzzles (XLGoBench)"
    DATA_VERSION = DATA_VERSION
    labels = {name: module.LABELS for name, module in PUZZLES.items()}  # noqa: RUF012
    source = _SOURCE
    texts = TEXTS
    extras = (_Levels(), _Wordings(), _Simulated(), _Parts())

    def languages(self, task: str) -> tuple[str, ...]:
        self.check_task(task)
        return instances.languages(task)

    def default_languages(self, task: str) -> tuple[str, ...]:
        return instances.languages(task, LANGUAGES)

    def task_options(self, task: str) -> tuple[Option, ...]:
        self.check_task(task)
        return data.OPTIONS

    def options(self, task: str, **given: Any) -> dict[str, object]:
        return dict(data.options(task, **given))

    def rows(
        self,
        task: str,
        languages: Sequence[str],
        *,
        split: str = "test",
        indexes: Iterable[int] | None = None,
        **given: Any,
    ) -> Iterator[Row]:
        return data.rows(task, languages, split=split, indexes=indexes, **given)

    def harness_tasks(self) -> tuple[HarnessTask, ...]:
        found = []
        for task in PUZZLES:
            group = "xlgo" if task in TASKS else "xlgo_more"
            together = self.default_languages(task)
            found.append(HarnessTask(f"xlgo_{task}", task, together, group, "xlgobench_languages"))
            found += [
                HarnessTask(f"xlgo_{task}_{code}", task, (code,), group, "xlgobench",
                            in_group=False)
                for code in instances.languages(task)
            ]  # fmt: skip
        return tuple(found)

    def generate(self, task: str, **parameters: Any) -> Instance:
        names = ("complexity", "seed", "index", "split")
        for name in parameters:
            if name not in names:
                raise ValueError(f"{task}: unknown parameter {name!r}: allowed are "
                                 f"{', '.join(names)}")  # fmt: skip
        if "complexity" not in parameters:
            raise ValueError(f"{task}: complexity is missing")
        return instances.generate(task, **parameters)

    def solve(self, instance: Instance) -> dict[str, Any]:
        return instances.solve(instance)

    def render(
        self, instance: Instance, language: str, text: str = "paper", condition: str = PLAIN
    ) -> str:
        return instances.render(instance, language, text, condition)

    def read(
        self, task: str, prompt: str, language: str, text: str = "paper", condition: str = PLAIN
    ) -> Instance:
        return instances.read(task, prompt, language, text, condition)

    def instance_from_json(self, task: str, data: Mapping[str, object]) -> Instance:
        return instances.instance_from_json(task, data)


FAMILY = XlgoBench()

__all__ = ["FAMILY", "PUZZLES", "TASKS", "XlgoBench"]

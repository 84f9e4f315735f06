"""The family XLGoBench: puzzles of adjustable complexity.

Five are those of the paper; ``dsa_perm`` stands beside them, in a harness group of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from xlgo_metric.core import PLAIN
from xlgo_metric.option import Option

from ...core.instance import Instance
from ...core.version import DATA_VERSION
from ...extras import Levels, Parts, Simulated, Wordings
from ...family import GeneratedFamily, HarnessTask, drawn
from ...text.languages import LANGUAGES, TEXTS
from . import instances
from . import rows as data
from .conditions import PromptVariant, condition
from .conditions.length import Padding
from .instances import PUZZLES, TASKS

_SOURCE = """\
The puzzles {tasks}, their wording and the measures are those of

> Purvam Jain, Preethi Jyothi, Vihari Piratla, Suvrat Raju: XLGoBench: Detecting cross-lingual
> skill gaps with algorithmic tasks.

`dsa_perm`, where it is among them, is not theirs: it is their `dsa` with keys that permute the
rooms.
"""


class _Levels(Levels):
    levels = staticmethod(data.levels)
    may_repeat = staticmethod(instances.may_repeat)
    isomorphism_hash = staticmethod(instances.isomorphism_hash)


class _Wordings(Wordings):
    render_with = staticmethod(instances.render_with)


class _Simulated(Simulated):
    def half_right(self, task: str) -> float | None:
        return sum(PUZZLES[task].RANGES["smoke"]) / 2


class _Parts(Parts):
    def shards(self, task: str, **given: Any) -> int:
        count: int = data.options(task, **given)["per_level"]
        return count

    tables = staticmethod(data.tables)
    questions = staticmethod(data.questions)

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

    rows = staticmethod(data.rows)

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

    solve = staticmethod(instances.solve)
    render = staticmethod(instances.render)
    read = staticmethod(instances.read)
    reads_prompts = True
    instance_from_json = staticmethod(instances.instance_from_json)


FAMILY = XlgoBench()

__all__ = ["FAMILY", "PUZZLES", "TASKS", "XlgoBench"]

"""A family of two tasks that lives in the tests only: the side of the data.

``toy_sum`` adds two numbers; ``toy_describe`` asks for a free text, which only a judge can grade.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from xlgo_dataset import GeneratedFamily, HarnessTask, TaskLabels
from xlgo_dataset.core.rng import Stream
from xlgo_dataset.extras import Levels, Parts, Simulated
from xlgo_metric.option import Option

WORDS = {"en": "What is {a} plus {b}?", "te": "{a} మరియు {b} మొత్తం ఎంత?"}
DESCRIBE = {"en": "Describe the number {a}.", "te": "{a} అనే సంఖ్యను వర్ణించండి."}


@dataclass(frozen=True)
class Toy:
    task: str
    a: int
    b: int
    instance_id: str = ""

    @property
    def complexity(self) -> int:
        return len(str(self.a))

    def to_json(self) -> dict[str, Any]:
        return {"task": self.task, "a": self.a, "b": self.b}


class _Levels(Levels):
    def levels(self, task: str, **given: Any) -> dict[int, int]:
        chosen: Any = FAMILY.options(task, **given)
        return dict.fromkeys((1, 2, 3), chosen["per_level"])


class _Parts(Parts):
    def shards(self, task: str, **given: Any) -> int:
        chosen: Any = FAMILY.options(task, **given)
        return int(chosen["per_level"])


class _Simulated(Simulated):
    def half_right(self, task: str) -> float | None:
        return 3.0 if task == "toy_sum" else None

    def wrong_answer(self, instance: Toy, stream: Stream) -> dict[str, Any]:
        return {"sum": instance.a + instance.b + 1 + stream.integer(9)}


class ToyData(GeneratedFamily):
    name = "toy"
    title = "Toys"
    DATA_VERSION = 3
    labels = {  # noqa: RUF012
        "toy_sum": TaskLabels("Toy sums", "Sums", "Two numbers are added.", "digits"),
        "toy_describe": TaskLabels("Toy texts", "Texts", "A number is described.", "digits"),
    }
    source = "The tasks {tasks} are toys."
    extras = (_Levels(), _Parts(), _Simulated())

    def languages(self, task: str) -> tuple[str, ...]:
        self.check_task(task)
        return tuple(WORDS)

    def task_options(self, task: str) -> tuple[Option, ...]:
        self.check_task(task)
        return (
            Option("seed", "integer", "seed of the numbers", 0),
            Option("per_level", "integer", "questions of each size", 2, least=1),
        )

    def rows(
        self,
        task: str,
        languages: Sequence[str],
        *,
        split: str = "test",
        indexes: Iterable[int] | None = None,
        **given: Any,
    ) -> Iterator[dict[str, Any]]:
        chosen: Any = self.options(task, **given)
        for index in range(chosen["per_level"]) if indexes is None else indexes:
            for level, complexity in enumerate((1, 2, 3)):
                found = self.generate(
                    task, complexity=complexity, seed=chosen["seed"], index=index, split=split
                )
                for language in languages:
                    reference = {
                        "family": "toy", "task": task, "language": language,
                        "instance_id": found.instance_id, "complexity": complexity,
                        "level": level, "index": index, "seed": chosen["seed"], "split": split,
                        "data": self.DATA_VERSION, "answer": self.solve(found),
                    }  # fmt: skip
                    yield {
                        "id": f"{found.instance_id}-{language}", "task": task,
                        "instance_id": found.instance_id, "language": language,
                        "complexity": complexity, "level": level, "index": index,
                        "seed": chosen["seed"], "prompt": self.render(found, language),
                        "answer": json.dumps(self.solve(found)),
                        "reference": json.dumps(reference),
                    }  # fmt: skip

    def harness_tasks(self) -> tuple[HarnessTask, ...]:
        return tuple(HarnessTask(task, task, ("en", "te"), "toys", "toy") for task in self.TASKS)

    def generate(self, task: str, **parameters: Any) -> Toy:
        size, seed, index, split = (
            parameters.get(name, default)
            for name, default in (("complexity", 1), ("seed", 0), ("index", 0), ("split", "test"))
        )
        stream = Stream("toy", task, size, split, seed, index)
        low = 10 ** (size - 1)
        a, b = (low + stream.integer(9 * low) for _ in range(2))
        return Toy(task, a, b, f"{task}-{split}-s{seed}-c{size}-i{index}")

    def solve(self, instance: Toy) -> dict[str, Any]:
        return {"sum": instance.a + instance.b} if instance.task == "toy_sum" else {"about": "any"}

    def render(
        self, instance: Toy, language: str, text: str = "paper", condition: str = "plain"
    ) -> str:
        words = WORDS if instance.task == "toy_sum" else DESCRIBE
        if language not in words:
            raise ValueError(f"unknown language {language!r}: allowed are {', '.join(words)}")
        return words[language].format(a=instance.a, b=instance.b)

    def read(
        self, task: str, prompt: str, language: str, text: str = "paper", condition: str = "plain"
    ) -> Toy:
        numbers = [int(word) for word in prompt.replace("?", " ").replace(".", " ").split()
                   if word.isdigit()]  # fmt: skip
        found = Toy(task, numbers[0], numbers[-1]) if numbers else None
        if found is None or self.render(found, language) != prompt:
            raise ValueError(f"not a prompt of {task}")
        return found

    def instance_from_json(self, task: str, data: Mapping[str, Any]) -> Toy:
        return Toy(task, int(data["a"]), int(data["b"]))


FAMILY = ToyData()

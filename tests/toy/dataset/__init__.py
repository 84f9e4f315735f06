"""A family of one task that lives in the tests only: the side of the data.

``toy_sum`` adds two numbers.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from xlgo_dataset import Family, HarnessTask, TaskLabels
from xlgo_dataset.core import Sizes, row_of
from xlgo_dataset.core.rng import Stream
from xlgo_metric.option import Option

WORDS = {"en": "What is {a} plus {b}?", "te": "{a} మరియు {b} మొత్తం ఎంత?"}


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


SIZES = Sizes((1, 2, 3), per_level=2)


def _options(task: str) -> tuple[Option, ...]:
    return (Option("seed", "integer", "seed of the numbers", 0), *SIZES.options)


def _rows(
    task: str,
    languages: Sequence[str],
    split: str,
    indexes: Iterable[int] | None,
    chosen: Mapping[str, Any],
) -> Iterator[dict[str, Any]]:
    for index, level, complexity, design in SIZES.questions(task, chosen, indexes):
        where = {"seed": chosen["seed"], "index": index, "split": split}
        found = _generate(task, complexity=complexity, **where)
        for language in languages:
            reference = {
                "family": "toy", "task": task, "language": language,
                "instance_id": found.instance_id, "complexity": complexity, "level": level, **where,
                "data": FAMILY.DATA_VERSION, "answer": _solve(found), **design,
            }  # fmt: skip
            yield row_of(reference, _render(found, language))


def _generate(
    task: str, *, complexity: int = 1, seed: int = 0, index: int = 0, split: str = "test"
) -> Toy:
    stream = Stream("toy", task, complexity, split, seed, index)
    low = 10 ** (complexity - 1)
    a, b = (low + stream.integer(9 * low) for _ in range(2))
    return Toy(task, a, b, f"{task}-{split}-s{seed}-c{complexity}-i{index}")


def _solve(instance: Toy) -> dict[str, Any]:
    return {"sum": instance.a + instance.b}


def _render(instance: Toy, language: str, text: str = "paper", condition: str = "plain") -> str:
    return WORDS[language].format(a=instance.a, b=instance.b)


def _read(
    task: str, prompt: str, language: str, text: str = "paper", condition: str = "plain"
) -> Toy:
    a, b = re.findall(r"\d+", prompt)
    return Toy(task, int(a), int(b))


FAMILY: Family = Family(
    name="toy",
    package=__name__,
    title="Toys",
    DATA_VERSION=3,
    labels={
        "toy_sum": TaskLabels("Toy sums", "Sums", "Two numbers are added.", "digits"),
    },
    source="The tasks {tasks} are toys.",
    languages_of=lambda task: tuple(WORDS),
    options_of=_options,
    make_rows=_rows,
    harness_tasks=lambda: tuple(
        HarnessTask(task, task, ("en", "te"), "toys", "toy") for task in FAMILY.TASKS
    ),
    levels_of=SIZES.levels,
    shards_of=SIZES.shards,
    generate=_generate,
    solve=_solve,
    render=_render,
    read=_read,
    instance_from_json=lambda task, data: Toy(task, int(data["a"]), int(data["b"])),
    half_right=lambda task: 3.0,
)

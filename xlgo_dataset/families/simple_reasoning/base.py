"""What the tasks of this family share: parameters, instances and drawing with retries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypedDict, TypeVar

from xlgo_metric.option import Kind, Option

from ...core.instance import SPLITS, Origin
from ...core.rng import Stream
from ...core.version import DRAW_VERSION
from ...declared import TaskLabels
from .prompts import Words

_Solution = TypeVar("_Solution")

MAX_ATTEMPTS = 1000
"""Draws of one instance before giving up. No setting of the paper comes near it."""


@dataclass(frozen=True)
class Param:
    """One parameter of a task.

    Attributes:
        default: the value that ``generate`` uses when it is not given.
        allowed: the values it may have; ``None`` for any text, which may be a path.
        help: what it does: a phrase without a full stop.
        grid: the values that ``rows`` goes through by default; empty for the default alone.
        in_key: whether it takes part in naming the random stream and the instance. Wordings do
            not, so that one and the same problem exists in every wording; nor do paths.
    """

    default: Any
    allowed: tuple[Any, ...] | range | None
    help: str
    grid: tuple[Any, ...] = ()
    in_key: bool = True

    def option(self, name: str) -> Option:
        """The option of ``rows`` that goes through values of this parameter."""
        kind: Kind = "choice"
        if self.allowed is None:
            kind = "text"
        elif isinstance(self.allowed, range):
            kind = "integer"
        grid = self.grid or (self.default,)
        is_path = self.allowed is None
        return Option(
            name, kind, self.help, grid, self.allowed or (), several=True, is_path=is_path
        )


@dataclass(frozen=True)
class Made:
    """What a generator drew.

    Attributes:
        structure: what the prompt says, in plain JSON types and without any language.
        covariates: measured sizes of it.
        evidence: what the generator knows and the prompt does not show.
    """

    structure: Mapping[str, object]
    covariates: Mapping[str, object] = field(default_factory=dict)
    evidence: Mapping[str, object] = field(default_factory=dict)


class Counts(TypedDict):
    """How often each of several things occurs."""

    counts: list[int]


class Choice(TypedDict):
    """An option, A to D."""

    choice: str


class Number(TypedDict):
    """An integer."""

    number: int


class Itinerary(TypedDict):
    """Legs: from, to and the means of transport, a number or a name."""

    itinerary: list[list[Any]]


class Task(Protocol):
    """A module of this family: one task.

    Its parameters, structures and solutions have types of its own, which nobody else looks into:
    they are ``Any`` here.
    """

    @property
    def TASK(self) -> str:
        """Its name."""

    @property
    def LABELS(self) -> TaskLabels:
        """Its title and unit for people."""

    @property
    def COMPLEXITY(self) -> str:
        """The name of its main parameter."""

    @property
    def LANGUAGES(self) -> tuple[str, ...]:
        """The languages it has prompts in, English first."""

    @property
    def PARAMS(self) -> Mapping[str, Param]:
        """Its parameters by name."""

    @property
    def GRID(self) -> Mapping[str, object]:
        """What its task in the harness asks, as options of ``rows``: the paper's grid."""

    @property
    def PARALLEL_GRID(self) -> Mapping[str, object]:
        """The same for the parallel text, which every language has."""

    @property
    def SMALL(self) -> Mapping[str, object]:
        """A small question, as options of ``rows``."""

    @property
    def HALF_RIGHT(self) -> float:
        """The complexity at which the simulated model is right half of the time: invented."""

    @property
    def TEMPLATE(self) -> str:
        """The settings of its harness tasks; ``simple`` where no guess has a score of its own."""

    def make(self, stream: Stream, params: Any) -> Made | None:
        """Draw one instance; ``None`` if this draw does not fit and another must be tried.

        ``params`` also holds ``split``, ``seed`` and ``index`` of the instance.
        """

    def solve(self, structure: Any) -> Any:
        """The answer, from the structure alone."""

    def render(self, structure: Any, params: Any, words: Words) -> str:
        """The prompt."""

    def reference(self, structure: Any, words: Words) -> dict[str, object]:
        """What grading needs beside the answer (``no_reference`` where that is nothing)."""

    def answer(self, solution: Any, words: Words) -> Any:
        """A solution in the words of a language (``same_answer`` where all say the same)."""

    def read(self, prompt: str, words: Words) -> tuple[Any, Mapping[str, Any]]:
        """The structure of a prompt and the parameters that show in it."""

    def wrong_answer(self, solution: Any, stream: Stream) -> Any:
        """A plausible wrong answer in the form of a solution (see ``replies``)."""

    def phrase(self, answer: Any, parallel: bool) -> str:
        """An answer in the form that the prompt asks for (see ``replies``)."""


def no_reference(structure: Any, words: Words) -> dict[str, object]:
    """Nothing: the ``reference`` of a task that is graded by its answer alone."""
    return {}


def same_answer(solution: _Solution, words: Words) -> _Solution:
    """The solution: the ``answer`` of a task that says the same in every language."""
    return solution


@dataclass(frozen=True, eq=False)
class SimpleInstance:
    """One question without any language. Two instances are equal if their prompts would be.

    Attributes:
        task: its task.
        complexity: the value of the task's main parameter.
        params: all parameters, or those that a prompt shows.
        made: what was drawn.
        origin: split, seed and index; ``None`` if it was not generated here.
        instance_id: the id shared by all languages and wordings; ``None`` likewise.
    """

    task: str
    complexity: int
    params: Mapping[str, object]
    made: Made
    origin: Origin | None = None
    instance_id: str | None = None

    @property
    def structure(self) -> Mapping[str, object]:
        """What the prompt says."""
        return self.made.structure

    @property
    def covariates(self) -> Mapping[str, object]:
        """Measured sizes."""
        return self.made.covariates

    def content(self) -> Mapping[str, object]:
        """What the prompt says, in plain JSON types."""
        return self.structure

    def to_json(self) -> dict[str, object]:
        """Everything in plain JSON types; ``instance_from_json`` reads it back."""
        origin = None
        if self.origin is not None:
            o = self.origin
            origin = {"split": o.split, "seed": o.seed, "index": o.index}
        return {
            "task": self.task,
            "complexity": self.complexity,
            "params": self.params,
            "structure": self.structure,
            "covariates": self.covariates,
            "evidence": self.made.evidence,
            "origin": origin,
            "instance_id": self.instance_id,
        }

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SimpleInstance):
            return NotImplemented
        return self.task == other.task and self.structure == other.structure

    __hash__ = None  # type: ignore[assignment]


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def checked_params(task: Task, given: Mapping[str, object]) -> dict[str, Any]:
    """The parameters of one instance, defaults filled in.

    Raises:
        ValueError: an unknown parameter or a value that is not allowed.
    """
    unknown = sorted(set(given) - set(task.PARAMS))
    if unknown:
        raise ValueError(
            f"{task.TASK}: unknown parameter {unknown[0]!r}: allowed are {', '.join(task.PARAMS)}"
        )
    return {
        name: param.option(name).one(given.get(name, param.default), task.TASK)
        for name, param in task.PARAMS.items()
    }


def draw(
    task: Task, *, seed: int = 0, index: int = 0, split: str = "test", **given: Any
) -> SimpleInstance:
    """Draw one instance of a task; the same arguments always give the same instance.

    Raises:
        ValueError: an unknown parameter or split, or a setting in which no instance was found.
    """
    if split not in SPLITS:
        raise ValueError(f"unknown split {split!r}: allowed are {', '.join(SPLITS)}")
    params = checked_params(task, given)
    named = {name: value for name, value in params.items() if task.PARAMS[name].in_key}
    key = [f"{name}={_plain(value)}" for name, value in named.items()]
    for attempt in range(MAX_ATTEMPTS):
        stream = Stream(DRAW_VERSION, "easy", task.TASK, *key, split, seed, index, attempt)
        made = task.make(stream, {**params, "split": split, "seed": seed, "index": index})
        if made is not None:
            complexity: int = params[task.COMPLEXITY]
            middle = [f"-{part}" for part in key if not part.startswith(f"{task.COMPLEXITY}=")]
            if "text" in made.covariates:
                middle.append(f"-text={str(made.covariates['text'])[:8]}")
            name = f"{task.TASK}-{split}-s{seed}-c{complexity}{''.join(middle)}-i{index}"
            origin = Origin(split=split, seed=seed, index=index)
            return SimpleInstance(task.TASK, complexity, params, made, origin, name)
    raise ValueError(
        f"{task.TASK}: no instance found in {MAX_ATTEMPTS} draws with {', '.join(key)}; "
        "choose a less demanding setting"
    )

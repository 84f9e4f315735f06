"""What the tasks of this family share: parameters, instances and drawing with retries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from ...core.instance import SPLITS, Origin
from ...core.rng import Stream
from ...core.version import DRAW_VERSION
from ...option import Kind, Option
from .prompts import Words

MAX_ATTEMPTS = 1000
"""Draws of one instance before giving up. No setting of the paper comes near it."""


@dataclass(frozen=True)
class Param:
    """One parameter of a task.

    Attributes:
        default: the value that ``generate`` uses when it is not given.
        allowed: the values it may have; ``None`` for any text.
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
        return Option(name, kind, self.help, grid, self.allowed or (), several=True)


@dataclass(frozen=True)
class Made:
    """What a generator drew.

    Attributes:
        structure: what the prompt says, in plain JSON types and without any language.
        covariates: measured sizes of it.
        evidence: what the generator knows and the prompt does not show.
    """

    structure: dict[str, Any]
    covariates: dict[str, Any] = field(default_factory=dict)
    evidence: dict[str, Any] = field(default_factory=dict)


class Task(Protocol):
    """A module of this family: one task."""

    @property
    def TASK(self) -> str:
        """Its name."""

    @property
    def COMPLEXITY(self) -> str:
        """The name of its main parameter."""

    @property
    def LANGUAGES(self) -> tuple[str, ...]:
        """The languages it has prompts in, English first."""

    @property
    def PARAMS(self) -> Mapping[str, Param]:
        """Its parameters by name."""

    def make(self, stream: Stream, params: Mapping[str, Any]) -> Made | None:
        """Draw one instance; ``None`` if this draw does not fit and another must be tried.

        ``params`` also holds ``split``, ``seed`` and ``index`` of the instance.
        """

    def solve(self, structure: Mapping[str, Any]) -> dict[str, Any]:
        """The answer, from the structure alone."""

    def render(self, structure: Mapping[str, Any], params: Mapping[str, Any], words: Words) -> str:
        """The prompt."""

    def reference(self, structure: Mapping[str, Any], words: Words) -> dict[str, Any]:
        """What grading needs beside the answer (``no_reference`` where that is nothing)."""

    def answer(self, solution: dict[str, Any], words: Words) -> dict[str, Any]:
        """A solution in the words of a language (``same_answer`` where all say the same)."""

    def read(self, prompt: str, words: Words) -> tuple[dict[str, Any], dict[str, Any]]:
        """The structure of a prompt and the parameters that show in it."""


def no_reference(structure: Mapping[str, Any], words: Words) -> dict[str, Any]:
    """Nothing: the ``reference`` of a task that is graded by its answer alone."""
    return {}


def same_answer(solution: dict[str, Any], words: Words) -> dict[str, Any]:
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
    params: dict[str, Any]
    made: Made
    origin: Origin | None = None
    instance_id: str | None = None

    @property
    def structure(self) -> dict[str, Any]:
        """What the prompt says."""
        return self.made.structure

    @property
    def covariates(self) -> dict[str, Any]:
        """Measured sizes."""
        return self.made.covariates

    def content(self) -> dict[str, Any]:
        """What the prompt says, in plain JSON types."""
        return self.structure

    def to_json(self) -> dict[str, Any]:
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


def checked_params(task: Task, given: Mapping[str, Any]) -> dict[str, Any]:
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
        name: param.option(name).one(task.TASK, given.get(name, param.default))
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
            complexity = int(params[task.COMPLEXITY])
            middle = [f"-{part}" for part in key if not part.startswith(f"{task.COMPLEXITY}=")]
            if "text" in made.covariates:
                middle.append(f"-text={made.covariates['text'][:8]}")
            name = f"{task.TASK}-{split}-s{seed}-c{complexity}{''.join(middle)}-i{index}"
            origin = Origin(split=split, seed=seed, index=index)
            return SimpleInstance(task.TASK, complexity, params, made, origin, name)
    raise ValueError(
        f"{task.TASK}: no instance found in {MAX_ATTEMPTS} draws with {', '.join(key)}; "
        "choose a less demanding setting"
    )

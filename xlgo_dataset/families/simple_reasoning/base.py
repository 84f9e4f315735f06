"""What the tasks of this family share: strings, parameters, instances and drawing with retries.

The strings are one TOML file per language, and templates filled by name. There are two wordings.
``paper`` has a whole file per language in ``languages``: the paper's English, and what was written
after it. ``parallel`` differs in nothing but the language: ``parallel/frame.toml`` holds all that
is common, a file beside it the strings of a language. The counting tasks have a folder of the same
form, with a text for each language (see ``counting``).
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any

from xlgo_metric.core import read_toml
from xlgo_metric.option import Option, resolved

from ...core import DRAW_VERSION, Json, Origin, Row, TaskLabels
from ...core.rng import Stream
from ...text.document import PLACEHOLDER, fill

__all__ = [
    "FOLDER", "Drawn", "Json", "Param", "SimpleInstance", "Stream", "Task", "TaskLabels", "Words",
    "draw", "fill", "isolated", "toml",
]  # fmt: skip

FOLDER = Path(__file__).parent
PARALLEL = FOLDER / "parallel"
TEXTS = ("paper", "parallel")
Words = Json
"""The strings of one language: tables as they stand in its file."""


def load(language: str, text: str = "paper") -> Words:
    """The strings of ``language`` in the wording ``paper`` or ``parallel``.

    Raises:
        ValueError: there is no file for it.
    """
    if text == "parallel":
        return _parallel(PARALLEL, language)
    return table(FOLDER / "languages", language)


def data_version(words: Words) -> int:
    """How often the strings of a language were corrected, plus one."""
    return int(words.get("about", {}).get("data_version", 1))


toml = cache(read_toml)
"""A TOML file as it stands."""


def table(folder: Path, language: str) -> Words:
    """The file of a language in a folder, as it stands.

    Raises:
        ValueError: there is none.
    """
    if not re.fullmatch("[a-z]{2,3}", language) or language not in codes(folder):
        allowed = ", ".join(sorted(codes(folder)))
        raise ValueError(f"no prompts in language {language!r}: there are {allowed}")
    return toml(folder / f"{language}.toml")


@cache
def codes(folder: Path) -> tuple[str, ...]:
    """The languages that have a file in a folder, English first."""
    result = {path.stem for path in folder.glob("*.toml")} - {"frame", "en"}
    return ("en", *sorted(result))


@cache
def frame(folder: Path) -> Words:
    """What the parallel prompts of all languages have in common."""
    return toml(folder / "frame.toml")


@cache
def _parallel(folder: Path, language: str) -> Words:
    """The frame filled with the strings of a language; ``isolate`` holds the marks for names.

    A language may have, beside the strings of English: ``colon``, ``semicolon`` and ``stop``, where
    its punctuation is another; ``parts``, where something else parts two equations; ``counted``,
    the form of ``items`` in ``{counted}``, where things that are handed over are inflected
    otherwise than things that are counted.
    """
    own = table(folder, language)
    marks = ISOLATE if own.get("isolate") else NO_MARKS
    fixed = {**PUNCTUATION, "parts": own.get("semicolon", ";"), **own}
    strings = {f"t_{name}": text for name, text in fixed.items() if isinstance(text, str)}
    strings |= {
        f"has_{who}": own["has"].replace("{name}", f"{{{who}}}") for who in ("agent", *"wxyz")
    }
    example = {"isolate": marks if own.get("example_isolated", True) else NO_MARKS}
    strings |= {f"mode_{i}": isolated(mode, example) for i, mode in enumerate(own["modes"])}
    words: Row = put(frame(folder), strings)
    words["logic"]["movies"] = own["movies"]
    words["travel"]["modes"] = own["modes"]
    words["proof_tree"]["items"] = [[item, item] for item in own["items"]]
    words["proof_tree"]["counted"] = own.get("counted", own["items"])
    return words | {"isolate": marks, "about": own["about"]}


def put(part: Any, strings: Mapping[str, str]) -> Any:
    """A table, list or text with the strings of a language; other placeholders stay."""
    if isinstance(part, Mapping):
        return {name: put(inner, strings) for name, inner in part.items()}
    if isinstance(part, list):
        return [put(inner, strings) for inner in part]
    return PLACEHOLDER.sub(lambda match: strings.get(match[1], match[0]), part)


PUNCTUATION = {"colon": ":", "semicolon": ";", "stop": ". "}
"""The default separators between fields of the parallel prompts."""

ISOLATE = ("\u2068", "\u2069")
"""Around a name or a value in languages that are written from right to left (U+2068, U+2069): it is
drawn by itself, so that a line with signs and other names keeps the order in which it is read."""

NO_MARKS = ("", "")


def isolated(name: str, words: Words) -> str:
    """A name or a value as written in a prompt."""
    before, after = words.get("isolate", NO_MARKS)
    return f"{before}{name}{after}"


MAX_ATTEMPTS = 1000
"""Draws of one instance before giving up. No setting of the paper comes near it."""


Param = partial(Option, several=True)
"""A parameter of a task: an option of which ``rows`` goes through several values."""


@dataclass(frozen=True)
class Drawn:
    """What a task draws.

    Attributes:
        structure: what the prompt says, in plain JSON types and without any language.
        answer: the answer, which the draw knows; tests find it again from the prompt alone:
            ``counts`` (a list), ``choice`` (A to D), ``number`` or ``itinerary``.
        covariates: measured sizes.
    """

    structure: Json
    answer: Json
    covariates: Json = field(default_factory=dict)


@dataclass(frozen=True)
class Task:
    """One generated task: the value that its file ends with.

    Attributes:
        name: as in ``xd.TASKS`` of its family.
        labels: its title and unit for people.
        complexity: the name of its main parameter.
        options: its parameters, each with the values that ``rows`` goes through by default;
            ``generate`` takes the first of them.
        make: draws a question, given a stream and the parameters with ``split``, ``seed`` and
            ``index``; ``None`` if this draw does not fit and another must be tried.
        render: the prompt of a structure, given the parameters and the strings of a language.
        response: an answer in the form that the prompt asks for.
        grid: the options of ``rows`` in its harness task: the paper's grid.
        small: a small question, as options of ``rows``.
        half_right: the complexity at which the simulated model is right half of the time.
        languages: those it has prompts in beside the parallel ones, English first.
        parallel_grid: the grid of the parallel text, where it differs.
        template: the settings of its harness tasks; ``simple`` where no guess has a score.
        reference: what grading needs beside the answer.
        answer: the answer in the words of a language.
        unnamed: options that do not name the random stream and the instance: wordings, so that one
            and the same problem exists in every wording, and paths.
        usual: what ``generate`` takes by default, where it is not the first value.
    """

    name: str
    labels: TaskLabels
    complexity: str
    options: tuple[Option, ...]
    make: Callable[[Stream, Json], Drawn | None]
    render: Callable[[Json, Json, Words], str]
    response: Callable[[Json], str]
    grid: Json
    small: Json
    half_right: float
    languages: tuple[str, ...] = ("en",)
    parallel_grid: Json | None = None
    template: str = "simple"
    reference: Callable[[Json, Words], Json] = lambda structure, words: {}
    answer: Callable[[Json, Words], Json] = lambda answer, words: answer
    unnamed: tuple[str, ...] = ()
    usual: Json = field(default_factory=dict)

    @cached_property
    def drawn_by(self) -> list[Option]:
        """The options of ``generate``: one value of each parameter."""
        return [
            replace(option, several=False, default=self.usual.get(option.name, option.default[0]))
            for option in self.options
        ]


@dataclass(frozen=True, eq=False, kw_only=True)
class SimpleInstance(Drawn):
    """One question without any language. Two instances are equal if their prompts would be.

    Attributes:
        task: its task.
        complexity: the value of the task's main parameter.
        params: all parameters.
        origin: split, seed and index.
        instance_id: the id shared by all languages and wordings.
    """

    task: str
    complexity: int
    params: Json
    origin: Origin
    instance_id: str

    def content(self) -> Json:
        """What the prompt says, in plain JSON types."""
        return self.structure

    def to_json(self) -> dict[str, object]:
        """Everything in plain JSON types; ``instance_from_json`` reads it back."""
        return vars(self) | {"origin": dict(vars(self.origin))}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SimpleInstance):
            return NotImplemented
        return self.task == other.task and self.structure == other.structure

    __hash__ = None  # type: ignore[assignment]


def draw(
    task: Task, *, seed: int = 0, index: int = 0, split: str = "test", **parameters: Any
) -> SimpleInstance:
    """Draw one instance of a task; the same arguments always give the same instance.

    Raises:
        ValueError: an unknown parameter or split, or a setting in which no instance was found.
    """
    origin = Origin(split, seed, index)
    params = resolved(task.name, task.drawn_by, parameters)
    key = {
        name: f"{name}={str(value).lower() if isinstance(value, bool) else value}"
        for name, value in params.items()
        if name not in task.unnamed
    }
    where = vars(origin)
    for attempt in range(MAX_ATTEMPTS):
        stream = Stream(DRAW_VERSION, "easy", task.name, *key.values(), *where.values(), attempt)
        if (drawn := task.make(stream, params | where)) is not None:
            complexity = params[task.complexity]
            parts = [f"-{part}" for name, part in key.items() if name != task.complexity]
            if "text" in drawn.covariates:
                parts.append(f"-text={str(drawn.covariates['text'])[:8]}")
            beginning = f"{task.name}-{split}-s{origin.seed}-c{complexity}{''.join(parts)}"
            return SimpleInstance(
                **vars(drawn),
                task=task.name,
                complexity=complexity,
                params=params,
                origin=origin,
                instance_id=f"{beginning}-i{origin.index}",
            )
    raise ValueError(
        f"{task.name}: no instance found in {MAX_ATTEMPTS} draws with {', '.join(key.values())}; "
        "choose a less demanding setting"
    )

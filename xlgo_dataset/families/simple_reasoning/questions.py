"""Simple reasoning: tasks that are easy and tedious (paper 002), and UNPUZZLES.

Seven tasks are generated, each by one module that has the shape of ``base.Task``;
``unpuzzles`` and ``released`` are loaded from the authors' release.
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from xlgo_metric.core import PLAIN, allowed_name
from xlgo_metric.option import Option

from ...core import Json, Options, Origin, row_of
from ...text.languages import LANGUAGES
from . import base, counting, released
from .base import SimpleInstance, Task, Words, draw
from .tasks import (
    char_count,
    irrelevant,
    logic_eval,
    logic_negation,
    proof_tree,
    travel,
    word_count,
)

REFERENCE_NAME = "easy"
"""What references call this family: its name in the first release, kept so that rows keep their
bytes."""

DATA_VERSION = 1
"""Rises whenever one byte of a prompt or answer of this family changes; a language whose strings
were corrected is ahead (``data_version`` in its file)."""

GENERATED: Mapping[str, Task] = MappingProxyType({
    module.TASK.name: module.TASK
    for module in (
        word_count, char_count, logic_eval, logic_negation, proof_tree, irrelevant, travel,
    )
})  # fmt: skip
LOADED: tuple[str, ...] = (released.UNPUZZLES, released.TASK)

PER_SETTING = 20
"""Questions per setting, as in the paper."""

_SOURCE = Option(
    "source",
    "text",
    "file or folder of the authors' release, or a dataset on the Hub with it",
    needed="a file or folder of the authors' release, or the name of a Hub dataset that holds it",
    is_path=True,
)
_LOADED_OPTIONS: dict[str, tuple[Option, ...]] = {
    released.UNPUZZLES: (
        _SOURCE,
        Option(
            "variant",
            "choice",
            "original, trivialised or in another context",
            released.VARIANTS,
            released.VARIANTS,
            several=True,
        ),
        Option(
            "items", "choice", "those with all three variants, or all", "shifted", released.ITEMS
        ),
        Option(
            "corrections", "choice", "whose correct answers count", "project", released.CORRECTIONS
        ),
    ),
    released.TASK: (_SOURCE,),
}


def languages(task: str) -> tuple[str, ...]:
    """The languages of a task, English first."""
    if task in LOADED:
        return ("en",)
    more = counting.languages(task) if _counts(task) else base.codes(base.PARALLEL)
    more = more if has_parallel_text(task) else ()
    return tuple(dict.fromkeys((*GENERATED[task].languages, *more)))


def default_languages(task: str) -> tuple[str, ...]:
    """Those that have the wording ``paper``, the default of ``text``."""
    codes = languages(task)
    own = [code for code in codes if wording(task, code, "paper") == "paper"]
    return tuple(code for code in LANGUAGES if code in own)


def has_parallel_text(task: str) -> bool:
    """Whether a task has prompts that differ in nothing but the language."""
    return task in base.frame(base.PARALLEL) or _counts(task)


def _counts(task: str) -> bool:
    """Whether a task asks about a text, of which every language has one of its own."""
    return task in base.frame(counting.FOLDER)


def wording(task: str, language: str, text: str) -> str:
    """The wording that is meant by ``text``: the one that there is where there is one only."""
    if task in LOADED:
        return "paper"
    allowed_name(language, "language", languages(task), f"{task}: ")
    allowed_name(text, "text", base.TEXTS, f"{task}: ")
    is_parallel = text == "parallel" and has_parallel_text(task)
    return "paper" if language in GENERATED[task].languages and not is_parallel else "parallel"


def _words(task: str, language: str, text: str) -> Words:
    actual = wording(task, language, text)
    if actual == "parallel" and _counts(task):
        return counting.words(language)
    return base.load(language, actual)


def task_options(task: str) -> tuple[Option, ...]:
    """The options of a task.

    A generated task has ``seed``, ``n``, ``text`` and its parameters, each of which may be one
    value or a list of values; by default they are the paper's grid.

    Raises:
        ValueError: an unknown task.
    """
    if task in LOADED:
        return _LOADED_OPTIONS[task]
    return (
        Option("seed", "integer", "seed of the questions", 0, least=0),
        Option("n", "integer", "questions of each setting", PER_SETTING, least=1),
        Option("text", "choice", "wording", "paper", base.TEXTS),
        *GENERATED[task].options,
    )


def rows(
    task: str,
    languages: Sequence[str],
    split: str,
    indexes: Iterable[int] | None,
    options: Options,
) -> Iterator[Mapping[str, object]]:
    """The shared columns: index first, then setting (``level``), then language."""
    if task == released.UNPUZZLES:
        yield from released.unpuzzles(split, base.load("en"), **options)
        return
    if task == released.TASK:
        yield from released.rows(options["source"], split)
        return
    names = [option.name for option in GENERATED[task].options]
    settings = [dict(zip(names, c)) for c in itertools.product(*(options[n] for n in names))]
    for index in range(options["n"]):
        origin = {"seed": options["seed"], "index": index, "split": split}
        for level, params in enumerate(settings):
            instances: dict[str, SimpleInstance] = {}
            for language in languages:
                source = _source(task, params, language, options["text"])
                if source not in instances:
                    own = {"source": source} if source else {}
                    instances[source] = generate(task, **origin, **{**params, **own})
                yield _row(instances[source], language, level, options["text"])


def _source(task: str, params: Mapping[str, object], language: str, text: str) -> str:
    """The text of a counting task in a language; empty for all other tasks."""
    if not _counts(task):
        return ""
    of_language = params["source"] == counting.OWN and wording(task, language, text) == "parallel"
    return f"{counting.PREFIX}{language}" if of_language else str(params["source"])


def _row(instance: SimpleInstance, language: str, level: int, text: str) -> dict[str, object]:
    task = GENERATED[instance.task]
    is_parallel = wording(task.name, language, text) == "parallel"
    words, source = _words(task.name, language, text), instance.params.get("source", "own")
    # A path is not told.
    is_public = source in (counting.OWN, counting.WIKITEXT) or source.startswith(counting.PREFIX)
    reference = {
        "family": REFERENCE_NAME,
        "task": task.name,
        "language": language,
        "instance_id": instance.instance_id,
        "complexity": instance.complexity,
        "level": level,
        "index": instance.origin.index,
        "seed": instance.origin.seed,
        "split": instance.origin.split,
        "data": max(DATA_VERSION, base.data_version(words)),
        "params": {**instance.params, **({} if is_public else {"source": "file"})},
        **({"text": "parallel"} if is_parallel else {}),
        "covariates": instance.covariates,
        "answer": task.answer(instance.answer, words),
        **task.reference(instance.structure, words),
    }
    prompt = task.render(instance.structure, instance.params, words)
    suffix = "-paper" if instance.params.get("compeq_style") == "paper" else ""
    return row_of(reference, prompt, ending="-parallel" if is_parallel else suffix)


def generate(task: str, **parameters: Any) -> SimpleInstance:
    """One instance of a task; the same arguments always give the same instance.

    Raises:
        ValueError: an unknown parameter, or a setting without instances.
    """
    return draw(GENERATED[allowed_name(task, "task", GENERATED)], **parameters)


def answer(instance: SimpleInstance, language: str, text: str = "paper") -> Json:
    """The answer in the words of a language: an itinerary names means of transport."""
    words = _words(instance.task, language, text)
    return dict(GENERATED[instance.task].answer(instance.answer, words))


def render(
    instance: SimpleInstance, language: str, text: str = "paper", condition: str = PLAIN
) -> str:
    """The prompt in one language; languages of no other wording than ``parallel`` have that.

    Raises:
        ValueError: a language or text that the task does not have.
    """
    words = _words(instance.task, language, text)
    return GENERATED[instance.task].render(instance.structure, instance.params, words)


def instance_from_json(task: str, data: Json) -> SimpleInstance:
    """The instance of a JSON form; entries that are not known are ignored.

    Raises:
        ValueError: an entry is missing or of the wrong kind.
    """
    names = ("structure", "answer", "covariates", "params", "origin")
    for name in names:
        if not isinstance(data.get(name), dict):
            raise ValueError(f"{task}: the JSON form has no object {name!r}")
    structure, answer, covariates, params, origin = (dict(data[name]) for name in names)
    return SimpleInstance(
        structure=structure,
        answer=answer,
        covariates=covariates,
        task=task,
        complexity=int(data.get("complexity", 0)),
        params=params,
        origin=Origin(**origin),
        instance_id=str(data.get("instance_id", "")),
    )

"""Instances of the puzzles: each is a module of this package and a line of ``PUZZLES``."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from xlgo_metric.core import PLAIN, allowed_name, as_int

from ...core import DRAW_VERSION, Instance, Options, Origin, strings
from ...core.rng import Stream
from ...text import document as documents
from ...text.document import Document, Template, scan
from ...text.languages import LANGUAGES, available, checked_text, load_language
from ...text.tokenizers import CHARACTERS, counter, label
from . import dsa, graph_sp, prdsa, slt, t_rank
from .base import Puzzle
from .conditions import CONDITIONS, ENGLISH, PromptVariant, condition, prompt_variants, strings_of
from .conditions.length import Filling, match, pad, unpad

if TYPE_CHECKING:
    import pyarrow as pa

PUZZLES: dict[str, Puzzle] = {
    module.NAME: cast(Puzzle, module) for module in (slt, dsa, prdsa, graph_sp, t_rank)
}
"""Every puzzle by name: those of the paper, then any beside them."""


def puzzle(task: str) -> Puzzle:
    """The module of one puzzle.

    Raises:
        ValueError: there is no such puzzle.
    """
    return PUZZLES[allowed_name(task, "task", PUZZLES)]


def languages(task: str, among: Sequence[str] | None = None) -> tuple[str, ...]:
    """Codes of the languages that ``task`` can be rendered in, English first.

    Args:
        task: one of ``PUZZLES``.
        among: languages that are looked at; every one that has a file by default.
    """
    codes = available() if among is None else among
    return tuple(code for code in codes if puzzle(task).NAME in load_language(code).tasks)


def default_languages(task: str) -> tuple[str, ...]:
    """Those of ``LANGUAGES`` that ``task`` can be rendered in."""
    return languages(task, LANGUAGES)


def generate(
    task: str,
    *,
    complexity: int | None = None,
    seed: int = 0,
    index: int = 0,
    split: str = "test",
    **unknown: object,
) -> Instance:
    """Draw one instance. The language plays no part in it.

    Args:
        task: one of ``PUZZLES``.
        complexity: its size, as Table 1 of the paper measures it; hit exactly.
        seed: any integer; another seed shares no instance.
        index: which of the instances of this complexity, from 0.
        split: ``test``, ``validation`` or ``train``; splits share no instance.

    Raises:
        ValueError: an impossible complexity, or an unknown task or split.
    """
    module = puzzle(task)
    for name in unknown:
        allowed_name(name, "parameter", ("complexity", "seed", "index", "split"), f"{task}: ")
    if complexity is None:
        raise ValueError(f"{task}: complexity is missing")
    origin = Origin(split, seed, index)
    complexity = as_int("complexity", complexity)
    check(task, complexity)

    def streams(attempt: int) -> Stream:
        return Stream("xlgo", DRAW_VERSION, task, complexity, *vars(origin).values(), attempt)

    return module.generate(complexity, streams, origin)


def check(task: str, complexity: int) -> None:
    """Refuse a complexity that cannot be generated.

    Raises:
        ValueError: with the allowed range.
    """
    low, high, measure = puzzle(task).POSSIBLE
    if not low <= complexity <= high:
        raise ValueError(
            f"{task}: complexity {complexity} is impossible: allowed are {low} to {high} {measure}"
        )


def isomorphism_hash(instance: Instance) -> str:
    """A name of the structure, 64 hexadecimal digits: what is left of a puzzle without names and
    without the order of its lines.

    Puzzles that are equal up to renaming have the same one: who has seen the answer of one knows
    that of the other. Splits share no instance, but small puzzles are few, so structures recur.

    Raises:
        ValueError: the puzzle has no ``structure``.
    """
    module = puzzle(instance.task)
    if not hasattr(module, "structure"):
        raise ValueError(f"{instance.task}: nothing says which of its questions are alike")
    form = [instance.task, instance.complexity, module.structure(instance)]
    return hashlib.sha256(json.dumps(form, separators=(",", ":")).encode()).hexdigest()


def may_repeat(task: str, complexity: int) -> bool | None:
    """Whether puzzles of a complexity are so few that structures come back among thousands.

    ``None`` where the puzzle has no ``structure``.
    """
    module = puzzle(task)
    if not hasattr(module, "structure"):
        return None
    return complexity < getattr(module, "DISTINCT", 1 << 62)


def render_variants(
    instance: Instance,
    variants: Sequence[PromptVariant],
    text: str = "paper",
    filling: Mapping[PromptVariant, Filling] = MappingProxyType({}),
) -> pa.StringArray:
    """The prompts of an instance under conditions, as an Arrow array.

    Args:
        instance, variants, text: what is asked.
        filling: of every prompt that is filled up (``fillings``).
    """
    templates = [_template(instance.task, v.language, text, v.condition.name) for v in variants]
    rendered = documents.render_all(templates, _document(instance))
    if not any(variant.condition.filled for variant in variants):
        return rendered
    return strings(
        pad(prompt, instance, filling[variant]["filler"]) if variant.condition.filled else prompt
        for variant, prompt in zip(variants, rendered.to_pylist())
    )


def fillings(
    instance: Instance, variants: Sequence[PromptVariant], options: Options
) -> dict[PromptVariant, Filling]:
    """How prompts are filled up that shall be as long as those of their language.

    Args:
        instance, variants: what is asked.
        options: ``text`` and ``condition_tokenizer``.

    Raises:
        ValueError: the tokenizer cannot be loaded, or English is longer than the language.
    """
    filled = [variant for variant in variants if variant.condition.filled]
    if not filled:
        return {}
    tokenizer = options["condition_tokenizer"]
    count = counter(tokenizer)
    plain = [
        PromptVariant(code, CONDITIONS[PLAIN]) for code in (ENGLISH, *(v.language for v in filled))
    ]
    english, *others = render_variants(instance, plain, options["text"]).to_pylist()
    result = {}
    for variant, prompt in zip(filled, others):
        length = count(prompt)
        filling = match(english, length, instance, count)
        if filling is None:
            raise ValueError(
                f"{instance.task} {variant.language}: {variant.condition.name}: a prompt of "
                f"{instance.complexity} has {length} tokens ({label(tokenizer)}), in English "
                f"{count(english)}: English cannot be made as long; give another "
                "condition_tokenizer, or leave out the language"
            )
        result[variant] = filling
    return result


def _document(instance: Instance) -> Document:
    """The prompt without a language: made once, kept with the instance for all languages."""
    attributes = instance.__dict__
    if "_document" not in attributes:
        attributes["_document"] = puzzle(instance.task).document(instance)
    return cast(Document, attributes["_document"])


def render(instance: Instance, language: str, text: str = "paper", condition: str = PLAIN) -> str:
    """The prompt of an instance in one language.

    Args:
        instance: from ``generate``, ``read`` or ``instance_from_json``.
        language: a language code.
        text: ``paper`` (the paper's wording), ``revised``, or the path of a TOML file whose
            tables replace strings.
        condition: one of ``conditions.CONDITIONS``; lengths are matched in characters.

    Raises:
        ValueError: an unknown language or text, or a condition that does not go with them.
    """
    variants = prompt_variants(
        puzzle(instance.task), _checked_language(instance.task, language), (condition,), text
    )
    options = {"text": text, "condition_tokenizer": CHARACTERS}
    filling = fillings(instance, variants, options)
    return str(render_variants(instance, variants, text, filling)[0])


def render_with(instance: Instance, strings: Mapping[str, str]) -> str:
    """The prompt of an instance with strings by key, which need not be those of a language."""
    template = puzzle(instance.task).template(strings)
    return str(documents.render_all([template], _document(instance))[0])


def read(
    task: str, prompt: str, language: str, text: str = "paper", condition: str = PLAIN
) -> Instance:
    """The instance that a prompt describes, from its text alone.

    Raises:
        ValueError: the text is not a prompt of this puzzle in this language under this condition.
    """
    module = puzzle(task)
    (variant,) = prompt_variants(module, _checked_language(task, language), (condition,), text)
    if variant.condition.filled:
        prompt = unpad(prompt, task)
    parts = scan(prompt, _template(task, language, text, variant.condition.name))
    return module.from_json(module.read(*parts))


def instance_from_json(task: str, data: Mapping[str, object]) -> Instance:
    """The instance of a JSON form (``to_json``); entries that are not known are ignored.

    Raises:
        ValueError: an entry is missing or impossible.
    """
    try:
        return puzzle(task).from_json(data)
    except KeyError as error:
        raise ValueError(f"{task}: the instance has no entry {error}") from None
    except TypeError as error:
        raise ValueError(f"{task}: the instance is not of the form of to_json: {error}") from None


def _checked_language(task: str, language: str) -> tuple[str]:
    """The language, if the task has it.

    Raises:
        ValueError: it has not.
    """
    if language not in available() or not languages(task, (language,)):
        allowed = languages(task)  # which reads the files of all
        raise ValueError(f"unknown language {language!r}: allowed are {', '.join(allowed)}")
    return (language,)


@lru_cache(maxsize=1024)
def _template(task: str, language: str, text: str, name: str = PLAIN) -> Template:
    checked_text(text)
    module = puzzle(task)
    options = condition(name)
    (code,) = _checked_language(task, language)
    return module.template(strings_of(module, code, text, options))

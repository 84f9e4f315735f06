"""Rows of the dataset: every level, index and language of a puzzle, in a balanced order."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from xlgo_metric.core import PLAIN

from ...core import arrow
from ...core.instance import Instance
from ...core.question_plan import Sizes
from ...core.schema import COLUMNS, schema
from ...core.version import DATA_VERSION
from ...declared import Row
from ...family import Chosen, drawn
from ...text.languages import load_language
from ...text.tokenizers import label
from .base import Encoded
from .conditions import PromptVariant, condition, corrected
from .conditions.length import Padding
from .conditions.romanised import romaniser
from .instances import asked_of, generate, paddings, puzzle, render_asked, solve
from .options import levels_of

if TYPE_CHECKING:
    import pyarrow as pa

NAME = "xlgobench"

Shared = dict[str, object]
Columns = dict[str, list[str]]

_BATCH_ROWS = 512
_BATCH_BYTES = 32 << 20


def rows(
    task: str,
    languages: Sequence[str],
    split: str,
    indexes: Iterable[int] | None,
    options: Chosen,
) -> Iterator[Row]:
    """Rows in the order index, level, language, so that any head of them is balanced."""
    variants = _variants(task, languages, options)
    for shared, columns, instance, padding in _plan(task, variants, split, indexes, options):
        prompts = render_asked(instance, variants, options["text"], padding).to_pylist()
        for row in _rows(shared, {**columns, "prompt": prompts}):
            yield {name: row[name] for name in COLUMNS}


def questions(
    task: str,
    languages: Sequence[str],
    split: str,
    indexes: Iterable[int] | None,
    options: Chosen,
) -> Iterator[Row]:
    """The rows of ``rows`` without their prompts, which ``prompt`` makes when they are needed."""
    variants = _variants(task, languages, options)
    for shared, columns, *_ in _plan(task, variants, split, indexes, options):
        yield from _rows(shared, columns)


def prompt(reference: Mapping[str, Any], text: str) -> str:
    """The prompt of a row of ``questions``, from its reference."""
    one = PromptVariant(reference["language"], condition(reference.get("condition", PLAIN)))
    filled = {one: Padding.from_reference(reference)} if one.condition.filled else {}
    return str(render_asked(drawn(reference), [one], text, filled)[0])


def _rows(shared: Shared, columns: Columns) -> Iterator[Row]:
    for values in zip(*columns.values()):
        yield {**shared, **dict(zip(columns, values))}


def tables(
    task: str,
    languages: Sequence[str],
    split: str,
    indexes: Iterable[int] | None,
    options: Chosen,
) -> Iterator[pa.Table]:
    """The rows of ``rows`` as Arrow tables.

    The first table holds one question in all languages, so that a stream starts at once; later
    ones grow to 512 rows or 32 MB of text.
    """
    batch: list[tuple[Shared, Columns]] = []
    prompts: list[pa.StringArray] = []
    size, limit = 0, 1
    variants = _variants(task, languages, options)
    for shared, columns, instance, padding in _plan(task, variants, split, indexes, options):
        rendered = render_asked(instance, variants, options["text"], padding)
        batch.append((shared, columns))
        prompts.append(rendered)
        size += rendered.nbytes
        if len(batch) * len(variants) >= limit or size >= _BATCH_BYTES:
            yield _table(batch, prompts)
            batch, prompts, size, limit = [], [], 0, min(2 * limit, _BATCH_ROWS)
    if batch:
        yield _table(batch, prompts)


def _table(batch: list[tuple[Shared, Columns]], prompts: list[pa.StringArray]) -> pa.Table:
    import pyarrow as pa

    made = []
    each = len(prompts[0])
    for name, kind in zip(COLUMNS, schema().types):
        if name == "prompt":
            made.append(pa.chunked_array(prompts))
        elif name in batch[0][1]:
            texts = chain.from_iterable(columns[name] for _, columns in batch)
            made.append(arrow.strings([text.encode("utf-8") for text in texts]))
        elif kind == pa.string():
            same = ([str(shared[name]).encode("utf-8")] * each for shared, _ in batch)
            made.append(arrow.strings(list(chain.from_iterable(same))))
        else:
            made.append(
                arrow.integers(np.repeat([shared[name] for shared, _ in batch], each), "int64")
            )
    return pa.Table.from_arrays(made, schema=schema())


def _variants(task: str, languages: Sequence[str], options: Chosen) -> list[PromptVariant]:
    return asked_of(task, languages, options["conditions"], options["text"])


def _plan(
    task: str,
    variants: Sequence[PromptVariant],
    split: str,
    indexes: Iterable[int] | None,
    options: Chosen,
) -> Iterator[tuple[Shared, Columns, Instance, dict[PromptVariant, Padding]]]:
    """Every instance with its rows, one for each prompt, that lack their prompts.

    First stands what is the same in all of these rows, last how prompts are filled up.
    """
    seed, text = options["seed"], options["text"]
    suffix = "" if text == "paper" else f"-{text_label(text)}"
    reference_of = getattr(puzzle(task), "reference", None)
    codes = [variant.language for variant in variants]
    endings = [f"-{variant.language}{suffix}{variant.ending}" for variant in variants]
    versions = [_version(variant, text) for variant in variants]
    beginnings = [f"{{{_members({'family': NAME, 'language': code})}," for code in codes]
    sizes = Sizes(levels_of(options))
    for index, level, complexity, design in sizes.questions(task, options, indexes):
        instance = generate(task, complexity=complexity, seed=seed, index=index, split=split)
        answer = solve(instance)
        encoded = _dumps(answer)
        shared: Shared = {
            "instance_id": instance.instance_id,
            "task": task,
            "complexity": complexity,
            "level": level,
            "index": index,
            "seed": seed,
        }
        before = _members(shared | {"split": split})
        needed = reference_of(instance) if reference_of else {}
        after = _members({**needed, "answer": Encoded(encoded), **design})
        common = {version: f"{before},{version},{after}" for version in set(versions)}
        padding_of = paddings(instance, variants, text, options["condition_tokenizer"])
        columns = {
            "id": [f"{instance.instance_id}{ending}" for ending in endings],
            "language": codes,
            "answer": [encoded] * len(variants),
            "reference": [
                f"{beginning}{common[version]}{_of_condition(variant, options, padding_of)}}}"
                for variant, beginning, version in zip(variants, beginnings, versions)
            ],
        }
        yield shared, columns, instance, padding_of


def _of_condition(
    one: PromptVariant, options: Chosen, filled: Mapping[PromptVariant, Padding]
) -> str:
    """What a reference says of the condition: nothing for the plain prompt."""
    if one.condition.name == PLAIN:
        return ""
    told: dict[str, object] = {"condition": one.condition.name}
    if one.condition.filled:
        told |= {"tokenizer": label(options["condition_tokenizer"]), **filled[one].to_reference()}
    if one.condition.romanised:
        told["romaniser"] = romaniser(one.language)
    return f",{_members(told)}"


def _version(one: PromptVariant, text: str) -> str:
    """Members of a reference: the wording, with its revision, and the version of the data."""
    found = load_language(one.language)
    revised = text == "revised" and found.revised_revision > 1
    label = f"{text}.{found.revised_revision}" if revised else text_label(text)
    of_condition = found.conditions_revision if corrected(one.language, one.condition) else 1
    version = max(found.data_version, of_condition, DATA_VERSION)
    return _members({"text": label, "data": version})


def text_label(text: str) -> str:
    """The name of a wording: that of its file, where it is one."""
    return text.removesuffix(".toml").replace("\\", "/").rsplit("/", 1)[-1]


def _members(values: Mapping[str, object]) -> str:
    """The members of a JSON object, without its braces: those of all languages are made once."""
    return ",".join(
        f"{_dumps(name)}:{value if isinstance(value, Encoded) else _dumps(value)}"
        for name, value in values.items()
    )


_dumps = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""As ``json.dumps`` with these arguments, which makes an encoder for every value."""

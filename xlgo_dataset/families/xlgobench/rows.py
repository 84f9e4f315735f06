"""Rows of the dataset: every level, index and language of a puzzle, in a balanced order."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from xlgo_metric.core import PLAIN

from ...core.instance import Instance
from ...core.question_plan import Sizes
from ...core.schema import COLUMNS, schema, strings
from ...core.version import DATA_VERSION
from ...declared import Json, Options, Row
from ...family import drawn
from ...text.languages import load_language
from ...text.tokenizers import label
from .conditions import PromptVariant, condition, corrected, prompt_variants
from .conditions.length import Filling
from .conditions.romanised import romaniser
from .instances import fillings, generate, puzzle, render_variants, solve
from .options import levels_of

if TYPE_CHECKING:
    import pyarrow as pa

NAME = "xlgobench"

Columns = dict[str, list[Any]]
"""Values by column, one for each prompt of an instance."""

_BATCH_ROWS = 512
_BATCH_BYTES = 32 << 20


def rows(
    task: str,
    languages: Sequence[str],
    split: str,
    indexes: Iterable[int] | None,
    options: Options,
) -> Iterator[Row]:
    """Rows in the order index, level, language, so that any head of them is balanced."""
    for table in tables(task, languages, split, indexes, options):
        yield from table.to_pylist()


def questions(
    task: str,
    languages: Sequence[str],
    split: str,
    indexes: Iterable[int] | None,
    options: Options,
) -> Iterator[Row]:
    """The rows of ``rows`` without their prompts, which ``prompt`` makes when they are needed."""
    variants = prompt_variants(puzzle(task), languages, options["conditions"], options["text"])
    for _, _, columns in _questions(task, variants, split, indexes, options):
        for values in zip(*columns.values()):
            yield dict(zip(columns, values))


def prompt(reference: Json, text: str) -> str:
    """The prompt of a row of ``questions``, from its reference."""
    variant = PromptVariant(reference["language"], condition(reference.get("condition", PLAIN)))
    return str(render_variants(drawn(reference), [variant], text, {variant: reference})[0])


def tables(
    task: str,
    languages: Sequence[str],
    split: str,
    indexes: Iterable[int] | None,
    options: Options,
) -> Iterator[pa.Table]:
    """The rows of ``rows`` as Arrow tables.

    The first table holds one question in all languages, so that a stream starts at once; later
    ones grow to 512 rows or 32 MB of text.
    """
    batch: list[Columns] = []
    prompts: list[pa.StringArray] = []
    limit = 1
    variants = prompt_variants(puzzle(task), languages, options["conditions"], options["text"])
    for instance, filling, columns in _questions(task, variants, split, indexes, options):
        batch.append(columns)
        prompts.append(render_variants(instance, variants, options["text"], filling))
        size = sum(rendered.nbytes for rendered in prompts)
        if len(batch) * len(variants) >= limit or size >= _BATCH_BYTES:
            yield _table(batch, prompts)
            batch, prompts, limit = [], [], min(2 * limit, _BATCH_ROWS)
    if batch:
        yield _table(batch, prompts)


def _table(batch: list[Columns], prompts: list[pa.StringArray]) -> pa.Table:
    import pyarrow as pa

    def column(name: str, kind: pa.DataType) -> pa.Array | pa.ChunkedArray:
        if name == "prompt":
            return pa.chunked_array(prompts)
        return strings(chain.from_iterable(columns[name] for columns in batch)).cast(kind)

    arrays = [column(name, kind) for name, kind in zip(COLUMNS, schema().types)]
    return pa.Table.from_arrays(arrays, schema=schema())


def _questions(
    task: str,
    variants: Sequence[PromptVariant],
    split: str,
    indexes: Iterable[int] | None,
    options: Options,
) -> Iterator[tuple[Instance, dict[PromptVariant, Filling], Columns]]:
    """Every instance, how its prompts are filled up, and its rows, which lack their prompts."""
    text, n = options["text"], len(variants)
    suffix = "" if text == "paper" else f"-{text_label(text)}"
    reference_of: Callable[[Instance], Row] = getattr(puzzle(task), "reference", lambda x: {})
    beginnings = [{"family": NAME, "language": variant.language} for variant in variants]
    versions = [_version(variant, text) for variant in variants]
    sizes = Sizes(levels_of(options))
    for index, level, complexity, design in sizes.questions(task, options, indexes):
        origin = {"seed": options["seed"], "index": index, "split": split}
        instance = generate(task, complexity=complexity, **origin)
        answer, filling = solve(instance), fillings(instance, variants, options)
        about = {
            "instance_id": instance.instance_id,
            "task": task,
            "complexity": complexity,
            "level": level,
            "index": index,
            "seed": options["seed"],
        }
        # What is the same in all languages is encoded once: it may be long.
        common = _members({**reference_of(instance), "answer": answer, **design})
        columns = {name: [value] * n for name, value in about.items()} | {
            "id": [f"{instance.instance_id}-{v.language}{suffix}{v.ending}" for v in variants],
            "language": [variant.language for variant in variants],
            "answer": [_dumps(answer)] * n,
            "reference": [
                f"{{{_members({**beginning, **about, 'split': split, **version})},"
                f"{common}{_of_condition(variant, options, filling)}}}"
                for variant, beginning, version in zip(variants, beginnings, versions)
            ],
        }
        yield instance, filling, columns


def _of_condition(
    variant: PromptVariant, options: Options, filling: Mapping[PromptVariant, Filling]
) -> str:
    """What a reference says of the condition: nothing for the plain prompt."""
    if variant.condition.name == PLAIN:
        return ""
    members: dict[str, object] = {"condition": variant.condition.name}
    if variant.condition.filled:
        members |= {"tokenizer": label(options["condition_tokenizer"]), **filling[variant]}
    if variant.condition.romanised:
        members["romaniser"] = romaniser(variant.language)
    return f",{_members(members)}"


def _version(variant: PromptVariant, text: str) -> dict[str, object]:
    """What a reference says of the wording, with its revision, and of the version of the data."""
    language = load_language(variant.language)
    revised = text == "revised" and language.revised_revision > 1
    label = f"{text}.{language.revised_revision}" if revised else text_label(text)
    is_corrected = corrected(variant.language, variant.condition)
    of_condition = language.conditions_revision if is_corrected else 1
    return {"text": label, "data": max(language.data_version, of_condition, DATA_VERSION)}


def text_label(text: str) -> str:
    """The name of a wording: that of its file, where it is one."""
    return text.removesuffix(".toml").replace("\\", "/").rsplit("/", 1)[-1]


def _members(values: Mapping[str, object]) -> str:
    """The members of a JSON object, without its braces."""
    return _dumps(values)[1:-1]


_dumps = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""As ``json.dumps`` with these arguments, which makes an encoder for every value."""

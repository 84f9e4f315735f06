"""Rows of the dataset: every level, index and language of a puzzle, in a balanced order.

The sizes and numbers of questions follow from the options.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from xlgo_metric.core import PLAIN, allowed_name, refuse
from xlgo_metric.option import Option

from ...core import (
    COLUMNS,
    COMPLEXITIES,
    DATA_VERSION,
    PLAN,
    Instance,
    Json,
    Options,
    Row,
    Sizes,
    schema,
    strings,
)
from ...core.question_plan import task_plan
from ...family import drawn
from ...text.languages import TEXTS, checked_text, load_language
from ...text.tokenizers import CHARACTERS, counter, label
from .conditions import CONDITIONS, PromptVariant, condition, corrected, prompt_variants
from .conditions.length import Filling
from .conditions.romanised import romaniser
from .instances import check, fillings, puzzle, render_variants

if TYPE_CHECKING:
    import pyarrow as pa

PRESETS: dict[str, dict[str, int]] = {
    "paper": {"levels": 20, "per_level": 50},
    "lite": {"levels": 20, "per_level": 50},
    "smoke": {"levels": 8, "per_level": 10},
    "quick": {"levels": 8, "per_level": 5},
}
"""Levels and questions per level; the complexity ranges stand in the puzzles.

``paper`` is Table 1 of the paper, ``lite`` its Table 3 (smaller models), ``smoke`` a quick try
of small puzzles. ``quick``, the default of runs, plain lm-eval, datasets and exports alike, has the
fewest questions; of the two tasks with the shortest prompts, in seven languages, these are less
than a million tokens."""


_EXCLUDE = {
    "plan": ("complexities", "levels", "per_level", "c_min", "c_max"),
    "complexities": ("levels", "c_min", "c_max"),
}
"""Options that say what others say, too."""

OPTIONS = (
    Option("preset", "choice", "range and levels of the puzzles", "quick", tuple(PRESETS)),
    Option("seed", "integer", "seed of the puzzles", 0),
    Option("levels", "integer", "levels of complexity (default: of the preset)", least=1),
    Option("per_level", "integer", "questions of each level (default: of the preset)", least=1),
    Option("c_min", "integer", "lowest complexity (default: of the preset)"),
    Option("c_max", "integer", "highest complexity (default: of the preset)"),
    Option("text", "other", "paper, revised, parallel, or a TOML file with a wording", "paper",
           TEXTS, is_path=True, check=checked_text),
    COMPLEXITIES,
    PLAN,
    Option("conditions", "names",
           "ways in which each question is asked, joined by commas: plain, english_rules ... (see "
           "docs/why.md)", (PLAIN,), tuple(CONDITIONS), check=lambda x: tuple(x.split(","))),
    Option("condition_tokenizer", "text",
           "tokenizer for the condition length_matched: characters, tekken, qwen, or a name or "
           "folder", CHARACTERS),
)  # fmt: skip
"""Options of a dataset; where the default is ``None`` the preset says, or nothing is meant.
``complexities`` may be a list, ``[2, 5, 11]``, or a text, ``"2,5,11"``. ``plan`` names every
question (core.question_plan), and takes the place of levels and complexities."""


def task_options(task: str) -> tuple[Option, ...]:
    """``OPTIONS``, whichever puzzle it is."""
    return OPTIONS


def settle(task: str, options: dict[str, Any]) -> dict[str, Any]:
    """Every option with its value, those that follow from others included.

    Raises:
        ValueError: a value that is not allowed.
    """
    module = puzzle(task)
    for first, excluded in _EXCLUDE.items():
        for name in excluded:
            if options[first] is not None and options[name] is not None:
                raise ValueError(f"{task}: give {first} or {name}, not both")
    if any(condition(name).filled for name in options["conditions"]):
        counter(options["condition_tokenizer"])
    if options["plan"] is not None:
        planned = task_plan(task, options["plan"])
        if planned.seed not in (None, options["seed"]):
            raise ValueError(
                f"{task}: the plan is for the puzzles of seed {planned.seed}, got seed "
                f"{options['seed']}"
            )
        most = 1 + max(indexes[-1] for indexes in planned.cells.values())
        options |= {"complexities": list(planned.cells), "per_level": most}
    if (sizes := options["complexities"]) is not None:
        options |= {"levels": len(sizes), "c_min": sizes[0], "c_max": sizes[-1]}
    low, high = module.RANGES[allowed_name(options["preset"], "preset", module.RANGES, f"{task}: ")]
    usual = PRESETS[options["preset"]] | {"c_min": low, "c_max": high}
    options |= {name: value for name, value in usual.items() if options[name] is None}
    for size in (options["c_min"], options["c_max"]):
        check(task, size)
    span, number = options["c_max"] - options["c_min"] + 1, options["levels"]
    ends = f"c_min {options['c_min']} and c_max {options['c_max']}"
    refuse(
        "",
        (span < 1, f"c_max must be c_min or more, got {ends}"),
        (number > span, f"{number} levels do not fit between {ends}: at most {span} do"),
    )
    return options


def levels_of(options: Options) -> list[int]:
    """The complexity of each level, from complete options."""
    evenly = complexities(options["c_min"], options["c_max"], options["levels"])
    return options["complexities"] or evenly


def levels(task: str, options: Options) -> dict[int, int]:
    """The complexity of each level, with the number of its questions in the split ``test``."""
    return Sizes(levels_of(options)).levels(task, options)


def complexities(c_min: int, c_max: int, levels: int) -> list[int]:
    """``levels`` evenly spaced complexities from ``c_min`` to ``c_max``, rounded half up."""
    steps = max(levels - 1, 1)
    return [c_min + (2 * i * (c_max - c_min) + steps) // (2 * steps) for i in range(levels)]


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
        yield from (dict(zip(columns, values)) for values in zip(*columns.values()))


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
        origin = {"task": task, "complexity": complexity, "seed": options["seed"], "index": index}
        instance = drawn({**origin, "split": split})
        answer, filling = instance.answer, fillings(instance, variants, options)
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

"""Rows of the dataset: every level, index and language of a puzzle, in a balanced order."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from xlgo_metric.core import PLAIN, as_int
from xlgo_metric.option import Option

from ...core import arrow
from ...core.instance import Instance
from ...core.question_plan import TaskPlan, read_plan
from ...core.schema import COLUMNS, schema
from ...core.version import DATA_VERSION
from ...declared import Row
from ...family import Chosen, drawn
from ...text.languages import checked_text, load_language
from ...text.tokenizers import CHARACTERS, counter, label
from .base import Encoded
from .conditions import CONDITIONS, PromptVariant, alphabet, condition, corrected, named, native
from .conditions.length import Padding
from .conditions.romanised import romaniser
from .instances import asked_of, generate, paddings, puzzle, render_asked, solve

if TYPE_CHECKING:
    import pyarrow as pa

NAME = "xlgobench"

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


def _rising(given: Any) -> list[int]:
    """Complexities from a list, or a text that joins them by commas."""
    parts = given.split(",") if isinstance(given, str) else given
    listed = list(parts) if isinstance(parts, Iterable) else [parts]
    try:
        sizes = [int(x) if isinstance(x, str) else as_int("a complexity", x) for x in listed]
    except ValueError:
        sizes = []
    if not sizes or sizes != sorted(set(sizes)):
        raise ValueError(
            f"complexities must be rising integers, each once, as in '2,5,11', got {given!r}"
        )
    return sizes


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
           check=checked_text),
    Option("complexities", "other",
           "comma-separated complexities, such as 2,5,11; replaces levels, c_min and c_max",
           check=_rising),
    Option("plan", "other", "a JSON file that names every question (see docs/adaptive.md)",
           is_path=True),
    Option("conditions", "other",
           "ways in which each question is asked, joined by commas: plain, english_rules ... (see "
           "docs/why.md)", (PLAIN,), tuple(CONDITIONS), check=named),
    Option("condition_tokenizer", "text",
           "tokenizer for the condition length_matched: characters, tekken, qwen, or a name or "
           "folder", CHARACTERS),
)  # fmt: skip
"""Options of a dataset; where the default is ``None`` the preset says, or nothing is meant.

``complexities`` may be a list, ``[2, 5, 11]``, or a text, ``"2,5,11"``. ``plan`` names every
question (core.question_plan), and takes the place of levels and complexities."""


Shared = dict[str, object]
Columns = dict[str, list[str]]

_BATCH_ROWS = 512
_BATCH_BYTES = 32 << 20


def settle(task: str, chosen: dict[str, Any]) -> dict[str, Any]:
    """Every option with its value, those that follow from others included.

    Raises:
        ValueError: a value that is not allowed.
    """
    module = puzzle(task)
    for first, others in _EXCLUDE.items():
        for name in others:
            if chosen[first] is not None and chosen[name] is not None:
                raise ValueError(f"{task}: give {first} or {name}, not both")
    if any(condition(name).filled for name in chosen["conditions"]):
        counter(chosen["condition_tokenizer"])
    if chosen["plan"] is not None:
        planned = task_plan(task, chosen["plan"])
        if planned.seed not in (None, chosen["seed"]):
            raise ValueError(
                f"{task}: the plan is for the puzzles of seed {planned.seed}, got seed "
                f"{chosen['seed']}"
            )
        most = 1 + max(indexes[-1] for indexes in planned.cells.values())
        chosen |= {"complexities": list(planned.cells), "per_level": most}
    if (sizes := chosen["complexities"]) is not None:
        chosen |= {"levels": len(sizes), "c_min": sizes[0], "c_max": sizes[-1]}
    low, high = module.RANGES[chosen["preset"]]
    usual = PRESETS[chosen["preset"]] | {"c_min": low, "c_max": high}
    chosen |= {name: value for name, value in usual.items() if chosen[name] is None}
    for size in sizes or (chosen["c_min"], chosen["c_max"]):
        module.check(size)
    span = chosen["c_max"] - chosen["c_min"] + 1
    if span < 1:
        raise ValueError(
            f"c_max must be c_min or more, got c_min {chosen['c_min']} and c_max {chosen['c_max']}"
        )
    if chosen["levels"] > span:
        raise ValueError(
            f"{chosen['levels']} levels do not fit between c_min {chosen['c_min']} and c_max "
            f"{chosen['c_max']}: at most {span} do"
        )
    return chosen


def task_plan(task: str, plan: Any) -> TaskPlan:
    """What a plan asks of a task.

    Raises:
        ValueError: it is no plan, or has nothing of this task.
    """
    tasks = read_plan(plan)
    if task not in tasks:
        raise ValueError(f"the plan has no questions of {task}: it has those of {', '.join(tasks)}")
    return tasks[task]


def levels_of(chosen: Chosen) -> list[int]:
    """The complexity of each level, from complete options."""
    explicit: list[int] | None = chosen["complexities"]
    if explicit is not None:
        return explicit
    return complexities(chosen["c_min"], chosen["c_max"], chosen["levels"])


def levels(task: str, chosen: Chosen) -> dict[int, int]:
    """The complexity of each level, with the number of its questions in the split ``test``."""
    if chosen["plan"] is not None:
        return {size: len(of) for size, of in task_plan(task, chosen["plan"]).cells.items()}
    return dict.fromkeys(levels_of(chosen), int(chosen["per_level"]))


def complexities(c_min: int, c_max: int, levels: int) -> list[int]:
    """``levels`` evenly spaced complexities from ``c_min`` to ``c_max``, rounded half up."""
    steps = max(levels - 1, 1)
    return [c_min + (2 * i * (c_max - c_min) + steps) // (2 * steps) for i in range(levels)]


def rows(
    task: str,
    languages: Sequence[str],
    split: str,
    indexes: Iterable[int] | None,
    chosen: Chosen,
) -> Iterator[Row]:
    """Rows in the order index, level, language, so that any head of them is balanced."""
    asked = _asked(task, languages, chosen)
    for shared, columns, instance, padding in _plan(task, asked, split, indexes, chosen):
        prompts = render_asked(instance, asked, chosen["text"], padding).to_pylist()
        for row in _rows(shared, {**columns, "prompt": prompts}):
            yield {name: row[name] for name in COLUMNS}


def questions(
    task: str,
    languages: Sequence[str],
    split: str,
    indexes: Iterable[int] | None,
    chosen: Chosen,
) -> Iterator[Row]:
    """The rows of ``rows`` without their prompts, which ``prompt`` makes when they are needed."""
    asked = _asked(task, languages, chosen)
    for shared, columns, *_ in _plan(task, asked, split, indexes, chosen):
        yield from _rows(shared, columns)


def prompt(reference: Mapping[str, Any], text: str) -> str:
    """The prompt of a row of ``questions``, from its reference."""
    one = PromptVariant(reference["language"], condition(reference.get("condition", PLAIN)))
    filled = {one: Padding.from_told(reference)} if one.condition.filled else {}
    return str(render_asked(drawn(reference), [one], text, filled)[0])


def _rows(shared: Shared, columns: Columns) -> Iterator[Row]:
    for values in zip(*columns.values()):
        yield {**shared, **dict(zip(columns, values))}


def tables(
    task: str,
    languages: Sequence[str],
    split: str,
    indexes: Iterable[int] | None,
    chosen: Chosen,
) -> Iterator[pa.Table]:
    """The rows of ``rows`` as Arrow tables.

    The first table holds one question in all languages, so that a stream starts at once; later
    ones grow to 512 rows or 32 MB of text.
    """
    batch: list[tuple[Shared, Columns]] = []
    prompts: list[pa.StringArray] = []
    size, limit = 0, 1
    asked = _asked(task, languages, chosen)
    for shared, columns, instance, padding in _plan(task, asked, split, indexes, chosen):
        rendered = render_asked(instance, asked, chosen["text"], padding)
        batch.append((shared, columns))
        prompts.append(rendered)
        size += rendered.nbytes
        if len(batch) * len(asked) >= limit or size >= _BATCH_BYTES:
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


def _asked(task: str, languages: Sequence[str], chosen: Chosen) -> list[PromptVariant]:
    return asked_of(task, languages, chosen["conditions"], chosen["text"])


def _plan(
    task: str,
    asked: Sequence[PromptVariant],
    split: str,
    indexes: Iterable[int] | None,
    chosen: Chosen,
) -> Iterator[tuple[Shared, Columns, Instance, dict[PromptVariant, Padding]]]:
    """Every instance with its rows, one for each prompt, that lack their prompts.

    First stands what is the same in all of these rows, last how prompts are filled up.
    """
    seed, text = chosen["seed"], chosen["text"]
    levels = levels_of(chosen)
    suffix = "" if text == "paper" else f"-{text_label(text)}"
    module = puzzle(task)
    codes = [variant.language for variant in asked]
    endings = [f"-{variant.language}{suffix}{variant.ending}" for variant in asked]
    versions = [_version(variant, text) for variant in asked]
    beginnings = [f"{{{_members({'family': NAME, 'language': code})}," for code in codes]
    planned = None if chosen["plan"] is None else task_plan(task, chosen["plan"])
    wanted = {size: set(of) for size, of in planned.cells.items()} if planned else {}
    design: dict[str, object] = {}
    if planned is not None:
        design = {"design": planned.design, "range": [planned.low, planned.high]}
    if indexes is None:
        indexes = sorted(set().union(*wanted.values())) or range(chosen["per_level"])
    for index in indexes:
        for level, complexity in enumerate(levels):
            if planned is not None and index not in wanted[complexity]:
                continue
            instance = generate(task, complexity=complexity, seed=seed, index=index, split=split)
            answer = solve(instance)
            encoded = _dumps(answer)
            shared: Shared = {
                "instance_id": instance.instance_id, "task": task, "complexity": complexity,
                "level": level, "index": index, "seed": seed,
            }  # fmt: skip
            before = _members(shared | {"split": split})
            at_the_end = module.reference(instance) | {"answer": Encoded(encoded)} | design
            after = _members(at_the_end)
            common = {version: f"{before},{version},{after}" for version in set(versions)}
            padding_of = paddings(instance, asked, text, chosen["condition_tokenizer"])
            columns = {
                "id": [f"{instance.instance_id}{ending}" for ending in endings],
                "language": codes,
                "answer": [
                    native(encoded, variant.language) if variant.condition.native_ids else encoded
                    for variant in asked
                ],
                "reference": [
                    f"{beginning}{common[version]}{_of_condition(variant, chosen, padding_of)}}}"
                    for variant, beginning, version in zip(asked, beginnings, versions)
                ],
            }
            yield shared, columns, instance, padding_of


def _of_condition(
    one: PromptVariant, chosen: Chosen, filled: Mapping[PromptVariant, Padding]
) -> str:
    """What a reference says of the condition: nothing for the plain prompt.

    Answer and edges have plain identifiers under every condition; ``ids`` says how the prompt
    writes them.
    """
    if one.condition.name == PLAIN:
        return ""
    told: dict[str, object] = {"condition": one.condition.name}
    if one.condition.native_ids:
        told["ids"] = dict(zip(("letters", "digits"), alphabet(one.language)))
    if one.condition.filled:
        told |= {"tokenizer": label(chosen["condition_tokenizer"]), **filled[one].told()}
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

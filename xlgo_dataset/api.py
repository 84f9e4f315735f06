"""The calls of ``import xlgo_dataset as xd`` that work for the tasks of every family.

Rows for training are conversations from the train split, easy ones first, none of the test split.
Splits share no instance, but the smallest puzzles are so few that one of the test split may come
back under other names. ``training_rows`` leaves those out (see docs/training.md).
"""

import json
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import Any, Literal

from xlgo_metric.core import PLAIN, allowed_name

from .core import Options, Row
from .families import BUILT_IN
from .family import SIZES, Family, drawn, family_of, generated_family_of, isomorphism_hash

TASKS: tuple[str, ...] = tuple(next(iter(BUILT_IN.values())).split())
"""The five puzzles. Every family has tasks of its own: ``xlgo_dataset.family(name).TASKS``."""


def generate(task: str, **parameters: Any) -> Any:
    """Draw one instance of a task; the language plays no part in it.

    Args:
        task: a task whose questions are generated, of any family.
        parameters: for the puzzles ``complexity`` (their size, as Table 1 of the XLGoBench paper
            measures it), ``seed``, ``index`` and ``split``; those of another family stand in its
            documentation.

    Returns:
        The instance: ``.task``, ``.complexity``, ``.instance_id``, ``.to_json()``. The same
        arguments always give the same one, on every machine.

    Raises:
        ValueError: an unknown task, parameter or split, or an impossible complexity.
    """
    return generated_family_of(task).generate(task, **parameters)


def solve(instance: Any) -> dict[str, object]:
    """The answer of an instance, under the key that its prompt asks for.

    Raises:
        ValueError: its task is unknown.
    """
    return generated_family_of(instance.task).solve(instance)


def render(instance: Any, language: str, text: str = "paper", condition: str = "plain") -> str:
    """The prompt of an instance in one language and wording.

    Args:
        instance: from ``generate``, ``read`` or ``instance_from_json``.
        language: a language code.
        text: ``paper`` (the paper's wording), ``revised``, or the path of a TOML file whose tables
            replace strings.
        condition: the way in which it is asked (docs/why.md).

    Raises:
        ValueError: an unknown language or text, or a condition that does not go with them.
    """
    family = generated_family_of(instance.task)
    return family.render(instance, language, text, **_under(family, instance.task, condition))


def read(
    task: str, prompt: str, language: str, text: str = "paper", condition: str = "plain"
) -> Any:
    """The instance that a prompt describes, from its text alone.

    Raises:
        ValueError: the text is not a prompt of this task in this language under this condition.
    """
    family = generated_family_of(task)
    return family.read(task, prompt, language, text, **_under(family, task, condition))


def wording_status(task: str, language: str, text: str = "paper") -> str:
    """Who wrote and read the strings of a task in a language and wording.

    Returns:
        ``native-written``, ``audited``, ``edited`` or ``machine-written``; ``""`` for texts of
        other teams, of which this project does not know.

    Raises:
        ValueError: an unknown task or language.

    >>> wording_status("slt", "yo"), wording_status("slt", "zh"), wording_status("slt", "te")
    ('machine-written', 'audited', 'machine-written')
    """
    return family_of(task).status_of(task, language, text)


def _under(family: Family, task: str, condition: str) -> dict[str, str]:
    """The condition, for a family that has others than the plain one."""
    allowed_name(condition, "condition", family.conditions(task), f"{task}: ")
    return {} if condition == PLAIN else {"condition": condition}


def instance_from_json(task: str, data: Mapping[str, object]) -> Any:
    """The instance of a JSON form; entries that are not known are ignored.

    Raises:
        ValueError: an entry is missing or impossible.
    """
    return generated_family_of(task).instance_from_json(task, data)


def load_dataset(
    name: str,
    *,
    split: Any = None,
    streaming: bool = False,
    cache_dir: str | None = None,
    num_proc: int | None = None,
    **options: Any,
) -> Any:
    """Generate a dataset, or take it from the cache; uses nothing private of ``datasets``.

    >>> rows = load_dataset("t_rank_ja", split="test", preset="smoke", streaming=True)
    >>> next(iter(rows))["id"]
    't_rank-test-s0-c6-i0-ja'

    Args:
        name: ``<task>`` (default languages) or ``<task>_<language>``, of any family.
        split: ``test``, ``validation`` or ``train``, or whatever else ``datasets`` knows: slices
            such as ``test[:100]``, several in a list, ``ReadInstruction``; all splits by default.
        streaming: generate rows as they are asked for, store nothing.
        cache_dir: where generated rows are kept; that of ``datasets`` by default.
        num_proc: processes that generate.
        options: of the task (for the puzzles ``seed``, ``levels``, ``per_level``, ``c_min``,
            ``c_max``, ``complexities``, ``preset`` and ``text``), ``languages`` and ``splits``.

    Returns:
        A ``Dataset``, or one per split in a dict without ``split``; iterable ones if streaming.

    Raises:
        ValueError: an unknown name, option or split.
    """
    from datasets import NamedSplit

    from .hub.builder import DATASET_NAME, XlgoBuilder, code_hash, config_of, joined

    if isinstance(split, str | NamedSplit) and "splits" not in options and split != "all":
        task = config_of(name).task
        splits = [part.split("[")[0] for part in str(split).split("+")]
        options["splits"] = joined("split", splits, family_of(task).splits(task))
    builder = XlgoBuilder(
        config_name=name,
        hash=code_hash(),
        dataset_name=DATASET_NAME,
        cache_dir=cache_dir,
        **options,
    )
    if streaming:
        return builder.as_streaming_dataset(split=split)
    builder.download_and_prepare(num_proc=num_proc)
    return builder.as_dataset(split=split)


_LOG = logging.getLogger("xlgo")

Order = Literal["rising", "mixed"]
ORDERS: tuple[Order, ...] = ("rising", "mixed")

_KEPT = ("reference", "task", "language", "complexity", "instance_id")
_LEVELS = ("levels", "c_min", "c_max")
_HELD_FOR = {"train": ("test", "validation"), "validation": ("test",)}

Held = Callable[[Any], frozenset[str]]
"""The structures that are left out at a complexity."""


def isomorphism_hashes(task: str, *, split: str = "test", **options: Any) -> frozenset[str]:
    """The structures of all questions of a split.

    Args:
        task: a generated task.
        split: ``test``, ``validation`` or ``train``.
        options: of the task; for the puzzles ``seed``, ``complexities``, ``per_level``, ….

    Raises:
        ValueError: an unknown task, split or option, or a task without structures.
    """
    family = generated_family_of(task)
    rows = family.rows(task, family.languages(task)[:1], split=split, **options)
    return frozenset(map(_structure, rows))


def training_rows(
    task: str,
    languages: Sequence[str] | Mapping[str, int] | None = None,
    *,
    split: str = "train",
    order: Order = "rising",
    exclude: Iterable[str] | None = None,
    **options: Any,
) -> Iterator[Row]:
    """Rows in the conversation form that trainers of TRL take.

    Args:
        task: a generated task.
        languages: codes, and each question is asked in all of them; or weights by code, and each
            question is asked in one of them, as often as its weight says (en 3, te 1: of every four
            questions of a complexity three are in English); by default all languages of the data
            set.
        split: ``train`` or ``validation``.
        order: ``rising`` goes through the complexities from the lowest to the highest, ``mixed``
            gives every complexity in turn.
        exclude: structures (``isomorphism_hashes``) that are left out; by default those of
            the splits ``test`` and ``validation`` of the same seed, with as many questions a level
            as the preset has. Give ``()`` to leave out none. Where no question of a complexity is
            left, or nothing says which are alike, the logger ``xlgo`` warns.
        options: of the task; for the puzzles ``seed``, ``complexities``, ``per_level``, ….

    Returns:
        Rows with ``prompt`` and ``completion`` (a list of one message each, of the user and of the
        assistant), ``reference`` (what the rewards need), ``task``, ``language``, ``complexity``
        and ``instance_id``.

    Raises:
        ValueError: an unknown task, language, split, order or option, or weights that are not
            integers above 0.

    >>> row = next(training_rows("slt", {"en": 1}, complexities=[2], per_level=1))
    >>> [row["prompt"][0]["role"], row["completion"][0]["content"][:10]]
    ['user', '{"chain":[']
    """
    if split not in ("train", "validation"):
        raise ValueError(f"rows to train on come from 'train' or 'validation', not {split!r}")
    allowed_name(order, "order", ORDERS)
    family = generated_family_of(task)
    codes = family.default_languages(task) if languages is None else tuple(languages)
    family.check_asked(task, codes)
    if not codes:
        raise ValueError("no language was given: name at least one")
    turns = [codes] if not isinstance(languages, Mapping) else _in_turn(languages)
    parts: list[Options] = [options]
    if order == "rising":
        sizes = family.levels(task, **options)
        names = {option.name for option in family.task_options(task)}
        if sizes is None or "complexities" not in names:
            raise ValueError(f"{task} has no complexities that could rise: give order='mixed'")
        others = {name: value for name, value in options.items() if name not in _LEVELS}
        parts = [others | {"complexities": [size]} for size in sizes]
    own = frozenset(exclude or ())
    held_out = (
        _excluded(family, task, split, options) if exclude is None else lambda complexity: own
    )
    return _rows(family, task, turns=turns, split=split, parts=parts, held_out=held_out)


def _in_turn(weights: Mapping[str, int]) -> list[tuple[str, ...]]:
    """Languages as often as their weights say, each spread evenly over the turns."""
    for code, weight in weights.items():
        if not isinstance(weight, int) or weight < 1:
            raise ValueError(f"the weight of {code!r} is {weight!r}: weights are integers above 0")
    turns = [((i + 0.5) / w, code) for code, w in weights.items() for i in range(w)]
    return [(code,) for _, code in sorted(turns, key=lambda turn: turn[0])]


def _rows(
    family: Family,
    task: str,
    *,
    turns: Sequence[Sequence[str]],
    split: str,
    parts: Iterable[Options],
    held_out: Held,
) -> Iterator[Row]:
    for part in parts:
        questions, left_out = Counter[Any](), Counter[Any]()
        for index in range(family.shards(task, **part)):
            # The index alone decides, so that every complexity has the languages in one proportion.
            codes = turns[index % len(turns)]
            rows = family.rows(task, codes, split=split, indexes=[index], **part)
            for _, group in groupby(rows, key=lambda row: row["instance_id"]):
                first, *others = group
                size = first["complexity"]
                questions[size] += 1
                if (exclude := held_out(size)) and _structure(first) in exclude:
                    left_out[size] += 1
                    continue
                for row in (first, *others):
                    yield {
                        "prompt": [{"role": "user", "content": row["prompt"]}],
                        "completion": [{"role": "assistant", "content": row["answer"]}],
                        **{name: row[name] for name in _KEPT},
                    }
        for size in sorted(size for size, count in questions.items() if count == left_out[size]):
            _LOG.warning(
                "%s: at complexity %s every one of %d questions is one of the test or validation "
                "split under other names, and none is left: choose a higher complexity, or give "
                "exclude=() to train on them",
                task,
                size,
                left_out[size],
            )


def _excluded(family: Family, task: str, split: str, options: Mapping[str, object]) -> Held:
    """The structures of the splits that are kept apart from ``split``, complexity by complexity."""
    if family.may_repeat(task, 1) is None:
        _LOG.warning(
            "%s: nothing says which of its questions are alike: rows to train on may be questions "
            "of the test split under other names",
            task,
        )
    others = {name: value for name, value in options.items() if name not in SIZES}

    @cache
    def held(complexity: Any) -> frozenset[str]:
        splits = _HELD_FOR[split] if family.may_repeat(task, complexity) else ()
        return frozenset().union(
            *(
                isomorphism_hashes(task, split=other, complexities=[complexity], **others)
                for other in splits
            )
        )

    return held


def _structure(row: Row) -> str:
    return isomorphism_hash(drawn(json.loads(row["reference"])))

"""The calls of ``import xlgo_dataset as xd`` that work for the tasks of every family."""

from collections.abc import Mapping
from typing import Any

from xlgo_metric.core import PLAIN, allowed_name

from .families import BUILT_IN
from .family import Family, family_of, generated_family_of

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

"""The dataset builder of Hugging Face ``datasets``: rows are generated, not downloaded."""

import inspect
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import datasets
import pyarrow as pa

from xlgo_metric import option
from xlgo_metric.core import allowed_name

from ..core import DATA_VERSION, SPLITS, schema
from ..family import FAMILIES, family_of
from ..sources import digest_of
from ..text.languages import available, check_readable

DATASET_NAME = "xlgo"
_KEY = getattr(datasets.builder, "Key", None)
"""Datasets 5 numbers the shards of a table, datasets 3 and 4 do not."""
_BASE_PARAMETERS = frozenset(inspect.signature(datasets.DatasetBuilder.__init__).parameters)


@dataclass
class XlgoConfig(datasets.BuilderConfig):
    """A task in one language or several.

    Attributes:
        task: name of a task.
        languages: codes, joined by commas (a list would be cached apart from a tuple).
        splits: splits to generate, joined by commas.
        options: options of the task's family, as JSON.
    """

    task: str = ""
    languages: str = ""
    splits: str = ",".join(SPLITS)
    options: str = "{}"


def configs() -> list[XlgoConfig]:
    """``<task>`` in its default languages and ``<task>_<language>`` in each, of every family.

    They are made at each call, so that a family that was registered later has its own.
    """
    result = []
    for family in FAMILIES.values():
        for task in family.TASKS:
            names = {task: ",".join(family.default_languages(task))}
            names |= {f"{task}_{code}": code for code in family.languages(task)}
            result += [
                XlgoConfig(
                    name=config,
                    version=datasets.Version(f"{family.DATA_VERSION}.0.0"),
                    task=task,
                    languages=options,
                    splits=",".join(family.splits(task)),
                )
                for config, options in names.items()
            ]
    return result


class _ClassProperty:
    """An attribute of a class that is computed whenever it is asked for."""

    def __init__(self, function: Callable[[], Any]) -> None:
        self._function = function

    def __get__(self, instance: object, owner: type) -> Any:
        return self._function()


class XlgoBuilder(datasets.ArrowBasedBuilder):
    """Generates the rows of one configuration.

    Besides the parameters of every builder it takes the options of the task (for the puzzles:
    ``seed, levels, per_level, c_min, c_max, preset, text``), ``languages`` and ``splits``.

    Raises:
        ValueError: an unknown configuration, option, language or split.
    """

    BUILDER_CONFIG_CLASS = XlgoConfig
    BUILDER_CONFIGS = _ClassProperty(configs)
    builder_configs = _ClassProperty(lambda: {config.name: config for config in configs()})
    VERSION = datasets.Version(f"{DATA_VERSION}.0.0")

    def __init__(self, *args: Any, config_name: str | None = None, **parameters: Any) -> None:
        base_parameters = {k: v for k, v in parameters.items() if k in _BASE_PARAMETERS}
        options = {k: v for k, v in parameters.items() if k not in _BASE_PARAMETERS}
        for name in ("data_dir", "data_files"):
            if base_parameters.get(name):
                raise ValueError(f"xlgo generates its rows: {name} has no meaning here")
        config = config_of(config_name)
        family = family_of(config.task)
        entries: dict[str, str] = {}
        if (languages := options.pop("languages", None)) is not None:
            entries["languages"] = joined("language", languages, family.languages(config.task))
            if config.name != config.task and entries["languages"] != config.languages:
                raise ValueError(
                    f"the configuration {config.name!r} has the language {config.languages!r} "
                    f"only: give {config.task!r} for other languages"
                )
        if (splits := options.pop("splits", None)) is not None:
            entries["splits"] = joined("split", splits, family.splits(config.task))
        options = {name: value for name, value in options.items() if value is not None}
        codes = entries.get("languages", config.languages).split(",")
        if config.name == config.task and not entries.get("languages"):
            check_readable(set(codes) & set(available()))
        family.check(config.task, codes, **options)
        # The cache must notice an edited file.
        if files := family.files(config.task, **options):
            entries["description"] = digest_of(files)
        if options:  # as they are once checked: one cache whatever says the same
            checked = {
                one.name: one.checked(options[one.name], config.task)
                for one in family.task_options(config.task)
                if one.name in options
            }
            entries["options"] = json.dumps(checked, default=str)  # a path becomes text
        super().__init__(*args, config_name=config_name, **base_parameters, **entries)

    def _info(self) -> datasets.DatasetInfo:
        return datasets.DatasetInfo(
            description="Algorithmic puzzles, one and the same instance in many languages.",
            features=datasets.Features.from_arrow_schema(schema()),
        )

    def _split_generators(self, dl_manager: Any) -> list[datasets.SplitGenerator]:
        # A list is what ``num_proc`` and streaming shards are cut from.
        count = family_of(self.config.task).shards(
            self.config.task, **json.loads(self.config.options)
        )
        indexes = list(range(count))
        return [
            datasets.SplitGenerator(name=split, gen_kwargs={"split": split, "indexes": indexes})
            for split in self.config.splits.split(",")
        ]

    def _generate_tables(self, split: str, indexes: list[int]) -> Iterator[tuple[Any, pa.Table]]:
        tables = family_of(self.config.task).tables(
            self.config.task,
            self.config.languages.split(","),
            split=split,
            indexes=indexes,
            **json.loads(self.config.options),
        )
        try:
            for number, table in enumerate(tables):
                # Original shards are the indexes; a table may hold rows of several.
                yield (number if _KEY is None else _KEY(0, number)), table
        except ValueError as error:  # else ``datasets`` hides what it says
            raise datasets.exceptions.DatasetGenerationError(str(error)) from error


def config_of(name: str | None) -> XlgoConfig:
    """The configuration of a name; ``ValueError`` if there is none."""
    allowed = {config.name: config for config in configs()}
    if name not in allowed:
        examples = [
            config for config in allowed if "_".join(config.split("_")[-1:]) in ("en", "te")
        ]
        raise ValueError(
            f"unknown configuration {name!r}: give a task, as in {'slt'!r}, or a task and a "
            f"language, as in {'slt_te'!r}; some that exist: {', '.join(examples[:10])}"
        )
    return allowed[name]


def joined(what: str, value: Any, allowed: tuple[str, ...]) -> str:
    """Names, each once, joined by commas; given so, or as a list."""
    names = option.codes(value, f"{what}s")
    if not names:
        raise ValueError(f"give at least one {what}: allowed are {', '.join(allowed)}")
    return ",".join(allowed_name(name, what, allowed) for name in names)


@lru_cache(maxsize=1)
def code_hash() -> str:
    """A hash of every file that the rows depend on, so that no stale cache is ever served."""
    return digest_of([Path(__file__).parents[1], Path(option.__file__)])

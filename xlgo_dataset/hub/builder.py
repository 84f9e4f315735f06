"""The data set builder of Hugging Face ``datasets``: rows are generated, not downloaded."""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from numbers import Integral
from pathlib import Path, PurePath
from typing import Any

import datasets
import pyarrow as pa

from ..core.instance import SPLITS
from ..core.version import DATA_VERSION
from ..families.xlgobench.rows import COLUMNS, schema
from ..family import FAMILIES, family, family_of
from ..text.languages import LANGUAGES, TEXTS

try:  # datasets 5 numbers the shards of a table, datasets 3 and 4 do not
    from datasets.builder import Key
except ImportError:
    Key = None

DATASET_NAME = "xlgo"
_VERSION = f"{DATA_VERSION}.0.0"
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
    """``<task>`` in the default languages and ``<task>_<language>`` in every language."""
    found = []
    for name in FAMILIES:
        package = family(name)
        generated = package.TASKS if hasattr(package, "tables") else ()
        for task in getattr(package, "GENERATED", generated):
            codes = package.languages(task)
            default = ",".join(code for code in LANGUAGES if code in codes)
            names = {task: default} | {f"{task}_{code}": code for code in codes}
            found += [
                XlgoConfig(name=config, version=datasets.Version(_VERSION), task=task,
                           languages=chosen)
                for config, chosen in names.items()
            ]  # fmt: skip
    return found


class XlgoBuilder(datasets.ArrowBasedBuilder):
    """Generates the rows of one configuration.

    Besides the parameters of every builder it takes the options of the task (for the puzzles:
    ``seed, levels, per_level, c_min, c_max, preset, text``), ``languages`` and ``splits``.

    Raises:
        ValueError: an unknown configuration, option, language or split.
    """

    BUILDER_CONFIG_CLASS = XlgoConfig
    BUILDER_CONFIGS = configs()
    VERSION = datasets.Version(_VERSION)

    def __init__(self, *args: Any, config_name: str | None = None, **parameters: Any) -> None:
        base = {k: v for k, v in parameters.items() if k in _BASE_PARAMETERS}
        given = {k: v for k, v in parameters.items() if k not in _BASE_PARAMETERS}
        for name in ("data_dir", "data_files"):
            if base.get(name):
                raise ValueError(f"xlgo generates its rows: {name} has no meaning here")
        config = _config(config_name)
        chosen: dict[str, str] = {}
        if (languages := given.pop("languages", None)) is not None:
            chosen["languages"] = _joined("language", languages, _languages(config.task))
            if config.name != config.task and chosen["languages"] != config.languages:
                raise ValueError(
                    f"the configuration {config.name!r} has the language {config.languages!r} "
                    f"only: give {config.task!r} for other languages"
                )
        if (splits := given.pop("splits", None)) is not None:
            chosen["splits"] = _joined("split", splits, SPLITS)
        given = {k: _plain(value) for k, value in given.items() if value is not None}
        family_of(config.task).options(config.task, **given)
        if (text := given.get("text", "paper")) not in TEXTS:
            # The cache must notice an edited file.
            given["text"] = str(Path(text).resolve())
            chosen["description"] = _digest(Path(text))
        source = given.get("source", ())  # of some tasks: names, or files and folders of one's own
        for name in [source] if isinstance(source, str) else source:
            chosen["description"] = chosen.get("description", "") + _digest(Path(name))
        if given:
            chosen["options"] = json.dumps(given, sort_keys=True)
        super().__init__(*args, config_name=config_name, **base, **chosen)

    def _info(self) -> datasets.DatasetInfo:
        return datasets.DatasetInfo(
            description="Algorithmic puzzles, one and the same instance in many languages.",
            features=datasets.Features.from_arrow_schema(schema()),
        )

    def _split_generators(self, dl_manager: Any) -> list[datasets.SplitGenerator]:
        options = self._options()
        # A list is what ``num_proc`` and streaming shards are cut from.
        indexes = list(range(options.get("per_level", 1)))
        return [
            datasets.SplitGenerator(name=split, gen_kwargs={"split": split, "indexes": indexes})
            for split in self.config.splits.split(",")
        ]

    def _generate_tables(self, split: str, indexes: list[int]) -> Iterator[tuple[Any, pa.Table]]:
        package = family_of(self.config.task)
        given = json.loads(self.config.options)
        make = getattr(package, "tables", None) or _tables_of_rows
        made = make(
            self.config.task,
            self.config.languages.split(","),
            split=split,
            indexes=indexes,
            **given,
        )
        for number, table in enumerate(made):
            # Original shards are the indexes; a table may hold rows of several.
            yield (number if Key is None else Key(0, number)), table

    def _options(self) -> dict[str, Any]:
        task = self.config.task
        found: dict[str, Any] = family_of(task).options(task, **json.loads(self.config.options))
        return found


def _tables_of_rows(
    task: str, languages: list[str], *, indexes: list[int], **given: Any
) -> Iterator[pa.Table]:
    """Tables of a family that only yields rows, and all of them; the first holds one row."""
    batch: list[dict[str, Any]] = []
    limit = 1
    for row in family_of(task).rows(task, languages, **given):
        batch.append({name: row[name] for name in COLUMNS})
        if len(batch) >= limit:
            yield pa.Table.from_pylist(batch, schema=schema())
            batch, limit = [], min(2 * limit, 512)
    if batch:
        yield pa.Table.from_pylist(batch, schema=schema())


def _config(name: str | None) -> XlgoConfig:
    allowed = {config.name: config for config in XlgoBuilder.BUILDER_CONFIGS}
    if name not in allowed:
        shown = [config for config in allowed if "_".join(config.split("_")[-1:]) in ("en", "te")]
        raise ValueError(
            f"unknown configuration {name!r}: give a task, as in {'slt'!r}, or a task and a "
            f"language, as in {'slt_te'!r}; some that exist: {', '.join(shown[:10])}"
        )
    return allowed[name]


def _languages(task: str) -> tuple[str, ...]:
    codes: tuple[str, ...] = family_of(task).languages(task)
    return codes


def _plain(value: Any) -> Any:
    """Integers of NumPy as Python's, paths as texts: the options become JSON."""
    if isinstance(value, PurePath):
        return str(value)
    return int(value) if isinstance(value, Integral) and not isinstance(value, bool) else value


def _digest(path: Path) -> str:
    """A hash of a file, or of all files in a folder."""
    digest = hashlib.sha256()
    files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
    for file in files:
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _joined(what: str, value: Any, allowed: tuple[str, ...]) -> str:
    """Names, each once, joined by commas; given so, or as a list."""
    names = value.split(",") if isinstance(value, str) else value
    if not isinstance(names, Iterable):
        raise ValueError(f"{what}s must be names joined by commas, or a list, got {value!r}")
    names = list(dict.fromkeys(str(name).strip() for name in names))
    if not names:
        raise ValueError(f"give at least one {what}: allowed are {', '.join(allowed)}")
    for name in names:
        if name not in allowed:
            raise ValueError(f"unknown {what} {name!r}: allowed are {', '.join(allowed)}")
    return ",".join(names)


@lru_cache(maxsize=1)
def code_hash() -> str:
    """A hash of every file that the rows depend on, so that no stale cache is ever served."""
    digest = hashlib.sha256()
    folder = Path(__file__).parents[1]
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            digest.update(str(path.relative_to(folder).as_posix()).encode() + b"\0")
            digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()[:32]


def make_builder(name: str | None, **parameters: Any) -> XlgoBuilder:
    """A builder of the configuration ``name``; see ``XlgoBuilder`` for the parameters."""
    return XlgoBuilder(config_name=name, hash=code_hash(), dataset_name=DATASET_NAME, **parameters)


def load_dataset(
    name: str,
    *,
    split: Any = None,
    streaming: bool = False,
    cache_dir: str | None = None,
    num_proc: int | None = None,
    **options: Any,
) -> Any:
    """Generate (or take from the cache) a data set; uses nothing private of ``datasets``.

    Args:
        name: ``<task>`` (default languages) or ``<task>_<language>``.
        split: ``test``, ``validation`` or ``train``, or whatever else ``datasets`` knows: slices
            such as ``test[:100]``, several in a list, ``ReadInstruction``; all splits by default.
        streaming: generate rows as they are asked for, store nothing.
        cache_dir: where generated rows are kept; that of ``datasets`` by default.
        num_proc: processes that generate.
        options: of the task: ``seed, levels, per_level, c_min, c_max, preset, text`` and
            ``languages`` for the puzzles.

    Returns:
        A ``Dataset``, or one per split in a dict without ``split``; iterable ones if streaming.

    Raises:
        ValueError: an unknown name, option or split.
    """
    if isinstance(split, str | datasets.NamedSplit) and "splits" not in options and split != "all":
        wanted = [part.split("[")[0] for part in str(split).split("+")]
        options["splits"] = _joined("split", wanted, SPLITS)
    builder = make_builder(name, cache_dir=cache_dir, **options)
    if streaming:
        return builder.as_streaming_dataset(split=split)
    builder.download_and_prepare(num_proc=num_proc)
    return builder.as_dataset(split=split)

"""The interface of a family of tasks, and the registry of all families.

A family is a set of tasks that share their data, their grading and their tables. On this side it
is one folder in ``families/`` whose package holds ``FAMILY``, an object of a class below, and its
name in ``families.BUILT_IN``. Another package brings a family by an entry point, or calls
``register``. No other file knows the name of a family: whatever others need of it stands here,
with its type.
"""

from __future__ import annotations

import importlib
import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, final

from xlgo_metric.core import PLAIN, FamilyBase, Registry
from xlgo_metric.option import Option, resolved

from .core.instance import SPLITS
from .core.schema import tables_of_rows
from .declared import GoldAnswer, HarnessTask, Row, TaskLabels
from .extras import Levels, Parts
from .families import BUILT_IN

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "FAMILIES",
    "Families",
    "Family",
    "GeneratedFamily",
    "GoldAnswer",
    "HarnessTask",
    "Row",
    "TaskLabels",
    "family",
    "family_of",
    "generated_family_of",
    "register",
    "task_named",
]  # fmt: skip

SIZES = ("levels", "c_min", "c_max", "complexities", "per_level", "plan")
"""Options that say how many questions there are, and of which complexities."""


class Family(FamilyBase, ABC):
    """A set of tasks that share their data, their grading and their tables."""

    title: ClassVar[str]
    """Its heading in a report."""

    DATA_VERSION: ClassVar[int]
    """Rises whenever one byte of a prompt or answer changes (see CHANGELOG.md)."""

    labels: ClassVar[Mapping[str, TaskLabels]]
    """Of every task, in the order in which tasks are shown. No two families have one in common."""

    source: ClassVar[str]
    """A paragraph in Markdown for the card of an exported dataset: where the tasks come from."""

    @property
    @final
    def TASKS(self) -> tuple[str, ...]:
        """Its tasks."""
        return tuple(self.labels)

    @property
    @final
    def citation(self) -> str:
        """BibTeX entries, parted by empty lines; the file ``citation.bib`` of its folder."""
        module = importlib.import_module(type(self).__module__)
        return Path(str(module.__file__)).with_name("citation.bib").read_text("utf-8").strip()

    @abstractmethod
    def languages(self, task: str) -> tuple[str, ...]:
        """Codes of the languages of a task, English first.

        Raises:
            ValueError: an unknown task.
        """

    def default_languages(self, task: str) -> tuple[str, ...]:
        """The languages that a task has where none are asked for; all of them by default."""
        return self.languages(task)

    @final
    def splits(self, task: str) -> tuple[str, ...]:
        """The splits of a task."""
        return self.labels[task].loaded or SPLITS

    @abstractmethod
    def task_options(self, task: str) -> tuple[Option, ...]:
        """The options of ``rows``, in the order in which they are shown.

        Raises:
            ValueError: an unknown task.
        """

    def options(self, task: str, **given: Any) -> dict[str, object]:
        """The options of ``rows``, checked, with their defaults.

        A family whose options depend on each other checks that here too.

        Raises:
            ValueError: an unknown task or option (named), or a value that is not allowed.
        """
        self.check_task(task)
        return resolved(task, self.task_options(task), given)

    @abstractmethod
    def rows(
        self,
        task: str,
        languages: Sequence[str],
        *,
        split: str = "test",
        indexes: Iterable[int] | None = None,
        **given: Any,
    ) -> Iterator[Row]:
        """Rows in the order index, level, language, so that any head of them is balanced.

        Args:
            task: one of ``TASKS``.
            languages: codes; every question is asked in each of them in turn.
            split: one of ``splits(task)``.
            indexes: which of ``range(shards(task, ...))``; all of them by default.
            given: see ``options``.

        Raises:
            ValueError: as ``options`` does, an unknown language or split, or data that cannot be
                loaded.
        """

    @final
    def questions(
        self, task: str, languages: Sequence[str], *, split: str = "test", **given: Any
    ) -> Iterator[Row]:
        """The rows, without their prompts where ``prompt`` makes these when needed."""
        late = self.extra(Parts).questions(task, languages, split=split, **given)
        return self.rows(task, languages, split=split, **given) if late is None else late

    @final
    def prompt(self, reference: Mapping[str, object], text: str) -> str:
        """The prompt of a row of ``questions`` that has none.

        Args:
            reference: of the row, read from its JSON.
            text: the wording, as in ``options``.
        """
        return self.extra(Parts).prompt(reference, text)

    @final
    def levels(self, task: str, **given: Any) -> Mapping[int, int] | None:
        """The complexity of each level, with the number of its questions in the split ``test``.

        ``None`` where levels are not steps of complexity.
        """
        return self.extra(Levels).levels(task, **given)

    @final
    def complexity_range(self, task: str) -> tuple[int, int] | None:
        """Where a curve of accuracy is sought with the option ``plan``; ``None`` without it.

        From the least complexity that there is to the top of the levels that are usual.
        """
        if not self._has(task, "plan"):
            return None
        least = next(size for size in count(1) if self._is_possible(task, size))
        return least, max(self.levels(task) or (least,))

    def _is_possible(self, task: str, complexity: int) -> bool:
        try:
            self.options(task, complexities=[complexity])
        except ValueError:
            return False
        return True

    def _has(self, task: str, option: str) -> bool:
        return any(one.name == option for one in self.task_options(task))

    @final
    def prompt_size(self, task: str, languages: Sequence[str], **given: Any) -> tuple[int, int]:
        """How many prompts the split ``test`` has, and about how many bytes of UTF-8 in all.

        A prompt grows in proportion to its complexity: the middle level stands for the mean. Both
        are 0 where nothing is known of them before the rows are made.
        """
        levels = self.levels(task, **given)
        if levels is None or not self._has(task, "complexities"):
            return 0, 0
        kept = {name: value for name, value in given.items() if name not in SIZES}
        middle = list(levels)[len(levels) // 2]
        rows = self.rows(task, languages, complexities=[middle], per_level=1, **kept)
        sizes = [len(row["prompt"].encode()) for row in rows]
        questions = sum(levels.values())
        return len(sizes) * questions, sum(sizes) * questions

    @final
    def conditions(self, task: str) -> tuple[str, ...]:
        """The ways in which a task can be asked (docs/why.md): what its option allows."""
        allowed = (one.allowed for one in self.task_options(task) if one.name == "conditions")
        return tuple(next(allowed, (PLAIN,)))

    @final
    def check(self, task: str, languages: Sequence[str], **given: Any) -> None:
        """Refuse options that are not allowed, and conditions that do not go with a language.

        Raises:
            ValueError: as ``rows`` does.
        """
        chosen = self.options(task, **given)
        if chosen.get("conditions", (PLAIN,)) != (PLAIN,):
            next(self.questions(task, languages, **given), None)  # whether it can be made

    @final
    def tables(
        self,
        task: str,
        languages: Sequence[str],
        *,
        split: str = "test",
        indexes: Iterable[int] | None = None,
        **given: Any,
    ) -> Iterator[pa.Table]:
        """The rows as Arrow tables of a few hundred rows; the first is small."""
        asked: dict[str, Any] = {"split": split, "indexes": indexes, **given}
        made = self.extra(Parts).tables(task, languages, **asked)
        return tables_of_rows(self.rows(task, languages, **asked)) if made is None else made

    @final
    def shards(self, task: str, **given: Any) -> int:
        """Into how many parts, numbered by ``indexes``, a split can be cut."""
        return self.extra(Parts).shards(task, **given)

    @final
    def files(self, task: str, **given: Any) -> tuple[Path, ...]:
        """Files and folders of the user that the rows depend on, for caches to notice."""
        values = [given.get(one.name) for one in self.task_options(task) if one.is_path]
        named = chain(*(one if isinstance(one, list | tuple) else [one] for one in values))
        paths = (Path(one).expanduser() for one in named if isinstance(one, str | os.PathLike))
        return tuple(path for path in paths if os.path.exists(path))

    @abstractmethod
    def harness_tasks(self) -> tuple[HarnessTask, ...]:
        """Its tasks in lm-evaluation-harness."""

    @final
    def check_task(self, task: str) -> None:
        """Refuse a task that is not of this family: ``ValueError`` with the allowed ones."""
        if task not in self.TASKS:
            raise ValueError(f"unknown task {task!r}: allowed are {', '.join(self.TASKS)}")

    @final
    def check_asked(self, task: str, languages: Sequence[str], split: str = "test") -> None:
        """Refuse languages and a split that a task does not have.

        Raises:
            ValueError: the first one is named, with the allowed ones.
        """
        known = {"language": self.languages(task), "split": self.splits(task)}
        for what, names in (("language", languages), ("split", (split,))):
            for name in names:
                if name not in known[what]:
                    allowed = ", ".join(known[what])
                    raise ValueError(f"{task}: unknown {what} {name!r}: allowed are {allowed}")


class GeneratedFamily(Family):
    """A family with tasks whose questions are made here, and are read back from their text."""

    texts: ClassVar[tuple[str, ...]] = ("paper",)
    """The wordings that come with the package."""

    reads_prompts: ClassVar[bool] = False
    """Whether ``read`` is there."""

    @property
    @final
    def generated(self) -> tuple[str, ...]:
        """The tasks that are generated; the others are loaded."""
        return tuple(task for task, one in self.labels.items() if not one.loaded)

    @abstractmethod
    def generate(self, task: str, **parameters: Any) -> Any:
        """One instance, without any language; the same arguments always give the same one.

        Raises:
            ValueError: an unknown task, parameter or split, or an impossible complexity.
        """

    @abstractmethod
    def solve(self, instance: Any) -> dict[str, object]:
        """The answer, under the key that the prompt asks for."""

    def answer(self, instance: Any, language: str) -> Any:
        """The answer as the column ``answer`` of a row in a language has it, read from its JSON.

        The same as ``solve`` in all languages by default.
        """
        return self.solve(instance)

    @abstractmethod
    def render(
        self, instance: Any, language: str, text: str = "paper", condition: str = PLAIN
    ) -> str:
        """The prompt of an instance in one language and wording, under one of ``conditions``.

        Raises:
            ValueError: an unknown language or text, or a condition that does not go with them.
        """

    def read(
        self,
        task: str,
        prompt: str,
        language: str,
        text: str = "paper",
        condition: str = PLAIN,
    ) -> Any:
        """The instance that a prompt describes, from its text alone.

        Raises:
            ValueError: the text is not a prompt of this task in this language and condition, or
                the family reads no prompts.
        """
        raise ValueError(f"{task}: the family {self.name} reads no prompts")

    @abstractmethod
    def instance_from_json(self, task: str, data: Mapping[str, object]) -> Any:
        """The instance of a JSON form; entries that are not known are ignored.

        Raises:
            ValueError: an entry is missing or impossible.
        """


class Families(Registry[Family]):
    """The families by name, and by their tasks."""

    def of_task(self, task: str) -> Family | None:
        """The family of a task; ``None`` if none has it.

        Families that are imported already are asked first, so that a task of one of them imports
        no other; those of other packages are asked last.
        """
        known = [name for name, found in self._found.items() if found is not None]
        for name in chain(known, tuple(self._found), self):
            if task in self[name].TASKS:
                return self[name]
        return None

    def register(self, family: Family) -> None:
        """Add a family that lives outside this package.

        Raises:
            TypeError: it does not fulfil the contract; what is missing is named.
            ValueError: another family has a task of the same name.
        """
        tasks = self.checked(family).TASKS
        if not tasks:
            raise TypeError(f"{type(family).__name__} has no task: labels are empty")
        for other in self.values():
            shared = set(tasks) & set(other.TASKS)
            if shared and other.name != family.name:
                raise ValueError(f"the task {min(shared)!r} belongs to the family {other.name!r}")
        super().register(family)


FAMILIES = Families(Family, BUILT_IN, "dataset")
"""Every family by name."""

register = FAMILIES.register
family = FAMILIES.named


def family_of(task: str) -> Family:
    """The family that ``task`` belongs to.

    Raises:
        ValueError: no family has a task of that name.
    """
    found = FAMILIES.of_task(task)
    if found is not None:
        return found
    names = [name for found in FAMILIES.values() for name in found.TASKS]
    raise ValueError(f"unknown task {task!r}: allowed are {', '.join(names)}")


def task_named(name: str) -> str:
    """The task behind a name, which may be that in the harness: ``slt`` for ``xlgo_slt``.

    A name that is neither is returned as it is.
    """
    if FAMILIES.of_task(name) is not None:
        return name
    specs = (spec for found in FAMILIES.values() for spec in found.harness_tasks())
    return next((spec.task for spec in specs if spec.name == name), name)


def generated_family_of(task: str) -> GeneratedFamily:
    """The family of a task whose questions are generated.

    Raises:
        ValueError: an unknown task, or one whose questions are loaded.
    """
    found = family_of(task)
    if isinstance(found, GeneratedFamily) and task in found.generated:
        return found
    raise ValueError(f"{task} is loaded, not generated: use its rows")


def known_texts() -> tuple[str, ...]:
    """Every wording that comes with the package, of whatever family; any other is a file."""
    families = [found for found in FAMILIES.values() if isinstance(found, GeneratedFamily)]
    return tuple(dict.fromkeys(text for found in families for text in found.texts))


_ORIGIN = ("task", "complexity", "seed", "index", "split")
"""What a question is made from."""

_CACHED_INSTANCES = 8
"""The languages of an instance follow each other, so a few instances are enough."""

_DRAWN = 20


def drawn(reference: Mapping[str, object]) -> Any:
    """The instance of the question of a reference, drawn again.

    Raises:
        ValueError: the question is not one that this package makes of what the reference tells.
    """
    return _drawn(*_origin(reference))


def _origin(reference: Mapping[str, object]) -> tuple[Any, ...]:
    origin = tuple(reference.get(name) for name in _ORIGIN)
    if tuple(map(type, origin)) != (str, int, int, int, str):
        raise ValueError(f"a question is drawn from {', '.join(_ORIGIN)}, got {origin}")
    return origin


@lru_cache(maxsize=_CACHED_INSTANCES)
def _drawn(task: str, complexity: int, seed: int, index: int, split: str) -> Any:
    origin = {"complexity": complexity, "seed": seed, "index": index, "split": split}
    return generated_family_of(task).generate(task, **origin)


def isomorphism_hash(instance: Any) -> str:
    """A name of what an instance is up to renaming and the order of its lines.

    Raises:
        ValueError: its task has no notion of that.
    """
    return generated_family_of(instance.task).extra(Levels).isomorphism_hash(instance)


def isomorphism_hash_of(reference: Mapping[str, object]) -> str | None:
    """The structure of the question of a reference, where another question may have the same.

    Answers to questions of one structure are not independent, even if names and lines differ.

    Args:
        reference: of a row, read from its JSON.

    Returns:
        ``None`` for questions whose structures do not repeat, where nothing tells them apart, and
        for those that this package does not make.
    """
    try:
        return _hash_of(*_origin(reference))
    except ValueError:
        return None


@lru_cache(maxsize=1 << 16)  # a question is asked in many languages and conditions
def _hash_of(task: str, complexity: int, *others: Any) -> str | None:
    may_repeat = generated_family_of(task).extra(Levels).may_repeat(task, complexity)
    return isomorphism_hash(_drawn(task, complexity, *others)) if may_repeat else None


@cache
def has_few(task: str, complexity: int) -> bool:
    """Whether questions of a complexity are so few that several of 20 have another's structure.

    It looks at questions of the train split; one structure that comes back may be chance.
    """
    if not family_of(task).extra(Levels).may_repeat(task, complexity):
        return False
    structures = set[str]()
    for index in range(_DRAWN):
        structures.add(isomorphism_hash(_drawn(task, complexity, 0, index, "train")))
        if len(structures) < index:
            return True
    return False

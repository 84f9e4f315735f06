"""The interface of a family of tasks, and the registry of all families.

A family is a set of tasks that share their data, their grading and their tables. On this side it
is one folder in ``families/`` whose package holds ``FAMILY``, a value of the class below, and its
name in ``families.BUILT_IN``. Another package brings a family by an entry point, or calls
``register``. No other file knows the name of a family: whatever others need of it stands here,
with its type.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from xlgo_metric.core import PLAIN, FamilyBase, Registry, allowed_name
from xlgo_metric.option import Option, resolved

from .core import (
    SPLITS,
    GalleryExample,
    HarnessTask,
    Json,
    Options,
    Row,
    TaskLabels,
    tables_of_rows,
)
from .families import BUILT_IN

if TYPE_CHECKING:
    import pyarrow as pa

SIZES = ("levels", "c_min", "c_max", "complexities", "per_level", "plan")
"""Options that say how many questions there are, and of which complexities."""


def _lacks(what: str) -> Callable[..., Any]:
    """The default of a part that a family need not have: it says that it is missing."""

    def missing(first: Any, *_: Any, **__: Any) -> Any:
        raise ValueError(f"{getattr(first, 'task', first)}: its family {what}")

    return missing


_NO_QUESTIONS = _lacks("generates no questions")
_NO_READ = _lacks("reads no prompts")
_NO_STRUCTURE = _lacks("does not say which questions are alike")
_NO_STRINGS = _lacks("has no strings by key")


@dataclass(frozen=True, kw_only=True, eq=False)
class Family(FamilyBase):
    """A set of tasks that share their data, their grading and their tables: one value.

    The parts without a default are owed. A row has
    the columns of ``core.COLUMNS``, and rows come in the order index, level, language, so
    that any head of them is balanced.

    Attributes:
        name: the same on both sides.
        package: the package of its folder (``__name__``), which has ``citation.bib``.
        title: its heading in a report.
        DATA_VERSION: rises whenever one byte of a prompt or answer changes (see CHANGELOG.md).
        labels: of every task, in the order in which tasks are shown. No two families have one in
            common.
        source: a paragraph in Markdown for the card of an exported dataset: where the tasks come
            from.
        languages_of: codes of the languages of a task, English first.
        options_of: the options of ``rows`` of a task, in the order in which they are shown.
        make_rows: the rows of a task, given task, languages, split, indexes (``None`` for all of
            ``range(shards)``) and options. All are checked.
        harness_tasks: its tasks in lm-evaluation-harness.
        defaults_of: the languages that a task has where none are asked for; all by default.
        settle: completes the options of a task, where they depend on each other; ``ValueError``
            where they do not go together.
        shards_of: into how many parts, numbered by ``indexes``, the rows can be cut.
        make_tables: the rows as Arrow tables, where that is faster than from rows; as
            ``make_rows``.
        make_questions: the rows without their prompts, which ``prompt`` makes when needed, so
            that none are held in memory; as ``make_rows``.
        prompt: the prompt of such a row, from its reference and the wording.
        levels_of: the complexity of each level, with the number of its questions in the split
            ``test``; ``None`` where levels are no steps of complexity.
        generate: one instance of a task, without any language; the same arguments always give the
            same one. An instance has ``task``, ``complexity``, ``instance_id`` and ``to_json()``.
        solve: the answer of an instance, under the key that the prompt asks for: its ``answer``.
        answer_in: the answer of an instance in a language, as the column ``answer`` has it, where
            that is another than ``solve`` gives.
        render: the prompt of an instance in a language, wording and condition.
        read: the instance that a prompt describes, from its text alone.
        instance_from_json: the instance of a JSON form; entries that are not known are ignored.
        texts: the wordings that come with the package.
        may_repeat: whether questions of a complexity are so few that structures come back among
            them; ``None`` where nothing says which are alike.
        isomorphism_hash: a name of what an instance is up to renaming and order.
        half_right: the complexity at which the simulated model is right half of the time, where
            its profile says nothing: 0 for never, ``None`` for a task that it does not answer.
        response: an answer as the prompt of a task asks for it: what is written as JSON, or text.
        replies: of a profile and a seed of the simulated model, what answers prompts that are no
            generated questions, with ``None`` to those of others.
        wordings: its own strings in a language with their places, for the people who check them.
        status_of: who wrote and read a task's strings in a language and wording, one of
            ``text.languages.STATUSES``; ``""`` for texts that are not this project's.
        gallery_examples: what the gallery shows of a task.
        render_with: the prompt of an instance with strings by key, of no language.
    """

    name: str
    package: str
    title: str
    DATA_VERSION: int
    labels: Mapping[str, TaskLabels]
    source: str
    languages_of: Callable[[str], tuple[str, ...]]
    options_of: Callable[[str], tuple[Option, ...]]
    make_rows: Callable[
        [str, Sequence[str], str, Iterable[int] | None, Options], Iterator[Mapping[str, object]]
    ]
    harness_tasks: Callable[[], tuple[HarnessTask, ...]]
    defaults_of: Callable[[str], tuple[str, ...]] | None = None
    settle: Callable[[str, dict[str, Any]], dict[str, Any]] = lambda task, options: options
    shards_of: Callable[[str, Options], int] = lambda task, options: 1
    make_tables: Callable[..., Iterator[pa.Table]] | None = None
    make_questions: Callable[..., Iterator[Row]] | None = None
    prompt: Callable[[Json, str], str] = _NO_QUESTIONS
    levels_of: Callable[[str, Options], Mapping[int, int] | None] = lambda task, options: None
    generate: Callable[..., Any] = _NO_QUESTIONS
    solve: Callable[[Any], dict[str, object]] = lambda instance: dict(instance.answer)
    answer_in: Callable[[Any, str], Any] | None = None
    render: Callable[..., str] = _NO_QUESTIONS
    read: Callable[..., Any] = _NO_READ
    instance_from_json: Callable[[str, Json], Any] = _NO_QUESTIONS
    texts: tuple[str, ...] = ("paper",)
    may_repeat: Callable[[str, int], bool | None] = lambda task, complexity: None
    isomorphism_hash: Callable[[Any], str] = _NO_STRUCTURE
    half_right: Callable[[str], float | None] = lambda task: None
    response: Callable[[Any, str], Any] = lambda answer, task: answer
    replies: Callable[[Mapping[str, object], int], Callable[[str], str | None]] = (
        lambda profile, seed: lambda prompt: None
    )
    wordings: Callable[[str], Iterable[tuple[str, str]]] = lambda language: ()
    status_of: Callable[[str, str, str], str] = lambda task, language, text: ""
    gallery_examples: Callable[[str], tuple[GalleryExample, ...]] = lambda task: (GalleryExample(),)
    render_with: Callable[[Any, Mapping[str, str]], str] = _NO_STRINGS

    @property
    def TASKS(self) -> tuple[str, ...]:
        """Its tasks."""
        return tuple(self.labels)

    @property
    def generated(self) -> tuple[str, ...]:
        """The tasks whose questions are generated; the others are loaded."""
        return tuple(task for task, one in self.labels.items() if not one.loaded)

    @property
    def reads_prompts(self) -> bool:
        """Whether an instance can be had from a prompt."""
        return self.read is not _NO_READ

    @property
    def citation(self) -> str:
        """BibTeX entries, parted by empty lines; the file ``citation.bib`` of its folder."""
        return (resources.files(self.package) / "citation.bib").read_text("utf-8").strip()

    def answer(self, instance: Any, language: str) -> Any:
        """The answer as the column ``answer`` of a row in a language has it, read from its JSON."""
        return self.answer_in(instance, language) if self.answer_in else self.solve(instance)

    def languages(self, task: str) -> tuple[str, ...]:
        """Codes of the languages of a task, English first; ``ValueError`` for an unknown task."""
        return self.languages_of(allowed_name(task, "task", self.labels))

    def default_languages(self, task: str) -> tuple[str, ...]:
        """The languages that a task has where none are asked for."""
        return self.defaults_of(task) if self.defaults_of else self.languages(task)

    def splits(self, task: str) -> tuple[str, ...]:
        """The splits of a task."""
        return self.labels[task].loaded or SPLITS

    def task_options(self, task: str) -> tuple[Option, ...]:
        """The options of ``rows``; ``ValueError`` for an unknown task."""
        return self.options_of(allowed_name(task, "task", self.labels))

    def options(self, task: str, **parameters: Any) -> dict[str, Any]:
        """The options of ``rows``, checked, with their defaults.

        Raises:
            ValueError: an unknown task or option (named), or a value that is not allowed.
        """
        return self.settle(task, resolved(task, self.task_options(task), parameters))

    def rows(
        self,
        task: str,
        languages: Sequence[str],
        *,
        split: str = "test",
        indexes: Iterable[int] | None = None,
        **parameters: Any,
    ) -> Iterator[Row]:
        """Rows in the order index, level, language.

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
        return self._checked_rows(
            self.make_rows, task, languages, split=split, indexes=indexes, parameters=parameters
        )

    def questions(
        self,
        task: str,
        languages: Sequence[str],
        *,
        split: str = "test",
        indexes: Iterable[int] | None = None,
        **parameters: Any,
    ) -> Iterator[Row]:
        """The rows, without their prompts where ``prompt`` makes these when needed."""
        return self._checked_rows(
            self.make_questions or self.make_rows,
            task,
            languages,
            split=split,
            indexes=indexes,
            parameters=parameters,
        )

    def tables(
        self,
        task: str,
        languages: Sequence[str],
        *,
        split: str = "test",
        indexes: Iterable[int] | None = None,
        **parameters: Any,
    ) -> Iterator[pa.Table]:
        """The rows as Arrow tables of a few hundred rows; the first is small."""
        if self.make_tables is None:
            return tables_of_rows(
                self.rows(task, languages, split=split, indexes=indexes, **parameters)
            )
        return self._checked_rows(
            self.make_tables, task, languages, split=split, indexes=indexes, parameters=parameters
        )

    def _checked_rows(
        self,
        make: Callable[..., Any],
        task: str,
        languages: Sequence[str],
        *,
        split: str,
        indexes: Iterable[int] | None,
        parameters: Mapping[str, object],
    ) -> Any:
        options = self.options(task, **parameters)
        self.check_asked(task, languages, split)
        return make(task, languages, split, indexes, options)

    def levels(self, task: str, **parameters: Any) -> Mapping[int, int] | None:
        """The complexity of each level, with the number of its questions in the split ``test``.

        ``None`` where levels are not steps of complexity.
        """
        return self.levels_of(task, self.options(task, **parameters))

    def shards(self, task: str, **parameters: Any) -> int:
        """Into how many parts, numbered by ``indexes``, a split can be cut."""
        return self.shards_of(task, self.options(task, **parameters))

    def complexity_range(self, task: str) -> tuple[int, int] | None:
        """Where a curve of accuracy is sought with the option ``plan``; ``None`` without it.

        From the least complexity that there is to the highest of any preset: the default preset
        may have small puzzles only, at which a strong model is right everywhere.
        """
        options = self._options_by_name(task)
        if "plan" not in options:
            return None
        least = next(size for size in count(1) if self._is_possible(task, complexities=[size]))
        presets = options["preset"].allowed if "preset" in options else ()
        usual = [{}, *({"preset": x} for x in presets if self._is_possible(task, preset=x))]
        tops = (max(self.levels(task, **parameters) or (least,)) for parameters in usual)
        return least, max(tops)

    def _is_possible(self, task: str, **parameters: Any) -> bool:
        try:
            self.options(task, **parameters)
        except ValueError:
            return False
        return True

    def _options_by_name(self, task: str) -> dict[str, Option]:
        return {option.name: option for option in self.task_options(task)}

    def prompt_size(
        self, task: str, languages: Sequence[str], **parameters: Any
    ) -> tuple[int, int]:
        """How many prompts the split ``test`` has, and about how many bytes of UTF-8 in all.

        A prompt grows in proportion to its complexity: the middle level stands for the mean. Both
        are 0 where nothing is known of them before the rows are made.
        """
        has_sizes = "complexities" in self._options_by_name(task)
        if not has_sizes or (levels := self.levels(task, **parameters)) is None:
            return 0, 0
        kept = {name: value for name, value in parameters.items() if name not in SIZES}
        middle = list(levels)[len(levels) // 2]
        rows = self.rows(task, languages, complexities=[middle], per_level=1, **kept)
        sizes = [len(row["prompt"].encode()) for row in rows]
        questions = sum(levels.values())
        return len(sizes) * questions, sum(sizes) * questions

    def conditions(self, task: str) -> tuple[str, ...]:
        """The ways in which a task can be asked (docs/why.md): what its option allows."""
        option = self._options_by_name(task).get("conditions")
        return tuple(option.allowed) if option else (PLAIN,)

    def check(self, task: str, languages: Sequence[str], **parameters: Any) -> None:
        """Refuse options that are not allowed, and conditions that do not go with a language.

        Raises:
            ValueError: as ``rows`` does.
        """
        if self.options(task, **parameters).get("conditions", (PLAIN,)) != (PLAIN,):
            next(self.questions(task, languages, **parameters), None)  # whether it can be made

    def files(self, task: str, **parameters: Any) -> tuple[Path, ...]:
        """Files and folders of the user that the rows depend on, for caches to notice."""
        values = [
            value
            for option in self.task_options(task)
            if option.is_path and (value := parameters.get(option.name)) not in option.allowed
        ]
        names = chain(*(value if isinstance(value, list | tuple) else [value] for value in values))
        paths = (Path(name).expanduser() for name in names if isinstance(name, str | os.PathLike))
        return tuple(path for path in paths if os.path.exists(path))

    def check_asked(self, task: str, languages: Sequence[str], split: str = "test") -> None:
        """Refuse languages and a split that a task does not have.

        Raises:
            ValueError: the first one is named, with the allowed ones.
        """
        allowed = self.default_languages(task)
        if any(language not in allowed for language in languages):
            allowed = self.languages(task)  # which may read the files of all
        for language in languages:
            allowed_name(language, "language", allowed, f"{task}: ")
        allowed_name(split, "split", self.splits(task), f"{task}: ")


class Families(Registry[Family]):
    """The families by name, and by their tasks."""

    def of_task(self, task: str) -> Family | None:
        """The family of a task; ``None`` if none has it.

        A task of one family imports no other: those that are imported are asked first, then what
        ``BUILT_IN`` says, the families of other packages, and the rest.
        """
        return next((self[name] for name in self._ordered(task) if task in self[name].TASKS), None)

    def _ordered(self, task: str) -> Iterator[str]:
        """The names, the family of ``task`` early: it is not asked for what stands behind it."""
        yield from [name for name, found in self._found.items() if found is not None]
        yield from (name for name, tasks in BUILT_IN.items() if task in tasks.split())
        yield from sorted(self, key=BUILT_IN.__contains__)

    def register(self, family: Family) -> None:
        """Add a family that lives outside this package.

        Raises:
            TypeError: it is no ``Family``, or has no task.
            ValueError: its package has no citation, or another family a task of the same name.
        """
        tasks = self.checked(family).TASKS
        if not tasks:
            raise TypeError(f"the family {family.name} has no task: labels are empty")
        if not (resources.files(family.package) / "citation.bib").is_file():
            raise ValueError(f"the package {family.package} has no file citation.bib: add it")
        self._add_guests()
        for name, other in self._found.items():  # without importing those of this package
            shared = set(tasks) & set(other.TASKS if other else BUILT_IN[name].split())
            if shared and name != family.name:
                raise ValueError(f"the task {min(shared)!r} belongs to the family {name!r}")
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
    result = FAMILIES.of_task(task)
    if result is None:
        allowed_name(task, "task", [name for one in FAMILIES.values() for name in one.TASKS])
    return cast(Family, result)


def task_named(name: str) -> str:
    """The task behind a name, which may be that in the harness: ``slt`` for ``xlgo_slt``.

    A name that is neither is returned as it is.
    """
    if FAMILIES.of_task(name) is not None:
        return name
    specs = (spec for found in FAMILIES.values() for spec in found.harness_tasks())
    return next((spec.task for spec in specs if spec.name == name), name)


def generated_family_of(task: str) -> Family:
    """The family of a task whose questions are generated.

    Raises:
        ValueError: an unknown task, or one whose questions are loaded.
    """
    family = family_of(task)
    if task in family.generated:
        return family
    raise ValueError(f"{task} is loaded, not generated: use its rows")


def known_texts() -> tuple[str, ...]:
    """Every wording that comes with the package, of whatever family; any other is a file."""
    families = (result for result in FAMILIES.values() if result.generated)
    return tuple(dict.fromkeys(text for result in families for text in result.texts))


_ORIGIN = ("task", "complexity", "seed", "index", "split")
"""What a question is made from."""

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


@lru_cache(maxsize=512)  # answers are checked after all questions of a task were made
def _drawn(task: str, complexity: int, seed: int, index: int, split: str) -> Any:
    return generated_family_of(task).generate(
        task, complexity=complexity, seed=seed, index=index, split=split
    )


def isomorphism_hash(instance: Any) -> str:
    """A name of what an instance is up to renaming and the order of its lines.

    Raises:
        ValueError: its task has no notion of that.
    """
    return generated_family_of(instance.task).isomorphism_hash(instance)


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
    may_repeat = generated_family_of(task).may_repeat(task, complexity)
    return isomorphism_hash(_drawn(task, complexity, *others)) if may_repeat else None


@cache
def has_few(task: str, complexity: int) -> bool:
    """Whether questions of a complexity are so few that several of 20 have another's structure.

    It looks at questions of the train split; one structure that comes back may be chance.
    """
    if not family_of(task).may_repeat(task, complexity):
        return False
    drawn = (_drawn(task, complexity, 0, index, "train") for index in range(_DRAWN))
    return len(set(map(isomorphism_hash, drawn))) < _DRAWN - 1

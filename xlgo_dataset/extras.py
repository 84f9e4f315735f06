"""What a family can do beyond making rows: each a class, asked for by its type.

A family that has such a thing lists an object of a subclass in ``Family.extras``; whoever wants it
asks ``family.extra(Class)``. The classes themselves say what holds for a family that has none, so
that nothing here is owed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xlgo_metric.core import PLAIN

from .declared import GalleryExample, GoldAnswer, Row

if TYPE_CHECKING:
    import pyarrow as pa

    from .core.rng import Stream


class Levels:
    """Questions at levels of complexity."""

    def complexities(self, task: str, **given: Any) -> tuple[int, ...] | None:
        """The complexity of each level; ``None`` where levels are not steps of complexity."""
        return None

    def complexity_range(self, task: str) -> tuple[int, int] | None:
        """Where a curve of accuracy is sought with ``plan``; ``None`` without that option."""
        return None


class Sizes:
    """What rows take, before any is made."""

    def prompt_bytes(self, task: str, languages: Sequence[str], **given: Any) -> int:
        """About how many bytes of UTF-8 the prompts have; 0 says that they are short."""
        return 0

    def prompt_count(self, task: str, languages: Sequence[str], **given: Any) -> int:
        """The number of prompts in the split ``test``; 0 if it is not known without the rows."""
        return 0


class LatePrompts:
    """Rows without prompts, for a family whose prompts are long: none are held in memory."""

    def questions(
        self, task: str, languages: Sequence[str], *, split: str = "test", **given: Any
    ) -> Iterator[Row] | None:
        """The rows without their prompts; ``None`` where rows come with them."""
        return None

    def prompt(self, reference: Mapping[str, object], text: str) -> str:
        """The prompt of such a row.

        Args:
            reference: of the row, read from its JSON.
            text: the wording, as in ``options``.
        """
        raise ValueError("every question comes with its prompt")


class Conditions:
    """The same question asked in several ways (docs/why.md)."""

    def conditions(self, task: str) -> tuple[str, ...]:
        """The ways in which a task can be asked, ``plain`` first."""
        return (PLAIN,)

    def check(self, task: str, languages: Sequence[str], **given: Any) -> None:
        """Refuse options that do not go with a language, before any row is made.

        Args:
            task: one of ``TASKS``.
            languages: codes that the task has.
            given: see ``Family.options``.

        Raises:
            ValueError: a condition does not go with one of the languages.
        """

    def render(self, instance: Any, language: str, text: str, name: str) -> str:
        """The prompt of an instance under one of ``conditions`` but ``plain``.

        Raises:
            ValueError: the task, the language or the wording has no such condition.
        """
        raise ValueError(f"{instance.task} has no condition {name!r}: allowed is {PLAIN}")

    def read(self, task: str, prompt: str, language: str, text: str, name: str) -> Any:
        """The instance that a prompt under one of ``conditions`` but ``plain`` describes.

        Raises:
            ValueError: there is no such condition, or the text is not a prompt under it.
        """
        raise ValueError(f"{task} has no condition {name!r}: allowed is {PLAIN}")


class Structures:
    """Questions that are alike up to renaming and order."""

    def has(self, task: str) -> bool:
        """Whether ``isomorphism_hash`` says which questions of a task are alike."""
        return False

    def isomorphism_hash(self, instance: Any) -> str:
        """A name of what an instance is up to renaming and order; ``ValueError`` without one."""
        raise ValueError(f"{instance.task}: nothing says which of its questions are alike")

    def isomorphism_hash_of(self, reference: Mapping[str, Any]) -> str | None:
        """The structure of the question of a reference; ``None`` where structures do not repeat."""
        return None

    def may_repeat(self, task: str, complexity: int) -> bool:
        """Whether questions of a complexity are so few that structures come back among them."""
        return self.has(task)

    def has_few(self, task: str, complexity: int) -> bool:
        """Whether the questions of one level at a complexity would share structures."""
        return False


class Wordings:
    """Its texts, for the people who check them."""

    def wordings(self, language: str) -> Iterator[tuple[str, str]]:
        """Strings of its own in a language, with their places."""
        yield from ()

    def gallery_examples(self, task: str) -> tuple[GalleryExample, ...]:
        """What the gallery shows of a task: a question in the usual wording by default."""
        return (GalleryExample(),)

    def render_with(self, instance: Any, strings: Mapping[str, str]) -> str:
        """The prompt of an instance with strings by key, which need not be those of a language.

        Raises:
            ValueError: the prompts of this task are not made of strings by key.
        """
        raise ValueError(f"{instance.task}: its prompts are not made of strings by key")


class LoadedData:
    """Another team's data."""

    def gold_answers(self, source: Path) -> Iterator[GoldAnswer]:
        """Every reference answer of a local copy of the data, as a response.

        Grading must find each of them right: that proves copy and grading at once.

        Raises:
            ValueError: this family loads no such data, or the copy lacks something.
        """
        raise ValueError("this family has no check of a local copy of its data")


class Simulated:
    """How the simulated model answers."""

    def half_right(self, task: str) -> float | None:
        """The complexity at which it is right half of the time, where its profile says nothing.

        0 for never; ``None`` for a task that it does not answer.
        """
        return None

    def wrong_answer(self, instance: Any, stream: Stream) -> dict[str, object]:
        """A plausible wrong answer to a generated question; ``ValueError`` where there is none."""
        raise ValueError(f"{instance.task}: the simulated model has no wrong answers to it")

    def phrase(
        self, answer: Mapping[str, object], task: str, language: str, text: str, stream: Stream
    ) -> dict[str, object] | str:
        """An answer as a model may word it: what is written as JSON, or the text itself."""
        return dict(answer)

    def replies(self, profile: Mapping[str, object], seed: int) -> Callable[[str], str | None]:
        """What answers prompts that are no generated questions; ``None`` to those of others."""
        return lambda prompt: None


class Parts:
    """Its rows in parts, which several processes may make at the same time."""

    def shards(self, task: str, **given: Any) -> int:
        """Into how many parts, numbered by ``indexes``, a split can be cut."""
        return 1

    def tables(
        self,
        task: str,
        languages: Sequence[str],
        *,
        split: str = "test",
        indexes: Iterable[int] | None = None,
        **given: Any,
    ) -> Iterator[pa.Table] | None:
        """The rows as Arrow tables, made faster than from rows; ``None`` where nothing does so."""
        return None

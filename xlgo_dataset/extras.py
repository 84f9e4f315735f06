"""What a family can do beyond making rows: each a class, asked for by its type.

A family that has such a thing lists an object of a subclass in ``Family.extras``; whoever wants it
asks ``family.extra(Class)``. The classes themselves say what holds for a family that has none, so
that nothing here is owed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .declared import GalleryExample, GoldAnswer, Row

if TYPE_CHECKING:
    import pyarrow as pa


class Levels:
    """Questions at levels of complexity, and which of them are alike up to names and order."""

    def levels(self, task: str, **given: Any) -> Mapping[int, int] | None:
        """The complexity of each level, with the number of its questions in the split ``test``.

        ``None`` where levels are not steps of complexity.
        """
        return None

    def may_repeat(self, task: str, complexity: int) -> bool | None:
        """Whether questions of a complexity are so few that structures come back among them.

        ``None`` where nothing says which are alike.
        """
        return None

    def isomorphism_hash(self, instance: Any) -> str:
        """A name of what an instance is up to renaming and order; ``ValueError`` without one."""
        raise ValueError(f"{instance.task}: nothing says which of its questions are alike")


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

    def response(self, answer: Any, task: str) -> Any:
        """An answer as the prompt asks for it: what is written as JSON, or the text itself."""
        return answer

    def replies(self, profile: Mapping[str, object], seed: int) -> Callable[[str], str | None]:
        """What answers prompts that are no generated questions; ``None`` to those of others."""
        return lambda prompt: None


class Parts:
    """Many or long rows: in parts, which several processes may make at the same time, and with
    prompts that are made when they are needed, so that none are held in memory."""

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

    def questions(
        self, task: str, languages: Sequence[str], *, split: str = "test", **given: Any
    ) -> Iterator[Row] | None:
        """The rows without their prompts; ``None`` where rows come with them."""
        return None

    def prompt(self, reference: Mapping[str, object], text: str) -> str:
        """The prompt of such a row; see ``Family.prompt``."""
        raise ValueError("every question comes with its prompt")

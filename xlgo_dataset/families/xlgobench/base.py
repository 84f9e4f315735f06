"""The interface of a puzzle module, and all that one is made of."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np

from ...core import Instance, Json, Origin, TaskLabels, ids
from ...core.rng import Stream
from ...text.document import Document, Items, Lines, Template, Text, Values

__all__ = [
    "Document", "Instance", "Ints", "Items", "Json", "Lines", "Origin", "Puzzle", "Stream",
    "Streams", "TaskLabels", "Template", "Text", "Values", "ids",
]  # fmt: skip

Ints = np.ndarray[Any, np.dtype[np.int32]]

Streams = Callable[[int], Stream]
"""Gives the random stream of the n-th attempt at an instance."""


class Puzzle(Protocol):
    """A puzzle: a module with these names.

    It may have four more:

    - ``NAMES``: which of its strings are words for things that the lines name: rooms and keys;
    - ``reference(instance)``: what grading needs beside the answer;
    - ``structure(instance)``: a JSON value that puzzles have in common if they are equal up to
      names and the order of lines (``instances.isomorphism_hash``);
    - ``DISTINCT``: the complexity from which on puzzles have more than 10^9 structures, so that
      none was seen twice; without it ``structure`` is asked at every complexity.
    """

    NAME: str
    LABELS: TaskLabels
    ANSWER_KEY: str
    RANGES: Mapping[str, tuple[int, int]]
    """Lowest and highest complexity by preset."""
    POSSIBLE: tuple[int, int, str]
    """Lowest and highest complexity that can be generated, and what it counts."""
    LINES: tuple[str, ...]
    """Which of its strings are the lines that hold its data."""

    def generate(self, complexity: int, streams: Streams, origin: Origin) -> Instance:
        """Draw an instance of exactly this complexity."""

    def template(self, strings: Mapping[str, str]) -> Template:
        """The strings of a language arranged as texts and lines."""

    def document(self, instance: Any) -> Document:
        """The prompt without a language."""

    def read(self, *parts: Any) -> Json:
        """What ``from_json`` needs, from a prompt's ``Values`` and ``Items`` in turn."""

    def from_json(self, data: Json) -> Instance:
        """The instance of a JSON form; unknown keys are ignored. ``KeyError``: one is missing."""

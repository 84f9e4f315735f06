"""What a generated task owes as a prompt: from an instance to its text and back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

PLAIN = "plain"
"""The condition of a prompt with which nothing special is done."""


class Prompted(ABC):
    """Instances as prompts, in many languages and perhaps under several conditions."""

    @abstractmethod
    def render(self, instance: Any, language: str, text: str = "paper") -> str:
        """The prompt of an instance in one language and wording.

        Raises:
            ValueError: an unknown language or text.
        """

    @abstractmethod
    def read(self, task: str, prompt: str, language: str, text: str = "paper") -> Any:
        """The instance that a prompt describes, from its text alone.

        Raises:
            ValueError: the text is not a prompt of this task in this language.
        """

    def conditions(self, task: str) -> tuple[str, ...]:
        """The ways in which a task can be asked, ``plain`` first (see docs/conditions.md)."""
        return (PLAIN,)

    def render_condition(self, instance: Any, language: str, text: str, name: str) -> str:
        """The prompt of an instance under one of ``conditions``.

        Raises:
            ValueError: the task, the language or the wording has no such condition.
        """
        if name != PLAIN:
            raise ValueError(f"{instance.task} has no condition {name!r}: allowed is {PLAIN}")
        return self.render(instance, language, text)

    def read_condition(self, task: str, prompt: str, language: str, text: str, name: str) -> Any:
        """The instance that a prompt under one of ``conditions`` describes, from its text alone.

        Raises:
            ValueError: there is no such condition, or the text is not a prompt under it.
        """
        if name != PLAIN:
            raise ValueError(f"{task} has no condition {name!r}: allowed is {PLAIN}")
        return self.read(task, prompt, language, text)

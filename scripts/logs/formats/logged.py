"""One answer in the log of another tool, in the terms that all of them share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from ..lines import Sample, SampleFile, reference_of

_LONG = ("prompt", "reference", "xlgo_reference")

Single = str | int | float | bool


@dataclass(frozen=True)
class Logged:
    """One answer.

    Attributes:
        number: of the line or sample in the file, from 1.
        place: where it is read again: the byte where its line begins, or the sample's number.
        question: the tool's id of the question.
        prompt: what was asked.
        target: the right answer, as the tool has it.
        response: what the model answered; ``None`` if the request failed.
        fields: single values that the tool logs of the question, such as its language.
        measures: numbers that the tool gave to the answer.
        reference: of a task of xlgo.
        repeat: which of several answers to the question, from 0.
        finish, reasoning, tokens: see ``Sample``.
    """

    number: int
    place: int
    question: str
    prompt: str
    target: str
    response: str | None
    fields: Mapping[str, Single]
    measures: Mapping[str, float] = field(default_factory=dict)
    reference: str | None = None
    repeat: int = 0
    finish: str | None = None
    reasoning: str | None = None
    tokens: tuple[int, int] | None = None

    def sample(self, file: SampleFile) -> Sample:
        """The answer to a question of xlgo, which is graded again.

        Raises:
            AnotherTaskError: the question is not one of ours.
            ValueError: its reference cannot be read.
        """
        reference = reference_of({}, {"reference": self.reference})
        return Sample(
            file, self.number, reference, self.response, self.prompt, self.repeat,
            finish=self.finish, reasoning=self.reasoning, tokens=self.tokens,
        )  # fmt: skip

    def line(self) -> dict[str, object]:
        """The answer in the form of a line of lm-evaluation-harness, for any benchmark."""
        measures: dict[str, object] = dict(self.measures)
        return measures | {
            "doc_id": self.question,
            "doc": dict(self.fields),
            "target": self.target,
            "arguments": [[self.prompt]],
            "resps": [[self.response]],
            "filter": "none",
            "metrics": list(measures),
        }


class Format(Protocol):
    """A module that reads the logs of one tool."""

    NAME: str
    """Of the tool, as messages and descriptions have it."""

    def is_log(self, path: Path) -> bool:
        """Whether a file is a log of the tool."""

    def describe(self, path: Path) -> tuple[str, str, dict[str, object]]:
        """Task, date and description of a run, in the form that the harness has for it.

        Raises:
            ValueError: the file cannot be read.
        """

    def read(self, path: Path) -> Iterator[Logged | Exception]:
        """The answers of a log; in the place of one that cannot be used stands the reason."""

    def at(self, path: Path, place: int) -> Logged:
        """One answer, read again."""


def single_values(data: Mapping[str, object]) -> dict[str, Single]:
    """What can identify a question or its language: texts, numbers and truth values."""
    return {
        name: value
        for name, value in data.items()
        if isinstance(value, (str, int, float)) and name not in _LONG
    }

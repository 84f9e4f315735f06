"""The few types that every family of tasks shares: a grade, a record and a table (``table``)."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .table import Table

__all__ = [
    "PLAIN", "STATUSES", "Exhibit", "Grade", "Passage", "Record", "Status", "Table",
    "UnusableReferenceError", "condition",
]  # fmt: skip

Status = Literal["correct", "wrong", "no_answer", "bad_format", "truncated", "needs_judge"]
STATUSES: tuple[Status, ...] = (
    "correct",
    "wrong",
    "no_answer",
    "bad_format",
    "truncated",
    "needs_judge",
)


PLAIN = "plain"
"""The condition of a question that is asked as the data set has it, with nothing changed."""


def condition(reference: Mapping[str, Any]) -> str:
    """Under which condition a question was asked; ``PLAIN`` where its reference names none."""
    return str(reference.get("condition") or PLAIN)


class UnusableReferenceError(ValueError):
    """A reference that nothing can be graded against; the message says why."""


MISSING = "missing"
"""In the details of a grade: true where a request failed, so that there is no answer to count."""


@dataclass(frozen=True)
class Grade:
    """What grading one response found.

    Attributes:
        correct: the answer is the right one.
        status: ``correct``; ``wrong`` (a well-formed answer that is not the right one);
            ``no_answer`` (nothing that looks like the asked answer); ``bad_format`` (an answer is
            there but cannot be understood); ``truncated`` (the output was cut before its end);
            ``needs_judge`` (only a judge can tell: neither right nor wrong until then).
        strict: the response is exactly what was asked for and nothing else.
        answer: the answer as understood, in plain JSON types; ``None`` without one.
        details: diagnostics in plain JSON types; their names are the family's.
        in_form: the answer stands in the form that the prompt asks for, whatever stands around it
            and however it is written; else it was read from a sentence or another form.
    """

    correct: bool
    status: Status
    strict: bool = False
    answer: Any = None
    details: dict[str, Any] = field(default_factory=dict)
    in_form: bool = True

    def to_json(self) -> dict[str, Any]:
        """The grade as a plain dict."""
        return dataclasses.asdict(self)


@dataclass(frozen=True)
class Record:
    """One graded response together with the reference that it was graded against.

    Attributes:
        grade: of the response.
        reference: of the question.
        thinking_length: characters of the thinking; ``None`` where there was none.
        response: the response, where somebody keeps it.
        run: which of several runs of a model it comes from, where that is known.
        where: the file and line it stands at, or another place to look for it.
        prompt_bytes: of the prompt in UTF-8, where it is known.
    """

    grade: Grade
    reference: dict[str, Any]
    thinking_length: int | None = None
    response: str | None = None
    run: str | None = None
    where: str = ""
    prompt_bytes: int | None = None


@dataclass(frozen=True)
class Passage:
    """A text of an exhibit.

    Attributes:
        label: what it is, in a few words.
        text: the text itself, in any script.
        language: its code, where it is known.
        note: what a reader should mind in it; may be empty.
    """

    label: str
    text: str
    language: str = ""
    note: str = ""


@dataclass(frozen=True)
class Exhibit:
    """Texts that a person should see side by side, as an example of what was measured."""

    title: str
    passages: tuple[Passage, ...]
    notes: tuple[str, ...] = ()

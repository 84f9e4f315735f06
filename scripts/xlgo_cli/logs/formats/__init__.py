"""Logs of other tools than lm-evaluation-harness: whose a file is, and a module for each tool.

Each gives the same (`Logged`): of a task of xlgo it is graded again like every other answer, of
another benchmark its languages can be compared (``xlgo report --parallel``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from xlgo_lm_eval.replies import MISSING

from ..lines import Reply, Sample, SampleFile, object_in, reference_of

INSPECT, VERIFIERS, EVERY_EVAL_EVER = "inspect", "verifiers", "every_eval_ever"
"""The tools, as messages and descriptions have them."""

_READERS = {
    INSPECT: "inspect_logs",
    VERIFIERS: "verifiers_traces",
    EVERY_EVAL_EVER: "every_eval_ever",
}
_OF_INSPECT = re.compile(r"\d{4}-\d\d-\d\dT[\d+-]+_.+_[A-Za-z0-9]{22}\.(?:eval|json)")
_OF_A_TRACE = frozenset({"task", "traces"})
_OF_EVERY_EVAL_EVER = frozenset(
    {"schema_version", "evaluation_id", "sample_id", "interaction_type"}
)


def tool_of(path: Path) -> str:
    """The tool that wrote a log, by the file's name and its first line.

    Returns:
        Empty if it is of lm-evaluation-harness, or of nobody known.
    """
    if is_of_inspect(path):
        return INSPECT
    if path.suffix != ".jsonl":
        return ""
    keys = first(path).keys()
    if path.name == "traces.jsonl" and keys >= _OF_A_TRACE:
        return VERIFIERS
    return EVERY_EVAL_EVER if keys >= _OF_EVERY_EVAL_EVER else ""


def is_of_inspect(path: Path) -> bool:
    """Whether a file is a log of inspect, by its name."""
    return path.suffix == ".eval" or _OF_INSPECT.fullmatch(path.name) is not None


def reader(tool: str) -> Format:
    """What reads the logs of a tool; imported when it is asked for."""
    return cast("Format", import_module(f"{__name__}.{_READERS[tool]}"))


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
        finish, reasoning, tokens, error: see ``lines.Reply``.
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
    error: str | None = None

    def sample(self, file: SampleFile) -> Sample:
        """The answer to a question of xlgo, which is graded again.

        Raises:
            AnotherTaskError: the question is not one of ours.
            ValueError: its reference cannot be read.
        """
        reference = reference_of({}, {"reference": self.reference})
        counted = "server" if self.tokens else ""
        reply = Reply(self.finish, self.reasoning, False, self.tokens, None, counted)
        if self.response is None:
            reply = reply._replace(state=MISSING, error=self.error or "the request failed")
        return Sample(
            file, self.number, reference, self.response, self.prompt, self.repeat, reply=reply
        )

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


LONGEST = 64 << 20
"""Bytes of a line; a longer one is not read."""


def lines(path: Path) -> Iterator[tuple[int, int, dict[str, object] | ValueError]]:
    """Number and place of each line that is not empty, and its object or what is wrong with it.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        number = place = 0
        while raw := file.readline(LONGEST):
            number += 1
            here, place = place, place + len(raw)
            if raw.strip():
                yield number, here, _object_or_error(raw)


def line_at(path: Path, place: int) -> dict[str, object]:
    """The object in the line that begins at a byte.

    Raises:
        ValueError: there is none.
    """
    with path.open("rb") as file:
        file.seek(place)
        return object_in(file.readline(LONGEST))


def first(path: Path) -> dict[str, object]:
    """The object in the first line; empty if there is none that can be read."""
    try:
        found = next((found for _, _, found in lines(path)), {})
    except OSError:
        return {}
    return {} if isinstance(found, ValueError) else found


def _object_or_error(raw: bytes) -> dict[str, object] | ValueError:
    try:
        return object_in(raw)
    except (ValueError, RecursionError) as error:
        return ValueError(str(error))


def objects(value: object) -> list[dict[str, object]]:
    """The objects in a value that should be a list of them."""
    found = value if isinstance(value, list) else []
    return [one for one in found if isinstance(one, dict)]


def text(value: object) -> str:
    """A value that should be a text; empty if it is none."""
    return value if isinstance(value, str) else ""


def whole(value: object) -> int | None:
    """A value that should be an integer."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None

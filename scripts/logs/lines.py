"""One line of a file of samples: the question, what was asked and what the model answered.

What could not be read of a results folder, told in sentences that name the file and the line.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from xlgo_cli.logs.settings import Settings
from xlgo_lm_eval.replies import ASKED

_SHOWN = 3


def printable(text: str) -> str:
    """The same text in one line, without what would steer a terminal or change its direction."""
    return "".join(c if c.isprintable() else " " if c.isspace() else "\ufffd" for c in text)


@dataclass(frozen=True)
class Problem:
    """Something that could not be used.

    Attributes:
        where: the file, and where there is one the line.
        message: what is wrong with it and what became of it.
        lost: something that should have counted could not be read.
    """

    where: str
    message: str
    lost: bool = True

    def __str__(self) -> str:
        return printable(f"{self.where}: {self.message}")


@dataclass
class Problems:
    """Collects problems; of many alike in one file, the first few are told one by one."""

    items: list[Problem] = field(default_factory=list)
    _counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, where: str, message: str, lost: bool = True) -> None:
        """Record one problem."""
        self.items.append(Problem(where, message, lost))

    def add_line(self, file: Path, line: int, kind: str, message: str, lost: bool = True) -> None:
        """Record a problem of one line; ``kind`` says which of them are alike."""
        self._counts[str(file), kind] += 1
        if self._counts[str(file), kind] <= _SHOWN:
            self.add(f"{file}:{line}", message, lost)

    def close(self, file: Path) -> None:
        """Say how many problems of ``file`` were not told one by one."""
        for (name, kind), count in self._counts.items():
            if name == str(file) and count > _SHOWN:
                self.add(name, f"{count - _SHOWN} more lines like it ({kind})", lost=False)

    @property
    def lost(self) -> bool:
        """Whether something that should have counted could not be read."""
        return any(problem.lost for problem in self.items)


@dataclass(frozen=True)
class SampleFile:
    """One file of samples.

    Attributes:
        task: the name that the harness has for the task.
        date: when the run ended, as the harness writes it into file names; sorts as text.
        model: the name of the model.
        settings: how the answers were made; ``None`` if the harness's description is lost.
        tool: whose log it is (``formats.tool_of``); empty for lm-evaluation-harness.
    """

    path: Path
    task: str
    date: str
    model: str
    settings: Settings | None = None
    tool: str = ""


@dataclass(frozen=True)
class Sample:
    """One response of a model.

    Attributes:
        file, line: where it stands.
        reference: what it is graded against.
        response: the response as the model gave it; ``None`` where there is none.
        prompt: what was asked, perhaps long; empty where the file does not have it.
        repeat: which of several responses to the same prompt, from 0.
        request: what was sent, as it is logged: a prompt, or a chat as JSON.
        finish, reasoning, tokens: why the model stopped, thinking apart from the response, and
            tokens of prompt and answer, where the log itself says so (``replies`` has those of
            the harness).
        asked: how it was sent, where the log says so and the grading depends on it.
    """

    file: SampleFile
    line: int
    reference: dict[str, object]
    response: str | None
    prompt: str
    repeat: int = 0
    request: str = ""
    asked: str | None = None
    finish: str | None = None
    reasoning: str | None = None
    tokens: tuple[int, int] | None = None

    @property
    def graded_by(self) -> dict[str, object]:
        """The reference, with how the question was asked."""
        return self.reference if self.asked is None else {**self.reference, ASKED: self.asked}

    @property
    def where(self) -> str:
        """The file and the line."""
        return f"{self.file.path}:{self.line}"


class AnotherTaskError(Exception):
    """Raised for a sample whose task is not part of xlgo."""


def parse(raw: bytes, file: SampleFile, number: int) -> Iterator[Sample]:
    """The responses in line ``number`` of a file.

    Raises:
        AnotherTaskError: the line is of a task that is not one of ours.
        ValueError: it cannot be read; the message says why.
    """
    try:
        data = json.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 text (byte {error.start})") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"not valid JSON ({error.msg} at character {error.pos + 1})") from None
    if not isinstance(data, dict):
        raise ValueError("not a JSON object")
    doc = data.get("doc")
    doc = doc if isinstance(doc, dict) else {}
    reference = reference_of(data, doc)
    asked_by = doc.get(ASKED) if isinstance(doc.get(ASKED), str) else None
    request = request_of(data)
    prompt = next((p for p in (doc.get("prompt"), data.get("prompt")) if isinstance(p, str)), None)
    prompt = asked(request) if prompt is None else prompt
    for repeat, response in enumerate(responses_of(data)):
        yield Sample(file, number, reference, response, prompt, repeat, request, asked_by)


def reference_of(data: dict[str, object], doc: dict[str, object]) -> dict[str, object]:
    """The reference: a column of the question, the harness's target or a column of its own.

    Raises:
        AnotherTaskError: there is none.
        ValueError: it cannot be read.
    """
    for column, value in (
        ("doc.reference", doc.get("reference")),
        ("reference", data.get("reference")),
        ("target", data.get("target")),
    ):
        found = _object(value, column)
        if found is not None and ("task" in found or column != "target"):
            if not isinstance(found.get("task"), str):
                raise ValueError(f"column {column}: the reference names no task")
            return found
    raise AnotherTaskError


def _object(value: Any, column: str) -> dict[str, object] | None:
    """A JSON object, given as such or as text; ``None`` for anything else."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = json.loads(value)
        except ValueError as error:
            if column == "target":
                return None
            raise ValueError(f"column {column}: not valid JSON ({error})") from None
    return value if isinstance(value, dict) else None


def responses_of(data: dict[str, object]) -> list[str | None]:
    """The responses, as the model gave them, as many as the harness's filter kept."""
    if "prediction" in data:
        return _texts(data["prediction"], "prediction")
    if "resps" not in data and "filtered_resps" not in data:
        raise ValueError("column resps: missing, and so is filtered_resps")
    kept = _texts(_first(data.get("filtered_resps", data.get("resps"))), "filtered_resps")
    if not data.get("resps"):
        return kept
    return _texts(_first(data["resps"]), "resps")[: len(kept)]


def _first(value: Any) -> Any:
    """The responses to the first, and here only, request of a question."""
    return value[0] if isinstance(value, list) and value else value


def _texts(value: Any, column: str) -> list[str | None]:
    values = value if isinstance(value, list) else [value]
    if not all(text is None or isinstance(text, str) for text in values):
        raise ValueError(f"column {column}: not text")
    return values or [None]


def request_of(data: dict[str, object]) -> str:
    """What was sent; of a model behind an interface it is logged as a list of one JSON text."""
    argument = data.get("arguments")
    for key in ("gen_args_0", "arg_0"):
        argument = argument.get(key) if isinstance(argument, dict) else _first(argument)
    argument = _first(argument)
    return argument if isinstance(argument, str) else ""


def asked(request: str) -> str:
    """The text of a request; that of a chat is a JSON list of messages."""
    if not request.startswith("[{"):
        return request
    try:
        return "\n\n".join(_content(message["content"]) for message in json.loads(request))
    except (ValueError, TypeError, KeyError, RecursionError):
        return request


def _content(value: Any) -> str:
    """The text of a message, which may be in parts."""
    if isinstance(value, list):
        return "\n".join(str(part["text"]) for part in value if "text" in part)
    return str(value)

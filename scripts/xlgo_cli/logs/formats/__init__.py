"""Logs of other tools than lm-evaluation-harness, read as if the harness had written them.

A module for each tool describes a run as ``results_*.json`` does, and makes of each record a line
as in ``samples_*.jsonl``, with ``answers`` as ``xlgo run`` adds them: one reader takes it from
there. Of a task of xlgo the answers are graded again, of another benchmark its languages can be
compared (``xlgo report --parallel``).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextvars import ContextVar
from datetime import datetime, timezone
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

from xlgo_lm_eval import replies

from ..lines import LogLine, object_in

INSPECT, VERIFIERS, EVERY_EVAL_EVER = "inspect", "verifiers", "every_eval_ever"
TABLE = "table"
"""The tools, as messages and descriptions have them."""

_READERS = {
    INSPECT: "inspect_logs",
    VERIFIERS: "verifiers_traces",
    EVERY_EVAL_EVER: "every_eval_ever",
    TABLE: "tables",
}
MODE: ContextVar[str] = ContextVar("mode", default="default")
"""By which rules answers in the authors' own files are graded (``--mode``)."""
COLUMNS: ContextVar[Mapping[str, str]] = ContextVar("columns")
"""What ``--columns`` says of all tables of a command."""

_OF_INSPECT = re.compile(r"\d{4}-\d\d-\d\dT[\d+-]+_.+_[A-Za-z0-9]{22}\.(?:eval|json)")
_OF_LM_EVAL = {"doc_id", "doc", "target", "resps", "filtered_resps"}
_OF_A_TRACE = frozenset({"task", "traces"})
_OF_EVERY_EVAL_EVER = frozenset(
    {"schema_version", "evaluation_id", "sample_id", "interaction_type"}
)
_SHEETS = (".xlsx", ".xls", ".ods", ".numbers")
_POINTER = b"version https://git-lfs.github.com/spec/"
_LONG = ("prompt", "reference", "xlgo_reference")
_HEADS = 10
"""Lines in which the first record is looked for."""

LONGEST = 64 << 20
"""Bytes of a line; a longer one is not read."""

Single = str | int | float | bool


Line = tuple[int, int, LogLine | ValueError, int]
"""A record of a log: the number of its line or sample in the file, from 1; where it is read again
(the byte where its line begins, or the sample's number); what it says, as the harness writes it, or
why it cannot be read; and which of several records of the question it is, from 0."""


def refuse(path: Path) -> None:
    """Refuse files that are no logs, whatever their names.

    Raises:
        ValueError: a spreadsheet, a pointer of Git LFS, or no text.
        OSError: the file cannot be read.
    """
    if path.suffix.lower() in _SHEETS:
        raise ValueError(f"{path}: a spreadsheet: save its sheet as CSV (UTF-8)")
    with path.open("rb") as file:
        begins = file.read(len(_POINTER))
    if begins == _POINTER:
        raise ValueError(f"{path}: a pointer of Git LFS, not the file: `git lfs pull` gets it")
    if path.suffix == ".jsonl" and (nul := begins.find(b"\0")) >= 0:
        raise ValueError(f"{path}: byte {nul} is NUL: save the lines as UTF-8 text")


def tool_of(path: Path) -> str:
    """The tool that wrote a log, by the file's name and its first line that can be read.

    Returns:
        Empty if it is of lm-evaluation-harness, or of nobody known; ``table`` for a table.
    """
    if is_of_inspect(path):
        return INSPECT
    record = first(path) if path.suffix == ".jsonl" else {}
    if record.keys() >= _OF_LM_EVAL:  # asks no family for its files: that imports all of them
        return ""
    if tool := authors_of(path, record):
        return tool
    if _module(TABLE).is_table(path, record):
        return TABLE
    keys = record.keys()
    if path.name == "traces.jsonl" and keys >= _OF_A_TRACE:
        return VERIFIERS
    return EVERY_EVAL_EVER if keys >= _OF_EVERY_EVAL_EVER else ""


def is_json_log(path: Path) -> bool:
    """Whether a file that is not named as JSON lines is a log, by its name."""
    return is_of_inspect(path) or (path.suffix == ".json" and bool(authors_of(path, {})))


def authors_of(path: Path, row: Mapping[str, object]) -> str:
    """The family whose authors wrote a file, by its name and first record; empty for none."""
    from xlgo_metric.family import FAMILIES

    names = (n for n, one in FAMILIES.items() if one.files and one.files.fits(path, row))
    return next(names, "")


def changed(path: Path) -> str:
    """When a file was written, as the harness writes it, in universal time."""
    return written_at(datetime.fromtimestamp(path.stat().st_mtime, timezone.utc))


def written_at(moment: datetime) -> str:
    """A moment as the harness writes it, in universal time; one without a zone is local."""
    return moment.astimezone(timezone.utc).strftime("%Y-%m-%dT%H-%M-%S")


def is_of_inspect(path: Path) -> bool:
    """Whether a file is a log of inspect, by its name."""
    return path.suffix == ".eval" or _OF_INSPECT.fullmatch(path.name) is not None


def describe(path: Path, tool: str) -> tuple[str, str, dict[str, object]]:
    """Task, date and description of a run, in the form that the harness has for it.

    Raises:
        ValueError: the file cannot be read.
        ModuleNotFoundError: the tool is needed and not installed.
    """
    return _module(tool).describe(path)


def read(path: Path, tool: str = "", part: tuple[str, str] = ("", "")) -> Iterator[Line]:
    """The records of a log in the form of the harness.

    Args:
        part: the model and task that a table calls so.

    Raises:
        OSError: the file cannot be read.
    """
    if tool in ("", TABLE):
        yield from _module(tool).read(path, part) if tool else ((*it, 0) for it in lines(path))
        return
    module, times = _module(tool), Counter[object]()
    for number, offset, record in getattr(module, "records", lines)(path):
        if isinstance(record, ValueError):
            yield number, offset, record, 0
            continue
        data: LogLine = module.line(record)
        question = data.setdefault("doc_id", str(number))
        yield number, offset, data, data.pop("repeat", times[question])
        times[question] += 1


def lines_at(path: Path, offsets: Sequence[int], tool: str = "") -> Iterator[LogLine]:
    """The records at some places (see ``Line``) in the form of the harness, in this order.

    Raises:
        ValueError: there is none.
    """
    if tool == TABLE:
        yield from _module(tool).lines_at(path, offsets)
    elif not tool:
        with path.open("rb") as file:
            for offset in offsets:
                file.seek(offset)
                yield object_in(file.readline(LONGEST))
    else:
        asked = {*offsets}
        records = {offset: data for _, offset, data, _ in read(path, tool) if offset in asked}
        for offset in offsets:
            if not isinstance(data := records.get(offset), dict):
                raise ValueError(f"{path}: has no sample {offset}")
            yield data


def _module(tool: str) -> Any:
    if tool in _READERS:
        return import_module(f"{__name__}.{_READERS[tool]}")
    from xlgo_metric.family import family

    return import_module(f"{__name__}.authors").Reader(tool, family(tool).files)


def line_of(
    question: str,
    prompt: str,
    target: str,
    answer: replies.Answer,
    *,
    fields: Mapping[str, object],
    measures: Mapping[str, float],
    reference: object,
) -> LogLine:
    """A record as a line of the harness.

    Args:
        question: the tool's id of the question; empty if it has none.
        prompt: what was asked.
        target: the right answer, as the tool has it.
        answer: what the model answered.
        fields: what the tool logs of the question, such as its language.
        measures: numbers that the tool gave to the answer.
        reference: of a task of xlgo, as text.
    """
    doc: dict[str, object] = {**single_values(fields)}
    if isinstance(reference, str):
        doc["reference"] = reference
    return {
        **measures, **({"doc_id": question} if question else {}), "doc": doc, "target": target,
        "arguments": [[prompt]], "resps": [[answer.text]], "filter": "none",
        "metrics": list(measures), "answers": [answer.about()],
    }  # fmt: skip


def answer(
    content: str | None,
    finish: str,
    *,
    thinking: str = "",
    tokens: tuple[int, int] | None = None,
    error: object = None,
) -> replies.Answer:
    """What a model answered: missing or refused by the rules that hold for replies of servers.

    Args:
        content: the text; ``None`` where the tool has none.
        finish: why the model stopped; empty if the tool does not say.
        thinking: apart from the text.
        tokens: of the prompt and of the answer.
        error: why the request failed.
    """
    usage = tokens and dict(zip(("prompt_tokens", "completion_tokens"), tokens))
    message = {"content": content, "reasoning_content": thinking}
    choice = {"finish_reason": finish, "message": message}
    body = {"error": error, "usage": usage, "choices": [choice]}
    return replies.read(body, lambda: [content])


def single_values(data: Mapping[str, object]) -> dict[str, Single]:
    """What can identify a question or its language: texts, numbers and truth values."""
    return {
        name: value
        for name, value in data.items()
        if isinstance(value, (str, int, float)) and name not in _LONG
    }


def lines(path: Path) -> Iterator[tuple[int, int, dict[str, object] | ValueError]]:
    """Number and place of each line that is not empty, and its object or what is wrong with it.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        number = offset = 0
        while raw := file.readline(LONGEST):
            number += 1
            start, offset = offset, offset + len(raw)
            if raw.strip():
                yield number, start, _object_or_error(raw)


def first(path: Path) -> dict[str, object]:
    """The object in the first line that can be read, of the first few; empty if there is none."""
    try:
        heads = islice(lines(path), _HEADS)
        return next((record for _, _, record in heads if isinstance(record, dict)), {})
    except OSError:
        return {}


def _object_or_error(raw: bytes) -> dict[str, object] | ValueError:
    try:
        return object_in(raw)
    except (ValueError, RecursionError) as error:
        return ValueError(str(error))


def objects(value: object) -> list[dict[str, object]]:
    """The objects in a value that should be a list of them."""
    values = value if isinstance(value, list) else []
    return [item for item in values if isinstance(item, dict)]


def text(value: object) -> str:
    """A value that should be a text; empty if it is none."""
    return value if isinstance(value, str) else ""


def numbers(values: Mapping[str, object]) -> dict[str, float]:
    """The values that are numbers or truth values."""
    return {name: float(v) for name, v in values.items() if isinstance(v, (int, float))}

"""Logs of other tools than lm-evaluation-harness, read as if the harness had written them.

A ``Reader`` for each tool describes a run as ``results_*.json`` does, and makes of each record a
line as in ``samples_*.jsonl``, with ``answers`` as ``xlgo run`` adds them: one reader takes it from
there. Of a task of xlgo the answers are graded again, of another benchmark its languages can be
compared (``xlgo report --parallel``).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from datetime import datetime, timezone
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from xlgo_lm_eval.answers import Answer, read_reply
from xlgo_metric import core
from xlgo_metric.family import FAMILIES, AnswerFiles

from .lines import (
    LONGEST,
    LogLine,
    Problems,
    SampleFile,
    count_of,
    lines,
    mapping,
    object_in,
    reply_of,
    responses_of,
    single_values,
    text,
    tokens_of,
)

if TYPE_CHECKING:
    from inspect_ai.log import EvalSample

INSPECT, VERIFIERS, EVERY_EVAL_EVER = "inspect", "verifiers", "every_eval_ever"
TABLE = "table"
"""The tools, as messages and descriptions have them; and tables."""


MODE: ContextVar[str] = ContextVar("mode", default="default")
"""By which rules answers in the authors' own files are graded (``--mode``)."""

_SHEETS = (".xlsx", ".xls", ".ods", ".numbers")
_POINTER = b"version https://git-lfs.github.com/spec/"
_OF_INSPECT = re.compile(r"\d{4}-\d\d-\d\dT[\d+-]+_.+_[A-Za-z0-9]{22}\.(?:eval|json)")
_OF_LM_EVAL = {"doc_id", "doc", "target", "resps", "filtered_resps"}
_OF_A_TRACE = frozenset({"task", "traces"})
_OF_EVERY_EVAL_EVER = frozenset(
    {"schema_version", "evaluation_id", "sample_id", "interaction_type"}
)
_HEADS = 10
"""Lines in which the first record is looked for."""

Record = tuple[int, int, Any]
"""Number and place of a record (see ``Line``), and what it says, or why it cannot be read."""

Line = tuple[int, int, LogLine | ValueError, int]
"""A record of a log: the number of its line or sample in the file, from 1; where it is read again
(the byte where its line begins, or the sample's number); what it says, as the harness writes it, or
why it cannot be read; and which of several records of the question it is, from 0."""


def check_is_log(path: Path) -> None:
    """Refuse files that are no logs, whatever their names.

    Raises:
        ValueError: a spreadsheet, a pointer of Git LFS, or no text.
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        begins = file.read(len(_POINTER))
    nul = begins.find(b"\0") if path.suffix == ".jsonl" else -1
    core.refuse(
        f"{path}: ",
        (path.suffix.lower() in _SHEETS, "a spreadsheet: save its sheet as CSV (UTF-8)"),
        (begins == _POINTER, "a pointer of Git LFS, not the file: `git lfs pull` gets it"),
        (nul >= 0, f"byte {nul} is NUL: save the lines as UTF-8 text"),
    )


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
    from . import tables

    if tables.is_table(path, record):
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


class Reader(NamedTuple):
    """How the logs of a tool are read.

    Attributes:
        describe: task, date and description of the run in a file, in the harness's form for it;
            raises ``ValueError`` where the file cannot be read.
        line: of a record, as the harness has it; perhaps with ``repeat``.
        records: number, place and record of each sample of a file; raises ``OSError``.
    """

    describe: Callable[[Path], tuple[str, str, dict[str, object]]]
    line: Callable[[Any], LogLine]
    records: Callable[[Path], Iterator[Record]] = lines


def reader_of(tool: str) -> Reader:
    """What reads the logs of a tool."""
    return _READERS.get(tool) or _of_authors(tool)


def read(path: Path, tool: str = "", part: tuple[str, str] = ("", "")) -> Iterator[Line]:
    """The records of a log in the form of the harness.

    Args:
        part: the model and task that a table calls so.

    Raises:
        OSError: the file cannot be read.
    """
    if tool == TABLE:
        from . import tables

        yield from tables.read(path, part)
        return
    if not tool:
        yield from ((*it, 0) for it in lines(path))
        return
    reader, times = reader_of(tool), Counter[object]()
    for number, offset, record in reader.records(path):
        if isinstance(record, ValueError):
            yield number, offset, record, 0
            continue
        data = reader.line(record)
        question = data.setdefault("doc_id", str(number))
        yield number, offset, data, data.pop("repeat", times[question])
        times[question] += 1


def lines_at(path: Path, offsets: Sequence[int], tool: str = "") -> Iterator[LogLine]:
    """The records at some places (see ``Line``) in the form of the harness, in this order.

    Raises:
        ValueError: there is none.
    """
    if tool == TABLE:
        from . import tables

        yield from tables.lines_at(path, offsets)
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


def line_of(
    question: str,
    prompt: str,
    target: str,
    answer: Answer,
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
) -> Answer:
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
    return read_reply(body, lambda: [content])


def first(path: Path) -> dict[str, object]:
    """The object in the first line that can be read, of the first few; empty if there is none."""
    try:
        heads = islice(lines(path), _HEADS)
        return next((record for _, _, record in heads if isinstance(record, dict)), {})
    except OSError:
        return {}


def objects(value: object) -> list[dict[str, object]]:
    """The objects in a value that should be a list of them."""
    values = value if isinstance(value, list) else []
    return [item for item in values if isinstance(item, dict)]


def numbers(values: Mapping[str, object]) -> dict[str, float]:
    """The values that are numbers or truth values."""
    return {name: float(v) for name, v in values.items() if isinstance(v, (int, float))}


def logged_lines(file: SampleFile, problems: Problems | None) -> Iterator[tuple[int, int, LogLine]]:
    """Number, place and content of each answer that can be read; others go to ``problems``.

    Of several answers of other tools to a question the first counts; one whose request failed is
    missing.
    """
    repeats = 0
    for number, offset, data, repeat in read(file.path, file.tool, file.part):
        if isinstance(data, ValueError):
            if problems is not None:
                problems.add_line(file.path, number, "broken line", f"{data}; left out")
        elif repeat:
            repeats += 1
        elif reply_of(next(iter(objects(data.get("answers"))), None), "").is_there:
            yield number, offset, data
    if repeats and problems is not None:
        problems.add(
            str(file.path), f"{repeats} further answers to the same questions: left out", lost=False
        )


def response(data: LogLine) -> str:
    """What the model answered: its text, or the choice that it found most likely."""
    responses = data.get("filtered_resps")
    if isinstance(responses, list) and len(responses) > 1 and isinstance(responses[0], list):
        scores = [float(likelihood[0]) for likelihood in responses]
        best = max(range(len(scores)), key=scores.__getitem__)
        argument = data.get("arguments", {}).get(f"gen_args_{best}", {}).get("arg_1", "")
        return f"choice {best + 1} of {len(scores)}: {str(argument).strip()}"
    return "\n".join(text or "" for text in responses_of(data))


_LETTERS = {"C": 1.0, "I": 0.0}
"""What inspect's scorers write for correct and incorrect."""


def _describe_inspect(path: Path) -> tuple[str, str, dict[str, object]]:
    """Task, date and description of a run, in the form that the harness has for it.

    Raises:
        ValueError: the file cannot be read.
        ModuleNotFoundError: inspect is not installed.
    """
    from inspect_ai.log import read_eval_log

    try:
        log = read_eval_log(str(path), header_only=True)
    except Exception as error:  # of another package, on a file of somebody else
        raise ValueError(f"{path}: is not a readable log of inspect ({error})") from error
    task = log.eval.task.rpartition("/")[2]
    date = written_at(datetime.fromisoformat(log.eval.created.replace("Z", "+00:00")))
    samples = log.eval.dataset.samples or 0
    if log.eval.config.limit is not None and log.results is not None:
        samples = log.results.total_samples // (log.eval.config.epochs or 1)
    return (
        task,
        date,
        {
            "model_name": log.eval.model,
            "config": {
                "model": INSPECT,
                "model_args": dict(log.eval.model_args),
                "gen_kwargs": log.plan.config.model_dump(exclude_none=True),
            },
            "configs": {task: {"metadata": dict(log.eval.task_args)}},
            "n-samples": {task: {"original": samples, "effective": samples}},
        },
    )


def _inspect_samples(path: Path) -> Iterator[tuple[int, int, EvalSample]]:
    """The samples of a log, each with its number twice (it is its place)."""
    from inspect_ai.log import read_eval_log_samples

    samples = read_eval_log_samples(str(path), all_samples_required=False)
    for number, sample in enumerate(samples, start=1):
        yield number, number, sample


def inspect_line(sample: EvalSample) -> LogLine:
    """A sample as a line of the harness; the answer of one that failed is missing."""
    metadata, output = sample.metadata or {}, sample.output
    content = output.message.content if output.choices else None
    thinking = (
        [p.reasoning for p in content if p.type == "reasoning"] if isinstance(content, list) else []
    )
    failed = sample.error.message if sample.error else None if output.choices else "no choices"
    scores = {name: score.value for name, score in (sample.scores or {}).items()}
    measures = {
        name: _LETTERS.get(value) if isinstance(value, str) else float(value)
        for name, value in scores.items()
        if isinstance(value, str | bool | int | float)
    }
    return line_of(
        str(sample.id),
        sample.input if isinstance(sample.input, str) else sample.input[-1].text,
        sample.target if isinstance(sample.target, str) else "\n".join(sample.target),
        answer(
            output.completion if output.choices else None,
            output.stop_reason if output.choices else "",
            thinking="\n".join(thinking),
            tokens=output.usage and (output.usage.input_tokens, output.usage.output_tokens),
            error=failed,
        ),
        fields=metadata,
        measures={name: value for name, value in measures.items() if value is not None},
        reference=metadata.get("reference"),
    ) | {"repeat": sample.epoch - 1}


def _describe_instances(path: Path) -> tuple[str, str, dict[str, object]]:
    """Task, date and description of a run, in the form that the harness has for it."""
    row, run = first(path), _run_of(path)
    results = objects(run.get("evaluation_results"))
    settings = mapping(mapping(next(iter(results), {})).get("generation_config"))
    task = text(run.get("evaluation_id")).partition("/")[0] or text(row.get("evaluation_name"))
    task = task or path.stem
    rows = count_of(run.get("detailed_evaluation_results"), "total_rows")
    return (
        task,
        changed(path),
        {
            "model_name": text(row.get("model_id")) or "unknown",
            "config": {
                "model": text(mapping(run.get("eval_library")).get("name")) or EVERY_EVAL_EVER,
                "gen_kwargs": single_values(mapping(settings.get("generation_args"))),
            },
            "n-samples": {} if rows is None else {task: {"effective": rows}},
        },
    )


def instance_line(row: dict[str, object]) -> LogLine:
    """A row as a line of the harness; the answer of one with an error is missing.

    A sample has a row for each measure: the first counts, as it does of several answers.
    """
    question, metadata = mapping(row.get("input")), mapping(row.get("metadata"))
    output, grade = mapping(row.get("output")), mapping(row.get("evaluation"))
    answers = (
        _texts(output.get("raw"))
        or [
            text(turn.get("content"))
            for turn in objects(row.get("messages"))
            if turn.get("role") == "assistant"
        ][-1:]
    )
    sample_id, repeat = text(row.get("sample_id")), text(metadata.get("repeat"))
    error = row.get("error") or (None if answers else "no output")
    return line_of(
        f"{text(row.get('evaluation_name'))}/{sample_id}",
        text(question.get("raw")),
        "\n".join(_texts(question.get("reference"))),
        answer(
            next(iter(answers), None),
            text(metadata.get("finish")) or "stop",  # who writes a text says that it is one
            thinking="\n".join(_texts(output.get("reasoning_trace"))),
            tokens=tokens_of(row.get("token_usage"), "input_tokens", "output_tokens"),
            error=error,
        ),
        fields=metadata | {"sample_id": sample_id},
        measures=numbers({k: v for k, v in grade.items() if k in ("is_correct", "score")}),
        reference=metadata.get("xlgo_reference"),
    ) | ({"repeat": int(repeat)} if repeat.isdecimal() and len(repeat) < 10 else {})


def _texts(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _run_of(path: Path) -> dict[str, object]:
    """The description beside a file of instances; empty if there is none."""
    description = path.with_name(path.name.replace("_samples", "").removesuffix("l"))
    if description == path or not description.is_file() or description.stat().st_size > LONGEST:
        return {}
    try:
        return mapping(json.loads(description.read_text("utf-8")))
    except (OSError, ValueError, RecursionError):
        return {}


_STOPPED = ("max_turns", "max_input_tokens", "max_output_tokens", "max_total_tokens")
"""Conditions of verifiers with which an answer was cut."""


def _describe_traces(path: Path) -> tuple[str, str, dict[str, object]]:
    """Task, date and description of a run, in the form that the harness has for it."""
    episode = first(path)
    trace = next(iter(objects(episode.get("traces"))), {})
    config = mapping(mapping(trace.get("agent")).get("config"))
    task = text(mapping(episode.get("env")).get("id")) or path.parent.name
    sampling = mapping(config.get("sampling"))
    return task, changed(path), {
        "model_name": text(config.get("model")) or "unknown",
        "config": {
            "model": VERIFIERS,
            "model_args": {"harness": mapping(config.get("harness")).get("id")},
            "gen_kwargs": {name: value for name, value in sampling.items() if value is not None},
        },
        "n-samples": {task: {"effective": sum(1 for _ in lines(path))}},
    }  # fmt: skip


def episode_line(episode: dict[str, object]) -> LogLine:
    """An episode as a line of the harness; the answer of one that failed is missing."""
    task = mapping(episode.get("task"))
    data = mapping(task.get("data"))
    trace = next(iter(objects(episode.get("traces"))[::-1]), {})
    message = next(
        (
            mapping(node.get("message"))
            for node in objects(trace.get("nodes"))[::-1]
            if node.get("sampled")
        ),
        {},
    )
    call = next(iter(objects(trace.get("calls"))[::-1]), {})
    rewards = mapping(trace.get("rewards"))
    scores = {name: mapping(reward).get("score") for name, reward in rewards.items()}
    finish = "length" if trace.get("stop_condition") in _STOPPED else call.get("finish_reason")
    return line_of(
        text(task.get("key")) or text(task.get("hash")),
        _prompt(data.get("prompt")),
        text(data.get("answer")),
        answer(
            text(message.get("content")),
            text(finish),
            thinking=text(message.get("reasoning_content")),
            tokens=tokens_of(call.get("usage")),
            error=None if trace.get("ok") is True and message else "the episode failed",
        ),
        fields=data,
        measures=numbers(scores) | numbers(mapping(trace.get("metrics"))),
        reference=data.get("reference"),
    )


def _prompt(value: object) -> str:
    return (
        value
        if isinstance(value, str)
        else "\n\n".join(text(message.get("content")) for message in objects(value))
    )


def _of_authors(tool: str) -> Reader:
    """Reads the files of a family."""
    files = cast("AnswerFiles", FAMILIES[tool].files)

    def described(path: Path) -> tuple[str, str, dict[str, object]]:
        task, model = files.identified(path)
        return task, changed(path), {"model_name": model, "config": {"model": tool}}

    def records(path: Path) -> Iterator[Record]:
        rows = _listed(path) if path.suffix == ".json" else lines(path)
        for position, (number, _, row) in enumerate(rows, 1):
            try:
                if isinstance(row, ValueError):
                    raise row
                logged = files.logged(path, row, number, MODE.get())
            except ValueError as error:
                yield number, position, error
                continue
            reference, correct = logged.reference, row.get("is_correct")
            yield number, position, line_of(
                str(reference["instance_id"]),
                logged.prompt,
                str(reference["answer"]),
                answer(logged.response, "stop", thinking=logged.thinking, error=logged.error),
                fields={"language": reference["language"]},
                measures={"is_correct": float(correct)} if isinstance(correct, bool) else {},
                reference=json.dumps(reference, ensure_ascii=False),
            )  # fmt: skip

    return Reader(described, dict, records)


def _listed(path: Path) -> Iterator[tuple[int, int, dict[str, object] | ValueError]]:
    """The records of a file that is one list."""
    if path.stat().st_size > LONGEST:
        yield 1, 1, ValueError(f"more than {LONGEST >> 20} MiB")
        return
    try:
        rows = json.loads(path.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        yield 1, 1, ValueError(f"not valid JSON ({error})")
        return
    for number, row in enumerate(rows if isinstance(rows, list) else [rows], 1):
        yield number, number, row if isinstance(row, dict) else ValueError("not a JSON object")


_READERS: Mapping[str, Reader] = {
    INSPECT: Reader(_describe_inspect, inspect_line, _inspect_samples),
    VERIFIERS: Reader(_describe_traces, episode_line),
    EVERY_EVAL_EVER: Reader(_describe_instances, instance_line),
}

"""Instance files of every_eval_ever (``*_samples.jsonl`` beside the JSON of a run), schema 0.2 on.

What describes the run is read from that JSON if it is there: it says how many rows there are.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path

from ..lines import mapping, tokens_of
from . import (
    EVERY_EVAL_EVER,
    Logged,
    first,
    line_at,
    lines,
    objects,
    single_values,
    text,
    whole,
)

_LARGEST = 64 << 20


def describe(path: Path) -> tuple[str, str, dict[str, object]]:
    """Task, date and description of a run, in the form that the harness has for it."""
    line, run = first(path), _run_of(path)
    library = mapping(run.get("eval_library"))
    results = objects(run.get("evaluation_results"))
    told = mapping(mapping(next(iter(results), {})).get("generation_config"))
    arguments = mapping(told.get("generation_args"))
    task = text(run.get("evaluation_id")).partition("/")[0] or text(line.get("evaluation_name"))
    rows = whole(mapping(run.get("detailed_evaluation_results")).get("total_rows"))
    return task or path.stem, _date(path, run), {
        "model_name": text(line.get("model_id")) or "unknown",
        "config": {
            "model": text(library.get("name")) or EVERY_EVAL_EVER,
            "gen_kwargs": {name: value for name, value in arguments.items()
                           if isinstance(value, (str, int, float))},
        },
        "n-samples": {} if rows is None else {task: {"effective": rows}},
    }  # fmt: skip


def read(path: Path) -> Iterator[Logged | Exception]:
    """The answers of a file; one with an error has no response."""
    seen = Counter[tuple[str, str]]()
    for number, place, line in lines(path):
        if isinstance(line, ValueError):
            yield ValueError(f"line {number}: {line}")
            continue
        # A sample has a line for each measure: the first counts, as it does of several answers.
        key = text(line.get("evaluation_name")), text(line.get("sample_id"))
        yield _logged(number, place, line, seen[key])
        seen[key] += 1


def at(path: Path, place: int) -> Logged:
    """The answer in the line that begins at a byte."""
    return _logged(0, place, line_at(path, place), 0)


def _logged(number: int, place: int, line: dict[str, object], repeat: int) -> Logged:
    asked, metadata = mapping(line.get("input")), mapping(line.get("metadata"))
    output, grade = mapping(line.get("output")), mapping(line.get("evaluation"))
    answers = _texts(output.get("raw")) or [
        text(turn.get("content")) for turn in objects(line.get("messages"))
        if turn.get("role") == "assistant"
    ][-1:]  # fmt: skip
    measures = {}
    if isinstance(correct := grade.get("is_correct"), bool):
        measures["is_correct"] = float(correct)
    if isinstance(score := grade.get("score"), (int, float)):
        measures["score"] = float(score)
    reference = metadata.get("xlgo_reference")
    name = text(line.get("evaluation_name"))
    logged_repeat = _number(metadata.get("repeat"))
    return Logged(
        number,
        place,
        f"{name}/{text(line.get('sample_id'))}",
        text(asked.get("raw")),
        "\n".join(_texts(asked.get("reference"))),
        None if line.get("error") or not answers else answers[0],
        single_values(metadata) | {"sample_id": text(line.get("sample_id"))},
        measures,
        reference if isinstance(reference, str) else None,
        repeat if logged_repeat is None else logged_repeat,
        finish=text(metadata.get("finish")) or None,
        reasoning="\n".join(_texts(output.get("reasoning_trace"))) or None,
        tokens=tokens_of(line.get("token_usage"), "input_tokens", "output_tokens"),
    )


def _number(value: object) -> int | None:
    """A text that is an integer."""
    return int(value) if isinstance(value, str) and value.isdecimal() and len(value) < 10 else None


def _texts(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _run_of(path: Path) -> dict[str, object]:
    """The description beside a file of instances; empty if there is none."""
    own = path.with_name(path.name.replace("_samples", "").removesuffix("l"))
    if own == path or not own.is_file() or own.stat().st_size > _LARGEST:
        return {}
    try:
        return mapping(json.loads(own.read_text("utf-8")))
    except (OSError, ValueError, RecursionError):
        return {}


def _date(path: Path, run: dict[str, object]) -> str:
    for name in ("evaluation_timestamp", "retrieved_timestamp"):
        value = text(run.get(name))
        try:
            moment = (
                datetime.fromtimestamp(float(value), timezone.utc)
                if value.replace(".", "", 1).isdecimal()
                else datetime.fromisoformat(value.replace("Z", "+00:00"))
            )
        except (ValueError, OverflowError, OSError):
            continue
        return moment.strftime("%Y-%m-%dT%H-%M-%S")
    changed = datetime.fromtimestamp(path.stat().st_mtime, timezone.utc)
    return changed.strftime("%Y-%m-%dT%H-%M-%S")

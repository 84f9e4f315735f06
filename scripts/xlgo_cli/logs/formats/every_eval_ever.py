"""Instance files of every_eval_ever (``*_samples.jsonl`` beside the JSON of a run), schema 0.2 on.

What describes the run is read from that JSON if it is there: it says how many rows there are.
"""

from __future__ import annotations

import json
from pathlib import Path

from ..lines import LogLine, count_of, mapping, tokens_of
from . import (
    EVERY_EVAL_EVER,
    LONGEST,
    answer,
    changed,
    first,
    line_of,
    numbers,
    objects,
    single_values,
    text,
)


def describe(path: Path) -> tuple[str, str, dict[str, object]]:
    """Task, date and description of a run, in the form that the harness has for it."""
    line, run = first(path), _run_of(path)
    results = objects(run.get("evaluation_results"))
    settings = mapping(mapping(next(iter(results), {})).get("generation_config"))
    task = text(run.get("evaluation_id")).partition("/")[0] or text(line.get("evaluation_name"))
    task = task or path.stem
    rows = count_of(run.get("detailed_evaluation_results"), "total_rows")
    return (
        task,
        changed(path),
        {
            "model_name": text(line.get("model_id")) or "unknown",
            "config": {
                "model": text(mapping(run.get("eval_library")).get("name")) or EVERY_EVAL_EVER,
                "gen_kwargs": single_values(mapping(settings.get("generation_args"))),
            },
            "n-samples": {} if rows is None else {task: {"effective": rows}},
        },
    )


def line(row: dict[str, object]) -> LogLine:
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

"""Logs of inspect (``.eval``, and its JSON form): inspect's own reader opens them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ..lines import LogLine
from . import INSPECT, answer, line_of, written_at

if TYPE_CHECKING:
    from inspect_ai.log import EvalSample

_LETTERS = {"C": 1.0, "I": 0.0}
"""What inspect's scorers write for correct and incorrect."""


def describe(path: Path) -> tuple[str, str, dict[str, object]]:
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


def records(path: Path) -> Iterator[tuple[int, int, EvalSample]]:
    """The samples of a log, each with its number twice (it is its place)."""
    from inspect_ai.log import read_eval_log_samples

    samples = read_eval_log_samples(str(path), all_samples_required=False)
    for number, sample in enumerate(samples, start=1):
        yield number, number, sample


def line(sample: EvalSample) -> LogLine:
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

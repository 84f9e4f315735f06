"""Logs of inspect (``.eval``, and its JSON form): inspect's own reader opens them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from . import INSPECT, Logged, single_values

if TYPE_CHECKING:
    from inspect_ai.log import EvalSample
    from inspect_ai.scorer import Score

_CUT = ("max_tokens", "model_length")
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
    date = re.sub(r"[+-]\d\d:\d\d$|Z$", "", log.eval.created).replace(":", "-")
    asked = log.eval.dataset.samples or 0
    if log.eval.config.limit is not None and log.results is not None:
        asked = log.results.total_samples // (log.eval.config.epochs or 1)
    return task, date, {
        "model_name": log.eval.model,
        "config": {
            "model": INSPECT,
            "model_args": dict(log.eval.model_args),
            "gen_kwargs": log.plan.config.model_dump(exclude_none=True),
        },
        "configs": {task: {"metadata": dict(log.eval.task_args)}},
        "n-samples": {task: {"original": asked, "effective": asked}},
    }  # fmt: skip


def read(path: Path) -> Iterator[Logged | Exception]:
    """The answers of a log; one whose request failed has no response."""
    from inspect_ai.log import read_eval_log_samples

    found = read_eval_log_samples(str(path), all_samples_required=False)
    for number, sample in enumerate(found, start=1):
        yield _logged(number, sample)


def at(path: Path, place: int) -> Logged:
    """The sample of a number, read again."""
    found = next(
        (one for one in read(path) if isinstance(one, Logged) and one.place == place), None
    )
    if found is None:
        raise ValueError(f"{path}: has no sample {place}")
    return found


def _logged(number: int, sample: EvalSample) -> Logged:
    prompt = sample.input if isinstance(sample.input, str) else sample.input[-1].text
    metadata = sample.metadata or {}
    reference = metadata.get("reference")
    target = sample.target if isinstance(sample.target, str) else "\n".join(sample.target)
    failed = sample.error is not None or not sample.output.choices
    thinking, tokens = "", None
    if not failed:
        content = sample.output.message.content
        thinking = "" if isinstance(content, str) else "\n".join(
            part.reasoning for part in content if part.type == "reasoning"
        )  # fmt: skip
        usage = sample.output.usage
        tokens = (usage.input_tokens, usage.output_tokens) if usage else None
    stop = None if failed else sample.output.stop_reason
    return Logged(
        number,
        number,
        str(sample.id),
        prompt,
        target,
        None if failed else sample.output.completion,
        single_values(metadata),
        {name: value for name, score in (sample.scores or {}).items()
         if (value := _value(score)) is not None},
        reference if isinstance(reference, str) else None,
        sample.epoch - 1,
        finish="length" if stop in _CUT else stop,
        reasoning=thinking or None,
        tokens=tokens,
    )  # fmt: skip


def _value(score: Score) -> float | None:
    value = score.value
    if isinstance(value, str):
        return _LETTERS.get(value)
    return float(value) if isinstance(value, (bool, int, float)) else None

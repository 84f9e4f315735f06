"""Logs of inspect (``.eval``, and its JSON form) as samples and a description of a run.

Inspect's own reader opens them. A sample of a task of xlgo carries its reference in its metadata
(``xlgo.inspect_tasks``), so that it is graded again like every other answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..lines import AnotherTaskError, Sample, SampleFile, reference_of

if TYPE_CHECKING:
    from inspect_ai.log import EvalSample

_NAME = re.compile(r"\d{4}-\d\d-\d\dT[\d+-]+_.+_[A-Za-z0-9]{22}\.(?:eval|json)")
_CUT = ("max_tokens", "model_length")


def is_inspect_log(path: Path) -> bool:
    """Whether a file is such a log, by its name."""
    return path.suffix == ".eval" or _NAME.fullmatch(path.name) is not None


def describe(path: Path) -> tuple[str, str, dict[str, Any]]:
    """Task, date and description of a run, in the form that the harness has for it.

    Raises:
        ValueError: the file cannot be read.
        ModuleNotFoundError: inspect is not installed.
    """
    from inspect_ai.log import read_eval_log

    try:
        log = read_eval_log(str(path), header_only=True)
    except Exception as error:  # of another package, on a file of somebody else
        raise ValueError(f"{path}: is no log of inspect that can be read ({error})") from error
    task = log.eval.task.rpartition("/")[2]
    date = re.sub(r"[+-]\d\d:\d\d$|Z$", "", log.eval.created).replace(":", "-")
    asked = log.eval.dataset.samples or 0
    if log.eval.config.limit is not None and log.results is not None:
        asked = log.results.total_samples // (log.eval.config.epochs or 1)
    return task, date, {
        "model_name": log.eval.model,
        "config": {
            "model": "inspect",
            "model_args": dict(log.eval.model_args),
            "gen_kwargs": log.plan.config.model_dump(exclude_none=True),
        },
        "n-samples": {task: {"original": asked, "effective": asked}},
    }  # fmt: skip


def read(file: SampleFile) -> Iterator[Sample | Exception]:
    """The samples of a log; in the place of one that cannot be used stands the reason.

    A sample whose request failed has no answer and is left out: it is missing, not wrong.
    """
    from inspect_ai.log import read_eval_log_samples

    found = read_eval_log_samples(str(file.path), all_samples_required=False)
    for number, sample in enumerate(found, start=1):
        if sample.error is not None or not sample.output.choices:
            continue
        try:
            yield _sample(file, number, sample)
        except (AnotherTaskError, ValueError) as error:
            yield error


def _sample(file: SampleFile, number: int, sample: EvalSample) -> Sample:
    reference = reference_of({}, sample.metadata)
    prompt = sample.input if isinstance(sample.input, str) else sample.input[-1].text
    message = sample.output.message
    thinking = "" if isinstance(message.content, str) else "\n".join(
        part.reasoning for part in message.content if part.type == "reasoning"
    )  # fmt: skip
    usage = sample.output.usage
    return Sample(
        file, number, reference, sample.output.completion, prompt, sample.epoch - 1,
        finish="length" if sample.output.stop_reason in _CUT else sample.output.stop_reason,
        reasoning=thinking or None,
        tokens=(usage.input_tokens, usage.output_tokens) if usage else None,
    )  # fmt: skip

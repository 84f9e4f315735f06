"""The graded answers of a run with their texts: the logs are read a second time.

Texts of gigabytes are never in memory, and nothing is graded again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from xlgo_lm_eval.replies import join_thinking
from xlgo_metric.core import Record

from ...logs.formats import FORMATS
from ...logs.graded_run import GradedRun, Key
from ...logs.lines import AnotherTaskError, Sample, SampleFile, parse
from ...logs.read_errors import Problems
from ...logs.replies import Reply, read_replies


class Found(NamedTuple):
    """A graded answer: which it is, its grade, its texts, and what is known of the reply."""

    key: Key
    record: Record
    sample: Sample
    reply: Reply


def graded_answers(scored: GradedRun) -> Iterator[Found]:
    """Every graded answer with its texts, in the order of the logs.

    Raises:
        OSError: a log cannot be read any more.
    """
    graded: dict[str, list[tuple[Key, Record]]] = {}
    for key, record in scored.records:
        graded.setdefault(record.where, []).append((key, record))
    replies = read_replies(scored.run.files, Problems())  # what is wrong there has been told
    for file in scored.run.files:
        for sample in _samples(file):
            if not (left := graded.get(sample.where)):
                continue
            reply = replies.of(sample)
            response = join_thinking(sample.response, reply.reasoning, reply.finish)
            yield Found(*left.pop(0), replace(sample, response=response), reply)


def _samples(file: SampleFile) -> Iterator[Sample]:
    """The answers in a file; what cannot be read has been told."""
    if file.tool:
        for found in FORMATS[file.tool].read(file.path):
            if not isinstance(found, Exception) and found.response is not None:
                try:
                    yield found.sample(file)
                except (AnotherTaskError, ValueError):
                    continue
        return
    with file.path.open("rb") as lines:
        for number, raw in enumerate(lines, start=1):
            try:
                yield from parse(raw, file, number)
            except (AnotherTaskError, ValueError, RecursionError):
                continue

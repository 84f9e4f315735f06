"""Grades and averages made again, compared with those that the harness logged."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from xlgo_lm_eval.replies import Answer
from xlgo_lm_eval.tasks.utils import aggregate, process_results
from xlgo_metric.version import READER_VERSION, STATISTICS_VERSION

from ..logs.lines import Problems, Sample, mapping
from ..logs.results import Run

_NEAR = 1e-9
_OTHER_READER = "grades of another version of the reader differ from those made again"
_OTHER_STATISTICS = "averages of another version differ from those made again"


class Grades:
    """Grades responses again, and keeps what averages are made of.

    Args:
        run: the run.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        made_by = [mapping(info.get("xlgo")).get("versions") for info in run.described.values()]
        self._reader = _all_have(made_by, "reader", READER_VERSION)
        self._statistics = _all_have(made_by, "statistics", STATISTICS_VERSION)
        self._values: dict[tuple[Path, str, str], dict[str, list[Any]]] = {}
        self._lines = Counter[tuple[Path, str, str]]()
        self._others = 0

    def check(
        self,
        line: Mapping[str, Any],
        samples: Sequence[Sample],
        doc: dict[str, Any],
        differs: Callable[[str, str], None],
    ) -> None:
        """Grade the responses of one line again, and compare the grades with the logged ones."""
        file = samples[0].file
        place = file.path.parent, file.date, file.task
        self._lines[place] += 1
        found, differing = self._graded(line, samples, doc)
        for name in differing:
            if self._reader:
                differs(
                    f"grade {name}",
                    f"{name} is {line[name]!r:.40} and is {found[name]!r:.40} when graded again",
                )
            else:
                self._others += 1
        kept = self._values.setdefault(place, defaultdict(list))
        for name, value in found.items():
            kept[name].append(value)

    def finish(self, told: Problems, unproved: Counter[str]) -> None:
        """Compare the averages; what another version made proves nothing if it differs."""
        if self._others:
            unproved[_OTHER_READER] += self._others
        others = 0
        for (folder, date), info in self._run.described.items():
            for task, logged in mapping(info.get("results")).items():
                kept = self._values.get((folder, date, task), {})
                for key, value in mapping(logged).items():
                    wanted = _average(kept, key.partition(",")[0])
                    if wanted is None or _same(value, wanted):
                        continue
                    if self._reader and self._statistics:
                        told.add(
                            f"{folder}, {date}",
                            f"{task}: {key} is {value!r:.40} and {wanted!r:.40} when made again",
                        )
                    else:
                        others += 1
        if others:
            unproved[_OTHER_STATISTICS] += others

    def _graded(
        self, line: Mapping[str, Any], samples: Sequence[Sample], doc: dict[str, Any]
    ) -> tuple[dict[str, object], list[str]]:
        """The metrics of a line, and which of them differ from those that were logged.

        A server's words about an answer count where they did before.
        """
        with_replies: list[str | None] = []
        for sample in samples:
            text, reply = sample.response, sample.reply
            known = text is not None and (reply.finish or reply.reasoning or not reply.is_there)
            more = {"finish": reply.finish, "reasoning": reply.reasoning}
            with_replies.append(Answer(text or "", reply.state, **more) if known else text)
        found = _metrics(doc, with_replies)
        if differing := _differing(line, found):
            plain = _metrics(doc, [sample.response for sample in samples])
            return (found, differing) if _differing(line, plain) else (plain, [])
        return found, []


def _metrics(doc: dict[str, object], responses: list[str | None]) -> dict[str, object]:
    given: Any = responses if len(responses) > 1 else responses[0]
    return process_results(doc, [given])


def _differing(line: Mapping[str, object], found: Mapping[str, object]) -> list[str]:
    return [name for name, value in found.items() if name in line and not _same(line[name], value)]


def _same(logged: Any, made: Any) -> bool:
    """Whether a logged value is the one that was made again, as JSON writes it."""
    if isinstance(made, int | float) and isinstance(logged, int | float):
        return math.isclose(logged, made, rel_tol=_NEAR, abs_tol=_NEAR)
    return made == logged or json.loads(json.dumps(made, default=str)) == logged


def _average(kept: Mapping[str, list[Any]], name: str) -> float | str | None:
    """The harness's number for a metric; ``None`` if it is not computed from these values."""
    of_mean = name.removesuffix("_stderr")
    if name not in kept:
        values = kept.get(of_mean, [])
        if len(values) < 2 or isinstance(values[0], tuple):
            return None
        mean = sum(values) / len(values)
        variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
        return math.sqrt(variance / len(values))
    values = kept[name]
    if isinstance(values[0], tuple):
        return aggregate(values)
    return sum(values) / len(values)


def _all_have(made_by: Sequence[Any], name: str, version: int) -> bool:
    return bool(made_by) and all(
        isinstance(entry, dict) and entry.get(name) == version for entry in made_by
    )

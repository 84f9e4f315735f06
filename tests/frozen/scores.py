"""Scores: every number of stored runs of the simulated model, all families.

Numbers are frozen, not words or layout: of a table its name and its cells, of a score all but
warnings; sentences stand in ``sentences.py``.
"""

import tempfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

from xlgo_cli.logs.graded_run import GradedRun, score_folder
from xlgo_metric.scoring import tables

from .inputs import unpack
from .stored import Part, Values, flat

RUNS = (
    "puzzles", "strong", "weak", "conditions", "adaptive", "polymath", "simple", "korbench", "lit",
)  # fmt: skip
_WORDS = frozenset({"warnings", "version", "signature", "signatures", "notes", "headline_words"})
_FOLDERS: list[tempfile.TemporaryDirectory[str]] = []


@cache
def answers() -> Path:
    """The folder of the stored answers, unpacked until the process ends."""
    _FOLDERS.append(tempfile.TemporaryDirectory())
    return unpack(Path(_FOLDERS[-1].name))


@cache
def scored(run: str, baseline: str = "") -> GradedRun:
    """A stored run, graded and scored."""
    options = {"baseline": baseline} if baseline else {}
    return score_folder(answers() / run, quiet=True, options=options)


def _run(run: str, one_in: int) -> Values:
    found = scored(run)
    statuses = sorted((*map(str, key), record.grade.status) for key, record in found.records)
    return flat(
        {
            "score": _numbers(found.score),
            "signature": _signature(found.score["signature"]),
            "tables": {table.name: table.rows for table in tables(found.score)},
            "statuses": {"|".join(row[:-1]): row[-1] for row in statuses},
        }
    )


def _baseline(one_in: int) -> Values:
    return flat(_numbers(scored("puzzles", "zh").score["families"]))


def _signature(text: str) -> list[str]:
    """Its fields but those that name versions of the code."""
    fields = [field for part in text.split() for field in part.split("|")]
    return [f for f in fields if f.split(":")[0] not in ("version", "reader", "statistics")]


def _numbers(value: Any) -> Any:
    """A copy of a score without the sentences in it."""
    if isinstance(value, dict):
        return {key: _numbers(one) for key, one in value.items() if key not in _WORDS}
    return [_numbers(one) for one in value] if isinstance(value, list | tuple) else value


def parts() -> list[Part]:
    """A part for each run, and one of another baseline."""
    made: dict[str, Callable[[int], Values]] = {run: partial(_run, run) for run in RUNS}
    made["baseline_zh"] = _baseline
    return [Part("scores", name, compute) for name, compute in made.items()]

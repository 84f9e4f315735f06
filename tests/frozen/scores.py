"""Scores: every number of stored runs of the simulated model, all families.

Numbers are frozen, not words or layout: of a table its name and its cells, of a score all but
warnings; sentences stand in ``sentences.py``.
"""

import tempfile
from functools import cache, partial
from pathlib import Path
from typing import Any

from xlgo_cli.display.formats import SENTENCES
from xlgo_cli.logs.graded_run import GradedRun, score_folder
from xlgo_cli.page.findings import family_findings, findings, sentences as on_terminal, verdict
from xlgo_cli.page.grid import with_gaps
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


def _signature(text: str) -> list[str]:
    """Its fields but those that name versions of the code."""
    fields = [field for part in text.split() for field in part.split("|")]
    return [f for f in fields if f.split(":")[0] not in ("version", "reader", "statistics")]


def _numbers(value: Any) -> Any:
    """A copy of a score without the sentences in it."""
    if isinstance(value, dict):
        return {key: _numbers(one) for key, one in value.items() if key not in _WORDS}
    return [_numbers(one) for one in value] if isinstance(value, list | tuple) else value


# Sentences: what report and terminal say of the stored runs of ``scores.py``.
#
# Nine runs, one of them against another baseline too; and each kind of sentence that there is.


def _of_run(run: str, baseline: str, one_in: int) -> Values:
    score = scored(run, baseline).score
    said: dict[str, list[str]] = {"warning": list(score.get("warnings", []))}
    curved = with_gaps(score)
    for name, section in score["families"].items():
        if name in curved:
            told: list[Any] = [*verdict(curved[name]), *findings(curved[name])]
        else:
            told = family_findings(name, section)
        said[name] = [f"{kind}: {text}" if kind else str(text) for kind, text in told]
        said[f"{name} warning"] = list(section.get("warnings", []))
    said["terminal"] = on_terminal(score)
    return {f"{where}/{n}": text for where, texts in said.items() for n, text in enumerate(texts)}


def parts() -> list[Part]:
    """Numbers and sentences: a part for each run, one of another baseline, one of all kinds."""
    scores = {run: partial(_run, run) for run in RUNS} | {
        "baseline_zh": lambda one_in: flat(_numbers(scored("puzzles", "zh").score["families"]))
    }
    sentences = {run: partial(_of_run, run, "") for run in RUNS} | {
        "baseline_zh": partial(_of_run, "puzzles", "zh"),
        # Every kind of sentence, also those that none of the results leads to.
        "registry": lambda one_in: flat(
            {name: {"asserts": kind.asserts, "text": kind.text} for name, kind in SENTENCES.items()}
        ),
    }
    made: dict[str, dict[str, Any]] = {"scores": scores, "sentences": sentences}
    return [Part(kind, name, compute) for kind in made for name, compute in made[kind].items()]

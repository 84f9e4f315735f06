"""From graded responses to the section of a score: cells, floors, curves and paired tests."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from xlgo_metric.statistics.gaps import DRAWS

from ...comparison.compare import Cell
from ...comparison.curves import BASELINE, gaps_of
from ...core import MIXED, STRICT, Record, Reference, common, counted, grouped, signature
from .estimates import paper_half_width, part_of, pass_at_k, wilson
from .tasks import TASKS, shortcuts

VARIANTS = ("original", "unpuzzle", "context_shifted")


@cache
def published() -> Any:
    """The paper's tables: ``models``, ``tasks`` with ``cells`` by parameters, and others."""
    return json.loads(Path(__file__).with_name("published.json").read_text(encoding="utf-8"))


class Question(NamedTuple):
    """All responses to one question."""

    records: list[Record]

    @property
    def reference(self) -> Reference:
        """Their common reference."""
        return self.records[0].reference

    @property
    def right(self) -> int:
        """How many are right."""
        return sum(record.grade.correct for record in self.records)

    @property
    def share(self) -> float:
        """The share that is right."""
        return self.right / len(self.records)

    @property
    def needs_judge(self) -> bool:
        """Whether a response needs a judge."""
        return any(record.grade.status == "needs_judge" for record in self.records)


def summarize(
    records: Sequence[Record],
    *,
    k: int = 5,
    baseline: str = BASELINE,
    draws: int = DRAWS,
    seed: int = 0,
) -> dict[str, Any]:
    """The section of this family.

    Args:
        records: any number of responses to each question; those of one question share its
            ``instance_id`` and parameters. Options of other families are ignored.
        k: the k of pass@k, reported where every question has at least k responses.
        baseline, draws, seed: see ``comparison.curves``.

    Returns:
        Plain JSON types: ``signature``, ``tasks`` with ``languages`` and their ``cells`` (one per
        setting, averaged over what the paper averages over), ``gaps`` (see
        ``comparison.curves``), ``warnings``. Shares are fractions.
    """
    tasks = {
        task: {
            "languages": {
                language: _language(task, answers, k)
                for language, answers in grouped(rows, _language_of).items()
            }
        }
        for task, rows in grouped(records, lambda record: str(record.reference["task"])).items()
    }
    guessed = {name for name, task in TASKS.items() if task.options}
    gaps = gaps_of(records, baseline=baseline, draws=draws, seed=seed, guessed=guessed)
    return {
        "signature": _signature(records, k),
        "k": k,
        "tasks": tasks,
        "gaps": gaps,
        "warnings": _warnings(tasks) + (gaps["warnings"] if gaps else []),
    }


def _language_of(record: Record) -> str:
    return str(record.reference.get("language", "en"))


def _signature(records: Sequence[Record], k: int) -> str:
    references = [record.reference for record in records]
    tasks = ",".join(sorted({reference["task"] for reference in references}))
    data = ",".join(sorted({str(reference.get("data", "-")) for reference in references}))
    texts = sorted({str(reference.get("text", "paper")) for reference in references})
    fields = {
        "family": "simple_reasoning",
        "tasks": tasks,
        "n": len(records),
        "data": data,
        "text": None if texts == ["paper"] else MIXED.join(texts),
        "corrections": common(references, "corrections"),
        "settings": _digest_of_settings(references),
        "k": k,
        "seed": common(references, "seed"),
    }
    return signature(fields)


def _digest_of_settings(references: Sequence[Reference]) -> str | None:
    """Eight letters that differ where the parameters of the questions do; ``None`` without any."""
    settings = {
        json.dumps([reference["task"], reference["params"]], sort_keys=True)
        for reference in references
        if reference.get("params")
    }
    return sha256("\n".join(sorted(settings)).encode()).hexdigest()[:8] if settings else None


def _warnings(tasks: Mapping[str, Any]) -> list[str]:
    found = []
    for task, language, part in parts_of(tasks):
        cut = part["statuses"]["truncated"]
        if cut:
            found.append(f"{task} ({language}): {cut} responses were truncated")
        if part["needs_judge"]:
            found.append(
                f"{task} ({language}): {part['needs_judge']} questions of free form are left "
                "out of the accuracy, and none that agree with the known answer word for word: "
                "the accuracy is too high until a critic has judged them"
            )
    return found


def _language(task: str, records: Sequence[Record], k: int) -> dict[str, Any]:
    questions = _questions(records)
    cells = grouped(
        questions, lambda one: json.dumps(_setting(task, one.reference), sort_keys=True)
    )
    blocks = [
        {"params": _setting(task, cell[-1].reference), **_block(cell, k)} for cell in cells.values()
    ]
    part = {**_block(questions, k), "cells": blocks}
    violations = Counter(
        record.grade.details["violation"]
        for record in records
        if record.grade.details.get("violation")
    )
    if task == "travel":
        part["violations"] = dict(violations)
    if task == "unpuzzles":
        part["variants"] = _paired(questions)
    return part


def _setting(task: str, reference: Reference) -> dict[str, object]:
    params = part_of(reference, "params")
    averaged = TASKS[task].averaged if task in TASKS else ()
    return {name: value for name, value in params.items() if name not in averaged}


def _questions(records: Iterable[Record]) -> list[Question]:
    def name(placed: tuple[int, Record]) -> tuple[object, str]:
        place, reference = placed[0], placed[1].reference
        wording = json.dumps(reference.get("params", {}), sort_keys=True)
        return reference.get("instance_id", place), wording

    groups = grouped(enumerate(records), name)
    return [Question([record for _, record in group]) for group in groups.values()]


def _block(questions: Sequence[Question], k: int) -> dict[str, Any]:
    """The numbers of a set of questions."""
    judged = [question for question in questions if not question.needs_judge]
    records = [record for question in questions for record in question.records]
    statuses = counted(records)
    fewest = min(len(question.records) for question in questions)
    shares = [question.share for question in judged]
    passes = {}
    if judged and k <= fewest:
        passes[str(k)] = _measure([pass_at_k(len(q.records), q.right, k) for q in judged])
    below: dict[str, list[float]] = defaultdict(list)
    for question in questions:
        for name, value in shortcuts(question.reference).items():
            below[name].append(value)
    return {
        "questions": len(questions),
        "responses": len(records),
        "needs_judge": len(questions) - len(judged),
        **_measure(shares),
        "strict": STRICT.mean([records]),
        "parsed": (statuses["correct"] + statuses["wrong"]) / len(records),
        "statuses": statuses,
        "pass_at": passes,
        "floors": {name: fmean(values) for name, values in below.items()},
    }


def _measure(values: Sequence[float]) -> dict[str, float | None]:
    """A mean over questions with the paper's half width and Wilson's interval."""
    if not values:
        return {"accuracy": None, "half_width": None, "low": None, "high": None}
    mean = fmean(values)
    low, high = wilson(mean, len(values))
    return {
        "accuracy": mean,
        "half_width": paper_half_width(values),
        "low": low,
        "high": high,
    }


def _paired(questions: Sequence[Question]) -> list[dict[str, Any]]:
    """Cells of the variants of UNPUZZLES, on the items that both have.

    With several responses to a question its first one counts.
    """
    right: dict[str, dict[str, bool]] = defaultdict(dict)
    for question in questions:
        variant = part_of(question.reference, "params").get("variant")
        item = question.reference.get("item")
        if not question.needs_judge and variant is not None and item is not None:
            right[str(variant)][str(item)] = question.records[0].grade.correct
    cells = []
    for first, second in combinations(VARIANTS, 2):
        shared = sorted(set(right[first]) & set(right[second]))
        if shared:
            one, two = ([right[name][item] for item in shared] for name in (first, second))
            cells.append(Cell.of(one, two, first, second).as_json())
    return cells


def parts_of(tasks: Mapping[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    """Task, language and numbers of every task in every language."""
    return [
        (name, language, part)
        for name, task in tasks.items()
        for language, part in task["languages"].items()
    ]

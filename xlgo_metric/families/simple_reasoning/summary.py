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

from ...comparison.contrast import Contrast
from ...core import STATUSES, Record
from ...signature import MIXED, common, signature
from ...statistics.uncertainty import DRAWS
from . import languages as by_language
from .baselines import floors
from .estimates import curve, paper_half_width, pass_at_k, sizes_of, wilson

POOLED = {"logic_eval": ("vocabulary",), "logic_negation": ("size",)}
"""Parameters over which the paper's cells average."""

VARIANTS = ("original", "unpuzzle", "context_shifted")


@cache
def published() -> dict[str, Any]:
    """The paper's tables: ``models``, ``tasks`` with ``cells`` by parameters, and others."""
    path = Path(__file__).with_name("published.json")
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


class Question(NamedTuple):
    """All responses to one question."""

    records: list[Record]

    @property
    def reference(self) -> Mapping[str, Any]:
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
        """Whether only a judge can tell whether a response is right."""
        return any(record.grade.status == "needs_judge" for record in self.records)


def summarize(
    records: Sequence[Record],
    *,
    k: int = 5,
    baseline: str = by_language.BASELINE,
    draws: int = DRAWS,
    seed: int = 0,
) -> dict[str, Any]:
    """The section of this family.

    Args:
        records: any number of responses to each question; those of one question share its
            ``instance_id`` and parameters. Options of other families are ignored.
        k: the k of pass@k, reported where every question has at least k responses.
        baseline, draws, seed: see ``languages.compare``.

    Returns:
        Plain JSON types: ``signature``, ``tasks`` with ``languages`` and their ``cells`` (one per
        setting, averaged over what the paper averages over), ``gaps`` (see
        ``languages.compare``), ``warnings``. Shares are fractions.

    Raises:
        ValueError: ``k`` is not positive.
    """
    if not isinstance(k, int) or isinstance(k, bool) or k < 1:
        raise ValueError(f"k={k!r} must be a positive integer")
    groups: dict[str, dict[str, list[Record]]] = defaultdict(lambda: defaultdict(list))
    for record in records:
        groups[record.reference["task"]][record.reference.get("language", "en")].append(record)
    tasks = {
        task: {"languages": {lang: _language(task, rows, k) for lang, rows in languages.items()}}
        for task, languages in groups.items()
    }
    gaps = by_language.compare(records, baseline=baseline, draws=draws, seed=seed)
    return {
        "signature": _signature(records, k),
        "k": k,
        "tasks": tasks,
        "gaps": gaps,
        "warnings": _warnings(tasks) + (gaps["warnings"] if gaps else []),
    }


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


def _digest_of_settings(references: Sequence[Mapping[str, Any]]) -> str | None:
    """Eight letters that differ where the parameters of the questions do; ``None`` without any."""
    settings = {
        json.dumps([reference["task"], reference["params"]], sort_keys=True)
        for reference in references
        if reference.get("params")
    }
    return sha256("\n".join(sorted(settings)).encode()).hexdigest()[:8] if settings else None


def _warnings(tasks: Mapping[str, Any]) -> list[str]:
    found = []
    for task, entry in tasks.items():
        for language, part in entry["languages"].items():
            cut = part["statuses"]["truncated"]
            if cut:
                found.append(f"{task} ({language}): {cut} responses were cut before their end")
            if part["needs_judge"]:
                found.append(
                    f"{task} ({language}): {part['needs_judge']} questions of free form are left "
                    "out of the accuracy, and none that agree with the known answer word for word: "
                    "the accuracy is too high until a critic has judged them"
                )
    return found


def _language(task: str, records: Sequence[Record], k: int) -> dict[str, Any]:
    questions = _questions(records)
    by_cell: dict[str, list[Question]] = defaultdict(list)
    settings: dict[str, dict[str, Any]] = {}
    for question in questions:
        params = _setting(task, question.reference)
        name = json.dumps(params, sort_keys=True)
        settings[name] = params
        by_cell[name].append(question)
    part = _block(task, questions, k)
    part["cells"] = [
        {"params": settings[name], **_block(task, cell, k)} for name, cell in by_cell.items()
    ]
    part["curves"] = _curves(questions)
    violations = Counter(
        record.grade.details["violation"]
        for record in records
        if record.grade.details.get("violation")
    )
    if task == "travel":
        part["violations"] = dict(violations)
    if task == "unpuzzles":
        part["mcnemar"] = _paired(questions)
    return part


def _setting(task: str, reference: Mapping[str, Any]) -> dict[str, Any]:
    params = reference.get("params", {})
    return {name: value for name, value in params.items() if name not in POOLED.get(task, ())}


def _questions(records: Iterable[Record]) -> list[Question]:
    groups: dict[Any, list[Record]] = {}
    for position, record in enumerate(records):
        reference = record.reference
        name = reference.get("instance_id", position)
        wording = json.dumps(reference.get("params", {}), sort_keys=True)
        groups.setdefault((name, wording), []).append(record)
    return [Question(group) for group in groups.values()]


def _block(task: str, questions: Sequence[Question], k: int) -> dict[str, Any]:
    """The numbers of a set of questions."""
    judged = [question for question in questions if not question.needs_judge]
    records = [record for question in questions for record in question.records]
    statuses = Counter(record.grade.status for record in records)
    fewest = min(len(question.records) for question in questions)
    shares = [question.share for question in judged]
    passes = {
        str(each): _measure([pass_at_k(len(q.records), q.right, each) for q in judged])
        for each in (k,)
        if each <= fewest and judged
    }
    below: dict[str, list[float]] = defaultdict(list)
    for question in questions:
        for name, value in floors(question.reference).items():
            below[name].append(value)
    return {
        "questions": len(questions),
        "responses": len(records),
        "needs_judge": len(questions) - len(judged),
        **_measure(shares),
        "strict": fmean(record.grade.strict for record in records),
        "parsed": (statuses["correct"] + statuses["wrong"]) / len(records),
        "statuses": {status: statuses[status] for status in STATUSES},
        "pass_at": passes,
        "floors": {name: fmean(values) for name, values in below.items()},
    }


def _measure(values: Sequence[float]) -> dict[str, Any]:
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


def _curves(questions: Sequence[Question]) -> dict[str, list[dict[str, float]]]:
    """Accuracy against everything that was measured and varies."""
    points: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for question in questions:
        if not question.needs_judge:
            for name, size in sizes_of(question.reference).items():
                points[name].append((size, question.share))
    return {name: curve(pairs) for name, pairs in points.items() if len({x for x, _ in pairs}) > 1}


def _paired(questions: Sequence[Question]) -> list[dict[str, Any]]:
    """McNemar's test between the variants of UNPUZZLES, on the items that both have.

    With several responses to a question its first one counts.
    """
    right: dict[str, dict[str, bool]] = defaultdict(dict)
    for question in questions:
        variant = question.reference.get("params", {}).get("variant")
        item = question.reference.get("item")
        if not question.needs_judge and variant is not None and item is not None:
            right[variant][item] = question.records[0].grade.correct
    found = []
    for first, second in combinations(VARIANTS, 2):
        common = sorted(set(right[first]) & set(right[second]))
        if not common:
            continue
        counts = Contrast.of(
            *([side[item] for item in common] for side in (right[first], right[second]))
        )
        found.append(
            {
                "first": first,
                "second": second,
                "items": len(common),
                "accuracy_first": counts.accuracies[0],
                "accuracy_second": counts.accuracies[1],
                "first_only": counts.only_base,
                "second_only": counts.only_other,
                "p": counts.p,
            }
        )
    return found

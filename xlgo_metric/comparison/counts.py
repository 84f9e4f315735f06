"""Graded responses counted by task, language and level, and joined question by question."""

from __future__ import annotations

import math
import numbers
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from xlgo_metric.comparison.table import UNKNOWN_LANGUAGE, complexity, wording
from xlgo_metric.core import STATUSES, Record
from xlgo_metric.statistics.draws import Floats, Integers
from xlgo_metric.statistics.evidence import extreme


@dataclass
class Cell:
    """The graded responses of one task in one language."""

    task: str
    language: str
    records: list[Record] = field(default_factory=list)

    @property
    def n(self) -> int:
        return len(self.records)

    @property
    def correct(self) -> int:
        return sum(record.grade.correct for record in self.records)

    @property
    def wordings(self) -> list[str]:
        """The wordings of its questions, by name and without their revision, which is a language's
        own; those without one have the paper's."""
        return sorted({wording(record.reference) for record in self.records})

    @property
    def repeated(self) -> int:
        """Responses to a question, by its instance id, that has one already."""
        return sum(repeat > 0 for _, repeat in by_question(self.records))

    @cached_property
    def levels(self) -> tuple[Floats, Integers, Integers]:
        """Complexity, right answers and answers per level, by rising complexity.

        Responses without a complexity above 0 belong to no level.
        """
        right: Counter[float] = Counter()
        total: Counter[float] = Counter()
        for record in self.records:
            size = complexity(record.reference)
            if size is not None:
                total[size] += 1
                right[size] += record.grade.correct
        c = sorted(total)
        return (
            np.array(c, dtype=np.float64),
            np.array([right[size] for size in c], dtype=np.int64),
            np.array([total[size] for size in c], dtype=np.int64),
        )

    @property
    def questions(self) -> Integers:
        """Different questions per level, by instance id; one without an id counts by itself."""
        asked: dict[float, set[str]] = {size: set() for size in self.levels[0].tolist()}
        for place, record in enumerate(self.records):
            size = complexity(record.reference)
            if size is not None:
                identity = record.reference.get("instance_id")
                asked[size].add(f"#{place}" if identity is None else f"={identity}")
        return np.array([len(each) for each in asked.values()], dtype=np.int64)

    def statuses(self) -> dict[str, int]:
        """How many responses have each status; every status is there."""
        counts = Counter(record.grade.status for record in self.records)
        return {status: counts[status] for status in STATUSES}

    def summary(self) -> dict[str, Any]:
        """Counts and rates in plain JSON types: what holds without any model of accuracy."""
        statuses = self.statuses()
        strict = sum(record.grade.strict for record in self.records)
        return {
            "n": self.n,
            "correct": self.correct,
            "accuracy": self.correct / self.n,
            "strict": strict / self.n,
            "parsed": (statuses["correct"] + statuses["wrong"]) / self.n,
            "statuses": statuses,
            "levels": [
                {"level": level, "complexity": number(c), "n": int(n), "correct": int(k)}
                for level, (c, k, n) in enumerate(zip(*self.levels))
            ],
            "details": self.details(),
            "solves": extreme(*self.levels[1:]),
        }

    def details(self) -> dict[str, float]:
        """Averages of the graders' diagnostics that are truth values or numbers.

        A truth value is a share of all responses, so that it compares with the accuracy: a
        response whose grade lacks it (it had no answer) counts as false, one where it is ``None``
        (it cannot be told) does not count. A number is averaged where there is one.
        """
        found: dict[str, list[float]] = defaultdict(list)
        truths: set[str] = set()
        unknown: Counter[str] = Counter()
        for record in self.records:
            for key, value in record.grade.details.items():
                if isinstance(value, bool):
                    truths.add(key)
                    found[key].append(float(value))
                elif isinstance(value, numbers.Real):
                    found[key].append(float(value))
                elif value is None:
                    unknown[key] += 1
        return {
            key: sum(values) / (self.n - unknown[key] if key in truths else len(values))
            for key, values in sorted(found.items())
        }


@dataclass(frozen=True)
class Pairs:
    """Questions answered in both languages, counted per level, by rising complexity.

    Attributes:
        c, n: complexity and pairs per level.
        k_en, k_l, discordant: right in English, right in the language, right in exactly one.
        unpaired: responses of the language without a partner in English, or the other way round.
    """

    c: Floats
    n: Integers
    k_en: Integers
    k_l: Integers
    discordant: Integers
    unpaired: int


def cells(records: Iterable[Record]) -> dict[str, dict[str, Cell]]:
    """Cells by task and language, in the order in which they first occur."""
    found: dict[str, dict[str, Cell]] = {}
    for record in records:
        task = record.reference["task"]
        language = str(record.reference.get("language") or UNKNOWN_LANGUAGE)
        by_language = found.setdefault(task, {})
        if language not in by_language:
            by_language[language] = Cell(task, language)
        by_language[language].records.append(record)
    return found


def pair(english: Cell, other: Cell) -> Pairs:
    """Join two languages over ``instance_id``; repeats of a question are joined in their order."""
    partners = by_question(english.records)
    matched: dict[float, list[int]] = {}
    for key, record in by_question(other.records).items():
        partner = partners.get(key)
        size = complexity(record.reference)
        if partner is None or size is None:
            continue
        right_en, right_l = partner.grade.correct, record.grade.correct
        counts = matched.setdefault(size, [0, 0, 0, 0])
        counts[0] += 1
        counts[1] += right_en
        counts[2] += right_l
        counts[3] += right_en != right_l
    c = sorted(matched)
    table = np.array([matched[size] for size in c], dtype=np.int64).reshape(-1, 4)
    n, k_en, k_l, discordant = table.T
    unpaired = len(english.records) + len(other.records) - 2 * int(n.sum())
    return Pairs(np.array(c, dtype=np.float64), n, k_en, k_l, discordant, unpaired)


def by_question(records: Sequence[Record]) -> dict[tuple[str, int], Record]:
    """Records by their question's instance id and, where it was answered before, the repeat."""
    seen: Counter[str] = Counter()
    found = {}
    for record in records:
        identity = record.reference.get("instance_id")
        if identity is not None:
            name = str(identity)
            found[name, seen[name]] = record
            seen[name] += 1
    return found


def number(value: float | None) -> float | int | None:
    """A complexity as an integer where it is one."""
    if value is None:
        return None
    return int(value) if math.isfinite(value) and value == int(value) else float(value)

"""One side of a comparison: its answers out of the table, counted by status and by level."""

from __future__ import annotations

import math
import numbers
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from xlgo_metric.comparison.table import named
from xlgo_metric.core import STRICT, Record, counted
from xlgo_metric.statistics.draws import Floats, Integers
from xlgo_metric.statistics.paired import extreme

if TYPE_CHECKING:
    import pandas as pd

    from .table import AnswerTable


@dataclass(frozen=True)
class Side:
    """The answers of one task in one language; ``frame`` has the columns of ``Answer``."""

    task: str
    language: str
    frame: pd.DataFrame

    @property
    def n(self) -> int:
        return len(self.frame)

    @property
    def correct(self) -> int:
        return int(self.frame["correct"].eq(True).sum())

    @cached_property
    def named(self) -> pd.DataFrame:
        """Its answers by question and repeat."""
        return named(self.frame)

    @cached_property
    def records(self) -> list[Record]:
        """What the rows were made of."""
        return list(self.frame["record"])

    @property
    def wordings(self) -> list[str]:
        """The wordings of its questions, by name and without their revision, which is a language's
        own; those without one have the paper's."""
        return sorted(self.frame["wording"].unique())

    @property
    def repeated(self) -> int:
        """Responses to a question, by its instance id, that has one already."""
        return int((self.frame["question"].notna() & self.frame["repeat"].gt(0)).sum())

    @cached_property
    def levels(self) -> tuple[Floats, Integers, Integers]:
        """Complexity, correct answers and answers per level, by rising complexity.

        Responses without a complexity above 0 belong to no level.
        """
        return levels(self.frame)

    @property
    def questions(self) -> Integers:
        """Different questions per level, by instance id; one without an id counts by itself."""
        first = self.frame["question"].isna() | self.frame["repeat"].eq(0)
        return levels(self.frame[first])[2]

    def by(self, column: str) -> dict[str, Side]:
        """The side in parts, by the values of a column in the order in which they first occur."""
        return {
            str(value): Side(self.task, self.language, part)
            for value, part in self.frame.groupby(column, sort=False)
        }

    def summary(self) -> dict[str, object]:
        """Counts and rates in plain JSON types: what holds without any model of accuracy."""
        statuses = counted(self.records)
        return {
            "n": self.n,
            "correct": self.correct,
            "accuracy": self.correct / self.n,
            "strict": STRICT.mean([self.records]),
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


def sides(table: AnswerTable) -> dict[str, dict[str, Side]]:
    """The answers of a table by task and language, in the order in which they first occur."""
    found: dict[str, dict[str, Side]] = {}
    for (task, language), part in table.frame.groupby(["task", "language"], sort=False):
        found.setdefault(str(task), {})[str(language)] = Side(str(task), str(language), part)
    return found


def levels(frame: pd.DataFrame) -> tuple[Floats, Integers, Integers]:
    """Complexity, correct answers and answers per level, by rising complexity."""
    known = frame[frame["complexity"].notna()]
    c, place = np.unique(known["complexity"].to_numpy(dtype=np.float64), return_inverse=True)
    right = known["correct"].eq(True).to_numpy()
    k, n = np.bincount(place[right], minlength=len(c)), np.bincount(place, minlength=len(c))
    return c, k.astype(np.int64), n.astype(np.int64)


def number(value: float | None) -> float | int | None:
    """A complexity as an integer where it is one."""
    if value is None:
        return None
    return int(value) if math.isfinite(value) and value == int(value) else float(value)

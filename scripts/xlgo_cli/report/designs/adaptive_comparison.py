"""Approximate comparison of two models if one of them chose the questions.

Answers that chose the questions are not answers to given questions: an adaptive run asks where its
own model turns from right to wrong. On these questions a test between two models is not exact.
What is stated on a range does not depend on where it was asked, but for the error of the curves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import hypot

from xlgo_metric.comparison.compare import maker, slug
from xlgo_metric.score_dict import Score
from xlgo_metric.table import Column, Table

from ...display import labels
from ...logs.graded_run import GradedRun
from ..gap_marks import CellScores, with_gaps


@dataclass(frozen=True)
class Approximate:
    """A task and language of two models, one of which chose the questions.

    Attributes:
        smd, smd_sd, avg_acc, avg_acc_sd: of the two models, fractions; ``None`` where not known.
    """

    family: str
    task: str
    language: str
    smd: tuple[float | None, float | None]
    smd_sd: tuple[float | None, float | None]
    avg_acc: tuple[float | None, float | None]
    avg_acc_sd: tuple[float | None, float | None]


def chosen_alone(runs: Sequence[GradedRun]) -> dict[str, list[str]]:
    """The tasks of which one of the models alone chose the questions, with these models."""
    names = {slug(scored.run.model): scored.run.model for scored in runs}
    found: dict[str, list[str]] = {}
    for scored in runs:
        designs = {
            (str(record.reference["task"]), str(record.reference["design"]))
            for _, record in scored.records
            if "design" in record.reference
        }
        for task, design in sorted(designs):
            model = names.get(maker(design, scored.run.model) or "")
            if model is not None and model not in found.setdefault(task, []):
                found[task].append(model)
    return {task: models for task, models in found.items() if models}


def approximate(
    tasks: Mapping[str, Sequence[str]], scores: tuple[Score, Score]
) -> list[Approximate]:
    """What both models have of these tasks, on the range where each run states it."""
    first, second = (with_gaps(score) for score in scores)
    found = []
    for family in first.keys() & second.keys():
        both = first[family]["tasks"], second[family]["tasks"]
        for task in (name for name in both[0] if name in both[1] and name in tasks):
            cells = both[0][task]["languages"], both[1][task]["languages"]
            for language in sorted(cells[0].keys() & cells[1].keys()):
                pair = cells[0][language], cells[1][language]
                found.append(Approximate(family, task, language, **{
                    key: (_value(pair[0], key), _value(pair[1], key))
                    for key in ("smd", "smd_sd", "avg_acc", "avg_acc_sd")
                }))  # fmt: skip
    return found


def notes(tasks: Mapping[str, Sequence[str]], scores: tuple[Score, Score]) -> list[str]:
    """Sentences on the approximation and on the range of each model's numbers."""
    told = []
    for task, models in tasks.items():
        ranges = [
            f"{part['tasks'][task]['c_min']} to {part['tasks'][task]['c_max']}"
            for score in scores
            for part in with_gaps(score).values()
            if task in part["tasks"]
        ]
        where = " and ".join(dict.fromkeys(ranges))
        told.append(
            f"{task}: {' and '.join(models)} chose questions by its own answers, so a test between "
            f"the two models would not be exact: SMD and average accuracy on {where} are compared "
            "instead, and this is approximate. For an exact comparison ask both a common plan "
            "(xlgo plan --from RUN RUN -o plan.json) or a fixed design."
        )
    return told


def table(found: Sequence[Approximate], names: tuple[str, str]) -> Table:
    """The approximate comparison as a table, in percent and percentage points."""
    rows = tuple(
        (
            labels.task(one.task).short, labels.language(one.language).name,
            *(x for values in (one.smd, one.avg_acc) for x in (*values, _change(values))),
            _sd(one.avg_acc_sd),
        )
        for one in found
    )  # fmt: skip
    return Table(
        "approximate",
        f"Approximate: A = {names[0]}, B = {names[1]}",
        (
            Column("Task"),
            Column("Language"),
            *(Column(name, "difference") for name in ("SMD A", "SMD B", "SMD B - A")),
            Column("Average A", "share", unit="%"),
            Column("Average B", "share", unit="%"),
            Column("Average B - A", "difference"),
            Column("its sd", "share"),
        ),
        rows,
        "One of the two models chose the questions by its own answers. SMD and average accuracy "
        "are on the stated range, each model's on its own questions; there is no exact test.",
    )  # fmt: skip


def as_json(found: Sequence[Approximate]) -> list[dict[str, object]]:
    """The numbers in plain JSON types; fractions."""
    return [asdict(one) for one in found]


def _value(cell: CellScores, key: str) -> float | None:
    value = cell.get(key)
    return value if isinstance(value, float | int) else None


def _change(values: tuple[float | None, float | None]) -> float | None:
    a, b = values
    return None if a is None or b is None else b - a


def _sd(values: tuple[float | None, float | None]) -> float | None:
    a, b = values
    return None if a is None or b is None else hypot(a, b)

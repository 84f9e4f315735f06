"""Verdicts on discordant pairs: their file next to the samples, and their summary.

A register says which pairs of a run were given to linguists, out of how many, and what was found.
A cell's gap is called the wording's, or the model's, where the share of its judged pairs lies
above one half by more than chance: by the exact interval of Clopper and Pearson, or by the share
itself where every pair of the cell is judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xlgo_metric.table import Column, Table, ends, interval, p_value

from ..display import labels
from ..folders import read_settings, write_json

VERDICTS = ("model", "wording")
"""What a linguist can say of a pair: whose fault it is."""

FILE = "discordant.json"
"""The register of a run, in the folder of its samples."""

_SCHEMA = 1
_HALF = 0.5
_CONFIDENCE = 0.95

Register = dict[str, Any]
"""``schema``, ``model``, ``date``, ``baseline``, ``cells`` (each with ``family``, ``task``,
``language``, ``only_en``, ``only_l``) and ``pairs`` by key (each with ``family``, ``task``,
``language``, ``question`` and ``verdicts`` by reviewer)."""


@dataclass(frozen=True)
class CellVerdict:
    """What the verdicts say of one cell.

    Attributes:
        task, language: which.
        only_en, only_l: questions that were solved in one of the two languages only.
        judged: pairs with a verdict on which all reviewers agree.
        wording: those of them that are the wording's.
        split: pairs on which reviewers disagree.
        low, high: 95% interval of the share of the wording among all pairs; ``None`` without any.
        cause: ``wording``, ``model``, or ``open``.
        p_rest: McNemar's exact p value of the pairs that are left without those of the wording.
    """

    task: str
    language: str
    only_en: int
    only_l: int
    judged: int
    wording: int
    split: int
    low: float | None
    high: float | None
    cause: str
    p_rest: float

    def sentence(self) -> str:
        """The finding in words."""
        place = f"{labels.language(self.language).name}, {labels.task(self.task).title}"
        if not self.judged:
            return f"{place}: none of {self.only_en} pairs has a verdict yet."
        causes = {
            "wording": "most of the gap is the wording's, so it says little about the model",
            "model": "most of the gap is the model's",
            "open": "whose the gap is stays open",
        }
        share = f"{self.wording} of {self.judged} judged pairs are the wording's"
        if self.judged < self.only_en:
            share += (
                f" (of {self.only_en} solved in English only; 95% interval "
                f"{ends(self.low, self.high, kind='share')})"
            )
        rest = (
            f"; without them English alone solves {self.only_en - self.wording} and "
            f"{labels.language(self.language).name} alone {self.only_l}, p = {p_value(self.p_rest)}"
            if self.wording
            else ""
        )
        apart = f"; reviewers disagree on {self.split}" if self.split else ""
        return f"{place}: {causes[self.cause]}: {share}{rest}{apart}."


def load(path: Path) -> Register:
    """The register of a file.

    Raises:
        ValueError: there is none, or it cannot be read.
    """
    if not path.exists():
        raise ValueError(f"{path}: there is no such file: run `xlgo audit discordant` first")
    found: Any = read_settings(path, kind="JSON")
    if not isinstance(found, dict) or found.get("schema") != _SCHEMA:
        raise ValueError(f"{path}: not a register of discordant pairs of schema {_SCHEMA}")
    return found


def save(path: Path, register: Mapping[str, Any]) -> None:
    """Write the register in one step."""
    write_json(path, {"schema": _SCHEMA, **register})


def cells(register: Register) -> list[CellVerdict]:
    """What the verdicts say, cell by cell."""
    return [_cell(cell, register["pairs"].values()) for cell in register["cells"]]


def _cell(cell: Mapping[str, Any], pairs: Iterable[Mapping[str, Any]]) -> CellVerdict:
    from scipy.stats import binomtest

    where = ("family", "task", "language")
    said = [
        {found["verdict"] for found in pair["verdicts"].values()} - {""}
        for pair in pairs
        if all(pair[name] == cell[name] for name in where)
    ]
    agreed = [verdicts.pop() for verdicts in said if len(verdicts) == 1]
    split = sum(len(verdicts) > 1 for verdicts in said)
    judged, wording = len(agreed), agreed.count(VERDICTS[1])
    low = high = None
    if judged and judged == cell["only_en"]:
        low = high = wording / judged
    elif judged:
        interval = binomtest(wording, judged).proportion_ci(_CONFIDENCE, method="exact")
        low, high = float(interval.low), float(interval.high)
    cause = "open"
    if low is not None and high is not None:
        cause = "wording" if low > _HALF else "model" if high < _HALF else "open"
    rest = cell["only_en"] - wording, cell["only_l"]
    p_rest = float(binomtest(rest[0], sum(rest)).pvalue) if sum(rest) else 1.0
    return CellVerdict(
        cell["task"], cell["language"], cell["only_en"], cell["only_l"], judged, wording, split,
        low, high, cause, p_rest,
    )  # fmt: skip


def table(found: Sequence[CellVerdict]) -> Table:
    """The verdicts of all cells."""
    counted = ("solved in English only", "in the language only", "judged", "wording", "model",
               "split")  # fmt: skip
    return Table(
        "verdicts",
        "Whose is the gap? Verdicts on questions solved in English only",
        (
            Column("task"),
            Column("language"),
            *(Column(name, "count") for name in counted),
            *interval("share of wording, 95%", "share", unit="%"),
            Column("the gap is"),
            Column("p without wording", "p"),
        ),
        tuple(
            (
                labels.task(one.task).title,
                labels.language(one.language).name,
                one.only_en,
                one.only_l,
                one.judged,
                one.wording,
                one.judged - one.wording,
                one.split,
                one.low,
                one.high,
                "not judged" if not one.judged else one.cause,
                one.p_rest,
            )
            for one in found
        ),
        "A gap is called one of wording, or the model's, where the interval of the share lies on "
        "one side of one half; else it is open. The last column is McNemar's exact test without "
        "the pairs that were put down to the wording.",
    )


def register_sentences(registers: Iterable[Path]) -> list[tuple[str, str]]:
    """Sentences for the report, of the registers beside its samples.

    Returns:
        Pairs of a kind (``warn`` where a gap is not the model's) and a sentence; cells without any
        verdict say nothing.
    """
    found: list[tuple[str, str]] = []
    for path in sorted(registers):
        try:
            judged = [one for one in cells(load(path)) if one.judged]
        except ValueError as error:  # a report is worth having without it
            found.append(("warn", str(error)))
            continue
        found += [
            ("" if one.cause == "model" else "warn", f"Linguists' verdicts. {one.sentence()}")
            for one in judged
        ]
    return found

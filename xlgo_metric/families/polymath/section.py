"""The section of a score that PolyMath has, in plain JSON types; see ``summary``."""

from __future__ import annotations

from typing import TypedDict

Rates = dict[str, float | None]
"""By language; ``None`` where there is none."""


class Cell(TypedDict):
    """The answers of one level in one language."""

    n: int
    correct: int
    accuracy: float
    strict: float | None
    repeats: int
    average_at_k: float
    score: float
    sd: float | None
    statuses: dict[str, int]


class Over(TypedDict):
    """A number over languages."""

    mean: float
    sd: float
    range: float
    lowest: str
    highest: str


class Consistency(TypedDict):
    """Shares of texts in a language; see ``statistics.measures.Consistency``."""

    by_language: Rates
    by_level: dict[str, Rates]
    mean: float | None
    sd: float | None
    unsupported: tuple[str, ...]


class Languages(TypedDict):
    """In which languages texts are, by part (thinking and answer)."""

    consistency: dict[str, Consistency]
    english: dict[str, Consistency]
    correlation: dict[str, Rates]


class Result(Languages):
    """What one model reached under one control of the language."""

    model: str
    control: str
    accuracy: dict[str, dict[str, Cell]]
    spread: dict[str, Over]
    dw_acc: Rates
    dw_spread: Over | None
    length: dict[str, dict[str, float]]
    length_correlation: Rates


class PolyMathSection(TypedDict):
    """See ``summary.summarize``."""

    signature: str
    languages: list[str]
    results: list[Result]
    warnings: list[str]

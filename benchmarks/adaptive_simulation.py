"""Simulated runs of the adaptive design, many at once, through the product's own planner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import gammaincinv
from scipy.stats import norm

from xlgo_metric.statistics.adaptive import (
    EMPTY_LEVELS,
    PILOT_QUESTIONS,
    Design,
    allot,
    batch_size,
    pooled_fit,
)
from xlgo_metric.statistics.gamma import gamma_accuracy
from xlgo_metric.statistics.paired import PairCounts

LEVELS, PER_LEVEL = 20, 50
"""Of the even design: twenty even levels of fifty questions."""


@dataclass(frozen=True)
class Language:
    """The true curve of a language."""

    q: float
    half: float
    ceiling: float = 1.0
    floor: float = 0.0

    @property
    def r(self) -> float:
        return float(self.q / 2 / (gammaincinv(self.q / 2, 0.5) * self.half**2))

    def accuracy(self, c: Any) -> Any:
        base = gamma_accuracy(c, self.q, self.r)
        return self.floor + (self.ceiling - self.floor) * np.asarray(base)


def true_gap(english: Language, other: Language, low: float, high: float) -> float:
    """The signed gap of largest size on the range, ceilings and floors included."""
    c = np.exp(np.linspace(np.log(low), np.log(high), 4001))
    off = english.accuracy(c) - other.accuracy(c)
    return float(off[np.abs(off).argmax()])


class Answers:
    """Answers of runs to any questions: one latent normal of the question, one of the language.

    A fifth of the batches lose ``failed`` of their answers, in any language; they count as wrong.
    """

    def __init__(
        self, languages: Sequence[Language], phi: float, rng: np.random.Generator, failed: float = 0
    ) -> None:
        self.languages, self.rng, self.failed = languages, rng, failed
        self.share = _latent(phi)
        self.limits: dict[int, np.ndarray] = {}

    def _limit(self, c: int) -> np.ndarray:
        if c not in self.limits:
            accuracies = [language.accuracy(float(c)) for language in self.languages]
            self.limits[c] = norm.ppf(accuracies).ravel()
        return self.limits[c]

    def ask(self, c: np.ndarray) -> np.ndarray:
        """Right or wrong, shape (languages, questions), of questions of complexities ``c``."""
        limits = np.stack([self._limit(int(size)) for size in c], axis=1)
        shared = self.rng.standard_normal(len(c)) * np.sqrt(self.share)
        own = self.rng.standard_normal(limits.shape) * np.sqrt(1 - self.share)
        right = shared + own < limits
        if self.failed and self.rng.random() < 0.2:
            right &= self.rng.random(right.shape) >= self.failed
        return right


def _latent(phi: float) -> float:
    """The latent correlation at which two answers at one half correlate by phi."""
    return float(np.sin(phi * np.pi / 2))


@dataclass
class Run:
    """The questions of one run and the answers to them, shape (languages, questions)."""

    c: np.ndarray
    right: np.ndarray

    def pairs(self, other: int) -> PairCounts:
        """English and another language."""
        english, language = self.right[[0, other]]
        c, which, n = np.unique(self.c, return_inverse=True, return_counts=True)
        rows = [english, language, english != language]
        counts = [np.bincount(which, row, len(c)).astype(np.int64) for row in rows]
        return PairCounts(c.astype(float), n, *counts)


def adaptive_runs(
    design: Design, languages: Sequence[Language], phi: float, runs: int,
    rng: np.random.Generator, *, failed: float = 0, answers: Answers | None = None,
) -> list[Run]:  # fmt: skip
    """Many runs at once, by the planner's functions on arrays."""
    answers = answers or Answers(languages, phi, rng, failed)
    grid = np.array(design.grid)
    n = np.zeros((runs, len(grid)), dtype=np.int64)
    k = np.zeros_like(n)
    asked: list[list[np.ndarray]] = [[] for _ in range(runs)]
    right: list[list[np.ndarray]] = [[] for _ in range(runs)]

    def ask(row: int, counts: np.ndarray) -> np.ndarray:
        c = np.repeat(grid, counts)
        found = answers.ask(c)
        s = found.sum(axis=0)
        n[row] += counts
        np.add.at(k[row], np.repeat(np.arange(len(grid)), counts), s)
        asked[row].append(c)
        right[row].append(found)
        return s

    for row in range(runs):
        empty = 0
        for level in design.pilot:
            counts = np.where(grid == level, PILOT_QUESTIONS, 0)
            empty = 0 if ask(row, counts).any() else empty + 1
            if empty == EMPTY_LEVELS:
                break
    open_ = (k.sum(axis=1) > 0) & (k.sum(axis=1) < len(languages) * n.sum(axis=1))
    while open_.any():
        rows = np.flatnonzero(open_)
        theta = pooled_fit(design, k[rows], n[rows])
        for i, row in enumerate(rows):
            size = batch_size(design, int(n[row].sum()))
            if not size:
                open_[row] = False
            else:
                ask(row, allot(design, theta[i : i + 1], size)[0])
    return [
        Run(np.concatenate(asked[row]), np.concatenate(right[row], axis=1)) for row in range(runs)
    ]


def even_runs(
    ends: tuple[int, int],
    languages: Sequence[Language],
    phi: float,
    runs: int,
    rng: np.random.Generator,
) -> list[Run]:
    """Twenty even levels of fifty questions."""
    c = np.repeat(np.round(np.linspace(*ends, LEVELS)).astype(int), PER_LEVEL)
    answers = Answers(languages, phi, rng)
    return [Run(c, answers.ask(c)) for _ in range(runs)]

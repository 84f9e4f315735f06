"""What a section of LiT's score holds: plain JSON types, by name.

Scores are on the scale of the paper, 0 to 100; shares are fractions, ``None`` where there is
nothing to count.
"""

from __future__ import annotations

from typing import TypedDict

from .spread import Spread


class Cell(Spread):
    """The mean of a metric over a view, over ``n`` chains; see ``Spread``."""

    mean: float
    n: int


ByView = dict[str, Cell]


class Coverage(TypedDict):
    """Numbers of chains: of those planned and recorded, of finished ones by gate, and so on."""

    chains: int
    recorded: int
    missing: int
    finished: int
    gate: dict[str, int]
    failed: dict[str, int]
    judgements: dict[str, int]
    direct: dict[str, int]


class HopCounts(TypedDict):
    """How often a hop did what it should; ``length_ratio`` is characters out per character in."""

    n: int
    statuses: dict[str, int]
    in_language: float | None
    language_unknown: int
    copied: float | None
    length_ratio: float | None


class HopRow(HopCounts):
    """The counts of one hop of one sequence."""

    sequence: str
    hop: int
    src: str
    tgt: str


class HopLoss(TypedDict):
    """The mean score after a hop and what it lost, over ``n`` chains."""

    sequence: str
    scale: str
    hop: int
    tgt: str
    n: int
    score: float
    loss: float


class Errors(TypedDict):
    """Errors of judged chains: ``counts[category][severity]``, shares of the penalty, of chains."""

    chains: int
    errors: int
    counts: dict[str, dict[str, int]]
    points: dict[str, float | None]
    omission: float | None
    hallucination: float | None
    no_error: float | None


class ErrorKinds(TypedDict):
    """Errors altogether, and by tier and subcategory."""

    all: Errors
    tiers: dict[str, Errors]
    subcategories: dict[str, Errors]


class LetterShares(TypedDict):
    """Shares of letters by the language of their sentence; ``unknown`` is of all letters."""

    letters: int
    target: float | None
    english: float | None
    other: float | None
    unknown: float | None
    languages: dict[str, float]


class TraceShares(LetterShares):
    """The shares of the texts that lead into one language."""

    tgt: str
    texts: int


class RankAgreement(TypedDict):
    """Spearman's correlation over ``n`` chains."""

    n: int
    spearman: float | None


class ShownHop(TypedDict):
    """A hop for a person to read."""

    src: str
    tgt: str
    output: str
    language_ok: bool | None


class Example(TypedDict):
    """A chain for a person to read, with its score by ``metric``."""

    metric: str
    score: float
    text_id: str
    sequence: str
    original: str
    final: str
    hops: list[ShownHop]
    errors: list[dict[str, str]]


class Split(TypedDict):
    """One part of the texts; ``metrics[metric][view]``, views as in ``views.views``."""

    texts: list[str]
    sequences: list[str]
    coverage: Coverage
    metrics: dict[str, ByView]
    hops: list[HopRow]
    hop_loss: list[HopLoss]
    errors: ErrorKinds
    traces: list[TraceShares]
    corpus: dict[str, float]
    agreement: dict[str, RankAgreement]
    examples: list[Example]


class SectionOptions(TypedDict):
    """The options of a score, and who judged and translated by which prompt."""

    weights: str
    missing: str
    draws: int
    seed: int
    judge: str | None
    translation_prompt: str | None


class LitSection(TypedDict):
    """The whole section; the first warning says what the texts are."""

    signature: str
    model: str | None
    data_origin: str
    warnings: list[str]
    options: SectionOptions
    surface_signatures: dict[str, str]
    splits: dict[str, Split]

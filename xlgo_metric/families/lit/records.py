"""What is known of one chain of translations: texts, hops and what judges said of it.

A record holds plain data only, so that results can be scored again, under other weights or with
another judge, from what was stored.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from .mqm import MqmError

HOP_STATUSES = ("ok", "empty", "length", "error", "refused")
MISSING_HOP = "error"
"""The status of a hop whose request failed, so that the model's answer is unknown."""
JUDGEMENT_STATUSES = ("ok", "unparsed", "error", "none")
SPLITS = ("main", "robustness")
HOP_SCALES = ("raw_mqm", "direct", "chrf")
CHAIN_OK = "ok"


@dataclass(frozen=True)
class Hop:
    """One translation of a chain.

    Attributes:
        hop: its number, from 1.
        src, tgt: codes of the languages.
        output: the translation, cleaned; empty where there is none.
        status: one of `HOP_STATUSES`; any but ``ok`` ends the chain.
        language_ok: the output is in ``tgt``; ``None`` where that cannot be told.
        reasoning: the thinking that came with it, where it was kept.
    """

    hop: int
    src: str
    tgt: str
    output: str
    status: str = "ok"
    language_ok: bool | None = None
    reasoning: str | None = None

    def __post_init__(self) -> None:
        _one_of("status of a hop", self.status, HOP_STATUSES)
        if self.language_ok not in (True, False, None):
            raise ValueError(
                f"language_ok of a hop must be true, false or null, not {self.language_ok!r}"
            )


@dataclass(frozen=True)
class Judgement:
    """What a judge marked.

    Attributes:
        status: ``ok``; ``unparsed`` (no reply could be read); ``error`` (no reply came);
            ``none`` (nobody was asked).
        errors: only where the status is ``ok``; an empty list says that nothing was lost.
    """

    status: str = "none"
    errors: tuple[MqmError, ...] = ()

    def __post_init__(self) -> None:
        _one_of("status of a judgement", self.status, JUDGEMENT_STATUSES)
        if self.errors and self.status != "ok":
            raise ValueError(f"a judgement with the status {self.status!r} cannot hold errors")


@dataclass(frozen=True)
class Direct:
    """A judge's single score from 0 to 100; ``score`` is ``None`` unless the status is ``ok``."""

    status: str = "none"
    score: float | None = None

    def __post_init__(self) -> None:
        _one_of("status of a direct score", self.status, JUDGEMENT_STATUSES)
        if (self.status == "ok") != (self.score is not None):
            raise ValueError(
                f"a direct score of status {self.status!r} with the score {self.score}"
            )
        if self.score is not None and not 0 <= self.score <= 100:
            raise ValueError(f"a direct score must lie between 0 and 100, not at {self.score}")


@dataclass(frozen=True)
class HopScore:
    """How much is left after a hop: a score of its back-translation against the original.

    Attributes:
        hop: the number of the hop.
        scale: ``raw_mqm``, ``direct`` or ``chrf``; 100 is nothing lost on each.
        score: on that scale; ``None`` where it is missing.
    """

    hop: int
    scale: str
    score: float | None

    def __post_init__(self) -> None:
        _one_of("scale of a hop score", self.scale, HOP_SCALES)
        if self.score is not None and not math.isfinite(self.score):
            raise ValueError(f"a hop score must be a finite number or null, not {self.score}")


@dataclass(frozen=True)
class ChainRecord:
    """One text through one sequence of languages and back.

    Attributes:
        text_id: the text, the same in all sequences and for all models.
        subcategory, category: as in the list of texts.
        split: ``main`` or ``robustness``.
        sequence: its name; ``tier``: ``high``, ``medium``, ``low``, or empty for custom chains.
        hops: in their order; a chain that failed has fewer.
        chain_status: ``ok``, or ``failed@k`` where hop k ended it.
        original: the English text; ``final``: the English text that came back, empty if none.
        judgement: errors by MQM; ``direct``: the single score.
        hop_scores: scores after each hop, where back-translations were asked for.
    """

    text_id: str
    subcategory: str
    category: str
    split: str
    sequence: str
    tier: str
    hops: tuple[Hop, ...]
    chain_status: str
    original: str
    final: str
    judgement: Judgement = field(default_factory=Judgement)
    direct: Direct = field(default_factory=Direct)
    hop_scores: tuple[HopScore, ...] = ()

    def __post_init__(self) -> None:
        _one_of("split", self.split, SPLITS)
        if self.chain_status != CHAIN_OK and not _is_failure(self.chain_status):
            raise ValueError(
                f"chain_status must be 'ok' or 'failed@' and a hop, not {self.chain_status!r}"
            )
        if self.chain_status == CHAIN_OK and any(hop.status != "ok" for hop in self.hops):
            raise ValueError(
                f"the chain {self.text_id}/{self.sequence} counts as ok, but one of its hops failed"
            )

    @property
    def ok(self) -> bool:
        """The chain reached its end."""
        return self.chain_status == CHAIN_OK

    @property
    def missing(self) -> bool:
        """A request failed, so that nothing is known of the model's translation."""
        return any(hop.status == MISSING_HOP for hop in self.hops)


def _one_of(what: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ValueError(f"unknown {what} {value!r}: allowed are {', '.join(allowed)}")


def _is_failure(status: str) -> bool:
    head, _, hop = status.partition("@")
    return head == "failed" and hop.isascii() and hop.isdigit()

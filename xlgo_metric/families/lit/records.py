"""What is known of one chain of translations: texts, hops and what judges said of it.

A record holds plain data only, so that results can be scored again, under other weights or with
another judge, from what was stored.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .mqm import MqmError

HOP_STATUSES = ("ok", "empty", "length", "error", "refused")
MISSING_HOP = "error"
"""The status of a hop whose request failed, so that the model's answer is unknown."""
JUDGEMENT_STATUSES = ("ok", "unparsed", "error", "none")
SPLITS = ("main", "robustness")
HOP_SCALES = ("raw_mqm", "chrf")
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
        copied: the output copies its input, though the languages differ.
    """

    hop: int
    src: str
    tgt: str
    output: str
    status: str = "ok"
    language_ok: bool | None = None
    reasoning: str | None = None
    copied: bool = False


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


@dataclass(frozen=True)
class Direct:
    """A judge's single score from 0 to 100; ``score`` is ``None`` unless the status is ``ok``."""

    status: str = "none"
    score: float | None = None


@dataclass(frozen=True)
class HopScore:
    """How much is left after a hop: a score of its back-translation against the original.

    Attributes:
        hop: the number of the hop.
        scale: ``raw_mqm`` or ``chrf``; 100 is nothing lost on each.
        score: on that scale; ``None`` where it is missing.
    """

    hop: int
    scale: str
    score: float | None


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
        if self.split not in SPLITS:
            raise ValueError(f"unknown split {self.split!r}: allowed are {', '.join(SPLITS)}")

    @property
    def ok(self) -> bool:
        """The chain reached its end."""
        return self.chain_status == CHAIN_OK

    @property
    def missing(self) -> bool:
        """A request failed, so that nothing is known of the model's translation."""
        return any(hop.status == MISSING_HOP for hop in self.hops)

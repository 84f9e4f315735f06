"""What is known of one chain of translations: texts, hops and what judges said of it.

A record holds plain data only, so that results can be scored again, under other weights or with
another judge, from what was stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...core import Grade, Record, allowed_name
from .mqm import DEFAULT_SCHEME, MqmError, Scheme, count_words, raw_mqm
from .surface import surface_scores

HOP_STATUSES = ("ok", "empty", "length", "error", "refused")
MISSING_HOP = "error"
"""The status of a hop whose request failed, so that the model's answer is unknown."""
JUDGEMENT_STATUSES = ("ok", "unparsed", "error", "none")
SPLITS = ("main", "robustness")
HOP_SCALES = ("raw_mqm", "chrf")
PARTS = ("main", "robustness", "pairwise", "custom")
"""The split ``main`` through the eight sequences, the other split, and the two other presets."""
_TEXTS = ("text_id", "subcategory", "category", "text_split", "sequence", "tier", "original")


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
        back: the output translated back to English, where that was asked for.
    """

    hop: int
    src: str
    tgt: str
    output: str
    status: str = "ok"
    language_ok: bool | None = None
    reasoning: str | None = None
    copied: bool = False
    back: str | None = None


@dataclass(frozen=True)
class Judgement:
    """What a judge replied to one question.

    Attributes:
        status: ``ok``; ``unparsed`` (no reply could be read); ``error`` (no reply came);
            ``none`` (nobody was asked).
        errors: by MQM, only where the status is ``ok``; none says that nothing was lost.
        score: a direct score from 0 to 100, only where the status is ``ok``.
    """

    status: str = "none"
    errors: tuple[MqmError, ...] = ()
    score: float | None = None


class HopScore(NamedTuple):
    """What is left after a hop: its back-translation against the original, on a scale up to 100."""

    hop: int
    scale: str
    score: float


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
        hop_scores: scores after each hop, on each of `HOP_SCALES`, where back-translations were
            asked for.
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
    judgement: Judgement = Judgement()
    direct: Judgement = Judgement()
    hop_scores: tuple[HopScore, ...] = ()

    def __post_init__(self) -> None:
        allowed_name(self.split, "split", SPLITS)

    @property
    def ok(self) -> bool:
        """The chain reached its end."""
        return self.chain_status == "ok"

    @property
    def missing(self) -> bool:
        """A request failed, so that nothing is known of the model's translation."""
        return any(hop.status == MISSING_HOP for hop in self.hops)


def record_of(
    grade: Grade, reference: Mapping[str, Any], weights: Scheme = DEFAULT_SCHEME
) -> ChainRecord:
    """The record of one chain.

    Args:
        grade: from ``grading.grade``, perhaps judged.
        reference: of the question.
        weights: of scores after hops on the way, where these were judged.

    Raises:
        ValueError: the reference lacks what a record needs.
    """
    for name in _TEXTS:
        if not isinstance(text := reference.get(name), str):
            raise ValueError(f"the reference of a chain needs a text as {name!r}, got {text!r}")
    texts = (str(reference[name]) for name in _TEXTS)
    text_id, subcategory, category, split, sequence, tier, original = texts
    answer = grade.answer or {"status": "failed@1", "hops": []}
    hops = tuple(Hop(**hop) for hop in answer["hops"])
    ok = answer["status"] == "ok"
    judgement = _judgement(grade.details.get("judgement"))
    return ChainRecord(
        text_id,
        subcategory,
        category,
        split,
        sequence,
        tier,
        hops,
        answer["status"],
        original,
        final=hops[-1].output if ok else "",
        judgement=judgement,
        direct=_judgement(grade.details.get("direct")),
        hop_scores=_hop_scores(grade, hops, original, judgement, weights) if ok else (),
    )


def _judgement(found: Mapping[str, Any] | None) -> Judgement:
    found = found or {}
    errors = tuple(MqmError(**error) for error in found.get("errors", ()))
    return Judgement(found.get("status", "none"), errors, found.get("score"))


def _hop_scores(
    grade: Grade, hops: Sequence[Hop], original: str, last: Judgement, weights: Scheme
) -> tuple[HopScore, ...]:
    """Scores of what was translated back on the way.

    The last language needs no translation of its own: the end of the chain is one.
    """
    backs = [(hop.hop, hop.back) for hop in hops if hop.back is not None]
    if not backs:
        return ()
    words = max(1, count_words(original))
    judged = [*map(_judgement, grade.details.get("hops", ())), *[Judgement()] * len(backs)]
    found = []
    ends = (hops[-1].hop - 1, hops[-1].output)
    for (number, text), judgement in zip([*backs, ends], [*judged[: len(backs)], last]):
        if judgement.status == "ok":
            score = raw_mqm(judgement.errors, weights, words=words)
            found.append(HopScore(number, "raw_mqm", score))
        found.append(HopScore(number, "chrf", surface_scores(original, text)["chrf"]))
    return tuple(found)


def parts_of(
    records: Sequence[Record], weights: Scheme = DEFAULT_SCHEME
) -> tuple[dict[str, list[ChainRecord]], int]:
    """The chains by part, each with averages of its own, and the number of repetitions left out."""
    chains: dict[tuple[str, str, str], ChainRecord] = {}
    for record in records:
        chain = record_of(record.grade, record.reference, weights)
        part = str(record.reference.get("task")).removeprefix("lit_")
        part = part if part in PARTS[1:] else PARTS[0]
        chains.setdefault((part, chain.text_id, chain.sequence), chain)
    by_part = {name: [c for key, c in chains.items() if key[0] == name] for name in PARTS}
    return {name: own for name, own in by_part.items() if own}, len(records) - len(chains)


def judges_of(records: Sequence[Record]) -> str | None:
    """The names of the judges; ``None`` without judgements."""
    names = {str(r.grade.details["judge"]) for r in records if r.grade.details.get("judge")}
    return "+".join(sorted(names)) or None

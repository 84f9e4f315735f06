"""What is known of one chain of translations: texts, hops and what judges said of it.

A record holds plain data only, so that results can be scored again, under other weights or with
another judge, from what was stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...core import Grade, Record, allowed_name
from .mqm import MqmError

HOP_STATUSES = ("ok", "empty", "length", "error", "refused")
MISSING_HOP = "error"
"""The status of a hop whose request failed, so that the model's answer is unknown."""
JUDGEMENT_STATUSES = ("ok", "unparsed", "error", "none")
SPLITS = ("main", "robustness")
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


def record_of(grade: Grade, reference: Mapping[str, Any]) -> ChainRecord:
    """The record of one chain.

    Args:
        grade: from ``grading.grade``, perhaps judged.
        reference: of the question.

    Raises:
        ValueError: the reference lacks what a record needs.
    """
    for name in _TEXTS:
        if not isinstance(text := reference.get(name), str):
            raise ValueError(f"the reference of a chain needs a text as {name!r}, got {text!r}")
    answer = grade.answer or {"status": "failed@1", "hops": []}
    hops = tuple(Hop(**hop) for hop in answer["hops"])
    known = {name: str(reference[name]) for name in _TEXTS}
    return ChainRecord(
        split=known.pop("text_split"),
        hops=hops,
        chain_status=answer["status"],
        final=hops[-1].output if answer["status"] == "ok" else "",
        judgement=_judgement(grade.details.get("judgement")),
        direct=_judgement(grade.details.get("direct")),
        **known,
    )


def _judgement(found: Mapping[str, Any] | None) -> Judgement:
    found = found or {}
    errors = tuple(MqmError(**error) for error in found.get("errors", ()))
    return Judgement(found.get("status", "none"), errors, found.get("score"))


def parts_of(records: Sequence[Record]) -> tuple[dict[str, list[ChainRecord]], int]:
    """The chains by part, each with averages of its own, and the number of repetitions left out."""
    chains: dict[tuple[str, str, str], ChainRecord] = {}
    for record in records:
        chain = record_of(record.grade, record.reference)
        part = str(record.reference.get("task")).removeprefix("lit_")
        part = part if part in PARTS[1:] else PARTS[0]
        chains.setdefault((part, chain.text_id, chain.sequence), chain)
    by_part = {name: [c for key, c in chains.items() if key[0] == name] for name in PARTS}
    return {name: group for name, group in by_part.items() if group}, len(records) - len(chains)


def judges_of(records: Sequence[Record]) -> str | None:
    """The names of the judges; ``None`` without judgements."""
    names = {str(r.grade.details["judge"]) for r in records if r.grade.details.get("judge")}
    return "+".join(sorted(names)) or None

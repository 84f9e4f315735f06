"""What is known of one chain of translations: its hops, what judges said of it, and MQM scores.

A record holds plain data only, so that results can be scored again, under other weights or with
another judge, from what was stored.

The judge names errors and how severe they are; the MQM score is always computed here (LiT, section
4.1). The paper does not print its weights. 1/5/25 without a floor and without regard to length is
an inference from its tables: 26 of the 176 means of a model and a sequence are negative, down to
-46, so there is no floor; that mean takes 146 points a text, which is 6 critical errors at 25 but
15 at 10; and the models with the lowest scores lose most on abstracts, which points per word would
favour. It is likely and not proven, and that is why the weights are an option.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...core import Grade, Record, Reference, allowed_name

SEVERITIES = ("minor", "major", "critical")
CATEGORIES = (
    "accuracy/mistranslation",
    "accuracy/omission",
    "accuracy/addition",
    "accuracy/untranslated",
    "fluency/grammar",
    "fluency/spelling",
    "fluency/punctuation",
    "fluency/inconsistency",
    "terminology",
    "style/awkward",
    "style/register",
    "locale",
    "non-translation",
    "other",
)
THRESHOLD = 80.0
"""A raw score from here on counts as fit for its purpose."""

Weights = Mapping[str, float]
"""Penalty points of an error by its severity."""

HOP_STATUSES = ("ok", "empty", "length", "error", "refused")
MISSING_HOP = "error"
"""The status of a hop whose request failed, so that the model's answer is unknown."""
JUDGEMENT_STATUSES = ("ok", "unparsed", "error", "none")
SPLITS = ("main", "robustness")
PARTS = ("main", "robustness", "pairwise", "custom")
"""The split ``main`` through the eight sequences, the other split, and the two other presets."""
_TEXTS = ("text_id", "subcategory", "category", "text_split", "sequence", "tier", "original")
_WEIGHTS = re.compile(r"(\d{1,4}(?:\.\d{1,4})?)" + 2 * r"/(\d{1,4}(?:\.\d{1,4})?)")


@dataclass(frozen=True)
class MqmError:
    """One error that a judge marked.

    Attributes:
        category: one of `CATEGORIES`.
        severity: one of `SEVERITIES`.
        original_span: the words of the original that it concerns; may be empty.
        output_span: the words of the round trip that it concerns; may be empty.
        explanation: the judge's reason; may be empty.
    """

    category: str
    severity: str
    original_span: str = ""
    output_span: str = ""
    explanation: str = ""


def weights_of(name: str) -> Weights:
    """The weights of a name: points of minor, major and critical errors, ``1/5/25``.

    Raises:
        ValueError: not of this form, or a milder error weighs more than a severer one.
    """
    match = _WEIGHTS.fullmatch(name)
    points = [float(number) for number in match.groups()] if match else []
    if not points:
        raise ValueError(
            f"the weights {name!r} cannot be read: give points of minor, major and critical errors "
            "such as 1/5/25"
        )
    if points != sorted(points) or points[-1] == 0:
        raise ValueError(
            f"the weights {name!r} do not rise: a severer error must not weigh less than a milder"
        )
    return dict(zip(SEVERITIES, points))


DEFAULT_WEIGHTS = "1/5/25"
_DEFAULT = weights_of(DEFAULT_WEIGHTS)


def raw_mqm(errors: Iterable[MqmError], weights: Weights = _DEFAULT) -> float:
    """100 minus the points of all errors, without a floor: 100 for no errors, negative for many."""
    return 100.0 - sum(weights[error.severity] for error in errors)


def mqm80(raw: float) -> float:
    """100 where the raw score is 80 or more, else 0; its mean is the paper's headline number."""
    return 100.0 if raw >= THRESHOLD else 0.0


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


def record_of(grade: Grade, reference: Reference) -> ChainRecord:
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
    texts = {name: str(reference[name]) for name in _TEXTS}
    answer = grade.answer or {"status": "failed@1", "hops": []}
    hops = tuple(Hop(**hop) for hop in answer["hops"])
    mqm, direct = (grade.details.get(name) or {} for name in ("judgement", "direct"))
    errors = tuple(MqmError(**error) for error in mqm.get("errors", ()))
    return ChainRecord(
        split=texts.pop("text_split"),
        hops=hops,
        chain_status=answer["status"],
        final=hops[-1].output if answer["status"] == "ok" else "",
        judgement=Judgement(mqm.get("status", "none"), errors),
        direct=Judgement(direct.get("status", "none"), score=direct.get("score")),
        **texts,
    )


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

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

from ...core import Grade, Record, Reference, allowed_name
from ...views import Row

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


def mqm_error(
    category: str, severity: str, original: str = "", output: str = "", explanation: str = ""
) -> Row:
    """One error that a judge marked.

    Args:
        category: one of ``CATEGORIES``; ``severity``: one of ``SEVERITIES``.
        original, output: the words of the original and of the round trip that it concerns; may be
            empty.
        explanation: the judge's reason; may be empty.
    """
    spans = {"original_span": original, "output_span": output, "explanation": explanation}
    return {"category": category, "severity": severity, **spans}


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


def raw_mqm(errors: Iterable[Row], weights: Weights = _DEFAULT) -> float:
    """100 minus the points of all errors, without a floor: 100 for no errors, negative for many."""
    return 100.0 - sum(weights[error["severity"]] for error in errors)


def mqm80(raw: float) -> float:
    """100 where the raw score is 80 or more, else 0; its mean is the paper's headline number."""
    return 100.0 if raw >= THRESHOLD else 0.0


GATES = {
    "open": "a translation at every hop",
    "copied": "a hop copies its input",
    "another_language": "a hop in another language",
    "language_unknown": "language of a hop not detectable",
}
"""Whether every hop of a chain was a translation, or why not; the first reason that holds."""
SHUT = tuple(GATES)[1:]
"""Details of a grade that name the hops which are no translations."""


def chain_of(grade: Grade, reference: Reference) -> Row:
    """What is known of one chain.

    Args:
        grade: from ``grading.grade``, perhaps judged.
        reference: of the question.

    Returns:
        Of the reference ``text_id``, ``subcategory``, ``sequence``, ``tier`` (empty for custom
        chains) and the text ``original``; ``status`` (``ok``, or ``failed@k`` where hop k ended
        it), its ``hops`` as ``grading`` has them, ``final`` (the English text that came back),
        ``missing`` (a request failed, so that nothing is known of the model's translation) and
        ``gate``, one of ``GATES``. Of the judge ``judgement`` and ``direct``, each one of
        ``JUDGEMENT_STATUSES``, with the ``errors`` by MQM and the single ``score``.

    Raises:
        ValueError: the reference lacks what must be known.
    """
    for name in _TEXTS:
        if not isinstance(text := reference.get(name), str):
            raise ValueError(f"the reference of a chain needs a text as {name!r}, got {text!r}")
    allowed_name(reference["text_split"], "split", SPLITS)
    answer = grade.answer or {"status": "failed@1", "hops": []}
    mqm, direct = (grade.details.get(name) or {} for name in ("judgement", "direct"))
    return {
        **{name: reference[name] for name in _TEXTS},
        **answer,
        "final": answer["hops"][-1]["output"] if answer["status"] == "ok" else "",
        "missing": grade.is_missing,
        "gate": next((name for name in SHUT if grade.details.get(name)), "open"),
        "judgement": mqm.get("status", "none"),
        "errors": mqm.get("errors", []),
        "direct": direct.get("status", "none"),
        "score": direct.get("score"),
    }


def parts_of(records: Sequence[Record]) -> tuple[dict[str, list[Row]], int]:
    """The chains by part, each with averages of its own, and the number of repetitions left out."""
    chains: dict[tuple[str, str, str], Row] = {}
    for record in records:
        chain = chain_of(record.grade, record.reference)
        part = str(record.reference.get("task")).removeprefix("lit_")
        part = part if part in PARTS[1:] else PARTS[0]
        chains.setdefault((part, chain["text_id"], chain["sequence"]), chain)
    by_part = {name: [c for key, c in chains.items() if key[0] == name] for name in PARTS}
    return {name: group for name, group in by_part.items() if group}, len(records) - len(chains)

"""Scores of a round trip without a judge: chrF++ and BLEU, and which hops are copies.

They find chains that collapsed and serve for smoke tests. They are no measure of meaning: for "The
committee, to its credit, did not reject the proposal outright" a good paraphrase has a chrF++ of
40, the sentence without its "not" one of 56. sacrebleu computes them, and its signatures
stand beside ours.
"""

from __future__ import annotations

from collections import Counter
from functools import cache, lru_cache
from typing import Any

COPIED = 90.0
"""A hop whose output has a higher chrF than this against its input is a copy."""
MAX_CHARACTERS = 20_000
"""Characters of each text that chrF and BLEU see: a model that repeats itself must cost no time."""
_QUICK_LENGTH = 20
_QUICK_SHARE = 0.7


@cache
def _sacrebleu() -> Any:
    try:
        from sacrebleu.metrics.bleu import BLEU
        from sacrebleu.metrics.chrf import CHRF
    except ImportError as error:
        raise ValueError(
            f"surface scores of LiT need sacrebleu: {error}; install xlgo[lit]"
        ) from error
    return {
        "chrf": CHRF(word_order=2),
        "bleu": BLEU(effective_order=True),
        "copy": CHRF(word_order=0),
    }


def surface_scores(original: str, final: str) -> dict[str, float]:
    """All scores of one round trip against its original, two English texts.

    Returns:
        ``chrf`` (chrF++), ``bleu`` and ``exact`` from 0 to 100; ``length_ratio``, words of the
        round trip per word of the original, which is absent for an original without words.

    Raises:
        ValueError: sacrebleu is not installed.
    """
    reference, output = [original[:MAX_CHARACTERS]], final[:MAX_CHARACTERS]
    scores = {
        name: float(_sacrebleu()[name].sentence_score(output, reference).score)
        for name in ("chrf", "bleu")
    }
    scores["exact"] = 100.0 if original.split() == final.split() else 0.0
    if words := len(original.split()):
        scores["length_ratio"] = len(final.split()) / words
    return scores


def surface_signatures() -> dict[str, str]:
    """sacrebleu's own signatures of the two metrics.

    Raises:
        ValueError: sacrebleu is not installed.
    """
    metrics = _sacrebleu()
    result = {}
    for name in ("chrf", "bleu"):
        metrics[name].sentence_score("a", ["a"])  # a signature exists after the first score
        result[name] = str(metrics[name].get_signature())
    return result


def copied(source: str, output: str) -> bool:
    """Whether an output is a copy of its input: their chrF is above 90.

    Raises:
        ValueError: sacrebleu is not installed.
    """
    source, output = source[:MAX_CHARACTERS], output[:MAX_CHARACTERS]
    if not output.strip():
        return False
    if source == output:
        return True
    # Of n-grams of 3 to 6 characters no more can match than of 3, so where 70 % of those do not,
    # precision and recall stay below (2 + 4 * 0.7 * 18 / 15) / 6 < 0.9 on texts of 20 or more.
    three, three_out = _threes(source), _threes(output)
    shorter = min(three.total(), three_out.total())
    if shorter > _QUICK_LENGTH - 3 and (three & three_out).total() < _QUICK_SHARE * shorter:
        return False
    return float(_sacrebleu()["copy"].sentence_score(output, [source]).score) > COPIED


def is_first_person(word: str) -> bool:
    """Whether a word is "I", alone or with a verb: "I'm", "I’ve", "I'LL"."""
    return word.partition("'")[0].partition("’")[0] == "I"


@lru_cache(maxsize=4)  # what a hop gives is what the next one is given
def _threes(text: str) -> Counter[tuple[str, str, str]]:
    dense = "".join(text.split())
    return Counter(zip(dense, dense[1:], dense[2:]))

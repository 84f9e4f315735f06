"""Scores of a round trip without a judge: chrF++, BLEU, TER, recall of numbers and names.

They find chains that collapsed and serve for smoke tests. They are no measure of meaning: for "The
committee, to its credit, did not reject the proposal outright" a good paraphrase has a chrF++ of
40, the sentence without its "not" one of 56. sacrebleu computes the first three, and its
signatures stand beside ours.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

from .mqm import count_words

COPIED = 90.0
"""A hop whose output has a higher chrF than this against its input is a copy."""
MAX_CHARACTERS = 20_000
"""Characters of each text that chrF and BLEU see: a model that repeats itself must cost no time."""
TER_WORDS = 200
"""Words; TER is left out where either text has more. Its search for shifted phrases takes seconds
where two texts share words but no order."""

_NUMBER = re.compile(r"\d{1,40}(?:[.,]\d{1,40}){0,20}")
_GROUPS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3}){1,20}(?:\.[0-9]{1,40})?")
_NAME = re.compile(r"[^\W\d_][\w'’-]{0,80}")
_SENTENCE_START = frozenset('.!?:;…"“”‘’(«»\n')
_QUICK_LENGTH = 20
_QUICK_SHARE = 0.7


@cache
def _sacrebleu() -> Any:
    try:
        from sacrebleu.metrics.bleu import BLEU
        from sacrebleu.metrics.chrf import CHRF
        from sacrebleu.metrics.ter import TER
    except ImportError as error:
        raise ValueError(
            f"surface scores of LiT need sacrebleu: {error}; install xlgo[lit]"
        ) from error
    return {
        "chrf": CHRF(word_order=2),
        "bleu": BLEU(effective_order=True),
        "ter": TER(),
        "copy": CHRF(word_order=0),
        "corpus_bleu": BLEU(),
    }


def surface_scores(original: str, final: str, *, ter: bool = False) -> dict[str, float | None]:
    """All scores of one round trip against its original.

    Args:
        original, final: two English texts.
        ter: TER too, which can take seconds a text.

    Returns:
        ``chrf`` (chrF++), ``bleu``, ``number_recall``, ``name_recall`` and ``exact`` from 0 to
        100; ``ter``, edits per word times 100, lower is better; ``length_ratio``, words of the
        round trip per word of the original. ``None``: recall where the original has no numbers or
        names, TER of long texts or where it was not asked for, the ratio of an empty original.

    Raises:
        ValueError: sacrebleu is not installed.
    """
    metrics = _sacrebleu()
    reference, output = original[:MAX_CHARACTERS], final[:MAX_CHARACTERS]
    words, words_out = count_words(original), count_words(final)
    edits = None
    if ter and 0 < words <= TER_WORDS and words_out <= TER_WORDS:
        edits = float(metrics["ter"].sentence_score(output, [reference]).score)
    return {
        "chrf": float(metrics["chrf"].sentence_score(output, [reference]).score),
        "bleu": float(metrics["bleu"].sentence_score(output, [reference]).score),
        "ter": edits,
        "number_recall": number_recall(original, final),
        "name_recall": name_recall(original, final),
        "length_ratio": words_out / words if words else None,
        "exact": 100.0 if original.split() == final.split() else 0.0,
    }


def corpus_scores(texts: Sequence[tuple[str, str]]) -> dict[str, float]:
    """chrF++ and BLEU of all pairs of an original and its round trip; empty for no texts.

    Raises:
        ValueError: sacrebleu is not installed.
    """
    if not texts:
        return {}
    metrics = _sacrebleu()
    originals, finals = ([text[:MAX_CHARACTERS] for text in side] for side in zip(*texts))
    return {
        name: float(metrics[key].corpus_score(finals, [originals]).score)
        for name, key in (("chrf", "chrf"), ("bleu", "corpus_bleu"))
    }


def surface_signatures() -> dict[str, str]:
    """sacrebleu's own signatures of the three metrics.

    Raises:
        ValueError: sacrebleu is not installed.
    """
    metrics = _sacrebleu()
    found = {}
    for name in ("chrf", "bleu", "ter"):
        metrics[name].sentence_score("a", ["a"])  # a signature exists after the first score
        found[name] = str(metrics[name].get_signature())
    return found


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


def number_recall(original: str, final: str) -> float | None:
    """Share of the original's numbers that the round trip has, 0 to 100; ``None`` without any.

    Digits of any script count, and 1,250 is 1250. Numbers in words are not seen.
    """
    return _recall(Counter(_numbers(original)), Counter(_numbers(final)))


def name_recall(original: str, final: str) -> float | None:
    """Share of the original's names that the round trip has, 0 to 100; ``None`` without any.

    A name is a word with a capital that does not begin a sentence, or one with two capitals; "I"
    and what is joined to it ("I'm", "I've") is none.
    """
    wanted = Counter(_names(original))
    words = Counter(match[0].casefold() for match in _NAME.finditer(_plain(final)))
    return _recall(wanted, words)


def is_first_person(word: str) -> bool:
    """Whether a word is "I", alone or with a verb: "I'm", "I’ve", "I'LL"."""
    return word.partition("'")[0].partition("’")[0] == "I"


def _recall(wanted: Counter[str], got: Counter[str]) -> float | None:
    total = wanted.total()
    return 100.0 * (wanted & got).total() / total if total else None


@lru_cache(maxsize=4)  # what a hop gives is what the next one is given
def _threes(text: str) -> Counter[tuple[str, str, str]]:
    dense = "".join(text.split())
    return Counter(zip(dense, dense[1:], dense[2:]))


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


def _numbers(text: str) -> list[str]:
    found = []
    for match in _NUMBER.finditer(_plain(text)):
        number = "".join(c if c in ".," else str(unicodedata.digit(c, c)) for c in match[0])
        found.append(number.replace(",", "") if _GROUPS.fullmatch(number) else number)
    return found


def _names(text: str) -> list[str]:
    plain = _plain(text)
    found = []
    for match in _NAME.finditer(plain):
        word = match[0]
        capitals = sum(letter.isupper() for letter in word)
        before = plain[max(0, match.start() - 8) : match.start()].rstrip(" \t")
        begins = not before or before[-1] in _SENTENCE_START
        if is_first_person(word):
            continue
        if capitals >= 2 or (word[0].isupper() and not begins and len(word) > 1):
            found.append(word.casefold())
    return found

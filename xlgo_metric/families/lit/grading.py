"""From the response to a question, which is what became of its chain, to a grade.

Without a judge nothing is right or wrong: a chain that reached its end waits for one. What can be
told without is told: where a chain broke off, which hops were copied, in another language, or in
none that can be told, and whether a request failed, so that the chain is missing.

chrF++ and BLEU find chains that collapsed and serve for smoke tests. They are no measure of
meaning: for "The committee, to its credit, did not reject the proposal outright" a good paraphrase
has a chrF++ of 40, the sentence without its "not" one of 56. sacrebleu computes them, and its
signatures stand beside ours.
"""

import json
from collections import Counter
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from ...core import MISSING, Grade, Reference, Status
from ...language.language_id import LONG, identify_language, written_in
from ...language.scripts import SCRIPTS
from ...views import Row
from .records import HOP_STATUSES, MISSING_HOP

_MOST_HOPS = 30
COPIED = 90.0
"""A hop whose output has a higher chrF than this against its input is a copy."""
MAX_CHARACTERS = 20_000
"""Characters of each text that chrF and BLEU see: a model that repeats itself must cost no time."""
_QUICK_LENGTH = 20
_QUICK_SHARE = 0.7


def grade(prediction: str | None, reference: Reference) -> Grade:
    """Grade what became of a chain.

    Args:
        prediction: JSON with ``kind`` ``translation``, ``status``, ``final`` and ``hops``; anything
            else is safe.
        reference: the column ``reference`` of the row.

    Returns:
        ``needs_judge`` for a chain that reached its end; else ``truncated`` where a hop was cut
        off, ``bad_format`` where the response is no chain through the languages that were asked
        for, ``no_answer`` for anything else. ``answer`` has ``status`` and ``hops``; ``details``
        say which hops are ``copied``, in ``another_language`` or in a ``language_unknown``, and
        whether the answer is ``missing`` since a request failed.

    Raises:
        ValueError: the reference has no chain or no original.
    """
    codes, original = _chain_of(reference)
    if not (prediction or "").strip():
        return Grade(False, "no_answer")
    hops = _hops(prediction or "", codes, original)
    if hops is None:
        return Grade(False, "bad_format")
    states = [hop["status"] for hop in hops]
    complete = len(hops) == len(codes) - 1 and states[-1] == "ok"
    chain_status = "ok" if complete else f"failed@{max(1, len(hops))}"
    details: dict[str, object] = {
        "chain": chain_status,
        "copied": [hop["hop"] for hop in hops if hop["copied"]],
        "another_language": [hop["hop"] for hop in hops if hop["language_ok"] is False],
        "language_unknown": [
            hop["hop"] for hop in hops if hop["status"] == "ok" and hop["language_ok"] is None
        ],
        "empty": [hop["hop"] for hop in hops if hop["status"] == "empty"],
        "cut_off": [hop["hop"] for hop in hops if hop["status"] == "length"],
    }
    if MISSING_HOP in states:
        details[MISSING] = True
    status: Status = "needs_judge" if complete else "no_answer"
    if states and states[-1] == "length":
        status = "truncated"
    return Grade(False, status, answer={"status": chain_status, "hops": hops}, details=details)


def _chain_of(reference: Reference) -> tuple[list[str], str]:
    chain, original = reference.get("chain"), reference.get("original")
    codes = chain.get("codes") if isinstance(chain, Mapping) else None
    if not isinstance(codes, list) or len(codes) < 2 or not isinstance(original, str):
        raise ValueError("the reference of a chain must have 'chain' with 'codes', and 'original'")
    return codes, original


def _hops(prediction: str, codes: list[str], original: str) -> list[Row] | None:
    """The hops, if the response is a chain of translations of a text through these languages."""
    try:
        data = json.loads(prediction)
    except (ValueError, RecursionError):
        return None
    hops = data.get("hops") if isinstance(data, dict) else None
    if not isinstance(hops, list) or not len(hops) < min(len(codes), _MOST_HOPS):
        return None
    result: list[Row] = []
    for number, hop in enumerate(hops, start=1):
        source = result[-1]["output"] if result else original
        record = _hop(hop, (number, codes[number - 1], codes[number]), source)
        # Nothing can follow a hop that failed.
        if record is None or (result and result[-1]["status"] != "ok"):
            return None
        result.append(record)
    return result


def _hop(hop: Any, expected: tuple[int, str, str], source: str) -> Row | None:
    """One hop, if it is the one that was asked for: the translation of the text ``source``."""
    if not isinstance(hop, dict) or (hop.get("hop"), hop.get("src"), hop.get("tgt")) != expected:
        return None
    text, state, reasoning = hop.get("text"), hop.get("state"), hop.get("reasoning")
    if not isinstance(text, str) or state not in HOP_STATUSES:
        return None
    number, src, tgt = expected
    is_text = state == "ok" and bool(text.strip())
    return {
        "hop": number,
        "src": src,
        "tgt": tgt,
        "output": text,
        "status": "empty" if state == "ok" and not is_text else state,
        "reasoning": reasoning if isinstance(reasoning, str) else None,
        "language_ok": _is_in(text, tgt) if is_text else None,
        "copied": is_text and src != tgt and copied(source, text),
    }


def _is_in(text: str, language: str) -> bool | None:
    """Whether a text is in a language; ``None`` if undetectable.

    Of languages that the package does not support, only the detector can tell.
    """
    if language in SCRIPTS:
        return written_in(text, language)
    result = identify_language(text)
    if not result.sure or result.letters < LONG:
        return None
    return result.language == language


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


@lru_cache(maxsize=64)
def surface_scores(original: str, final: str) -> Mapping[str, float]:
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
    scores["exact"] = 100.0 * (original.split() == final.split())
    if words := len(original.split()):
        scores["length_ratio"] = len(final.split()) / words
    return scores


def surface_signatures() -> dict[str, str]:
    """sacrebleu's own signatures of the two metrics.

    Raises:
        ValueError: sacrebleu is not installed.
    """
    surface_scores("a", "a")  # a signature exists after the first score
    return {name: str(_sacrebleu()[name].get_signature()) for name in ("chrf", "bleu")}


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


@lru_cache(maxsize=4)  # what a hop gives is what the next one is given
def _threes(text: str) -> Counter[tuple[str, str, str]]:
    dense = "".join(text.split())
    return Counter(zip(dense, dense[1:], dense[2:]))

"""In which language models think while they translate, from the reasoning that was kept."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from .records import ChainRecord

Detect = Callable[[str], "str | None"]
"""Maps a sentence to the code of its language, or ``None`` if undetectable."""

MAX_TRACE = 40_000
"""Characters at the beginning of a trace that are examined."""
_END = re.compile(r"[.!?。！？।॥؟።…\n]{1,20}")
_ENGLISH = "en"


def trace_languages(records: Sequence[ChainRecord], detect: Detect) -> list[dict[str, Any]]:
    """Shares of letters in sentences of each language, by the language that a hop leads into.

    Args:
        records: their hops' reasoning is taken.
        detect: tells the language of a sentence.

    Returns:
        For each language: ``tgt``, ``texts`` (their number), ``letters``, the shares ``target``,
        ``english`` and ``other`` of the letters whose language was told (where English is wanted,
        English is the target), ``unknown`` (share of all letters), and ``languages``, the share of
        each; ``None`` where no language was told.
    """
    letters: dict[str, Counter[str | None]] = {}
    numbers: Counter[str] = Counter()
    for hop in (hop for record in records for hop in record.hops):
        target, text = hop.tgt, hop.reasoning or ""
        if not text.strip():
            continue
        numbers[target] += 1
        by_language = letters.setdefault(target, Counter())
        for sentence in _END.split(text[:MAX_TRACE]):
            weight = sum(letter.isalpha() for letter in sentence)
            if weight:
                by_language[detect(sentence.strip())] += weight
    return [
        {"tgt": target, "texts": numbers[target], **_shares(target, letters[target])}
        for target in sorted(letters)
    ]


def _shares(target: str, letters: Counter[str | None]) -> dict[str, Any]:
    total = letters.total()
    known = total - letters[None]
    if not known:
        return {
            "letters": total,
            "target": None,
            "english": None,
            "other": None,
            "unknown": 1.0 if total else None,
            "languages": {},
        }
    shares = {name: count / known for name, count in sorted(letters.items(), key=str) if name}
    own = sum(share for name, share in shares.items() if _same(name, target))
    english = 0.0 if _same(_ENGLISH, target) else shares.get(_ENGLISH, 0.0)
    return {
        "letters": total,
        "target": own,
        "english": english,
        "other": 1.0 - own - english,
        "unknown": letters[None] / total,
        "languages": shares,
    }


def _same(code: str, other: str) -> bool:
    """Whether two codes name one language, whatever their scripts."""
    return code.partition("-")[0] == other.partition("-")[0]

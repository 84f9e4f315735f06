"""In which language models think while they translate, from the reasoning that was kept."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from .records import ChainRecord

Detect = Callable[[str], "str | None"]
"""From a sentence to the code of its language, or ``None`` where it cannot be told."""

MAX_TRACE = 40_000
"""Characters of a trace that are looked at, its beginning."""
_END = re.compile(r"[.!?。！？।॥؟።…\n]{1,20}")
_ENGLISH = "en"


def trace_languages(records: Sequence[ChainRecord], detect: Detect) -> list[dict[str, Any]]:
    """Shares of the letters of traces that stand in sentences of each language, by target.

    Args:
        detect: tells the language of a sentence.

    Returns:
        For each target language with traces: ``tgt``, ``traces`` (their number), ``letters``, the
        shares ``target``, ``english`` and ``other`` of the letters whose language was told (for
        the hop back to English, English is the target), ``unknown`` (share of all letters), and
        ``languages``, the share of each; ``None`` where no language was told.
    """
    letters: dict[str, Counter[str | None]] = {}
    traces: Counter[str] = Counter()
    for record in records:
        for hop in record.hops:
            if hop.reasoning and hop.reasoning.strip():
                traces[hop.tgt] += 1
                found = letters.setdefault(hop.tgt, Counter())
                for sentence in _END.split(hop.reasoning[:MAX_TRACE]):
                    weight = sum(letter.isalpha() for letter in sentence)
                    if weight:
                        found[detect(sentence.strip())] += weight
    return [
        {"tgt": target, "traces": traces[target], **_shares(target, letters[target])}
        for target in sorted(letters)
    ]


def _shares(target: str, letters: Counter[str | None]) -> dict[str, Any]:
    total = letters.total()
    known = total - letters[None]
    if not known:
        none = dict.fromkeys(("target", "english", "other"))
        return {"letters": total, **none, "unknown": 1.0 if total else None, "languages": {}}
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

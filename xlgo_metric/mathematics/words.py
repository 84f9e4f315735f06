"""The words of many languages that join answers, or make another number of the one beside them."""

import json
import re
from importlib import resources

_WORDS = json.loads(resources.files(__package__).joinpath("words.json").read_text("utf-8"))

OR: frozenset[str] = frozenset(_WORDS["or"])
AND: frozenset[str] = frozenset(_WORDS["and"])
MAGNITUDES: dict[str, int] = {
    word: int(value) for value, words in _WORDS["magnitude"].items() for word in words
}
"""Words that multiply the number in front of them: million, lakh, dozen."""
_ALTERING = frozenset(_WORDS["altering"])
_INSIDE = re.compile(
    "|".join(map(re.escape, [*_WORDS["inside"], *"천万萬만億亿억兆조"])) + "|千(?![克米瓦卡伏])"
)
_WORD = re.compile(r"(?:[^\W\d_]|[^\x00-\x7f])+(?:-[^\W\d_]+)*")


def alters(text: str) -> bool:
    """Whether words beside a number make another one of it: "at least", "half of", 以上."""
    words = _WORD.findall(text.casefold())
    altering = _ALTERING | OR | AND | MAGNITUDES.keys()
    return not altering.isdisjoint(words) or bool(_INSIDE.search(text))

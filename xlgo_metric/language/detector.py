"""The detector: py3langid, from the letters of a text to a language and how sure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from math import inf, log
from typing import Protocol

from .scripts import SCRIPTS, group

READS = 5_000
"""Longer texts are read no further: 5,000 characters leave no doubt, and every one costs time."""

SURE = 2.5
"""Logarithm of how many times likelier one language must be than another to tell the two apart. Of
24,645 pieces of 20 to 80 letters in 33 languages none is called foreign in its own language, and
99.2% (20 letters) to 100.0% (80) in each other of the same script
(``benchmarks/identification.py --limits``)."""

SHORT, SURE_OF_SHORT = 20, 3.5
"""So many letters, and the same for no more than these."""

LONG, SURE_OF_LONG = 50, 1.0
"""The same from so many letters on of a script other than Latin: none has more than .7 against its
own language."""

_REFUSED = re.compile("[\ud800-\udfff]")
# What it calls varieties that are one language here, and signs without a language.
_CODES = {
    "gug": "gn", "nn": "no", "fil": "tl", "ary": "ar", "arz": "ar", "yue": "zh", "wuu": "zh",
    "uzs": "uz", "hbo": "he", "gom": "mr", "zxx": "",
}  # fmt: skip


class _Identifier(Protocol):
    def rank(self, text: str) -> list[tuple[str, float]]: ...


@dataclass(frozen=True)
class Detected:
    """What the detector says of a text.

    Attributes:
        likely: the probability of each language (of those that nobody tells apart, together),
            calibrated over lengths by the detector; likeliest first.
        named: the likeliest code, also among those that nobody tells apart; ``""`` if there is
            none.
        apart: logarithm of how many times likelier ``named`` is than the next of these.
    """

    likely: Mapping[str, float]
    named: str = ""
    apart: float = inf

    @property
    def language(self) -> str:
        """The code of the likeliest language, ``""`` if the text has none."""
        return next(iter(self.likely), "")

    @property
    def sure(self) -> bool:
        """Whether the likeliest language is distinguished from every other."""
        return all(self.margin(code) >= SURE for code in [*self.likely][1:2])

    def margin(self, language: str) -> float:
        """Logarithm of how many times likelier the likeliest language is than this one."""
        if not self.language:
            return 0.0
        share = self.likely.get(group(language), 0.0)
        return log(self.likely[self.language] / share) if share > 0 else inf

    def foreign_to(self, language: str, letters: int) -> bool:
        """Whether a text of so many letters is in another language, and surely so."""
        is_latin = SCRIPTS[language] == ("latin",)
        long = SURE if is_latin or letters < LONG else SURE_OF_LONG
        return self.margin(language) >= (SURE_OF_SHORT if letters <= SHORT else long)


@cache
def _identifier() -> _Identifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    result: _Identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    return result


def detect(text: str) -> Detected:
    """The likeliest language of ``text``; same text, same verdict.

    Args:
        text: of it, the first 5,000 characters are read.

    >>> detect("Piet fietst elke zondag langs het kanaal naar zijn oude tante.").language
    'nl'
    """
    return _detected(_REFUSED.sub(" ", text[:READS]))


@lru_cache(maxsize=256)  # a response that goes in circles says the same sentence thousands of times
def _detected(clean: str) -> Detected:
    if not clean.strip():
        return Detected({})
    scores: dict[str, float] = {}
    ranked = [(_CODES.get(code, code), part) for code, part in _identifier().rank(clean)]
    for code, probability in ranked:
        name = group(code)
        scores[name] = scores.get(name, 0.0) + probability
    ordered = dict(sorted(scores.items(), key=lambda item: -item[1]))
    if (first := next(iter(ordered))) == "":
        return Detected({})
    close = [(code, part) for code, part in ranked if group(code) == first]
    likeliest, most = close[0]
    rivals = [part for code, part in close if code != likeliest]
    return Detected(ordered, likeliest, log(most / rivals[0]) if rivals else inf)

"""Ask math-verify about what the project's own reader does not know: integrals and limits.

math-verify reads LaTeX well, but it takes 20 to 600 ms for an expression it has not seen, and gives
wrong verdicts on units, ratios, words and tuples. So it is asked last, only where the own reader
could not read one of the two answers, and in a process that may be killed.
"""

from __future__ import annotations

import re
from functools import lru_cache

from .clean import ROW_BREAK
from .worker import WORKER

MAX_LENGTH = 300
MAX_NESTING = 15
_PLAIN = re.compile(r"[A-Za-z0-9\s\\{}()\[\]^_+\-*/=<>|.,'!:;&%]*")
_LONG_NUMBER = re.compile(r"\d{40}")
# Words and text: math-verify multiplies their letters, so that "listen" equals "silent".
_WORDS = re.compile(
    r"\\(?:text|mathrm|mbox|operatorname|unit)|(?<!begin\{)(?<!end\{)(?<![\\A-Za-z])[A-Za-z]{4,}"
)


def library_verdict(gold: str, answer: str) -> bool | None:
    """Whether math-verify holds two cleaned answers to be equal.

    False if they are not for it; ``None`` if it exceeded its limits and was stopped.
    """
    if not (_is_fit(gold) and _is_fit(answer)):
        return False
    return _asked(gold.replace(ROW_BREAK, r"\\"), answer.replace(ROW_BREAK, r"\\"))


def _is_fit(text: str) -> bool:
    if not 0 < len(text) <= MAX_LENGTH or not _PLAIN.fullmatch(text):
        return False
    if _LONG_NUMBER.search(text) or _WORDS.search(text):
        return False
    depth = deepest = 0
    for character in text:
        depth += (character in "{([") - (character in "])}")
        deepest = max(deepest, depth)
    return deepest <= MAX_NESTING


@lru_cache(maxsize=4096)
def _asked(gold: str, answer: str) -> bool | None:
    return WORKER.ask("library", gold, answer)

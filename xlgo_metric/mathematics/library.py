"""Ask math-verify about what the project's own reader does not know: integrals and limits.

math-verify reads LaTeX well, but it takes 20 to 600 ms for an expression it has not seen, stops
itself with signals that do not work in threads, and gives wrong verdicts on units, ratios, words
and tuples. So it is asked last, about short formulas only, and with a limit on its work.
"""

from __future__ import annotations

import logging
import re
from functools import lru_cache
from typing import Any

from .limits import WorkLimitError, bounded

MAX_LENGTH = 160
MAX_NESTING = 6
MAX_CALLS = 200_000
_KNOWN = frozenset(
    [
        "int",
        "lim",
        "to",
        "infty",
        "frac",
        "sqrt",
        "sum",
        "prod",
        "sin",
        "cos",
        "tan",
        "cot",
        "sec",
        "csc",
        "arcsin",
        "arccos",
        "arctan",
        "sinh",
        "cosh",
        "tanh",
        "ln",
        "log",
        "exp",
        "cdot",
        "times",
        "partial",
        "pi",
        "alpha",
        "beta",
        "gamma",
        "delta",
        "theta",
        "lambda",
        "mu",
        "sigma",
        "phi",
        "omega",
        "le",
        "ge",
        "ne",
        "in",
        "cup",
        "cap",
        "binom",
        "min",
        "max",
        "sup",
        "inf",
    ]
)
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_PLAIN = re.compile(r"[A-Za-z0-9\s\\{}()\[\]^_+\-*/=<>|.,'!]*")
_LONG_NUMBER = re.compile(r"\d{7}")


def library_equal(gold: str, answer: str) -> bool:
    """Whether math-verify holds two cleaned answers to be equal; False if they are not for it."""
    return _is_fit(gold) and _is_fit(answer) and _verified(gold, answer)


def _is_fit(text: str) -> bool:
    if not 0 < len(text) <= MAX_LENGTH or not _PLAIN.fullmatch(text) or _LONG_NUMBER.search(text):
        return False
    if not {"int", "lim", "partial"} & set(_COMMAND.findall(text)) and "dx" not in text:
        return _COMMAND.findall(text) != [] and set(_COMMAND.findall(text)) <= _KNOWN
    depth = deepest = 0
    for character in text:
        depth += (character in "{([") - (character in "])}")
        deepest = max(deepest, depth)
    return deepest <= MAX_NESTING and set(_COMMAND.findall(text)) <= _KNOWN


@lru_cache(maxsize=512)
def _verified(gold: str, answer: str) -> bool:
    from math_verify import verify

    logging.getLogger("math_verify").setLevel(logging.ERROR)
    try:
        first, second = _parsed(gold), _parsed(answer)
        if first == second:
            return True
        return bool(bounded(lambda: verify(first, second, timeout_seconds=None), MAX_CALLS))
    except (Exception, WorkLimitError):
        return False


def _parsed(text: str) -> Any:
    from latex2sympy2_extended.latex2sympy2 import ConversionConfig, latex2sympy
    from latex2sympy2_extended.math_normalization import NormalizationConfig

    return latex2sympy(
        text,
        normalization_config=NormalizationConfig(malformed_operators=True, boxed="none"),
        conversion_config=ConversionConfig(lowercase_symbols=False),
    )

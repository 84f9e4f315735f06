"""math-verify's verdict, as it is found in the worker's process: see ``isolated``."""

from __future__ import annotations

import logging
from typing import Any


def verified(gold: str, answer: str) -> bool:
    """math-verify's verdict, whichever of the two is the reference; without any limit of its own.

    Raises:
        Exception: whatever its parser raises on what it cannot read.
    """
    from math_verify import verify

    logging.getLogger("math_verify").setLevel(logging.CRITICAL)
    first, second = _parsed(gold), _parsed(answer)
    return first == second or any(
        verify(*sides, timeout_seconds=None) for sides in ((first, second), (second, first))
    )


def _parsed(text: str) -> Any:
    from latex2sympy2_extended.latex2sympy2 import ConversionConfig, latex2sympy
    from latex2sympy2_extended.math_normalization import NormalizationConfig

    return latex2sympy(
        text,
        normalization_config=NormalizationConfig(malformed_operators=True, boxed="none"),
        conversion_config=ConversionConfig(lowercase_symbols=False),
    )

"""Two sets of expressions, compared as KOR-Bench's published code does: simplified by SymPy.

Runs in the worker's process, which limits its time and memory.
"""

from functools import lru_cache
from typing import Any


def same_expressions(prediction: str, gold: str) -> bool:
    """Whether two sets of expressions, one a line, are the same once SymPy has simplified them.

    Where an expression cannot be read, the texts are compared.
    """
    try:
        ours, theirs = (
            {_simplified(line) for line in text.split("\n")} for text in (gold, prediction)
        )
    except MemoryError:
        raise
    except Exception:
        return prediction == gold
    return ours == theirs


@lru_cache(maxsize=2048)
def _simplified(text: str) -> Any:
    from sympy import simplify
    from sympy.parsing.latex import parse_latex

    return simplify(parse_latex(text))

"""Compare expressions as the published code does: as sets of simplified SymPy objects."""

from __future__ import annotations

from functools import lru_cache

from ...mathematics.paper.published import check_antlr
from ...mathematics.worker import WORKER

MAX_LENGTH = 300
"""Of longer expressions the texts are compared."""


@lru_cache(maxsize=8192)
def same_published(found: tuple[str, ...], expected: tuple[str, ...]) -> bool:
    """Whether two sets of expressions are the same after simplification.

    Where an expression cannot be read, the texts are compared, as the published code does. What
    takes longer than the worker's limits is not the same.

    Raises:
        ImportError: SymPy finds no antlr4 that it reads LaTeX with.
        WorkerError: the process that runs SymPy could not be started.
    """
    check_antlr()
    if max(map(len, (*found, *expected))) > MAX_LENGTH:
        return found == expected
    return bool(WORKER.ask("expressions", "\n".join(found), "\n".join(expected)))

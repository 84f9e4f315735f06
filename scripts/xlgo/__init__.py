"""xlgo in one import: what ``xlgo_dataset`` and ``xlgo_metric`` give, under one name.

>>> import xlgo
>>> puzzle = xlgo.generate("dsa", complexity=4, seed=0, index=0, split="test")
>>> xlgo.grade(xlgo.solve(puzzle), ...)  # doctest: +SKIP

Both packages are imported with it, so that ``load_dataset("xlgo", …)`` and
``evaluate.load("xlgo_metric")`` work; each name's own module is imported when it is first used.
Where verifiers is installed, it finds its taskset here by the name ``xlgo``.
Families exist on both sides and stay there: ``xlgo_dataset.FAMILIES``, ``xlgo_metric.FAMILIES``.
"""

from importlib.util import find_spec
from typing import Any

import xlgo_dataset
import xlgo_metric

_SIDES = (xlgo_dataset, xlgo_metric)
_OF_BOTH = frozenset(xlgo_dataset.__all__) & frozenset(xlgo_metric.__all__) - {"Option"}
"""Names that mean another thing on each side; ``Option`` is one class."""

_TASKSET = ["XlgoTaskset"] if find_spec("verifiers") else []

__all__ = sorted({*xlgo_dataset.__all__, *xlgo_metric.__all__} - _OF_BOTH) + _TASKSET  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    if name in _OF_BOTH:
        raise AttributeError(
            f"module 'xlgo' has no attribute {name!r}: take xlgo_dataset.{name} or "
            f"xlgo_metric.{name}"
        )
    if name in _TASKSET:
        from .verifiers_tasks import XlgoTaskset

        return XlgoTaskset
    for side in _SIDES:
        if name in side.__all__:
            return getattr(side, name)
    raise AttributeError(f"module 'xlgo' has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)

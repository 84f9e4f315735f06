"""Grading and statistics of xlgo: everything that is needed stands in the reference of a row.

>>> import xlgo_metric as xm
>>> xm.grade('{"state": "Room E2679"}', {"task": "dsa", "answer": {"state": "E2679"}}).correct
True
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

_NAMES: dict[str, str] = {
    "Grade": "core",
    "Record": "core",
    "Table": "core",
    "STATUSES": "core",
    "grade": "scoring",
    "grade_all": "scoring",
    "score": "scoring",
    "summarize": "scoring",
    "tables": "scoring",
    "split_thinking": "thinking",
    "gamma_accuracy": "gamma",
    "GammaFit": "gamma",
    "fit_gamma": "gamma",
    "fit_curves": "gamma",
    "fit_penalised": "likelihood",
    "smd": "gaps",
    "divergence": "gaps",
    "average_accuracy": "gaps",
    "curve_draws": "uncertainty",
    "gap": "uncertainty",
    "paired_test": "paired",
    "paired_interval": "paired",
    "holm": "multiple",
    "benjamini_hochberg": "multiple",
    "dw_acc": "measures",
    "average_at_k": "measures",
    "language_spread": "measures",
    "language_consistency": "measures",
    "pearson": "measures",
    "spearman": "measures",
    "band_accuracies": "measures",
    "back_translation_delta": "measures",
    "back_translation_from_counts": "measures",
    "grade_math": "polymath",
    "language_consistent": "language_id",
    "consistency_verdicts": "language_id",
}
"""Where each public name lives. Modules are imported when a name is first used."""

__all__ = ["__version__", "path"]
__all__ += list(_NAMES)


def path() -> str:
    """The folder to give to ``evaluate.load`` from any working directory.

    >>> import evaluate
    >>> metric = evaluate.load(path())
    """
    from pathlib import Path

    return str(Path(__file__).parent)


def __getattr__(name: str) -> Any:
    if name not in _NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{_NAMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_NAMES})

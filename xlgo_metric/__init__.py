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
    "split_thinking": "reading.thinking",
    "gamma_accuracy": "statistics.gamma",
    "GammaFit": "statistics.gamma",
    "fit_gamma": "statistics.gamma",
    "fit_curves": "statistics.gamma",
    "fit_penalised": "statistics.likelihood",
    "smd": "statistics.gaps",
    "divergence": "statistics.gaps",
    "average_accuracy": "statistics.gaps",
    "curve_draws": "statistics.uncertainty",
    "gap": "statistics.uncertainty",
    "paired_test": "statistics.paired",
    "paired_interval": "statistics.paired",
    "holm": "statistics.multiple",
    "benjamini_hochberg": "statistics.multiple",
    "dw_acc": "statistics.measures",
    "average_at_k": "statistics.measures",
    "language_spread": "statistics.measures",
    "language_consistency": "statistics.measures",
    "pearson": "statistics.measures",
    "spearman": "statistics.measures",
    "band_accuracies": "statistics.measures",
    "back_translation_delta": "statistics.measures",
    "back_translation_from_counts": "statistics.measures",
    "grade_math": "mathematics.grading",
    "language_consistent": "language.language_id",
    "consistency_verdicts": "language.language_id",
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

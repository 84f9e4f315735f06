"""Sections of a score made by hand, so that every number in a page can be foretold."""

from __future__ import annotations

from typing import Any

LEVELS = ((100, 50), (300, 20), (500, 5))
"""Complexity and correct answers of 50."""


def cell(**changes: Any) -> dict[str, Any]:
    """The results of one language."""
    right = sum(k for _, k in LEVELS)
    base: dict[str, Any] = {
        "n": 150,
        "correct": right,
        "accuracy": right / 150,
        "strict": 0.9,
        "parsed": 1.0,
        "statuses": {"correct": right, "wrong": 150 - right},
        "levels": [
            {"level": i, "complexity": c, "n": 50, "correct": k} for i, (c, k) in enumerate(LEVELS)
        ],
        "details": {"final_value": 0.44},
        "fit": {"q": 8.0, "r": 1e-5, "identified": True, "warnings": []},
        "avg_acc": 0.45,
        "avg_acc_sd": 0.012,
        "band": {
            "complexity": [100, 300, 500],
            "mean": [1.0, 0.5, 0.1],
            "low": [0.9, 0.4, 0.0],
            "high": [1.0, 0.6, 0.2],
        },
        "extreme": None, "supported": None, "pooled": None, "crossing": None, "solves": None,
        "smd": None, "smd_sd": None, "significant": None, "identified": None,
        "c_star": None, "f_en": None, "f_l": None, "rd": None, "rd_sd": None, "paired": None,
    }  # fmt: skip
    return base | changes


def pooled(k_en: int, k_l: int, levels: tuple[int, ...] = (300,)) -> dict[str, Any]:
    """Correct answers of 50 at informative levels."""
    return {
        "between": True, "levels": list(levels), "n_en": 50, "k_en": k_en, "n_l": 50, "k_l": k_l,
        "only_en": max(k_en - k_l, 0), "only_l": max(k_l - k_en, 0), "low": 0.061, "high": 0.302,
    }  # fmt: skip


def gap(smd: float, *, significant: bool, p_holm: float | None, **changes: Any) -> dict[str, Any]:
    """The results of a language that was compared with English."""
    paired = None
    if p_holm is not None:
        paired = {"p": p_holm, "p_holm": p_holm, "low": 0.08, "high": 0.27, "estimate": 0.17}
    whole = {"difference": smd, "low": smd - 0.1, "high": smd + 0.1, "n": 150}
    found = {
        "difference": whole, "smd": smd, "smd_sd": 0.044,
        "significant": significant, "identified": True,
        "supported": True, "pooled": pooled(30, round(30 - 50 * smd)),
        "c_star": 251.0,
        "f_en": 0.8, "f_l": 0.8 - smd, "rd": -0.01, "rd_sd": 0.01, "paired": paired,
    }  # fmt: skip
    return cell(**(found | changes))


def section(languages: dict[str, dict[str, Any]], task: str = "slt") -> dict[str, Any]:
    """A section of XLGoBench with one task."""
    entry = {"c_min": 100, "c_max": 500, "languages": languages}
    return {"tasks": {task: entry}, "warnings": [], "dw_acc": {}, "signature": "task:slt|version:1"}

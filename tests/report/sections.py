"""Sections of a score made by hand, so that every number in a page can be foretold."""

from typing import Any

LEVELS = ((100, 50), (300, 20), (500, 5))
"""Complexity and correct answers of 50."""


def cell(**changes: Any) -> Any:
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
        "smd": None, "smd_sd": None, "published_rule": None, "difference": None, "identified": None,
        "c_star": None, "f_en": None, "f_l": None, "rd": None, "rd_sd": None, "paired": None,
    }  # fmt: skip
    return base | changes


def pooled(k_en: int, k_l: int, levels: tuple[int, ...] = (300,)) -> dict[str, Any]:
    """Correct answers of 50 at informative levels."""
    return {
        "between": True, "levels": list(levels), "n_en": 50, "k_en": k_en, "n_l": 50, "k_l": k_l,
        "only_en": max(k_en - k_l, 0), "only_l": max(k_l - k_en, 0), "low": 0.061, "high": 0.302,
    }  # fmt: skip


def typed(
    difference: float, p_value: float | None, other: str = "te", task: str = "slt", **changes: Any
) -> dict[str, Any]:
    """A cell as ``Cell.as_json`` has it: 0 is outside the interval where p is at most 5%."""
    sure = p_value is not None and p_value <= 0.05
    half = min(0.1, 0.8 * abs(difference)) if sure else abs(difference) + 0.1
    tested = p_value is not None
    return {
        "where": {"family": "xlgobench", "task": task}, "baseline": "en", "other": other, "n": 150,
        "clusters": 150, "accuracy": 0.5, "baseline_accuracy": 0.5 + difference,
        "discordant": [30, 3], "difference": difference,
        "ci_low": difference - half if tested else None,
        "ci_high": difference + half if tested else None, "p_value": p_value,
        "is_significant": sure, "flagged": False, "refused": "" if tested else "no questions",
    } | changes  # fmt: skip


def gap(size: float, *, published: bool, p: float | None, **changes: Any) -> Any:
    """The results of a language that was compared with English."""
    paired = {"p": 0.5, "p_holm": 0.5, "low": 0.08, "high": 0.27, "estimate": 0.17}
    found = {
        "difference": typed(size, p), "smd": size, "smd_sd": 0.044,
        "published_rule": published, "identified": True,
        "supported": True, "pooled": pooled(30, round(30 - 50 * size)),
        "c_star": 251.0,
        "f_en": 0.8, "f_l": 0.8 - size, "rd": -0.01, "rd_sd": 0.01, "paired": paired,
    }  # fmt: skip
    if not changes.get("identified", True) or not changes.get("supported", True):
        found |= dict.fromkeys(("smd", "smd_sd", "published_rule", "c_star", "f_en", "f_l", "rd"))
    return cell(**(found | changes))


def section(languages: dict[str, dict[str, Any]], task: str = "slt") -> Any:
    """A section of XLGoBench with one task."""
    entry = {"c_min": 100, "c_max": 500, "languages": languages}
    gaps = {code: one["difference"] for code, one in languages.items() if one["difference"]}
    over = {"tasks": [task], "left_out": {}, "languages": gaps, "last": list(gaps)}
    return {"tasks": {task: entry}, "warnings": [], "signature": "task:slt|version:1",
            "over_tasks": over}  # fmt: skip

"""Numbers as people read them: percentages, percentage points and their spread."""

from __future__ import annotations

DASH = "–"
"""Stands where there is no number."""


def percent(fraction: float | None, digits: int = 0) -> str:
    """A fraction as a percentage: 0.431 is "43%"."""
    return DASH if fraction is None else f"{_minus(100 * fraction, digits)}%"


def points(fraction: float | None) -> str:
    """A difference of fractions in percentage points, with its sign: 0.186 is "+18.6"."""
    if fraction is None:
        return DASH
    value = round(100 * fraction, 1)
    return "0.0" if value == 0 else _minus(value, 1, "+")


def spread(fraction: float | None) -> str:
    """A standard deviation in percentage points: 0.044 is "± 4.4"; empty without one."""
    return "" if fraction is None else f"± {100 * fraction:.1f}"


def fixed(value: float | None, digits: int) -> str:
    """A number with a fixed count of decimals."""
    return DASH if value is None else _minus(value, digits)


def count(value: int) -> str:
    """A whole number with its thousands apart."""
    return f"{value:,}"


def _minus(value: float, digits: int, sign: str = "") -> str:
    return f"{value:{sign}.{digits}f}".replace("-", "−")

"""Numbers as people read them: percentages, percentage points and their spread."""

from __future__ import annotations

from collections.abc import Sequence

from xlgo_metric.table import DASH, written

__all__ = [
    "DASH", "count", "percent", "points", "rounded", "sizes", "spread",
]  # fmt: skip


def percent(fraction: float | None, digits: int = 0) -> str:
    """A fraction as a percentage: 0.431 is "43%"."""
    return DASH if fraction is None else f"{written(100 * fraction, digits)}%"


def points(fraction: float | None, digits: int = 1) -> str:
    """A difference of fractions in percentage points, with its sign: 0.186 is "+18.6"."""
    return DASH if fraction is None else written(100 * fraction, digits, signed=True)


def sizes(complexities: Sequence[float], unit: str) -> str:
    """Complexities with their unit: "1 transaction", "3 or 4 rooms", "10 to 40 rooms".

    Args:
        complexities: by rising size, at least one.
        unit: in the plural, such as "units of complexity".
    """
    first, last = (f"{round(size, 1):g}" for size in (complexities[0], complexities[-1]))
    if first == last:
        return f"{first} {_singular(unit) if first == '1' else unit}"
    return f"{first} {'or' if len(complexities) == 2 else 'to'} {last} {unit}"


def rounded(value: float) -> str:
    """A number of any size with as many digits as people read: 4.8, 1,234, 0.037."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.2g}"


def _singular(unit: str) -> str:
    word, _, rest = unit.partition(" ")
    word = word[:-2] if word.endswith(("ches", "shes", "xes")) else word.removesuffix("s")
    return f"{word} {rest}".rstrip()


def spread(fraction: float | None) -> str:
    """A standard deviation in percentage points: 0.044 is "± 4.4"; empty without one."""
    return "" if fraction is None else f"± {100 * fraction:.1f}"


def count(value: int) -> str:
    """An integer with its thousands apart."""
    return f"{value:,}"


def money(amount: float, currency: str) -> str:
    """An amount with as many digits as people need."""
    return f"{amount:,.2f} {currency}" if amount >= 0.1 else f"{amount:.2g} {currency}"


def duration(seconds: float) -> str:
    """A time as people say it: 48 s, 12 min, 3 h 20 min."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02d} min"

"""The colours of pages and pictures, on light and on dark ground."""

from __future__ import annotations

COLOURS: dict[str, tuple[str, str]] = {
    "card": ("#ffffff", "#1b1e24"),
    "ink": ("#1d1c1a", "#eceae6"),
    "muted": ("#5d5850", "#b0aba3"),
    "line": ("#e4dfd7", "#343840"),
    "behind": ("#d55e00", "#c85f14"),
    "ahead": ("#0072b2", "#2f86c4"),
    "base": ("#55514b", "#b9b4ab"),
    "first": ("#c44e00", "#ff8a3d"),
    "second": ("#0069a8", "#5ab0f0"),
}
"""By name; the style sheet has each as a variable, such as ``--ink``."""

VARIABLES = "\n".join(
    f"  --{name}: light-dark({light}, {dark});" for name, (light, dark) in COLOURS.items()
)
"""The declarations of the style sheet."""

LIGHT = {name: on_light for name, (on_light, _) in COLOURS.items()}
"""On light ground, for pictures outside the pages."""

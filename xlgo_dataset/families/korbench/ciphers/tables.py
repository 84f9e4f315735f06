"""Small helpers that several cipher programs share."""

from __future__ import annotations

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

Cell = tuple[int, int]


def cells(grid: tuple[str, ...]) -> dict[str, Cell]:
    """The place of every sign in a grid: (row, column), both counted from 0."""
    return {sign: (r, c) for r, row in enumerate(grid) for c, sign in enumerate(row)}


def pieces(text: str, size: int) -> list[str]:
    """``text`` cut into pieces of ``size`` characters; the last may be shorter."""
    return [text[i : i + size] for i in range(0, len(text), size)]


def without(text: str, letters: str) -> str:
    """``text`` without the given letters."""
    return "".join(letter for letter in text if letter not in letters)

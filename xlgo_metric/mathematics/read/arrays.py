"""Read arrays: matrices, systems, definitions by cases."""

from __future__ import annotations

from collections.abc import Callable

from .answers import Answer, Cases, Items, Matrix, Quantity, Relation
from .conditions import is_condition, read_case
from .nodes import Node
from .splitting import find, partner, split_at, trimmed
from .tokens import Token
from .vocabulary import QUALIFIERS

Reader = Callable[[list[Token]], Answer]
_OPENING = "matrix:"
_LINES = frozenset({"cases", "rcases", "aligned", "align", "gathered", "split", "gather", "array"})


def read_array(tokens: list[Token], read: Reader) -> Answer | None:
    """The answer in an environment of LaTeX, or a multiple of a matrix; ``None`` if it is none."""
    bracketed = tokens[0].text in ("(", "[") and len(tokens) > 4
    if bracketed and tokens[1].text.startswith(_OPENING) and partner(tokens, 1) == len(tokens) - 2:
        tokens = tokens[1:-1]
    start = next((n for n, token in enumerate(tokens) if token.text.startswith(_OPENING)), None)
    if start is None or partner(tokens, start) != len(tokens) - 1:
        return None
    # What stands before the environment is a factor of the matrix.
    if start:
        return _multiple(tokens[:start], read_array(tokens[start:], read), read)
    kind = tokens[0].text.removeprefix(_OPENING)
    inner = tokens[1:-1]
    if kind == "array" and inner and inner[0].text == "{":
        inner = inner[(partner(inner, 0) or 0) + 1 :]
    rows = [row for row in split_at(inner, "row") if trimmed(row)]
    if kind in _LINES:
        cases = _cases(rows, read)
        if cases is not None:
            return cases
    if kind in _LINES - {"array"}:
        return _lines(rows, read)
    cells = [tuple(read(cell) for cell in split_at(row, "&")) for row in rows]
    return Matrix(tuple(cells), "det" if kind == "vmatrix" else "")


def _lines(rows: list[list[Token]], read: Reader) -> Answer:
    """A system: one answer in each line; a line that begins with "=" continues the last."""
    lines: list[list[Token]] = []
    for row in rows:
        line = [token for token in row if token.text != "&"]
        if lines and line and line[0].text in ("=", "+", "-"):
            lines[-1] += line
        else:
            lines.append(line)
    return read(lines[0]) if len(lines) == 1 else Items(tuple(map(read, lines)))


def _cases(rows: list[list[Token]], read: Reader) -> Answer | None:
    """A definition by cases: each line a value, then a condition behind "&", "," or "if"."""
    found = []
    for row in rows:
        place = find(row, _parts_a_case)
        if not place:
            return None
        condition = read_case([token for token in row[place:] if token.text != "&"], read)
        found.append((read(row[:place]), condition))
    values = [value for value, _ in found]
    equations = [isinstance(each, Relation) and "=" in each.signs for _, each in found]
    known = all(is_condition(each) or equation for (_, each), equation in zip(found, equations))
    if len(found) < 2 or not known or any(isinstance(value, Relation) for value in values):
        return None  # a system has an equation in each line
    return None if all(equations) else Cases(tuple(found))


def _parts_a_case(token: Token) -> bool:
    return token.text in ("&", ",", ";") or (
        token.kind == "word" and token.text.casefold() in QUALIFIERS
    )


def _multiple(factor: list[Token], matrix: Answer | None, read: Reader) -> Answer | None:
    """A matrix with a factor in front."""
    while factor and factor[-1].text in ("cdot", "times", "*"):
        factor = factor[:-1]
    scale = read(factor)
    if not isinstance(matrix, Matrix) or matrix.kind or not isinstance(scale, Quantity):
        return None
    rows = []
    for row in matrix.rows:
        cells = [cell.node for cell in row if isinstance(cell, Quantity)]
        if len(cells) < len(row) or scale.unit is not None:
            return None
        rows.append(tuple(Quantity(Node("mul", (scale.node, cell))) for cell in cells))
    return Matrix(tuple(rows))

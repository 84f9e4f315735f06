"""Rules 16 to 20: letters change places (rule 19 replaces them by pairs and parts the pairs)."""

from __future__ import annotations

from .tables import cells, pieces

# Rule 16: down and up over five lines.
LINES, GAP, END = 5, "#", "*"


def _zigzag(text: str) -> list[str]:
    """The columns in the order of writing: five letters, then # and four letters each."""
    return [text[:LINES], *(GAP + piece for piece in pieces(text[LINES:], LINES - 1))]


def redefence_encode(text: str) -> str:
    """Rule 16: columns written down and up in turn, read line by line, each line ended by *."""
    rows = [""] * LINES
    for number, column in enumerate(_zigzag(text)):
        order = range(LINES) if number % 2 == 0 else range(LINES - 1, -1, -1)
        for row, letter in zip(order, column):
            rows[row] += letter
    return "".join(row + END for row in rows)


# Rule 17: lines to and fro.
WIDTH, MARK = 5, "#"


def path_encode(text: str) -> str:
    """Rule 17: odd lines from the left, even lines from the right; columns, each ended by #."""
    columns = [""] * min(WIDTH, len(text))
    for number, line in enumerate(pieces(text, WIDTH)):
        order = range(WIDTH) if number % 2 == 0 else range(WIDTH - 1, -1, -1)
        for column, letter in zip(order, line):
            columns[column] += letter
    return "".join(column + MARK for column in columns)


# Rule 18: a template with four holes, turned.
SIZE, FILLER = 4, "#"
HOLES = ((1, 2), (1, 3), (2, 3), (3, 0))
"""The holes of the template: (row, column), counted from 0, in reading order."""


def _reading_order() -> tuple[int, ...]:
    """The cells of the grid in the order in which the turning template shows them."""
    holes, order = list(HOLES), []
    for _ in range(4):
        order += [SIZE * r + c for r, c in sorted(holes)]
        holes = [(SIZE - 1 - c, r) for r, c in holes]  # a quarter turn against the clock
    return tuple(order)


ORDER = _reading_order()


def grille_encode(text: str) -> str:
    """Rule 18: blocks of 16, filled through the holes, with # where letters run out."""
    out = []
    for block in pieces(text, SIZE * SIZE):
        grid = [FILLER] * (SIZE * SIZE)
        for cell, letter in zip(ORDER, block):
            grid[cell] = letter
        out.append("".join(grid))
    return "".join(out)


# Rule 19: six by six.
SQUARE = ("RUA0QB", "D2WKS1", "H45FTZ", "YCGX7L", "98I3PN", "6JVOEM")
HEADS = "ADFGVX"
_PLACES = cells(SQUARE)


def adfgvx_encode(text: str) -> str:
    """Rule 19: a letter for the row and one for the column; all rows, then all columns."""
    places = [_PLACES[p] for p in text]
    return "".join(HEADS[r] for r, _ in places) + "".join(HEADS[c] for _, c in places)


# Rule 20: columns in another order.
COLUMNS, BLANK = (1, 4, 0, 6, 5, 2, 3), "$"


def columns_encode(text: str) -> str:
    """Rule 20: lines of seven, filled with $, their columns in the order of the list."""
    text += BLANK * (-len(text) % len(COLUMNS))
    return "".join(line[c] for line in pieces(text, len(COLUMNS)) for c in COLUMNS)

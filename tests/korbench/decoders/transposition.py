"""Rules 16 to 20: letters change places (rule 19 replaces them by pairs and parts the pairs)."""

from __future__ import annotations

from xlgo_dataset.families.korbench.ciphers.programs import cells, pieces

# Rule 16: down and up over five lines.
LINES, GAP, END = 5, "#", "*"


def redefence_decode(code: str) -> str:
    """Rule 16, backwards."""
    rows = code.split(END)[:LINES]
    out = []
    width = max(map(len, rows))
    for number in range(width):
        order = rows if number % 2 == 0 else rows[::-1]
        # A column that stops early leaves its last lines shorter: they have no letter there.
        out += [row[number] for row in order if number < len(row)]
    return "".join(out).replace(GAP, "")


# Rule 17: lines to and fro.
WIDTH, MARK = 5, "#"


def path_decode(code: str) -> str:
    """Rule 17, backwards."""
    columns = code.split(MARK)[:-1]
    out = []
    for number in range(max(map(len, columns))):
        order = columns if number % 2 == 0 else columns[::-1]
        out += [column[number] for column in order if number < len(column)]
    return "".join(out)


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


def grille_decode(code: str) -> str:
    """Rule 18, backwards, without the padding."""
    blocks = pieces(code, SIZE * SIZE)
    return "".join(block[cell] for block in blocks for cell in ORDER).rstrip(FILLER)


# Rule 19: six by six.
SQUARE = ("RUA0QB", "D2WKS1", "H45FTZ", "YCGX7L", "98I3PN", "6JVOEM")
HEADS = "ADFGVX"
_PLACES = cells(SQUARE)


def adfgvx_decode(code: str) -> str:
    """Rule 19, backwards."""
    half = len(code) // 2
    places = zip(map(HEADS.index, code[:half]), map(HEADS.index, code[half:]))
    return "".join(SQUARE[r][c] for r, c in places)


# Rule 20: columns in another order.
COLUMNS, BLANK = (1, 4, 0, 6, 5, 2, 3), "$"


def columns_decode(code: str) -> str:
    """Rule 20, backwards, without the padding."""
    order = sorted(range(len(COLUMNS)), key=COLUMNS.__getitem__)
    lines = pieces(code, len(COLUMNS))
    return "".join(line[c] for line in lines for c in order).rstrip(BLANK)

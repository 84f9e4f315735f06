"""Check filled grids against their questions: they may have several solutions and one reference.

A check counts only where it accepts the reference answer, too: a question that is written in
another way, or whose reference breaks its own rule, is left to the comparison with the reference.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from math import prod

MAX_LENGTH = 2_000
MAX_SIDE = 12

Grid = list[list[str]]

_CLUE = re.compile(r"X|[0-9]{1,4}")
_CELL = re.compile(r"X|[0-9]{1,3}")
_PLACE = re.compile(r"\(\s?(\d{1,2})\s?,\s?(\d{1,2})\s?\)")
_CAGE = re.compile(r"((?:\(\d{1,2},\d{1,2}\)){1,12})\s?:\s?(\d{1,6})\s?([-+*×/÷])")
_ORDER = re.compile(r"\((\d{1,2}),(\d{1,2})\)\s?([<>])\s?\((\d{1,2}),(\d{1,2})\)")


def solves(found: str, gold: str, question: str, rule_id: str) -> bool:
    """Whether an answer solves the grid of its question, though it is not the reference.

    Args:
        found: the extracted answer.
        gold: the reference answer, both without their double brackets.
        question: the text of the question.
        rule_id: of the puzzle: 11 (Survo), 12 (Kakurasu), 13 (Numbrix), 15 (Sudoku), 16
            (Calcudoku), 17 (Futoshiki) and 25 (Skyscrapers) have checks.
    """
    check = _CHECKS.get(rule_id)
    if check is None or len(found) > MAX_LENGTH or not _is_fit(gold, question, rule_id):
        return False
    grid = _grid(found)
    return grid is not None and check(grid, question)


@lru_cache(maxsize=512)
def _is_fit(gold: str, question: str, rule_id: str) -> bool:
    """Whether the check understands the question: it accepts the reference."""
    grid = _grid(gold)
    return grid is not None and _CHECKS[rule_id](grid, question)


def _grid(text: str) -> Grid | None:
    """The cells of an answer by rows; ``None`` if it is no rectangle of numbers and X."""
    rows = [row.split() for row in re.split(r"[,;\n]", text) if row.strip()]
    sides = {len(row) for row in rows}
    fits = len(sides) == 1 and len(rows) <= MAX_SIDE and sides.pop() <= MAX_SIDE
    if not fits or not all(_CELL.fullmatch(cell) for row in rows for cell in row):
        return None
    return rows


def _clues(question: str) -> Grid:
    """The first lines of a question that hold nothing but numbers and X."""
    found: Grid = []
    for line in question.splitlines():
        cells = line.split()
        if len(cells) > 1 and all(map(_CLUE.fullmatch, cells)):
            found.append(cells)
        elif found:
            break
    return found


def _keeps(grid: Grid, clues: Sequence[Sequence[str]]) -> bool:
    """Whether a grid has the shape of the clues and their numbers."""
    return [len(row) for row in grid] == [len(row) for row in clues] and all(
        clue in ("X", cell) for row, line in zip(grid, clues) for cell, clue in zip(row, line)
    )


def _numbers(grid: Grid) -> list[list[int]] | None:
    if any(cell == "X" for row in grid for cell in row):
        return None
    return [[int(cell) for cell in row] for row in grid]


def _columns(rows: Sequence[Sequence[int]]) -> list[list[int]]:
    return [list(column) for column in zip(*rows)]


def _all_once(lines: Iterable[Sequence[int]], size: int) -> bool:
    return all(sorted(line) == list(range(1, size + 1)) for line in lines)


def _is_latin(numbers: list[list[int]]) -> bool:
    size = len(numbers)
    return _all_once(numbers, size) and _all_once(_columns(numbers), size)


def _sums(clues: Grid) -> tuple[list[int], list[int]] | None:
    """The sums at the ends of rows and columns."""
    *rows, last = clues
    ends = [row[-1] for row in rows] + last
    if not rows or "X" in ends or any(len(row) != len(last) + 1 for row in rows):
        return None
    return [int(row[-1]) for row in rows], [int(end) for end in last]


def _survo(grid: Grid, question: str) -> bool:
    clues = _clues(question)
    numbers, sums = _numbers(grid), _sums(clues) if clues else None
    if numbers is None or sums is None or not _keeps(grid, [row[:-1] for row in clues[:-1]]):
        return False
    flat = [number for row in numbers for number in row]
    totals = list(map(sum, numbers)), list(map(sum, _columns(numbers)))
    return totals == sums and _all_once([flat], len(flat))


def _kakurasu(grid: Grid, question: str) -> bool:
    clues = _clues(question)
    sums = _sums(clues) if clues else None
    if sums is None or [len(row) for row in grid] != [len(row) - 1 for row in clues[:-1]]:
        return False
    if any(cell not in ("1", "X") for row in grid for cell in row):
        return False
    black = [[int(cell == "1") for cell in row] for row in grid]
    weighed = [
        [sum(place * cell for place, cell in enumerate(line, 1)) for line in lines]
        for lines in (black, _columns(black))
    ]
    return (weighed[0], weighed[1]) == sums


def _numbrix(grid: Grid, question: str) -> bool:
    numbers = _numbers(grid)
    if numbers is None or not _keeps(grid, _clues(question)):
        return False
    places = {n: (r, c) for r, row in enumerate(numbers) for c, n in enumerate(row)}
    size = len(numbers) * len(numbers[0])
    return set(places) == set(range(1, size + 1)) and all(
        abs(places[n][0] - places[n + 1][0]) + abs(places[n][1] - places[n + 1][1]) == 1
        for n in range(1, size)
    )


def _sudoku(grid: Grid, question: str) -> bool:
    numbers = _numbers(grid)
    if numbers is None or len(numbers) != 9 or not _keeps(grid, _clues(question)):
        return False
    boxes = [
        [numbers[top + r][left + c] for r in range(3) for c in range(3)]
        for top in (0, 3, 6)
        for left in (0, 3, 6)
    ]
    return _is_latin(numbers) and _all_once(boxes, 9)


def _calcudoku(grid: Grid, question: str) -> bool:
    numbers = _numbers(grid)
    size = re.search(r"(\d{1,2})\s?[*×x]\s?(\d{1,2})", question)
    if numbers is None or size is None or not _is_latin(numbers):
        return False
    cages = _CAGE.findall(question)
    side = len(numbers)
    if not cages or (side, side) != (int(size[1]), int(size[2])):
        return False
    for places, target, sign in cages:
        cells = [(int(r), int(c)) for r, c in _PLACE.findall(places)]
        if any(not (1 <= r <= side and 1 <= c <= side) for r, c in cells):
            return False
        if not _makes([numbers[r - 1][c - 1] for r, c in cells], sign, int(target)):
            return False
    return True


def _makes(values: list[int], sign: str, target: int) -> bool:
    """Whether a cage makes its number.

    The rule forbids equal numbers in a cage, but most released answers have them, so they may be.
    """
    if sign == "+":
        return sum(values) == target
    if sign in "*×":
        return prod(values) == target
    largest, rest = max(values), sorted(values)[:-1]
    return largest - sum(rest) == target if sign == "-" else largest == target * prod(rest)


def _futoshiki(grid: Grid, question: str) -> bool:
    numbers = _numbers(grid)
    if numbers is None or not _keeps(grid, _clues(question)) or not _is_latin(numbers):
        return False
    orders = _ORDER.findall(question)
    for row, column, sign, other_row, other_column in orders:
        places = [int(place) - 1 for place in (row, column, other_row, other_column)]
        if not all(0 <= place < len(numbers) for place in places):
            return False
        first, second = numbers[places[0]][places[1]], numbers[places[2]][places[3]]
        if not (first < second if sign == "<" else first > second):
            return False
    return bool(orders)


def _skyscrapers(grid: Grid, question: str) -> bool:
    numbers = _numbers(grid)
    if numbers is None or not _is_latin(numbers):
        return False
    clues, size = _clues(question), len(numbers)
    if [len(line) for line in clues] != [size, *[size + 2] * size, size]:
        return False
    columns = _columns(numbers)
    seen = [
        list(map(_visible, columns)),
        *([_visible(row), _visible(row[::-1])] for row in numbers),
        [_visible(column[::-1]) for column in columns],
    ]
    shown = [clues[0], *([line[0], line[-1]] for line in clues[1:-1]), clues[-1]]
    return shown == [[str(count) for count in line] for line in seen]


def _visible(line: Sequence[int]) -> int:
    """How many buildings are seen over lower ones before them."""
    return len({max(line[: place + 1]) for place in range(len(line))})


_CHECKS: dict[str, Callable[[Grid, str], bool]] = {
    "11": _survo,
    "12": _kakurasu,
    "13": _numbrix,
    "15": _sudoku,
    "16": _calcudoku,
    "17": _futoshiki,
    "25": _skyscrapers,
}

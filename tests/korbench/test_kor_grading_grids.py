"""Grids with several solutions, against every possible grid of a small size."""

from __future__ import annotations

from itertools import permutations, product

import pytest

from xlgo_metric.families.korbench.answers.grids import solves
from xlgo_metric.families.korbench.grading import grade, verdict


def text(rows):
    return ",".join(" ".join(map(str, row)) for row in rows)


LATIN = [
    rows
    for rows in product(permutations((1, 2, 3)), repeat=3)
    if all(len(set(column)) == 3 for column in zip(*rows))
]


def accepted(grids, gold, question, rule):
    return {grid for grid in grids if solves(text(grid), text(gold), question, rule)}


def test_there_are_twelve_latin_squares():
    assert len(LATIN) == 12


def test_futoshiki():
    question = "X X X\nX X X\nX X 2\n\n(1,1)<(1,2)\n\nLike [[A B C,D E F,G H I]]."
    wanted = {g for g in LATIN if g[2][2] == 2 and g[0][0] < g[0][1]}
    assert len(wanted) > 1
    for gold in wanted:
        assert accepted(LATIN, gold, question, "17") == wanted


def seen(line):
    return sum(all(line[i] > line[j] for j in range(i)) for i in range(3))


def sides(grid):
    columns = list(zip(*grid))
    return (
        [seen(c) for c in columns],
        [seen(r) for r in grid],
        [seen(r[::-1]) for r in grid],
        [seen(c[::-1]) for c in columns],
    )


def test_skyscrapers():
    for gold in LATIN:
        top, left, right, bottom = sides(gold)
        lines = ["\t" + "\t".join(map(str, top))]
        lines += [f"{a}\tX\tX\tX\t{b}" for a, b in zip(left, right)]
        lines.append("\t" + "\t".join(map(str, bottom)))
        wanted = {grid for grid in LATIN if sides(grid) == sides(gold)}
        question = "Grid Layout:\n" + "\n".join(lines) + "\nThe answer should be given."
        assert accepted(LATIN, gold, question, "25") == wanted


def test_calcudoku():
    cages = ("(1,1)(1,2):2÷ ", "(2,1)(2,2):1-", "(1,3)(2,3):3*", "(3,1)(3,2):4+")
    question = "\n".join(("The size of the grid is 3*3.", *cages, "Please provide"))
    wanted = {
        g
        for g in LATIN
        if max(g[0][:2]) == 2 * min(g[0][:2])
        and abs(g[1][0] - g[1][1]) == 1
        and g[0][2] * g[1][2] == 3
        and g[2][0] + g[2][1] == 4
    }
    assert wanted
    for gold in wanted:
        assert accepted(LATIN, gold, question, "16") == wanted


def test_survo():
    grids = [(p[:3], p[3:]) for p in permutations(range(1, 7))]
    question = "X X X 10\nX X X 11\n7 7 7\nThe final answer"
    wanted = {g for g in grids if sum(g[0]) == 10 and all(sum(column) == 7 for column in zip(*g))}
    assert len(wanted) > 1
    assert accepted(grids, min(wanted), question, "11") == wanted


def test_kakurasu():
    grids = [
        tuple(tuple("1" if bit else "X" for bit in bits[at : at + 3]) for at in (0, 3, 6))
        for bits in product((0, 1), repeat=9)
    ]
    question = "X  X  X  3\nX  X  X  3\nX  X  X  3\n3 3 3\n\nThe final answer"

    def weights(lines):
        return [sum(n for n, cell in enumerate(line, 1) if cell == "1") for line in lines]

    wanted = {g for g in grids if weights(g) == weights(zip(*g)) == [3, 3, 3]}
    assert len(wanted) > 1
    for gold in wanted:
        assert accepted(grids, gold, question, "12") == wanted


def test_numbrix():
    grids = [(p[:3], p[3:]) for p in permutations(range(1, 7))]
    question = "1 X X\nX X X\nOutput all the numbers"

    def neighbours(grid):
        at = {n: (r, c) for r, row in enumerate(grid) for c, n in enumerate(row)}
        steps = [(at[n], at[n + 1]) for n in range(1, 6)]
        return all(abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1 for a, b in steps)

    wanted = {g for g in grids if g[0][0] == 1 and neighbours(g)}
    assert len(wanted) > 1
    assert accepted(grids, min(wanted), question, "13") == wanted


def sudoku(shift=0):
    return [[(3 * (r % 3) + r // 3 + c + shift) % 9 + 1 for c in range(9)] for r in range(9)]


def test_sudoku():
    question = "\n".join(["X " * 9] * 9)
    gold = sudoku()
    assert solves(text(sudoku(4)), text(gold), question, "15")
    broken = [list(row) for row in sudoku(4)]
    broken[0], broken[3] = broken[3], broken[0]  # the boxes no longer hold every number
    assert not solves(text(broken), text(gold), question, "15")
    given = f"{gold[0][0]} " + "X " * 8 + "\n" + "\n".join(["X " * 9] * 8)
    assert not solves(text(sudoku(4)), text(gold), given, "15")


def test_a_reference_that_breaks_its_own_rule_checks_nothing():
    question = "X X X 10\nX X X 11\n7 7 7\n"
    other = ((1, 4, 5), (6, 3, 2))
    gold = ((1, 1, 1), (1, 1, 1))
    assert not solves(text(other), text(gold), question, "11")
    assert solves(text(other), text(((5, 4, 1), (2, 3, 6))), question, "11")


@pytest.mark.parametrize("found", ["", "X", "1 2", "[[", "1 2 3,4", "9" * 3000, "1 " * 500, "a b"])
def test_other_answers_solve_nothing(found):
    assert not solves(found, text(((5, 4, 1), (2, 3, 6))), "X X X 10\nX X X 11\n7 7 7\n", "11")


def test_the_question_in_the_reference_is_used_in_mode_default_only():
    where = {"category": "puzzle", "rule_id": "11", "idx": "101"}
    gold = "[[5 4 1,2 3 6]]"
    question = "X X X 10\nX X X 11\n7 7 7\n"
    assert verdict("[[1 4 5,6 3 2]]", gold, **where, question=question)
    assert not verdict("[[1 4 5,6 3 2]]", gold, **where)
    assert not verdict("[[1 4 5,6 3 2]]", gold, **where, question=question, mode="paper")
    assert grade("[[1 4 5,6 3 2]]", {**where, "answer": gold, "question": question}).correct

"""A checker for the word problems: linear algebra over the unknown starts.

Present amounts are linear forms in what everybody had at the start, after a constant. Assertions
give equations; an undetermined condition branches both ways and is tested at the end. All
consistent branches must give one and the same answer; with the starts solved, all amounts on the
way must be whole and not negative.
"""

import re
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.linalg import qr

FREE = 5040  # what people have at the start whose start nothing settles: a multiple of this

N, Q, E = r"([A-Z][a-z]+)", r"(\d+)", r"[a-z]+"
FORMS = [
    ("eq", rf"{N}'s {E} minus {N}'s {E} equals {N}'s {E} minus {N}'s {E}\."),
    (
        "eq",
        rf"The number of {E} that {N} has more than {N} is equal to the difference between the "
        rf"number of {E} that {N} and {N} have\.",
    ),
    ("times", rf"The number of {E} that {N} has becomes ([\d/]+) times as large\."),
    ("times", rf"The number of {E} that {N} has increases by ([\d/]+) times\."),
    ("if", rf"If {N} has more than {Q} {E}, {N} will transfer (?:all )?their {E} to {N}\."),
    ("sum", rf"The combined quantity of {E} that {N}, {N}, and {N} have is {Q}\."),
    ("multi", rf"{N} has {Q} more {E} than {N} and {N} combined\."),
    ("seq", rf"{N} has {Q} more {E} than {N} and {Q} fewer {E} than {N}\."),
    ("more", rf"{N} has {Q} more {E} than {N}\."),
    ("has", rf"{N} has {Q} {E}\."),
    ("gives", rf"{N} gives {Q} {E} to {N}\."),
    ("eats", rf"{N} eats {Q} {E}\."),
    ("switch", rf"{N} and {N} switch the {E} they have\."),
    ("share", rf"{N} and {N} redistribute their {E} to ensure each has an equal amount\."),
    (
        "split",
        rf"{N} splits all the {E} (?:they|she|he) owns? equally (?:between|among) {N} and {N}\.",
    ),
]
PATTERNS = [(kind, re.compile(pattern)) for kind, pattern in FORMS]
REMARK = re.compile(
    r"very generous|laid-back|highly introverted|very outgoing|picking together|been married|"
    r"years old"
)


def parse(prompt):
    """The statements of a prompt, who is asked about, and the remarks."""
    body, asked = re.match(r"(?s)(.*?) ?How many \w+ does (\w+) have\?", prompt).groups()
    statements, remarks = [], []
    for text in re.findall(r"[A-Z][^.]*\.", " ".join(body.split())):
        fits = [(kind, match) for kind, p in PATTERNS if (match := p.fullmatch(text))]
        if fits:
            statements.append((fits[0][0], fits[0][1].groups()))
        else:
            assert REMARK.search(text), f"cannot read {text!r}"
            remarks.append(text)
    return statements, asked, remarks


def starts(equations, step=1):
    """A constant 1 and what everybody has at the start; no number if the equations disagree.

    Where the equations leave a start open, it is a multiple of ``FREE``, another for everybody.
    """
    system = np.array(equations)
    _, triangle, order = qr(system[:, 1:], pivoting=True)
    rank = int((abs(np.diag(triangle)) > 1e-9).sum())
    solution = np.arange(1.0, 1 + step * len(system[0]), step)[: len(system[0])] * FREE
    solution[0] = 1
    settled, open_ = order[:rank] + 1, [0, *(order[rank:] + 1)]
    rest = system[:, open_] @ solution[open_]
    solution[settled] = np.linalg.lstsq(system[:, settled], -rest, rcond=None)[0]
    return solution if np.allclose(system @ solution, 0, atol=1e-5) else solution * np.nan


def value(equations, form):
    """What a form comes to; ``None`` if the equations leave it open."""
    first, second = (form @ starts(equations, step) for step in (1, 2))
    return round(first) if abs(first - second) < 1e-3 else None


def branches(statements, equations, now, states, tests):
    """All consistent ways to read the statements: equations, amounts, all of them, conditions."""
    states = [*states, *now.values()]
    if not statements:
        yield equations, now, states, tests
        return
    (kind, g), *rest = statements
    if kind != "if":
        demands, now = apply(kind, g, now)
        yield from branches(rest, [*equations, *demands], now, states, tests)
        return
    giver, limit, again, taker = g
    assert giver == again
    if np.isnan(starts(equations)).any():
        return
    amount = value(equations, now[giver])
    for fires in (True, False):
        if amount is None or (amount > int(limit)) == fires:
            both = {taker: now[taker] + now[giver], giver: 0 * now[giver]} if fires else {}
            test = (now[giver], int(limit), fires)
            yield from branches(rest, equations, now | both, states, [*tests, test])


def apply(kind, g, now):
    """The equations that a statement demands, and the amounts after it."""
    one = np.eye(len(now) + 1)[0]
    have = [now.get(name, float(Fraction(name)) * one if name[0].isdigit() else None) for name in g]
    if kind in DEMANDS:
        return DEMANDS[kind](*have), now
    return [], now | dict(zip([g[n] for n in CHANGED[kind]], CHANGES[kind](*have)))


DEMANDS: dict[str, Any] = {
    "has": lambda a, n: [a - n],
    "more": lambda a, n, b: [a - b - n],
    "eq": lambda a, b, c, d: [a - b - c + d],
    "sum": lambda a, b, c, n: [a + b + c - n],
    "multi": lambda a, n, b, c: [a - b - c - n],
    "seq": lambda a, n, b, m, c: [a - b - n, a - c + m],
}
CHANGES: dict[str, Any] = {
    "gives": lambda a, n, b: (a - n, b + n),
    "eats": lambda a, n: (a - n,),
    "times": lambda a, n: (a * n[0],),
    "switch": lambda a, b: (b, a),
    "share": lambda a, b: ((a + b) / 2,) * 2,
    "split": lambda a, b, c: (0 * a, b + a / 2, c + a / 2),
}
CHANGED = {
    "gives": (0, 2), "eats": (0,), "times": (0,), "switch": (0, 1), "share": (0, 1),
    "split": (0, 1, 2),
}  # fmt: skip
"""Whose amounts a statement changes, by their places in it."""


def answers(statements, asked):
    """The answers of all consistent branches; ``None`` for one that is left open."""
    people = dict.fromkeys(g for _, groups in statements for g in groups if g[0].isalpha())
    unit = np.eye(len(people) + 1)
    found = set()
    begin = dict(zip(people, unit[1:]))
    for equations, now, states, tests in branches(statements, [0 * unit[0]], begin, [], []):
        start = starts(equations)
        if np.isnan(start).any():
            continue
        if all((round(form @ start) > limit) == fires for form, limit, fires in tests):
            amounts = np.array(states) @ start
            assert amounts.min() > -1e-3
            assert np.allclose(amounts, amounts.round(), atol=1e-3)
            found.add(value(equations, now[asked]))
    return found

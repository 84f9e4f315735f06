"""A checker for the word problems: symbolic over the unknown starts, then simulated forwards.

Present amounts are linear forms in what everybody had at the start. Assertions give equations; an
undetermined condition branches both ways and is tested at the end. All consistent branches must
give one and the same answer; with the starts solved, all amounts on the way must be whole and not
negative.
"""

import re
from fractions import Fraction
from typing import Any

FREE = 1000  # what a person has at the start whose start nothing settles

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
    """The statements of a prompt, and who is asked about; remarks are left out."""
    body, asked = re.match(r"(?s)(.*?) ?How many \w+ does (\w+) have\?", prompt).groups()
    statements = []
    for text in re.findall(r"[A-Z][^.]*\.", " ".join(body.split())):
        if REMARK.search(text):
            continue
        for kind, pattern in PATTERNS:
            match = pattern.fullmatch(text)
            if match:
                statements.append((kind, match.groups()))
                break
        else:
            raise AssertionError(f"cannot read {text!r}")
    return statements, asked


class Linear:
    """Rows of equations in reduced form over the people's starts; column -1 is the constant."""

    def __init__(self, rows=()):
        self.rows = list(rows)

    def reduce(self, form):
        form = dict(form)
        for pivot, row in self.rows:
            factor = form.get(pivot, 0)
            if factor:
                for column, value in row.items():
                    form[column] = form.get(column, 0) - factor * value
        return {column: value for column, value in form.items() if value}

    def add(self, form):
        """Demand that a form is zero; False if that is impossible."""
        form = self.reduce(form)
        columns = [column for column in form if column != 0]
        if not columns:
            return not form
        pivot = min(columns)
        row = {column: Fraction(value) / form[pivot] for column, value in form.items()}
        cleared = []
        for other, old in self.rows:
            factor = old.get(pivot, 0)
            merged = {c: old.get(c, 0) - factor * row.get(c, 0) for c in {*old, *row}}
            cleared.append((other, {c: v for c, v in merged.items() if v}))
        self.rows = [*cleared, (pivot, row)]
        return True


def plus(*terms):
    total: dict[Any, Any] = {}
    for factor, form in terms:
        for column, value in form.items():
            total[column] = total.get(column, 0) + factor * value
    return total


def const(q):
    return {0: Fraction(q)}


def branches(statements):
    """All consistent ways to read the statements: equations, final forms, decisions."""
    people: dict[Any, Any] = {}
    for _, groups in statements:
        for group in groups:
            if group[0].isalpha():
                people.setdefault(group, len(people) + 1)
    open_: list[Any] = [(0, Linear(), {p: {i: Fraction(1)} for p, i in people.items()}, (), ())]
    while open_:
        at, system, now, decisions, tests = open_.pop()
        consistent = True
        while at < len(statements) and consistent:
            kind, g = statements[at]
            at += 1
            if kind == "if":
                giver, limit, again, taker = g
                assert giver == again
                amount = system.reduce(now[giver])
                known = not any(amount.keys() - {0})
                for fires in (True, False):
                    if known and (amount.get(0, 0) > int(limit)) != fires:
                        continue
                    after = dict(now)
                    if fires:
                        after[taker] = plus((1, now[taker]), (1, now[giver]))
                        after[giver] = {}
                    test = (now[giver], int(limit), fires)
                    step = (at, Linear(system.rows), after, (*decisions, fires), (*tests, test))
                    open_.append(step)
                consistent = None
                break
            demands, now = apply(kind, g, now)
            consistent = all(system.add(demand) for demand in demands)
        if consistent:
            yield system, now, decisions, tests, people


def apply(kind, g, now):
    """The equations that a statement demands, and the amounts after it."""
    equations: dict[str, Any] = {
        "has": lambda: [((1, g[0]), -int(g[1]))],
        "more": lambda: [((1, g[0]), (-1, g[2]), -int(g[1]))],
        "eq": lambda: [((1, g[0]), (-1, g[1]), (-1, g[2]), (1, g[3]))],
        "sum": lambda: [((1, g[0]), (1, g[1]), (1, g[2]), -int(g[3]))],
        "multi": lambda: [((1, g[0]), (-1, g[2]), (-1, g[3]), -int(g[1]))],
        "seq": lambda: [
            ((1, g[0]), (-1, g[2]), -int(g[1])),
            ((1, g[0]), (-1, g[4]), int(g[3])),
        ],
    }
    if kind in equations:
        return [_form(terms, now) for terms in equations[kind]()], now
    half = Fraction(1, 2)
    changes: dict[str, Any] = {
        "gives": lambda: {
            g[0]: ((1, g[0]), -int(g[1])),
            g[2]: ((1, g[2]), int(g[1])),
        },
        "eats": lambda: {g[0]: ((1, g[0]), -int(g[1]))},
        "times": lambda: {g[0]: ((Fraction(g[1]), g[0]),)},
        "switch": lambda: {g[0]: ((1, g[1]),), g[1]: ((1, g[0]),)},
        "share": lambda: dict.fromkeys(g, ((half, g[0]), (half, g[1]))),
        "split": lambda: {
            g[0]: (),
            g[1]: ((1, g[1]), (half, g[0])),
            g[2]: ((1, g[2]), (half, g[0])),
        },
    }
    return [], {**now, **{who: _form(terms, now) for who, terms in changes[kind]().items()}}


def _form(terms, now):
    """A sum of (factor, person) and plain numbers as a linear form."""
    return plus(*((t[0], now[t[1]]) if isinstance(t, tuple) else (t, const(1)) for t in terms))


def answers(statements, asked):
    """The answers of all consistent branches; ``None`` for one that is left open."""
    found = set()
    for system, now, decisions, tests, people in branches(statements):
        starts = dict.fromkeys(people.values(), Fraction(FREE))
        for pivot, row in system.rows:
            rest = plus((-1, {c: v for c, v in row.items() if c != pivot}))
            starts[pivot] = sum(v * (1 if c == 0 else FREE) for c, v in rest.items())
        settled = all(
            (sum(v * (1 if c == 0 else starts[c]) for c, v in form.items()) > limit) == fires
            for form, limit, fires in tests
        )
        if not settled:
            continue
        final = system.reduce(now[asked])
        found.add(None if any(final.keys() - {0}) else final.get(0, Fraction(0)))
        if len(found) == 1:
            simulate(statements, {p: starts[i] for p, i in people.items()}, decisions)
    return found


def simulate(statements, have, decisions):
    """Run the events with numbers: all assertions hold, all amounts are whole and not negative."""
    left = list(decisions)
    for kind, g in statements:
        if kind == "if":
            fires = left.pop(0)
            assert (have[g[0]] > int(g[1])) == fires
            if fires:
                have[g[3]] += have[g[0]]
                have[g[0]] = Fraction(0)
        else:
            forms = {person: {0: amount} for person, amount in have.items()}
            demands, after = apply(kind, g, forms)
            assert all(plus((1, d)).get(0, 0) == 0 for d in demands), (kind, g)
            have = {person: form.get(0, Fraction(0)) for person, form in after.items()}
        assert all(amount >= 0 and amount.denominator == 1 for amount in have.values()), (kind, g)


def check_proof(prompt, number):
    statements, asked = parse(prompt)
    found = answers(statements, asked)
    assert found == {number}, (found, number)
    return statements

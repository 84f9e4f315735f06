"""Checkers that read a rendered prompt and share no code with the generators.

Word problems are solved by linear algebra over the unknown starts.

Present amounts are linear forms in what everybody had at the start, after a constant. Assertions
give equations; an undetermined condition branches both ways and is tested at the end. All
consistent branches must give one and the same answer; with the starts solved, all amounts on the
way must be whole and not negative.
"""

import itertools
import random
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import qr

import xlgo_dataset as xd
from xlgo_dataset.families.simple_reasoning import logic, questions
from xlgo_dataset.families.simple_reasoning.tasks.logic_negation import (
    INTERPRETATIONS,
    models,
    negate,
)
from xlgo_metric.core import read_toml

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


# A reader of the parallel word problems, from the strings of a language alone.
#
# It gives statements in the form of ``parse``; the solver above then answers the question.


SHAPES = [  # kind, the line with @ for "how many somebody has", order of the groups
    ("eq", "@ − @ = @ − @", (0, 1, 2, 3)),
    ("seq", f"@ − @ = {Q}<parts> @ − @ = {Q}", (0, 2, 1, 5, 3)),  # the fifth is the first again
    ("multi", rf"@ − \(@ \+ @\) = {Q}", (0, 3, 1, 2)),
    ("sum", rf"@ \+ @ \+ @ = {Q}", (0, 1, 2, 3)),
    ("more", f"@ − @ = {Q}", (0, 2, 1)),
    ("if", rf"<if>: @ > {Q}\. <then>: {N} → {N}", (0, 1, 2, 3)),
    ("gives", f"<gives>: {N} → {N}, {Q}", (0, 2, 1)),
    ("eats", f"<eats>: {N}, {Q}", (0, 1)),
    ("switch", f"<swap>: {N} ↔ {N}", (0, 1)),
    ("share", f"<share>: {N}, {N}", (0, 1)),
    ("split", f"<split>: {N} → {N}, {N}", (0, 1, 2)),
    ("times", rf"<times>: {N}, × (\d+(?:/\d+)?)", (0, 1)),
    ("has", f"@: {Q}", (0, 1)),
]
REMARKS = ("generous", "calm", "shy", "outgoing", "friends", "married", "age")


def parse_parallel(prompt, strings):
    """The statements, who is asked about, and the remarks of a prompt."""
    for item, counted in zip(strings["items"], strings.get("counted", strings["items"])):
        found = _parse_parallel(prompt, strings, item, counted)
        if found is not None:
            return found
    raise AssertionError(prompt[:300])


def _parse_parallel(prompt, strings, item, counted):
    def fixed(text):
        return re.escape(text.replace("{items}", item).replace("{counted}", counted))

    has = re.escape(strings["has"].replace("{items}", item)).replace(re.escape("{name}"), N)
    lines = prompt.split("\n")
    asked = re.fullmatch(fixed(strings["finally"]) + rf": {has} = \?", lines[-2])
    if asked is None:
        return None
    assert (lines[0], lines[-1]) == (strings["told"], strings["boxed"] + r" $\boxed{N}$")
    shapes = []
    for kind, shape, order in SHAPES:
        pattern = re.sub(
            "<([a-z]+)>",
            lambda m: fixed(strings.get(m[1], strings.get("semicolon", ";"))),
            shape.replace("@", "\0"),
        )
        shapes.append((kind, re.compile(pattern.replace("\0", has)), order))
    about = re.compile(
        f"{N}(?:, {N})?: ({'|'.join(re.escape(strings[k]) for k in REMARKS)})(: {Q})?"
    )
    statements, remarks = [], []
    for line in lines[1:-2]:
        fits = [(k, p.fullmatch(line), order) for k, p, order in shapes if p.fullmatch(line)]
        if not fits:
            assert about.fullmatch(line), line
            remarks.append(line)
            continue
        assert len(fits) == 1, (line, fits)
        kind, match, order = fits[0]
        groups = match.groups()
        assert kind != "seq" or groups[0] == groups[4]
        statements.append((kind, tuple(groups[i] for i in order)))
    return statements, asked[1], remarks


# A reader and evaluator of formulas as they stand in prompts, for both logic tasks.


_TOKEN = re.compile(r"[()]|[^\s()]+")
_SAME = {"∧": "and", "∨": "or", "→": "->", "↔": "<=>", "¬": "not", "∀": "For", "∃": "Exists"}
_CONNECT: dict[str, Callable[[bool, bool], bool]] = {
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "->": lambda a, b: b if a else True,
    "<=>": lambda a, b: a == b,
}


class Formula(NamedTuple):
    """A formula of a prompt.

    ``holds`` says whether it is true in an interpretation, which maps propositions and (predicate,
    element) to bools, where variables stand for the elements of a scope. Domains have the elements
    (domain, 0) and (domain, 1).
    """

    holds: Callable[[Any, Mapping[str, Any]], bool]
    depth: int
    propositions: frozenset[str]


def parse_formula(text):
    tokens = [_SAME.get(t, t) for t in _TOKEN.findall(re.sub("[\u2066-\u2069]", "", text))]
    formula = _operand(tokens)
    assert not tokens, tokens
    return formula


def _operand(tokens: list[str]) -> Formula:
    """The formula that tokens begin with, which are taken away."""
    first = tokens.pop(0)
    if first == "not":
        holds, depth, names = _operand(tokens)
        return Formula(lambda facts, scope: not holds(facts, scope), depth + 1, names)
    if first in ("For", "Exists"):
        if tokens[0] == "all":
            tokens.pop(0)
        variable, within, domain, sign = (tokens.pop(0) for _ in range(4))
        assert within in ("in", "∈")
        assert sign in (":", "s.t.")
        assert tokens[0] == "("
        holds, depth, names = _operand(tokens)
        quantified = all if first == "For" else any

        def over_domain(facts: Any, scope: Mapping[str, Any]) -> bool:
            return quantified(holds(facts, {**scope, variable: (domain, e)}) for e in (0, 1))

        return Formula(over_domain, depth + 1, names)
    if first == "(":
        left = _operand(tokens)
        sign = tokens.pop(0)
        if sign == ")":
            return left
        right, connected = _operand(tokens), _CONNECT[sign]
        assert tokens.pop(0) == ")"
        return Formula(
            lambda facts, scope: connected(left.holds(facts, scope), right.holds(facts, scope)),
            1 + max(left.depth, right.depth),
            left.propositions | right.propositions,
        )
    if tokens and tokens[0] == "(":
        _, variable, end = (tokens.pop(0) for _ in range(3))
        assert end == ")"
        return Formula(lambda facts, scope: facts[first, scope[variable]], 0, frozenset())
    return Formula(lambda facts, scope: facts[first], 0, frozenset([first]))


def sections(prompt, full_depth=None):
    """The formula and the four options of a prompt in any language."""
    lines = prompt.split("\n")
    options = [line.split(": ", 1)[1] for line in lines if re.match("[A-D]: ", line)]
    formula = parse_formula(lines[1].split(": ", 1)[1])
    assert len(options) == 4 == len(set(options))
    assert full_depth in (None, formula.depth)
    return formula, options


def check_evaluation(prompt, choice, full_depth=None, true=None):
    formula, options = sections(prompt, full_depth)
    truths, listed = [], set()
    words = (true,) if true else ("True", "صحيح", "सत्य", "真", "உண்மை", "సత్యం")
    for option in options:
        pairs = [p.split(": ") for p in re.sub("[\u2066-\u2069]|\\.$", "", option).split(", ")]
        listed.add(tuple(name for name, _ in pairs))
        assert len({value for _, value in pairs}) <= 2
        truths.append(formula.holds({name: value in words for name, value in pairs}, {}))
    assert len(listed) == 1
    assert [letter for letter, truth in zip("ABCD", truths) if truth] == [choice], truths


def check_negation(prompt, choice, witnesses, names, *, full_depth=None, rounds=25):
    """The key differs from the formula everywhere, each distractor agrees with it in its witness.

    ``witnesses`` are in symbol numbers, ``names`` gives propositions, predicates and domains.
    """
    formula, texts = sections(prompt, full_depth)
    options = dict(zip("ABCD", map(parse_formula, texts)))
    rng = random.Random(0)
    atoms = [(p, (d, e)) for p in names["predicates"] for d in names["domains"] for e in (0, 1)]
    propositions = formula.propositions.union(*(one.propositions for one in options.values()))
    for _ in range(rounds):
        facts = {symbol: rng.random() < 0.5 for symbol in [*sorted(propositions), *atoms]}
        assert options[choice].holds(facts, {}) != formula.holds(facts, {})
    assert witnesses.pop("ABCD".index(choice)) is None
    others = [option for letter, option in options.items() if letter != choice]
    for option, witness in zip(others, witnesses, strict=True):
        true = {names["propositions"][i] for i in witness["propositions"]}
        true |= {(names["predicates"][p], (names["domains"][d], e)) for p, d, e in witness["facts"]}
        facts = {symbol: symbol in true for symbol in [*names["propositions"], *atoms]}
        assert option.holds(facts, {}) == formula.holds(facts, {})


# Each function takes the text of a prompt and what the generator says about it, and fails by
# ``AssertionError`` if the text says otherwise.


_EDGE = re.compile(r"(?:From )?(.+?)(?: to | → )(.+?): (.+?) \([^:()]+: (.+)\)")


def parse_travel(prompt):
    """The graph and the conditions of a travel prompt in any language."""
    lines = re.sub("[\u2068\u2069]", "", prompt).split("\n")
    last = max(i for i, line in enumerate(lines) if line.startswith("1. "))
    edges = {}
    for line in reversed(lines[: last - 1]):
        match = _EDGE.fullmatch(line)
        if match is None:
            break
        u, v, modes, prices = match.groups()
        table = dict(price.split("=$") for price in prices.split(", "))
        assert list(table) == modes.split(", "), line
        assert (u, v) not in edges
        assert u != v
        edges[u, v] = {mode: int(price) for mode, price in table.items()}
    start, end = re.findall(r"'([^']*)'", lines[last])
    budget = int(re.search(r"\$(\d+)", lines[last + 1])[1])
    visit = int(re.findall(r"\d+", lines[last + 2])[-1])
    header = [line for line in lines[:last] if "['" in line][-2:]
    cities = re.findall(r"'([^']*)'", header[0])
    modes = re.findall(r"'([^']*)'", header[1])
    return {
        "edges": edges, "start": start, "end": end, "budget": budget, "visit": visit,
        "cities": cities, "modes": modes,
    }  # fmt: skip


def valid_itinerary(graph, legs):
    """Whether an itinerary meets every condition, and what it costs."""
    cost, here, met = 0, graph["start"], {graph["start"]}
    for u, v, mode in legs:
        if u != here or mode not in graph["edges"].get((u, v), {}):
            return False, None
        cost += graph["edges"][u, v][mode]
        here = v
        met.add(v)
    fits = cost <= graph["budget"] and len(met) >= graph["visit"]
    return bool(legs) and here == graph["end"] and fits, cost


def check_travel(prompt, legs):
    graph = parse_travel(prompt)
    assert set(itertools.chain.from_iterable(graph["edges"])) <= set(graph["cities"])
    assert len(set(graph["cities"])) == len(graph["cities"])
    for prices in graph["edges"].values():
        assert set(prices) <= set(graph["modes"])
        assert all(10 <= price <= 100 for price in prices.values())
    right, cost = valid_itinerary(graph, legs)
    assert right, (legs, cost)
    return graph


# Confirm an instance by the independent checkers, whatever its task.


simple_reasoning: Any = xd.family("simple_reasoning")


@cache
def table(language, folder="languages"):
    """The strings of a language for its prompts, or in ``parallel`` for those that are alike."""
    return read_toml(Path(questions.__file__).parent / folder / f"{language}.toml")


def colons(part, colon):
    """Strings with the plain colon, where a language has another (French has a space before it)."""
    if isinstance(part, dict):
        return {name: colons(inner, colon) for name, inner in part.items()}
    if isinstance(part, list):
        return [colons(inner, colon) for inner in part]
    return part.replace(colon, ":") if isinstance(part, str) else part


def names_of(structure, strings):
    """What the symbols are called: letters by the alphabet, movies by the language's file."""
    if structure["vocabulary"] == "rand20":
        return structure["names"]
    if structure["vocabulary"] == "movies":
        return strings.get("logic", strings)["movies"]
    return {
        "propositions": "abcdefghijklmnop",
        "predicates": "ABCDEFGHIJKLMNOP",
        "domains": [f"X_{i}" for i in range(1, 9)],
    }


def witnesses_of(structure: Any) -> list[dict[str, Any] | None]:
    """For each option an interpretation in which it differs from the negation; none for the key.

    They are sought among the package's own interpretations, as the propositions and facts that are
    true, and confirmed by ``logic.check_negation``, which evaluates formulas by itself.
    """
    value, key = logic.Evaluator(models(), INTERPRETATIONS), negate(structure["formula"])
    options = structure["options"]
    used = logic.used_in([structure["formula"], *options])
    truth = value(key)
    differences = [0 if option == key else truth ^ value(option) for option in options]
    return [_witness(difference, used) if difference else None for difference in differences]


def _witness(difference: int, used: dict[str, dict[int, int]]) -> dict[str, Any]:
    at = (difference & -difference).bit_length() - 1
    column = [mask >> at & 1 for mask in models()]
    return {
        "propositions": [p for p in used["prop"] if column[p]],
        "facts": [
            [predicate, domain, element]
            for predicate in used["pred"]
            for domain in used["domain"]
            for element in (0, 1)
            if column[logic.row(predicate, domain, element)]
        ],
    }


def confirm(instance, language="en", wording="paper"):
    """Check the prompt of an instance against its answer."""
    task, params, structure = instance.task, instance.params, instance.structure
    answer = simple_reasoning.solve(instance)
    prompt = simple_reasoning.render(instance, language, wording)
    strings = table(language, "languages" if wording == "paper" else wording)
    if task != "logic_negation":  # whose quantifiers have a space before the colon
        prompt, strings = (colons(part, strings.get("colon", ":")) for part in (prompt, strings))
    deep = params["depth"] if params.get("full_depth") else None
    if task == "logic_eval":
        check_evaluation(prompt, answer["choice"], deep, strings.get("true"))
    elif task == "logic_negation":
        names = names_of(structure, strings)
        rounds = max(3, 400 // len(prompt.split()))
        witnesses = witnesses_of(structure)
        check_negation(prompt, answer["choice"], witnesses, names, full_depth=deep, rounds=rounds)
    elif task == "travel":
        named = strings.get("travel", strings)["modes"]
        legs = [(u, v, named[mode]) for u, v, mode in answer["itinerary"]]
        graph = check_travel(prompt, legs)
        assert (len(graph["cities"]), len(graph["modes"])) == (params["cities"], params["modes"])
        assert (graph["budget"], graph["visit"]) == (structure["budget"], structure["visit"])
        assert not valid_itinerary(graph, legs[:-1])[0]
    else:
        statements, asked, remarks = (
            parse(prompt) if wording == "paper" else parse_parallel(prompt, strings)
        )
        assert len(statements) + len(remarks) == len(structure["sentences"])
        assert len(remarks) == params.get("sentences", 0)
        _check_trees(statements, asked, answer["number"], params.get("trees", 0) + 1)
        if task == "proof_tree":
            assert len(statements) == instance.covariates["leaves"] < params["max_leaves"]


def _check_trees(statements, asked, number, count):
    """The key tree's sentences alone give the key; trees are alike and share nobody."""
    # People linked by statements form the trees.
    group: dict[Any, Any] = {}
    for _, groups in statements:
        people = [g for g in groups if g[0].isalpha()]
        merged = set(people).union(*(group.get(p, ()) for p in people))
        group.update(dict.fromkeys(merged, frozenset(merged)))
    assert len(set(group.values())) % count == 0
    mine = statements if count == 1 else [s for s in statements if set(s[1]) & group[asked]]
    assert (len(mine) * count, answers(mine, asked)) == (len(statements), {number})


def grids():
    """Every setting of the paper's grids, and of what is offered beside them, by task.

    Counting is confirmed by ``test_counting.py``.
    """

    def product(**values):
        return [dict(zip(values, row)) for row in itertools.product(*values.values())]

    formulas = product(
        depth=(4, 8, 12), size=("small", "medium"), vocabulary=("letters", "movies", "rand20")
    )
    return {
        "logic_eval": [*formulas, *product(depth=(12,), size=("small",), full_depth=(False,))],
        "logic_negation": formulas,
        "proof_tree": [
            *product(depth=(3, 6, 9), diverse=(False, True), compeq_style=("explicit", "paper")),
            *product(depth=(9,), diverse=(False, True), max_leaves=(10, 40, 80)),
        ],
        "irrelevant": product(trees=(0, 1, 2, 4, 6), sentences=(0, 60)),
        "travel": product(cities=(10, 20), visit=(5, 8)),
    }

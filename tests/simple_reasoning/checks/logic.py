"""A reader and evaluator of formulas as they stand in prompts, for both logic tasks."""

import random
import re
from typing import Any

_TOKEN = re.compile(r"[()]|[^\s()]+")
_SAME = {"∧": "and", "∨": "or", "→": "->", "↔": "<=>", "¬": "not", "∀": "For", "∃": "Exists"}
_CONNECT = {
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "->": lambda a, b: b if a else True,
    "<=>": lambda a, b: a == b,
}


def parse(text):
    """A nested tuple: strings are propositions, ("at", predicate, variable) atoms."""
    tokens = [_SAME.get(t, t) for t in _TOKEN.findall(re.sub("[\u2066-\u2069]", "", text))]
    tree, rest = _operand(tokens)
    assert not rest, rest
    return tree


def _operand(tokens):
    first, rest = tokens[0], tokens[1:]
    if first == "not":
        inner, rest = _operand(rest)
        return ("not", inner), rest
    if first in ("For", "Exists"):
        if rest[0] == "all":
            rest = rest[1:]
        variable, within, domain, sign = rest[:4]
        assert within in ("in", "∈")
        assert sign in (":", "s.t.")
        assert rest[4] == "("
        inner, rest = _operand(rest[4:])
        return (first, variable, domain, inner), rest
    if first == "(":
        left, rest = _operand(rest)
        if rest[0] == ")":
            return left, rest[1:]
        sign, (right, rest) = rest[0], _operand(rest[1:])
        assert rest[0] == ")"
        return (sign, left, right), rest[1:]
    if rest and rest[0] == "(":
        assert rest[2] == ")"
        return ("at", first, rest[1]), rest[3:]
    return first, rest


def holds(tree, facts, scope=()):
    """Truth in an interpretation: ``facts`` maps propositions and (predicate, element) to bools.

    Domains have the elements (domain, 0) and (domain, 1).
    """
    if isinstance(tree, str):
        return facts[tree]
    kind = tree[0]
    if kind == "at":
        return facts[tree[1], dict(scope)[tree[2]]]
    if kind == "not":
        return not holds(tree[1], facts, scope)
    if kind in ("For", "Exists"):
        _, variable, domain, inner = tree
        values = (holds(inner, facts, (*scope, (variable, (domain, e)))) for e in (0, 1))
        return all(values) if kind == "For" else any(values)
    return _CONNECT[kind](holds(tree[1], facts, scope), holds(tree[2], facts, scope))


def leaves(tree):
    if isinstance(tree, str):
        return [tree]
    if tree[0] == "at":
        return [tree]
    return [leaf for part in tree[1:] if not _is_name(tree, part) for leaf in leaves(part)]


def _is_name(tree, part):
    return tree[0] in ("For", "Exists") and part in tree[1:3]


def depth(tree):
    if isinstance(tree, str) or tree[0] == "at":
        return 0
    return 1 + max(depth(part) for part in tree[1:] if not _is_name(tree, part))


def sections(prompt):
    """The formula and the four options of a prompt in any language."""
    lines = prompt.split("\n")
    options = [line.split(": ", 1)[1] for line in lines if re.match("[A-D]: ", line)]
    formula = lines[1].split(": ", 1)[1]
    assert len(options) == 4 == len(set(options))
    return formula, options


def check_evaluation(prompt, choice, full_depth=None, true=None):
    formula, options = sections(prompt)
    tree = parse(formula)
    if full_depth is not None:
        assert depth(tree) == full_depth
    truths, listed = [], set()
    words = (true,) if true else ("True", "صحيح", "सत्य", "真", "உண்மை", "సత్యం")
    for option in options:
        pairs = [p.split(": ") for p in re.sub("[\u2066-\u2069]|\\.$", "", option).split(", ")]
        listed.add(tuple(name for name, _ in pairs))
        assert len({value for _, value in pairs}) <= 2
        truths.append(holds(tree, {name: value in words for name, value in pairs}))
    assert len(listed) == 1
    assert [letter for letter, truth in zip("ABCD", truths) if truth] == [choice], truths


def check_negation(prompt, choice, witnesses, names, *, full_depth=None, rounds=25, seed=0):
    """The key differs from the formula everywhere, each distractor agrees with it in its witness.

    ``witnesses`` are in symbol numbers, ``names`` gives propositions, predicates and domains.
    """
    formula, options = sections(prompt)
    tree, trees = parse(formula), [parse(option) for option in options]
    if full_depth is not None:
        assert depth(tree) == full_depth
    rng = random.Random(seed)
    key = trees["ABCD".index(choice)]
    symbols = {leaf for t in (tree, *trees) for leaf in leaves(t)}
    for _ in range(rounds):
        facts: dict[Any, bool] = {
            s if isinstance(s, str) else None: rng.random() < 0.5 for s in symbols
        }
        facts.update(
            ((p, (d, e)), rng.random() < 0.5)
            for p in names["predicates"]
            for d in names["domains"]
            for e in (0, 1)
        )
        assert holds(key, facts) != holds(tree, facts)
    for letter, option, witness in zip("ABCD", trees, witnesses):
        if letter == choice:
            assert witness is None
            continue
        facts = dict.fromkeys(names["propositions"], False)
        facts.update(
            ((p, (d, e)), False)
            for p in names["predicates"]
            for d in names["domains"]
            for e in (0, 1)
        )
        facts.update((names["propositions"][i], True) for i in witness["propositions"])
        for p, d, e in witness["facts"]:
            facts[names["predicates"][p], (names["domains"][d], e)] = True
        assert holds(option, facts) == holds(tree, facts)

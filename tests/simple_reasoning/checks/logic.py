"""A reader and evaluator of formulas as they stand in prompts, for both logic tasks."""

import random
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

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


def parse(text):
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
    formula = parse(lines[1].split(": ", 1)[1])
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
    options = dict(zip("ABCD", map(parse, texts)))
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

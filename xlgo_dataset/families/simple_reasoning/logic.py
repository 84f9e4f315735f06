"""Logic formulas for both logic tasks: sampling, truth tables, text and parsing.

A formula is a nested list in plain JSON types:
``["prop", i]``, ``["pred", i, domain]`` (predicate i of the variable of that domain),
``["not", f]``, ``["and" | "or" | "implies" | "iff", f, g]`` and
``["forall" | "exists", domain, f]``. Symbols and domains are numbers; the language names them.

The paper's algorithms 1 to 3 (appendix H.1) leave some cases open. Here a leaf drawn while no
domain is in scope is a proposition; each domain has its own variable (``x_3`` ranges over
``X_3``), so that an inner quantifier never captures an outer variable, as it would with the
paper's single ``x``; and there are parentheses around every binary node and quantifier body.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from ...core.rng import Stream
from ...text.document import fill
from .base import Json
from .prompts import Words, isolated

Formula = list[Any]

BINARY = ("and", "or", "implies", "iff")
QUANTIFIERS = ("forall", "exists")
LETTERS = "ABCD"

SIZES: dict[str, tuple[int, int]] = {"small": (8, 4), "medium": (16, 8)}
"""Number of propositions (and of predicates), and of domains."""
VOCABULARIES = ("letters", "movies", "rand20")

_FIRST = {"prop": 2, "pred": 3, "not": 1, "forall": 2, "exists": 2, **dict.fromkeys(BINARY, 1)}
"""Where the formulas below a node begin in its list."""

_OPERATORS = ("and",) * 3 + ("or",) * 3 + ("implies",) * 3 + ("iff",)


class Mix(NamedTuple):
    """How often an inner node is a connective, ``not`` or a quantifier, in percent."""

    connective: int
    unary: int
    quantifier: int


def sample(stream: Stream, depth: int, mix: Mix, symbols: int, domains: int) -> Formula:
    """A random formula whose leaves are at most ``depth`` below its root (algorithms 1 to 3)."""

    def node(level: int, scope: tuple[int, ...]) -> Formula:
        if level == depth or stream.integer(10) >= 8:
            if not scope or stream.integer(2) == 0:
                return ["prop", stream.integer(symbols)]
            return ["pred", stream.integer(symbols), scope[stream.integer(len(scope))]]
        total = sum(mix) if len(scope) < domains else mix.connective + mix.unary
        kind = stream.integer(total)
        if kind < mix.connective:
            operator = _OPERATORS[stream.integer(10)]
            first = node(level + 1, scope)
            return [operator, first, node(level + 1, scope)]
        if kind < mix.connective + mix.unary:
            return ["not", node(level + 1, scope)]
        quantifier = QUANTIFIERS[stream.integer(2)]
        free = [d for d in range(domains) if d not in scope]
        domain = free[stream.integer(len(free))]
        body = node(level + 1, (*scope, domain))
        return [quantifier, domain, body] if _uses(body, domain) else body

    return node(0, ())


def _uses(formula: Formula, domain: int) -> bool:
    return any(f[0] == "pred" and f[2] == domain for f in walk(formula))


def parts(formula: Formula) -> list[Formula]:
    """The formulas directly below a node."""
    return formula[_FIRST[formula[0]] :]


def walk(formula: Formula) -> list[Formula]:
    """All nodes, a node before those below it, left before right."""
    result: list[Formula] = []
    stack = [formula]
    while stack:
        node = stack.pop()
        result.append(node)
        stack.extend(node[: _FIRST[node[0]] - 1 : -1])
    return result


def depth_of(formula: Formula) -> int:
    """Edges on the longest way from the root to a leaf."""
    return 1 + max(map(depth_of, parts(formula)), default=-1)


@cache
def _columns(n: int) -> tuple[int, ...]:
    """For each of n propositions the assignments in which it is true, as a mask of 2^n bits."""
    columns = []
    for i in range(n):
        mask, width = ((1 << (1 << i)) - 1) << (1 << i), 2 << i
        while width < 1 << n:
            mask |= mask << width
            width *= 2
        columns.append(mask)
    return tuple(columns)


def truth_table(formula: Formula, n: int) -> int:
    """The assignments that satisfy a quantifier-free formula of ``n`` propositions.

    Assignment ``j`` sets proposition ``i`` to bit ``i`` of ``j``; bit ``j`` of the result tells
    whether it satisfies the formula.
    """
    columns, full = _columns(n), (1 << (1 << n)) - 1

    def value(f: Formula) -> int:
        kind = f[0]
        if kind == "prop":
            return columns[f[1]]
        if kind == "not":
            return full ^ value(f[1])
        return connect(kind, value(f[1]), value(f[2]), full)

    return value(formula)


def connect(kind: str, first: int, second: int, full: int) -> int:
    """A connective on masks of truth values; ``full`` is the mask of all."""
    if kind == "and":
        return first & second
    if kind == "or":
        return first | second
    if kind == "implies":
        return (full ^ first) | second
    return full ^ first ^ second


# Names and text


class Names(NamedTuple):
    """What the symbols and domains of a formula are called."""

    propositions: Sequence[str]
    predicates: Sequence[str]
    domains: Sequence[str]


def names_of(structure: Json, words: Words) -> Names:
    """The names for a structure: of its vocabulary, or its own where they are random."""
    vocabulary = structure["vocabulary"]
    if vocabulary == "rand20":
        return Names(**structure["names"])
    if vocabulary == "letters":
        return Names(
            [chr(ord("a") + i) for i in range(16)],
            [chr(ord("A") + i) for i in range(16)],
            [f"X_{i + 1}" for i in range(8)],
        )
    return Names(**words["logic"]["movies"])


def random_names(stream: Stream, count: int) -> list[str]:
    """``count`` different words of 20 lower-case letters."""
    letters = stream.integers(26, 20 * count).tolist()
    text = "".join(chr(ord("a") + i) for i in letters)
    result = [text[i : i + 20] for i in range(0, len(text), 20)]
    return result if len(set(result)) == count else random_names(stream, count)


def text_of(formula: Formula, names: Names, words: Words) -> str:
    """The formula as written in the prompt."""
    logic = words["logic"]

    def said(f: Formula) -> str:
        kind = f[0]
        if kind == "prop":
            return isolated(names.propositions[f[1]], words)
        if kind == "pred":
            return isolated(f"{names.predicates[f[1]]}(x_{f[2] + 1})", words)
        if kind == "not":
            return f"{logic['not']} {said(f[1])}"
        if kind in BINARY:
            return f"({said(f[1])} {logic[kind]} {said(f[2])})"
        domain, body = isolated(names.domains[f[1]], words), said(f[2])
        quantifier = fill(logic[kind], variable=f"x_{f[1] + 1}", domain=domain)
        return quantifier + (body if f[2][0] in BINARY else f"({body})")

    return fill(logic["formula"], formula=said(formula))


def response(answer: Json) -> str:
    """The letter of an option, in the tags that the prompts ask for."""
    return f"<answer>{answer['choice']}</answer>"

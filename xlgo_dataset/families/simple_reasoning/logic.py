"""Logic formulas for both logic tasks: sampling, values and text.

A formula is a nested list in plain JSON types:
``["prop", i]``, ``["pred", i, domain]`` (predicate i of the variable of that domain),
``["not", f]``, ``["and" | "or" | "implies" | "iff", f, g]`` and
``["forall" | "exists", domain, f]``. Symbols and domains are numbers; the language names them.

The paper's algorithms 1 to 3 (appendix H.1) leave some cases open. Here a leaf drawn while no
domain is in scope is a proposition; each domain has its own variable (``x_3`` ranges over
``X_3``), so that an inner quantifier never captures an outer variable, as it would with the
paper's single ``x``; and there are parentheses around every binary node and quantifier body.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain
from typing import Any

from ...core.rng import Stream
from ...text.document import fill
from .base import Json, Words, isolated

Formula = list[Any]

BINARY = ("and", "or", "implies", "iff")
QUANTIFIERS = ("forall", "exists")
LETTERS = "ABCD"

SIZES: dict[str, tuple[int, int]] = {"small": (8, 4), "medium": (16, 8)}
"""Number of propositions (and of predicates), and of domains."""
VOCABULARIES = ("letters", "movies", "rand20")

_OPERATORS = ("and",) * 3 + ("or",) * 3 + ("implies",) * 3 + ("iff",)


_FIRST = {"prop": 2, "pred": 3, "not": 1, "forall": 2, "exists": 2, **dict.fromkeys(BINARY, 1)}
"""Where the formulas below a node begin in its list."""

Mix = tuple[int, int, int]
"""How often an inner node is a connective, ``not`` or a quantifier, in percent."""

_CONNECT: Mapping[str, Callable[[int, int, int], int]] = {
    "not": lambda first, _, whole: first ^ whole,
    "and": lambda first, second, _: first & second,
    "or": lambda first, second, _: first | second,
    "implies": lambda first, second, whole: first ^ whole | second,
    "iff": lambda first, second, whole: first ^ second ^ whole,
    "forall": lambda first, second, _: first & second,
    "exists": lambda first, second, _: first | second,
}
"""From the values of the two parts of a node, or for the two elements of a domain, and the mask of
all interpretations to its own. ``^`` takes a tenth of the time of ``~``, which makes numbers below
0."""


def sample(stream: Stream, depth: int, mix: Mix, symbols: int, domains: int) -> Formula:
    """A random formula whose leaves are at most ``depth`` below its root (algorithms 1 to 3)."""
    connective, unary, _ = mix
    used: list[int] = []  # the domain of each predicate so far

    def node(level: int, scope: tuple[int, ...]) -> Formula:
        if level == depth or stream.integer(10) >= 8:
            if not scope or stream.integer(2) == 0:
                return ["prop", stream.integer(symbols)]
            predicate = stream.integer(symbols)
            used.append(scope[stream.integer(len(scope))])
            return ["pred", predicate, used[-1]]
        total = sum(mix) if len(scope) < domains else connective + unary
        kind = stream.integer(total)
        if kind < connective:
            operator = _OPERATORS[stream.integer(10)]
            first = node(level + 1, scope)
            return [operator, first, node(level + 1, scope)]
        if kind < connective + unary:
            return ["not", node(level + 1, scope)]
        quantifier = QUANTIFIERS[stream.integer(2)]
        free = [d for d in range(domains) if d not in scope]
        domain = free[stream.integer(len(free))]
        before = len(used)
        body = node(level + 1, (*scope, domain))
        return [quantifier, domain, body] if domain in used[before:] else body

    return node(0, ())


def parts(formula: Formula) -> list[Formula]:
    """The formulas directly below a node."""
    return formula[_FIRST[formula[0]] :]


def walk(formula: Formula) -> list[Formula]:
    """All nodes, a node before those below it, left before right."""
    nodes, waiting = [], [formula]
    while waiting:
        nodes.append(f := waiting.pop())
        waiting += f[: _FIRST[f[0]] - 1 : -1]
    return nodes


def depth_of(f: Formula, kinds: Collection[str] = _CONNECT) -> int:
    """Most nodes of some kinds on a way from the root to a leaf: by default, its edges."""
    return (f[0] in kinds) + max([depth_of(part, kinds) for part in parts(f)], default=0)


def used_in(formulas: Sequence[Formula]) -> dict[str, dict[int, int]]:
    """The symbols of a question by kind: their numbers, and those that they get in its text, which
    follow the order in which they appear."""
    numbers: dict[str, dict[int, int]] = {"prop": {}, "pred": {}, "domain": {}}
    for f in chain.from_iterable(map(walk, formulas)):
        kind = "domain" if f[0] in QUANTIFIERS else f[0]
        if kind in numbers:
            numbers[kind].setdefault(f[1], len(numbers[kind]))
    return numbers


def columns(n: int) -> list[int]:
    """For each of n propositions the assignments in which it is true, as a mask of 2^n bits.

    Assignment ``j`` sets proposition ``i`` to bit ``i`` of ``j``.
    """
    every = (1 << (1 << n)) - 1
    return [every // ((1 << (1 << i)) + 1) << (1 << i) for i in range(n)]


def row(predicate: int, domain: int, element: int) -> int:
    """The row of a predicate of an element among the masks of an ``Evaluator``."""
    symbols, domains = SIZES["medium"]
    return symbols + (predicate * domains + domain) * 2 + element


class Evaluator:
    """Values of formulas that share parts, in many interpretations at once.

    Domains have two elements.

    Args:
        masks: a row a symbol, bit ``j`` its value in interpretation ``j``: propositions, and from
            ``row(0, 0, 0)`` on predicates of elements.
        count: of interpretations.
    """

    def __init__(self, masks: Sequence[int], count: int) -> None:
        self._masks = masks
        self._whole = (1 << count) - 1
        self._shapes: dict[int, tuple[Formula, int, int]] = {}
        self._values: dict[tuple[int, int], int] = {}

    def __call__(self, f: Formula, second: int = 0) -> int:
        """The interpretations in which a formula holds, as a mask.

        Of its free variables those whose domain is a bit of ``second`` are the second element, the
        others the first.
        """
        if f[0] == "prop":
            return self._masks[f[1]]
        if f[0] == "pred":
            return self._masks[row(f[1], f[2], second >> f[2] & 1)]
        key = id(f), second & (self._shapes.get(id(f)) or self._shape(f))[1]
        if (value := self._values.get(key)) is None:
            if f[0] in QUANTIFIERS:
                parts = self(f[2], second), self(f[2], second | 1 << f[1])
            else:
                parts = self(f[1], second), self(f[-1], second)
            value = self._values[key] = _CONNECT[f[0]](*parts, self._whole)
        return value

    def size(self, f: Formula) -> int:
        """The number of nodes of a formula."""
        return self._shape(f)[2]

    def _shape(self, f: Formula) -> tuple[Formula, int, int]:
        """A node, whose id stays unique as it is kept, the domains of its free variables as bits,
        and the number of its nodes."""
        if (shape := self._shapes.get(id(f))) is None:
            free, nodes = 1 << f[2] if f[0] == "pred" else 0, 1
            for part in parts(f):
                _, domains, below = self._shapes.get(id(part)) or self._shape(part)
                free, nodes = free | domains, nodes + below
            bound = 1 << f[1] if f[0] in QUANTIFIERS else 0
            shape = self._shapes[id(f)] = f, free & ~bound, nodes
        return shape


# Names and text


Names = Mapping[str, Sequence[str]]
"""What ``propositions``, ``predicates`` and ``domains`` are called."""


def names_of(structure: Json, words: Words) -> Names:
    """The names for a structure: of its vocabulary, or its own where they are random."""
    names: Names = structure.get("names", words["logic"]["movies"])
    if structure["vocabulary"] != "letters":
        return names
    return {
        "propositions": [chr(ord("a") + i) for i in range(16)],
        "predicates": [chr(ord("A") + i) for i in range(16)],
        "domains": [f"X_{i + 1}" for i in range(8)],
    }


def random_names(stream: Stream, count: int) -> list[str]:
    """``count`` different words of 20 lower-case letters."""
    letters = stream.integers(26, 20 * count).tolist()
    text = "".join(chr(ord("a") + i) for i in letters)
    result = [text[i : i + 20] for i in range(0, len(text), 20)]
    return result if len(set(result)) == count else random_names(stream, count)


def texts_of(formulas: Sequence[Formula], names: Names, words: Words) -> list[str]:
    """The formulas as written in the prompt; a node that several share is written once."""
    logic = words["logic"]
    texts: dict[int, str] = {}

    def said(f: Formula) -> str:
        if (text := texts.get(id(f))) is not None:
            return text
        kind = f[0]
        if kind == "prop":
            text = isolated(names["propositions"][f[1]], words)
        elif kind == "pred":
            text = isolated(f"{names['predicates'][f[1]]}(x_{f[2] + 1})", words)
        elif kind == "not":
            text = f"{logic['not']} {said(f[1])}"
        elif kind in BINARY:
            text = f"({said(f[1])} {logic[kind]} {said(f[2])})"
        else:
            domain, body = isolated(names["domains"][f[1]], words), said(f[2])
            text = fill(logic[kind], variable=f"x_{f[1] + 1}", domain=domain)
            text += body if f[2][0] in BINARY else f"({body})"
        texts[id(f)] = text
        return text

    return [fill(logic["formula"], formula=said(formula)) for formula in formulas]


def response(answer: Json) -> str:
    """The letter of an option, in the tags that the prompts ask for."""
    return f"<answer>{answer['choice']}</answer>"

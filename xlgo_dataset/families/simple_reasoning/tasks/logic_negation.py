"""Logic negation: which of four formulas is the negation of a first-order formula?

Paper 002, appendix H.3. The key pushes the negation one step at every level; a distractor is the
key after two random edits. Two faults of that scheme:

- A distractor can be equivalent to the key. Here a distractor counts only if an interpretation
  over two-element domains is found in which the two differ; ``covariates`` count them.
- The key is the centre of the options: each distractor is two edits from it, four from the
  others (``distractors="star"``, the paper's scheme). The shortcut ``medoid`` says what that is
  worth.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, islice
from typing import Any

from ....core import DATA_VERSION, Row
from .. import logic
from ..base import Drawn, Json, Param, Stream, TaskLabels, Words, fill
from ..logic import Formula
from . import logic_eval

MIX = (60, 20, 20)
MAX_NODES = 1500
"""A key with more nodes than this is drawn again: nested ``iff`` doubles a formula per level."""
_TRIES = 40
INTERPRETATIONS = 1 << 16
_DUAL = {"and": "or", "or": "and", "forall": "exists", "exists": "forall"}


# The key


def negate(formula: Formula) -> Formula:
    """The negation, pushed inwards by one step at every level down to the leaves."""
    kind = formula[0]
    if kind in ("prop", "pred"):
        return ["not", formula]
    if kind == "not":
        inner: Formula = formula[1]
        return inner
    if kind in logic.QUANTIFIERS:
        return [_DUAL[kind], formula[1], negate(formula[2])]
    a, b = formula[1], formula[2]
    if kind in _DUAL:
        return [_DUAL[kind], negate(a), negate(b)]
    if kind == "implies":
        return ["and", a, negate(b)]
    return ["or", ["and", a, negate(b)], ["and", negate(a), b]]


# Edits


def _pool(formula: Formula, n: int) -> dict[str, list[int]]:
    """What leaves may be replaced with: the symbols in use and one that is not, if any, by kind."""
    return {
        kind: sorted([*numbers, *[i for i in range(n) if i not in numbers][:1]])
        for kind, numbers in logic.used_in([formula]).items()
    }


def edit(
    formula: Formula, stream: Stream, pool: Mapping[str, list[int]], size: Callable[[Formula], int]
) -> Formula:
    """The formula with one node, chosen uniformly, changed; all else is shared with the old one."""

    def at(f: Formula, number: int) -> Formula:
        if number == 0:
            return _changed(f, stream, pool)
        number -= 1
        below = logic.parts(f)
        for i, part in enumerate(below, len(f) - len(below)):
            if number < size(part):
                return [*f[:i], at(part, number), *f[i + 1 :]]
            number -= size(part)
        raise IndexError("no such node")

    return at(formula, stream.integer(size(formula)))


def _changed(node: Formula, stream: Stream, pool: Mapping[str, list[int]]) -> Formula:
    kind = node[0]
    if kind == "not":
        inner: Formula = node[1]
        return inner
    if kind in logic.QUANTIFIERS:
        return [_DUAL[kind], *node[1:]]
    if kind in logic.BINARY:
        return [_replacement(stream, logic.BINARY, kind), *node[1:]]
    return [kind, _replacement(stream, pool[kind], node[1]), *node[2:]]


def _replacement(stream: Stream, choices: Any, old: Any) -> Any:
    rest = [c for c in choices if c != old]
    return rest[stream.integer(len(rest))]


@lru_cache(maxsize=1)
def models() -> list[int]:
    """``INTERPRETATIONS`` interpretations of 16 propositions and 16 predicates on 8 domains of two
    elements, the same for all questions, for ``logic.Evaluator``.

    They show that two formulas are not equivalent: one in which they differ is proof.
    """
    rows, width = logic.row(logic.SIZES["medium"][0], 0, 0), INTERPRETATIONS // 64
    stream = Stream(DATA_VERSION, "easy", "interpretations")
    words = stream.words(rows * width).reshape(rows, width)
    return [int.from_bytes(row.astype("<u8").tobytes(), "little") for row in words]


# The task


def make(stream: Stream, params: Json) -> Drawn | None:
    """Draw a formula, its negation and three distractors; ``None`` if they do not fit."""
    n, domains = logic.SIZES[params["size"]]
    formula = logic.sample(stream, params["depth"], MIX, n, domains)
    depth = logic.depth_of(formula)
    if params["full_depth"] and depth != params["depth"]:
        return None
    key, value = negate(formula), logic.Evaluator(models(), INTERPRETATIONS)
    if value.size(key) > MAX_NODES:
        return None
    truth, pool = value(key), _pool(key, n)
    options, differences = [key], [0]
    for _ in range(_TRIES):
        candidate = edit(edit(key, stream, pool, value.size), stream, pool, value.size)
        difference = truth ^ value(candidate)
        if difference and candidate not in options:
            options.append(candidate)
            differences.append(difference)
            if len(options) == 4:
                break
    else:
        return None
    order = stream.permutation(4).tolist()
    options, differences = [options[i] for i in order], [differences[i] for i in order]
    lengths = list(map(value.size, options))
    structure: Row = {
        "vocabulary": params["vocabulary"],
        "formula": formula,
        "options": options,
    }
    covariates = _covariates(formula, options, differences, depth, lengths)
    if params["vocabulary"] == "rand20":
        _rename(structure, logic.used_in([formula, *options]), stream)
    return Drawn(structure, {"choice": logic.LETTERS[order.index(0)]}, covariates)


def _rename(structure: Row, numbers: Mapping[str, Mapping[int, int]], stream: Stream) -> None:
    """Give the symbols the numbers of ``used_in``, and random names."""

    renamed: dict[int, Formula] = {}

    def new(f: Formula) -> Formula:
        if (result := renamed.get(id(f))) is not None:  # formulas share nodes
            return result
        kind = f[0]
        if kind in ("prop", "pred"):
            result = [kind, numbers[kind][f[1]], *(numbers["domain"][domain] for domain in f[2:])]
        elif kind in logic.QUANTIFIERS:
            result = [kind, numbers["domain"][f[1]], new(f[2])]
        else:
            result = [kind, *map(new, f[1:])]
        renamed[id(f)] = result
        return result

    formula, *options = map(new, (structure["formula"], *structure["options"]))
    structure |= {"formula": formula, "options": options}
    names = iter(logic.random_names(stream, sum(map(len, numbers.values()))))
    parts = (list(islice(names, len(of_kind))) for of_kind in numbers.values())
    structure["names"] = dict(zip(("propositions", "predicates", "domains"), parts))


def _covariates(
    formula: Formula, options: list[Formula], differences: list[int], depth: int, lengths: list[int]
) -> dict[str, object]:
    kinds = [f[0] for f in logic.walk(formula)]
    distances = (distance(a, b) for a, b in combinations(options, 2))
    apart = dict(zip(combinations(range(4), 2), distances))
    return {
        "depth": depth,
        "nodes": len(kinds),
        "leaves": kinds.count("prop") + kinds.count("pred"),
        "key_nodes": lengths[differences.index(0)],
        "quantifier_depth": logic.depth_of(formula, logic.QUANTIFIERS),
        "iff": kinds.count("iff"),
        # How many of the interpretations tell each option from the key.
        "witnesses": [d.bit_count() for d in differences],
        "option_lengths": lengths,
        "option_distances": [
            [apart.get((min(i, j), max(i, j)), 0) for j in range(4)] for i in range(4)
        ],
    }


def distance(a: Formula, b: Formula) -> int:
    """Edits between two formulas that differ little: changed nodes and removed ``not``."""
    if a is b or a == b:
        return 0
    if a[0] == "not" and b[0] != "not":
        return 1 + distance(a[1], b)
    if b[0] == "not" and a[0] != "not":
        return 1 + distance(a, b[1])
    below, other = logic.parts(a), logic.parts(b)
    if len(below) != len(other):
        return len(logic.walk(a)) + len(logic.walk(b))
    heads = a[: len(a) - len(below)] != b[: len(b) - len(other)]
    return heads + sum(map(distance, below, other))


def render(structure: Json, params: Json, words: Words) -> str:
    """The prompt."""
    names = logic.names_of(structure, words)
    texts = logic.texts_of([structure["formula"], *structure["options"]], names, words)
    named = dict(zip(("formula", *"abcd"), texts))
    return fill(words["logic_negation"]["prompt"], **named)


TASK = replace(
    logic_eval.TASK,
    name="logic_negation",
    labels=TaskLabels(
        "Negating logic", "Negation", "The negation of a first-order formula.", "depth"
    ),
    options=(
        *logic_eval.TASK.options,
        Param("distractors", "choice", "how wrong options are made", ("star",), ("star",)),
    ),
    make=make,
    render=render,
    grid={**logic_eval.TASK.grid, "distractors": "star"},
)

"""Logic evaluation: which of four assignments makes a propositional formula true?

Paper 002, appendix H.2. The formula is drawn until its real depth is ``depth``: the paper's
sampler bounds the depth only, and then a fifth of all formulas are single leaves, which models
solve; its reported scores near chance at depth 12 rule that reading out. ``full_depth=False``
keeps the literal sampler. One assignment is drawn from those that satisfy the formula and three
from those that do not, which is the paper's drawing until one true and three false are found.
"""

import numpy as np

from ....core import Row
from .. import logic
from ..base import Drawn, Json, Param, Stream, Task, TaskLabels, Words, fill, isolated

MIX = (85, 15, 0)


def make(stream: Stream, params: Json) -> Drawn | None:
    """Draw a formula and its four options; ``None`` if the formula does not fit."""
    propositions, _ = logic.SIZES[params["size"]]
    formula = logic.sample(stream, params["depth"], MIX, propositions, 0)
    depth = logic.depth_of(formula)
    if params["full_depth"] and depth != params["depth"]:
        return None
    assignments = 1 << propositions
    table = logic.Evaluator(logic.columns(propositions), assignments)(formula)
    data = np.frombuffer(table.to_bytes(assignments // 8, "little"), dtype=np.uint8)
    bits = np.unpackbits(data, bitorder="little")
    true, false = np.flatnonzero(bits), np.flatnonzero(bits == 0)
    if len(true) < 1 or len(false) < 3:
        return None
    rows = [int(true[stream.integer(len(true))])]
    while len(rows) < 4:
        option = int(false[stream.integer(len(false))])
        if option not in rows:
            rows.append(option)
    options = stream.shuffle(rows)
    structure: Row = {
        "vocabulary": params["vocabulary"],
        "propositions": propositions,
        "formula": formula,
        "options": options,
    }
    if params["vocabulary"] == "rand20":
        structure["names"] = {
            "propositions": logic.random_names(stream, propositions),
            "predicates": [],
            "domains": [],
        }
    answer = {"choice": logic.LETTERS[options.index(rows[0])]}
    return Drawn(structure, answer, _covariates(formula, options, rows[0], propositions, depth))


def _covariates(
    formula: logic.Formula, options: list[int], right: int, n: int, depth: int
) -> dict[str, object]:
    nodes = logic.walk(formula)
    used = [f[1] for f in nodes if f[0] == "prop"]
    return {
        "depth": depth,
        "leaves": len(used),
        "operators": len(nodes) - len(used),
        "propositions": len(set(used)),
        # The fewest leaves that one must read to see that the right option is right.
        "decisive_leaves": _settle(formula, right)[1],
        # "False" is longer than "True": the option with most False is the longest.
        "option_lengths": [n - option.bit_count() for option in options],
        "option_distances": [[(a ^ b).bit_count() for b in options] for a in options],
    }


def _settle(formula: logic.Formula, assignment: int) -> tuple[bool, int]:
    """The value under an assignment, and the fewest leaves to read to be sure of it."""
    kind = formula[0]
    if kind == "prop":
        return bool(assignment >> formula[1] & 1), 1
    first, need = _settle(formula[1], assignment)
    if kind == "not":
        return not first, need
    second, also = _settle(formula[2], assignment)
    if kind == "iff":
        return first == second, need + also
    if kind == "implies":
        first = not first
    decisive = kind != "and"  # the value of one part that is that of the whole
    enough = [cost for value, cost in ((first, need), (second, also)) if value == decisive]
    return decisive == bool(enough), min(enough, default=need + also)


def render(structure: Json, params: Json, words: Words) -> str:
    """The prompt; every option lists all propositions in the order of the vocabulary."""
    names = logic.names_of(structure, words)
    table = words["logic"]
    values = (table["false"], table["true"])
    options = {}
    for letter, option in zip("abcd", structure["options"]):
        items = [
            fill(
                table["value"],
                name=isolated(names["propositions"][i], words),
                value=isolated(values[option >> i & 1], words),
            )
            for i in range(structure["propositions"])
        ]
        listed = table["separator"].join(items)
        options[letter] = fill(table["formula"], formula=listed) + table["end"]
    (text,) = logic.texts_of([structure["formula"]], names, words)
    return fill(words["logic_eval"]["prompt"], formula=text, **options)


TASK = Task(
    "logic_eval",
    TaskLabels("Evaluating logic", "Logic", "The assignment that makes a formula true.", "depth"),
    complexity="depth",
    options=(
        Param("depth", "integer", "depth of the formula", (4, 8, 12), range(1, 17)),
        Param(
            "size",
            "choice",
            "number of propositions or names",
            ("small", "medium"),
            tuple(logic.SIZES),
        ),
        Param("vocabulary", "choice", "letters or words", logic.VOCABULARIES, logic.VOCABULARIES),
        Param("full_depth", "choice", "formulas reach the depth", (True,), (True, False)),
    ),
    make=make,
    render=render,
    response=logic.response,
    grid={
        "depth": [4, 8, 12],
        "size": ["small", "medium"],
        "vocabulary": ["letters", "movies", "rand20"],
    },
    small={"depth": 3, "size": "small", "vocabulary": "movies"},
    half_right=8,
    languages=("en", "ar", "hi", "ja", "ta", "te", "zh"),
    template="simple_choice",
    usual={"depth": 8},
)

"""Logic evaluation: which of four assignments makes a propositional formula true?

Paper 002, appendix H.2. The formula is drawn until its real depth is ``depth``: the paper's
sampler bounds the depth only, and then a fifth of all formulas are single leaves, which models
solve; its reported scores near chance at depth 12 rule that reading out. ``full_depth=False``
keeps the literal sampler. One assignment is drawn from those that satisfy the formula and three
from those that do not, which is the paper's drawing until one true and three false are found.
"""

from __future__ import annotations

from typing import TypedDict

import numpy as np

from ....core.rng import Stream
from ....declared import TaskLabels
from .. import logic, replies
from ..base import Choice, Made, Param, no_reference, same_answer
from ..prompts import Words, marked, template

TASK = "logic_eval"
LABELS = TaskLabels(
    "Evaluating logic", "Logic", "The assignment that makes a formula true.", "depth"
)
COMPLEXITY = "depth"
LANGUAGES = ("en", "ar", "hi", "ja", "ta", "te", "zh")
PARAMS = {
    "depth": Param(8, range(1, 17), "depth of the formula", (4, 8, 12)),
    "size": Param(
        "small", tuple(logic.SIZES), "number of propositions or names", ("small", "medium")
    ),
    "vocabulary": Param("letters", logic.VOCABULARIES, "letters or words", logic.VOCABULARIES),
    "full_depth": Param(True, (True, False), "formulas reach the depth"),
}
GRID = {
    "depth": [4, 8, 12],
    "size": ["small", "medium"],
    "vocabulary": ["letters", "movies", "rand20"],
}
PARALLEL_GRID = GRID
SMALL = {"depth": 3, "size": "small", "vocabulary": "movies"}
HALF_RIGHT = 8
TEMPLATE = "simple_choice"
MIX = logic.Mix(85, 15, 0)


class Params(TypedDict):
    """Its parameters."""

    depth: int
    size: str
    vocabulary: str
    full_depth: bool


def make(stream: Stream, params: Params) -> Made | None:
    """Draw a formula and its four options; ``None`` if the formula does not fit."""
    propositions, _ = logic.SIZES[params["size"]]
    formula = logic.sample(stream, params["depth"], MIX, propositions, 0)
    depth = logic.depth_of(formula)
    if params["full_depth"] and depth != params["depth"]:
        return None
    table = logic.truth_table(formula, propositions).to_bytes((1 << propositions) // 8, "little")
    bits = np.unpackbits(np.frombuffer(table, dtype=np.uint8), bitorder="little")
    true, false = np.flatnonzero(bits), np.flatnonzero(bits == 0)
    if len(true) < 1 or len(false) < 3:
        return None
    rows = [int(true[stream.integer(len(true))])]
    while len(rows) < 4:
        option = int(false[stream.integer(len(false))])
        if option not in rows:
            rows.append(option)
    options = stream.shuffle(rows)
    structure: logic.Question = {
        "vocabulary": params["vocabulary"],
        "propositions": propositions,
        "formula": formula,
        "options": options,
    }
    if params["vocabulary"] == "rand20":
        structure["names"] = {
            "propositions": logic.random_names(stream, propositions),
            "predicates": [], "domains": [],
        }  # fmt: skip
    return Made(structure, _covariates(formula, options, rows[0], propositions, depth))


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
    left, need = _settle(formula[1], assignment)
    if kind == "not":
        return not left, need
    right, also = _settle(formula[2], assignment)
    if kind == "iff":
        return left == right, need + also
    if kind == "implies":
        left = not left
    if kind == "and":
        alone, value = (not left, not right), left and right
    else:
        alone, value = (left, right), left or right
    enough = [cost for decides, cost in zip(alone, (need, also)) if decides]
    return value, min(enough) if enough else need + also


def solve(structure: logic.Question) -> Choice:
    """The letter of the option that satisfies the formula."""
    for letter, option in zip(logic.LETTERS, structure["options"]):
        if _settle(structure["formula"], option)[0]:
            return {"choice": letter}
    raise ValueError("no option satisfies the formula")


def render(structure: logic.Question, params: Params, words: Words) -> str:
    """The prompt; every option lists all propositions in the order of the vocabulary."""
    names = logic.names_of(structure, words)
    table = words["logic"]
    value, values = template(table["value"]), (table["false"], table["true"])
    formula = template(table["formula"])
    options = {}
    for letter, option in zip("abcd", structure["options"]):
        items = [
            value.fill(name=marked(names.propositions[i], words), value=values[option >> i & 1])
            for i in range(structure["propositions"])
        ]
        options[letter] = formula.fill(formula=table["separator"].join(items)) + table["end"]
    text = logic.text_of(structure["formula"], names, words)
    return template(words[TASK]["prompt"]).fill(formula=text, **options)


def read(prompt: str, words: Words) -> tuple[logic.Question, dict[str, object]]:
    """The structure of a prompt and the parameters that show in it."""
    fields = template(words[TASK]["prompt"]).match(prompt)
    if fields is None:
        raise ValueError(f"not a prompt of {TASK}")
    rows = [_read_option(fields[letter], words) for letter in "abcd"]
    listed = [name for name, _ in rows[0]]
    if any([name for name, _ in row] != listed for row in rows):
        raise ValueError(f"{TASK}: the options do not list the same propositions")
    vocabulary = logic.read_vocabulary(listed, words)
    structure: logic.Question = {
        "vocabulary": vocabulary,
        "propositions": len(listed),
        "formula": logic.Reader(words, logic.Names(listed, [], [])).formula(fields["formula"]),
        "options": [sum(value << i for i, (_, value) in enumerate(row)) for row in rows],
    }
    if vocabulary == "rand20":
        structure["names"] = {"propositions": listed, "predicates": [], "domains": []}
    size = next((s for s, (n, _) in logic.SIZES.items() if n == len(listed)), "small")
    depth = logic.depth_of(structure["formula"])
    return structure, {"depth": depth, "size": size, "vocabulary": vocabulary}


def _read_option(text: str, words: Words) -> list[tuple[str, int]]:
    table = words["logic"]
    end = table["end"]
    inner = template(table["formula"]).match(text[: len(text) - len(end)])
    if inner is None or not text.endswith(end):
        raise ValueError(f"not an option: {text[:60]!r}")
    truth = {table["false"]: 0, table["true"]: 1}
    row = []
    for item in inner["formula"].split(table["separator"]):
        pair = template(table["value"]).match(item)
        if pair is None or pair["value"] not in truth:
            raise ValueError(f"not a value: {item[:60]!r}")
        row.append((pair["name"], truth[pair["value"]]))
    return row


answer = same_answer
wrong_answer, phrase = replies.wrong_choice, replies.choice
reference = no_reference

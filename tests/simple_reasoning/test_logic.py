"""Formulas: what a negation is, which distractors count, and what shortcuts reach."""

from __future__ import annotations

from statistics import fmean
from typing import Any

import pytest

import xlgo_dataset as xd
from xlgo_dataset.families.simple_reasoning import logic, prompts
from xlgo_dataset.families.simple_reasoning.tasks.logic_negation import negate
from xlgo_metric.families.simple_reasoning.tasks import shortcuts as floors

from .checks.logic import depth, parse, token_medoid

simple_reasoning: Any = xd.family("simple_reasoning")

P, Q = ["prop", 0], ["prop", 1]
NOT_P, NOT_Q = ["not", P], ["not", Q]
SOME = ["pred", 0, 0]


@pytest.mark.parametrize(
    ("formula", "key"),
    [
        (P, NOT_P),
        (NOT_P, P),
        (["not", ["and", P, Q]], ["and", P, Q]),
        (["and", P, Q], ["or", NOT_P, NOT_Q]),
        (["or", NOT_P, Q], ["and", P, NOT_Q]),
        (["implies", P, Q], ["and", P, NOT_Q]),
        (["iff", P, Q], ["or", ["and", P, NOT_Q], ["and", NOT_P, Q]]),
        (["forall", 0, SOME], ["exists", 0, ["not", SOME]]),
        (["exists", 0, ["not", SOME]], ["forall", 0, SOME]),
    ],
)
def test_the_printed_rules_of_negation(formula, key):
    assert negate(formula) == key


def test_truth_tables_by_hand():
    def table(formula: Any, n: int) -> int:
        return logic.Evaluator(logic.columns(n), 1 << n)(formula)

    assert table(["implies", P, Q], 2) == 0b1101
    assert table(["iff", P, Q], 2) == 0b1001
    assert table(["and", P, NOT_Q], 2) == 0b0010
    assert table(["or", ["prop", 2], P], 3) == 0b11111010


def test_formulas_have_their_depth():
    en = prompts.load("en")
    names = logic.names_of({"vocabulary": "letters"}, en)
    text = logic.text_of(
        ["forall", 2, ["iff", ["not", ["not", P]], ["exists", 0, ["pred", 3, 2]]]], names, en
    )
    assert text == "For all x_3 in X_3 : (not not a <=> Exists x_1 in X_1 s.t. (D(x_3)))"
    assert depth(parse(text)) == 4


def test_the_medoid_betrays_the_key():
    hits, by_tokens = [], []
    for index in range(200):
        instance = simple_reasoning.generate("logic_negation", depth=5, index=index)
        key = simple_reasoning.solve(instance)["choice"]
        reference = {
            "task": "logic_negation",
            "answer": {"choice": key},
            "covariates": instance.covariates,
        }
        hits.append(floors(reference)["medoid"])
        if index < 40:
            least = token_medoid(simple_reasoning.render(instance, "en"))
            by_tokens.append((key in least) / len(least))
    assert 0.9 <= fmean(hits) <= 1.0
    assert abs(fmean(by_tokens) - fmean(hits)) < 0.3


def test_the_least_certificate_is_the_least():
    """Against all sets of leaves of small formulas."""
    from itertools import combinations, product

    from xlgo_dataset.families.simple_reasoning.tasks.logic_eval import _settle

    checked = 0
    for index in range(60):
        made = simple_reasoning.generate("logic_eval", depth=3, index=index)
        structure: Any = made.structure
        formula, right = structure["formula"], None
        leaves = [node for node in logic.walk(formula) if node[0] == "prop"]
        if len(leaves) > 6:
            continue
        right = structure["options"]["ABCD".index(made.answer["choice"])]

        def value(f, by_leaf):
            if f[0] == "prop":
                return by_leaf[id(f)]
            parts = [value(part, by_leaf) for part in f[1:]]
            meanings: dict[str, Any] = {
                "not": lambda a: not a,
                "and": lambda a, b: a and b,
                "or": lambda a, b: a or b,
                "implies": lambda a, b: not a or b,
                "iff": lambda a, b: a == b,
            }
            return meanings[f[0]](*parts)

        def settled(read, formula=formula, leaves=leaves, right=right):
            others = [leaf for leaf in leaves if id(leaf) not in {id(x) for x in read}]
            fixed = {id(leaf): bool(right >> leaf[1] & 1) for leaf in read}
            results = {
                value(formula, {**fixed, **dict(zip(map(id, others), row))})
                for row in product((False, True), repeat=len(others))
            }
            return len(results) == 1

        least = next(
            size
            for size in range(len(leaves) + 1)
            if any(settled(read) for read in combinations(leaves, size))
        )
        assert _settle(formula, right)[1] == least
        checked += 1
    assert checked > 20


def test_the_right_option_stands_in_every_place():
    found = [simple_reasoning.generate("logic_eval", index=i).answer["choice"] for i in range(60)]
    assert {*found} == {*"ABCD"}

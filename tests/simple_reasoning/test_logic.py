"""Formulas: what a negation is, which distractors count, and what shortcuts reach."""

from typing import Any

import pytest

import xlgo_dataset as xd
from xlgo_dataset.families.simple_reasoning import logic
from xlgo_dataset.families.simple_reasoning.tasks.logic_negation import negate

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


def test_the_right_option_stands_in_every_place():
    found = [simple_reasoning.generate("logic_eval", index=i).answer["choice"] for i in range(60)]
    assert {*found} == {*"ABCD"}

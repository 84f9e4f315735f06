"""The published grading: extraction, each rule, and expressions against SymPy's own parser."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.clock import processor_seconds
from tests.looping import looped
from xlgo_metric.families.korbench.extraction import bracket, inner
from xlgo_metric.families.korbench.grading import grade
from xlgo_metric.families.korbench.published import evaluate
from xlgo_metric.families.korbench.verdict import verdict

TEXTS = [
    "", "no brackets", "[[A]]", "x [[ A \n] b ]] and [[B]]", "[[A", "A]] [[B]]", "[A] [[B]]",
    "[[[1,2],[3,4]]]", r"$\boxed{5}$ [3]", r"\boxed{5} [3]", r"$\boxed{\frac{1}{2}}$", "[ a ]",
    r"\[ x \] so [y]", "[[]]", "[[ ]]", "[[a]][[b]]", "[a[b]c]", "$\\boxed{1", "] [", "[[\t5\n]]",
]  # fmt: skip


@looped("text", TEXTS)
def test_extraction_is_the_first_match_of_three_patterns(text):
    """Against the regular expressions of the published description."""
    patterns = (r"\[\[\s*(.*?)\s*\]\]", r"\$\\boxed\{(.*?)\}\$", r"\[\s*(.*?)\s*\]")
    matches = (re.search(pattern, text, re.DOTALL) for pattern in patterns)
    first = next((match[1] for match in matches if match), None)
    clean = None if first is None else "[[" + re.sub(r'["\n \[\]]', "", first) + "]]"
    logic = None if first is None else "[[" + re.sub(r'["\n .]', "", first) + "]]"
    assert bracket(text, "clean") == (clean or "NULL")
    assert bracket(text, "logic") == (logic or "NULL")
    double = re.search(r"\[\[(.*?)\]\]", text, re.DOTALL)
    assert inner(text) == (double[1] if double else "NULL")


PUBLISHED = [  # category, rule, question, reference answer, response, verdict in both modes
    ("logic", "5", "41", "[[a,b];[+,-];[-,+];[x,y]]", "[[a,b];[-,+];[+,-];[x,y]]", True),
    ("logic", "5", "41", "[[a,b];[+,-];[-,+]]", "[[a,b];[-,+];[+,-]]", False),  # glued brackets
    ("logic", "1", "1", "[[p1 & p2]]", '[["p1&p2."]]', True),
    ("operation", "18", "178", "[[{x∣x≤0 or x≥1}]]", "[[x ≥ 1, x ≤ 0]]", True),
    ("operation", "18", "178", "[[{x∣x≤0 or x≥1}]]", "[[x ≥ 1]]", False),
    ("operation", "18", "171", "[[{1,2,4}]]", "[[4 2 1]]", True),
    ("operation", "23", "221", "[[((1,2),(3,4))]]", "[[1.2; 3, 04]]", True),
    ("operation", "2", "15", "[[4or-12]]", "[[-12 or 4]]", True),
    ("operation", "1", "1", "[[24]]", '[[ "24" ]]', True),
    ("operation", "1", "1", "[[24]]", "[[24.0]]", False),
    ("puzzle", "1", "1", "[[nine ten]]", "[[Nine, TEN]]", True),
    ("puzzle", "2", "11", "[[t,tal]]", "[[-tal]]", True),
    ("puzzle", "3", "21", "[[pea ape]]", "[[APE, pea]]", True),
    ("puzzle", "4", "31", "[[appel pepla]]", "[[pepl]]", True),
    ("puzzle", "5", "41", "[[S=9,E=5]]", "[[E = 5, S = 9]]", True),
    ("puzzle", "9", "81", "[[6+2*3-2=10]]", "[[1+4×3−3=10]]", True),
    ("puzzle", "9", "81", "[[6+2*3-2=10]]", "[[1*4+3-3=4]]", False),
    ("puzzle", "10", "92", "[[6*8/(9-7)]]", "[[8*6/(9-7)]]", True),
    ("puzzle", "10", "92", "[[6*8/(9-7)]]", "[[8+6+9+7]]", False),
    ("puzzle", "18", "171", "[[← 9 →,↑ ↓ 1]]", "[[←9→ ↑↓1]]", True),
    ("puzzle", "6", "51", "[[4]]", "[[ 4 ]]", True),
    ("puzzle", "6", "51", "[[4]]", "[4]", False),
    ("cipher", "1", "1", "[[A B]]", "[[A B]]", False),  # the response loses its space
    ("cipher", "1", "1", "[[AB]]", "[[A B]]", True),
    ("counterfactual", "1", "1", "[[C]]", "[C]", True),
]


@looped("row", PUBLISHED, ids=range(len(PUBLISHED)))
@looped("mode", ["paper", "stored"])
def test_published_rules(row, mode):
    category, rule, idx, gold, response, right = row
    where = {"category": category, "rule_id": rule, "idx": idx}
    assert verdict(response, gold, **where, mode=mode) is right


@pytest.mark.parametrize(
    ("text", "value"),
    [("8/(3-8/3)", "24"), ("1-2-3", "-4"), ("8/4/2", "1"), ("-(2)+ +3", "1"), ("2*-3", "-6"),
     ("2.5*2", "5"), ("10", "10")],
)  # fmt: skip
def test_arithmetic(text, value):
    assert str(evaluate(text)) == value


@looped(
    "text",
    ["9**9**9", "__import__('os')", "2(3)", "1/0", "1/(2-2)", "(1", "1)", "", "x", "[1]", "2 3",
     "1//2", "1e5", "1234567", "+".join("1" * 30), "(" * 25 + "1" + ")" * 25, "1,2", "²", "٣"],
)  # fmt: skip
def test_what_is_no_arithmetic(text):
    assert evaluate(text) is None


HOSTILE = {
    "power": "[[9**9**9]]",
    "powers": "[[9^{9^{9^{9}}}]]",
    "parentheses": "[[" + "(" * 10_000 + "]]",
    "nested parentheses": "[[" + "(" * 10_000 + "1" + ")" * 10_000 + "]]",
    "fractions": "[[" + r"\frac{" * 5_000 + "1" + "}{2}" * 5_000 + "]]",
    "few fractions": "[[" + r"\frac{" * 20 + "1" + "}{2}" * 20 + "]]",
    "opening brackets": "[" * 1_000_000,
    "closing brackets": "]" * 1_000_000,
    "brackets": "[[" * 500_000 + "]]",
    "pairs": "[]" * 500_000,
    "boxes": "$\\boxed{" * 125_000,
    "roots": "[[" + "√" * 500 + "]]",
    "bars": "[[" + "|x" * 150 + "]]",
    "functions": "[[" + r"\sin" * 60 + "x]]",
    "polynomial": "[[" + "(a+b)^{60}" * 29 + "]]",
    "code": "[[__import__('os').system('true')]]",
    "objects": '{"question1":' * 50_000,
    "lists": '{"a":' + "[" * 100_000 + "}",
    "digits": "[[" + "9" * 100_000 + "]]",
    "alternatives": "[[" + "1or" * 190 + "]]",
}
QUESTIONS = [
    ("operation", "15", "141", r"[[2(x)\sin(x)+(x)^2\cos(x)]]"),
    ("operation", "2", "18", r"[[-6+\sqrt{22}or-6-\sqrt{22}]]"),
    ("operation", "18", "178", "[[{x∣x≤0 or x≥1}]]"),
    ("operation", "23", "221", "[[((1,2),(9,64))]]"),
    ("operation", "1", "2", "[[4]]"),
    ("logic", "5", "41", "[[I,O];[+,-];[-,+]]"),
    ("cipher", "18", "171", "[['', 'W'], ['I', '']]"),
    ("puzzle", "8", "71", "[[AB (4,13)(10,13)]]"),
    ("puzzle", "9", "81", "[[6+2*3-2=10]]"),
    ("puzzle", "10", "92", "[[6*8/(9-7)]]"),
    ("puzzle", "11", "101", "[[12 6,8 1]]"),
    ("counterfactual", "1", "1", "[[A]]"),
]


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("third", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 2))])
def test_hostile_responses_are_wrong_at_once(name, third):
    """By default each to a third of the questions in one."""
    keys = ("category", "rule_id", "idx", "answer")
    references: list[Any] = [dict(zip(keys, row)) for row in QUESTIONS]
    questions = references[(third + list(HOSTILE).index(name)) % 3 :: 3]
    with processor_seconds(1):
        found = grade(HOSTILE[name], {"questions": questions})
    assert not found.correct
    assert not found.details["score_paper"]

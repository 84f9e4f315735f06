"""Grading: the published rules and their defects, reference answers, arithmetic, hostile text.

Of a defect, rows are (category, rule, question, reference answer, response, published, default);
``published`` is the verdict of mode paper. The verdicts follow from the description of each defect.
"""

import json
import lzma
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.clock import processor_seconds
from tests.looping import looped
from xlgo_metric.families.korbench import CATEGORIES, MODES, extraction, grading
from xlgo_metric.families.korbench.published import evaluate
from xlgo_metric.families.korbench.verdict import verdict

KEYS = ("category", "rule_id", "idx", "answer")


def graded(row, response, mode="default"):
    """The verdict on a response to a question, whose row begins with ``KEYS``."""
    category, rule, idx, gold = row[:4]
    return verdict(response, gold, category=category, rule_id=rule, idx=idx, mode=mode)


DEFECTS = {
    4: [  # the first [[…]] wins
        ("cipher", "1", "1", "[[NQ]]", "Format: [[your answer]]. So [[NQ]]", False, True),
        ("cipher", "1", "1", "[[NQ]]", "First [[AB]], better: [[NQ]]", False, True),
        ("cipher", "1", "1", "[[NQ]]", "[[NQ]]\n### Question:\nPlain\n[[AB]]", True, True),
        ("logic", "19", "182", "[[80%]]", "[[80%]]. I gave [[number%]] as asked.", True, True),
    ],
    5: [  # boxes
        ("cipher", "1", "1", "[[NQ]]", r"\boxed{NQ}", False, True),
        ("cipher", "1", "1", "[[NQ]]", r"\[\boxed{\text{NQ}}\]", False, True),
        ("operation", "10", "91", "[[10/3]]", r"so $\boxed{\frac{10}{3}}$", False, True),
        ("cipher", "1", "1", "[[NQ]]", r"$\boxed{NQ}$", True, True),
        ("operation", "1", "1", "[[24]]", r"[[\boxed{24}]]", False, True),
    ],
    6: [  # single brackets
        ("operation", "1", "1", "[[24]]", r"\[ 4 + 20 \] gives [24]", False, True),
        ("operation", "1", "1", "[[24]]", "see [1]; the answer is [24].", False, True),
        ("puzzle", "6", "51", "[[4]]", "It takes [4] steps.", False, True),
    ],
    7: [  # one bare letter
        ("counterfactual", "1", "1", "[[C]]", "[[C. Professor Oak]]", False, True),
        ("counterfactual", "1", "1", "[[C]]", "[[C: Professor Oak]]", False, True),
        ("counterfactual", "1", "1", "[[C]]", "[[(C)]]", False, True),
        ("counterfactual", "1", "1", "[[C]]", "[[Option C]]", False, True),
        ("counterfactual", "1", "1", "[[C]]", "[[A. Gregor Mendel]]", False, False),
        ("counterfactual", "1", "1", "[[A]]", "[[A dog]]", False, False),
        ("counterfactual", "1", "1", "[[C]]", "[[C, D]]", False, False),
        ("counterfactual", "1", "1", "[[C]]", "[[C. D]]", False, False),
        ("counterfactual", "1", "1", "[[C]]", "[[c]]", False, False),
        ("counterfactual", "1", "1", "[[C]]", "[[\u0421]]", False, True),  # the Cyrillic letter
        ("logic", "20", "191", "[[A]]", "[[A. True]]", False, True),
        ("logic", "1", "7", "[[A];[C]]", "[[A. first];[C. second]]", False, True),
        ("logic", "1", "7", "[[A];[C]]", "[[C];[A]]", False, False),
    ],
    8: [  # fractions
        ("operation", "3", "26", "[[13/3]]", r"[[\frac{13}{3}]]", False, True),
        ("operation", "3", "26", "[[13/3]]", r"[[$\dfrac{26}{6}$]]", False, True),
        ("operation", "11", "103", "[[3/4]]", "[[0.75]]", False, True),
        ("operation", "3", "26", "[[13/3]]", "[[4.333333]]", False, False),
        ("operation", "3", "26", "[[13/3]]", r"[[\frac{3}{13}]]", False, False),
        ("operation", "11", "102", "[[-1]]", "[[1]]", False, False),
        ("operation", "1", "1", "[[24]]", "[[24%]]", False, False),
        ("operation", "10", "91", r"[[\sqrt{2}]]", "[[1.41421356]]", False, False),
        ("operation", "13", "121", "[[5+5i]]", "[[z = 5(1+i) = 5i + 5]]", True, True),
        ("operation", "11", "102", "[[-1]]", "[[−1]]", False, True),
    ],
    9: [  # or
        ("operation", "2", "15", "[[4or-12]]", r"[[4 \text{ or } -12]]", True, True),
        ("operation", "2", "15", "[[4or-12]]", "[[4, -12]]", False, True),
        ("operation", "2", "15", "[[4or-12]]", "[[x=-12 or x=4]]", False, True),
        ("operation", "2", "15", "[[4or-12]]", "[[-12 or 4]]", True, True),
        ("operation", "2", "15", "[[4or-12]]", "[[4]]", False, False),
        ("operation", "2", "15", "[[4or-12]]", "[[4 or 12]]", False, False),
        ("operation", "19", "188", "[[1or-1]]", r"[[\pm 1]]", False, True),
        (
            "operation", "2", "18", r"[[-6+\sqrt{22}or-6-\sqrt{22}]]",
            r"[[-6+\sqrt{22} \text{ or } -6-\sqrt{22}]]", False, True,
        ),
        (
            "operation", "2", "18", r"[[-6+\sqrt{22}or-6-\sqrt{22}]]",
            r"[[-6 \pm \sqrt{22}]]", False, True,
        ),
        (
            "operation", "2", "18", r"[[-6+\sqrt{22}or-6-\sqrt{22}]]",
            r"[[\sqrt{22} - 6 or -6-\sqrt{22}]]", True, True,
        ),
    ],
    10: [  # inequalities
        ("operation", "6", "59", "[[X≤10]]", r"[[X \leq 10]]", False, True),
        ("operation", "6", "59", "[[X≤10]]", "[[X <= 10]]", False, True),
        ("operation", "6", "59", "[[X≤10]]", "[[10 ≥ X]]", False, True),
        ("operation", "6", "59", "[[X≤10]]", r"[[(-\infty, 10]]]", False, True),
        ("operation", "6", "56", "[[X≥8]]", r"[[[8, \infty)]]", False, True),
        ("operation", "6", "56", "[[X≥8]]", r"[[X > 8]]", False, False),
        ("operation", "6", "56", "[[X≥8]]", r"[[(8, \infty)]]", False, False),
        ("operation", "6", "56", "[[X≥8]]", r"[[(-\infty, \infty) [8, \infty)]]", False, False),
        ("operation", "6", "56", "[[X≥8]]", r"[[X \leq 8]]", False, False),
        (
            "operation", "18", "178", "[[{x∣x≤0 or x≥1}]]",
            r"[[\{x \mid x \leq 0 \text{ or } x \geq 1\}]]", False, True,
        ),
        (
            "operation", "18", "178", "[[{x∣x≤0 or x≥1}]]",
            r"[[(-\infty, 0] \cup [1, \infty)]]", False, True,
        ),
    ],
    11: [  # signs and shape of matrices
        ("operation", "24", "231", "[[((1,2),(3,4))]]", "[[((-1,-2),(-3,-4))]]", True, False),
        ("operation", "24", "231", "[[((1,2),(3,4))]]", "[[1,2],[3,4]]", True, True),
        ("operation", "24", "231", "[[((1,2),(3,4))]]", "[[[1,2],[3,4]]]", True, True),
        ("operation", "24", "231", "[[((1,2),(3,4))]]", "[[((1,2,3,4))]]", True, False),
        ("operation", "24", "231", "[[((1,2),(3,4))]]", "[[((__1__,2),(3,4))]]", True, True),
        (
            "operation", "24", "231", "[[((1,2),(3,4))]]",
            r"[[\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}]]", True, True,
        ),
    ],
    12: [  # elements of sets
        ("operation", "18", "171", "[[{1,2}]]", "[[{12}]]", True, False),
        ("operation", "18", "171", "[[{1,2}]]", r"[[\{2, 1\}]]", True, True),
        ("operation", "18", "171", "[[{1,2,4}]]", "[[4 2 1]]", True, True),
    ],
    13: [  # parts of words
        ("puzzle", "4", "37", "[[blate ablet bleat]]", "[[able]]", True, True),
        ("puzzle", "4", "37", "[[blate ablet bleat]]", "[[a律 惊]]", True, False),
        ("puzzle", "4", "37", "[[blate ablet bleat]]", "[[]]", True, False),
        ("puzzle", "4", "37", "[[blate ablet bleat]]", "[[Bleat]]", True, True),
        ("puzzle", "4", "37", "[[blate ablet bleat]]", "[[table]]", False, False),
        ("puzzle", "2", "11", "[[t,tal]]", "[[t, x]]", False, False),
        ("puzzle", "3", "21", "[[pea ape]]", "[[pea ape pea]]", False, False),
    ],
    14: [  # single digits
        ("puzzle", "9", "83", "[[6/2+5+4=12]]", "[[12/1+0+0=12]]", True, False),
        ("puzzle", "9", "83", "[[6/2+5+4=12]]", "[[8/2+5+3=12]]", True, True),
        ("puzzle", "9", "83", "[[6/2+5+4=12]]", r"[[8 \div 2 + 5 + 3 = 12]]", False, True),
        ("puzzle", "9", "83", "[[6/2+5+4=12]]", "[[8/2+5+3=13]]", True, False),
        ("puzzle", "9", "83", "[[6/2+5+4=12]]", "[[8*2-5+1=12]]", False, False),
    ],
    15: [  # 24
        ("puzzle", "10", "91", "[[(9+5-2)×2]]", r"[[(9 + 5 - 2) \times 2]]", False, True),
        ("puzzle", "10", "92", "[[6*8/(9-7)]]", "[[6 × 8 ÷ (9 − 7)]]", False, True),
        ("puzzle", "10", "92", "[[6*8/(9-7)]]", "[[8/(9-7)*6 = 24]]", True, True),
        ("puzzle", "10", "92", "[[6*8/(9-7)]]", "[[8/(9-7)*6 = 25]]", True, False),
        ("puzzle", "10", "92", "[[6*8/(9-7)]]", r"[[8\*6/(9-7)]]", False, True),
        ("puzzle", "10", "92", "[[6*8/(9-7)]]", "[[6*8/(9-7)*1]]", False, False),
        ("puzzle", "10", "96", "[[12*2+0*1]]", "[[21*1+2+0+1]]", False, False),
        ("puzzle", "10", "96", "[[12*2+1]]", "[[2*11+2]]", True, False),
        ("puzzle", "10", "96", "[[12*2*1]]", "[[21+2+1]]", True, False),
        ("puzzle", "10", "96", "[[8/(3-8/3)]]", "[[8/(3-8/3)]]", True, True),
    ],
    17: [  # symbols
        ("logic", "2", "11", "[[(!(!p∣q))∣r]]", "[[(!(!p|q))|r]]", False, True),
        ("logic", "6", "53", "[[∼Ex(M(x)&H(x))]]", "[[~Ex(M(x)&H(x))]]", False, True),
        ("logic", "4", "33", "[[p∨¬q∨r]]", r"[[$p \lor \neg q \vee r$]]", False, True),
        ("logic", "4", "33", "[[p∨¬q∨r]]", r"[[p \lor q \lor r]]", False, False),
        ("logic", "3", "29", "[[m1∨m2∨m5];[F]]", r"[[m_1 \lor m_{2} \lor m_5];[F]]", False, True),
    ],
    20: [  # cells
        ("puzzle", "11", "101", "[[1 12,3 4]]", "[[11 2,3 4]]", True, False),
        ("puzzle", "11", "101", "[[1 12,3 4]]", "[[1 12, 3 4]]", True, True),
        ("puzzle", "25", "241", "[[1 2,2 1]]", "[[12,21]]", True, True),
        ("puzzle", "8", "71", "[[IT (1,1)(1,4)]]", "[[IT (1,1)(1,4) IT (1,1)(1,4)]]", False, False),
        ("puzzle", "23", "221", "[[(1,1)(1,2);(2,1)(2,2)]]", "[[2,2,2,1;1,2,1,1]]", False, True),
        ("puzzle", "23", "221", "[[(1,1)(1,2);(2,1)(2,2)]]", "[[2,2,2,1;1,2]]", False, False),
        ("puzzle", "16", "151", "[[1 3 2 4,4 2 3 1]]", "[[1324,4231]]", True, True),
    ],
}  # fmt: skip


@looped("row", [row for rows in DEFECTS.values() for row in rows])
def test_defect(row):
    *_, response, published, mended = row
    assert graded(row, response, "paper") is published
    assert graded(row, response) is mended


@looped(
    "row",
    [
        ("cipher", "20", "1", "[[RX$$O$$]]", "[[RXO]]", False),
        ("cipher", "20", "1", "[[RX$$O$$]]", "[[RX$$O$$]]", True),
        ("cipher", "20", "1", "[[RXO]]", "[[$RXO$]]", True),
        ("logic", "11", "1", "[[!$p]]", "[[!p]]", False),
        ("logic", "11", "1", "[[#(p-!p)];[$(p>q)]]", "[[#(p-!p)];[(p>q)]]", False),
        ("cipher", "17", "1", "[[AB#C]]", r"[[\text{AB\#C}]]", True),
        ("operation", "1", "1", "[[24]]", "[[[24]]]", True),
    ],
)
def test_signs_that_the_answer_needs_are_kept(row):
    assert graded(row, row[4]) is row[5]


def _mixed(response, mode, *questions):
    return grading.grade(
        response, {"mode": mode, "questions": [dict(zip(KEYS, row)) for row in questions]}
    )


LETTER = ("counterfactual", "1", "1", "[[C]]")
FRACTION = ("operation", "3", "26", "[[13/3]]")


def test_mixed_pass_rate_and_missing_values():
    found = _mixed('{"question1": "[[C]]", "question2": "[[1]]"}', "default", LETTER, FRACTION)
    assert (found.correct, found.details["pass_rate"], found.status) == (False, 0.5, "wrong")
    short = _mixed('{"question1": "[[C]]"}', "paper", LETTER, FRACTION)
    assert (short.details["questions"]["paper"], short.strict) == ([True, False], False)
    twice = 'First {"question1": "[[A]]"}, then {"question1": "[[C]]"}'
    assert _mixed(twice, "default", LETTER).correct
    assert _mixed("I do not know.", "default", LETTER).status == "no_answer"
    assert _mixed("{question}", "paper", LETTER).status == "bad_format"


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
    assert extraction.bracket(text, "clean") == (clean or "NULL")
    assert extraction.bracket(text, "logic") == (logic or "NULL")
    double = re.search(r"\[\[(.*?)\]\]", text, re.DOTALL)
    assert extraction.inner(text) == (double[1] if double else "NULL")


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


@looped("row", PUBLISHED)
@looped("mode", ["paper", "stored"])
def test_published_rules(row, mode):
    assert graded(row, row[4], mode) is row[5]


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
    references: list[Any] = [dict(zip(KEYS, row)) for row in QUESTIONS]
    questions = references[(third + list(HOSTILE).index(name)) % 3 :: 3]
    with processor_seconds(1):
        found = grading.grade(HOSTILE[name], {"questions": questions})
    assert (found.correct, found.details["score_paper"]) == (False, False)


FIXTURE = Path(__file__).parent / "fixture"
REAL = os.environ.get("XLGO_REAL_DATA")
PLACES = [
    pytest.param(FIXTURE, False, id="fixture"),
    pytest.param(
        Path(REAL or ".", "kor"),
        True,
        id="released",
        marks=pytest.mark.skipif(not REAL, reason="XLGO_REAL_DATA names no copy of the data"),
    ),
]
# Questions whose reference answer the published grading refuses: several answers in one, an
# equation that breaks the order of operations, a space at the end.
REFUSED = {"11", "12", "18", "31", "32", "33", "35", "36", "37", "84", "93", "94"}
REFUSED_EXAMPLE = "8"


def lines_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def refused(place, name, mode):
    """The (category, idx) whose own reference answer is wrong in a mode."""
    return {
        (category, row["idx"])
        for category in CATEGORIES
        for row in lines_of(place / category / name)
        if not grading.grade(
            f"I considered it step by step.\n\nThe answer is {row['answer']}",
            {"question": None, **row, "category": category, "mode": mode},
        ).correct
    }


@pytest.mark.parametrize(("place", "real"), PLACES)
@pytest.mark.parametrize("mode", MODES)
def test_reference_answers(place, real, mode):
    """Each is right, except those that the published grading is known to refuse.

    The fixture is this project's own. With XLGO_REAL_DATA naming a folder whose ``kor`` has the
    released data in the published layout, the same is proved of those.
    """
    samples, examples = (refused(place, f"{name}.jsonl", mode) for name in ("sample", "three-shot"))
    if mode == "default":
        assert (samples, examples) == (set(), set())
        return
    present = {row["idx"] for row in lines_of(place / "puzzle" / "sample.jsonl")} & REFUSED
    assert (samples, examples) == (
        {("puzzle", idx) for idx in present}, {("puzzle", REFUSED_EXAMPLE)},
    )  # fmt: skip
    assert len(present) == 12 if real else len(present) >= 4


HERE = Path(__file__).parent
RAW = lzma.decompress((HERE / "regression.jsonl.xz").read_bytes())
ROWS: list[dict[str, Any]] = [json.loads(line) for line in RAW.decode().splitlines()]
NAMES = ("category", "rule_id", "idx", "answer", "question", "questions", "asked")


def test_answers_are_graded_as_a_judge_would() -> None:
    for row in ROWS:
        found = grading.grade(row["response"], {name: row[name] for name in NAMES if name in row})
        assert found.status in (row["status"], CHANGED.get(row["style"])), row
        if "pass_rate" in row:
            assert found.details["pass_rate"] == pytest.approx(row["pass_rate"])


# What is taken back and different answers side by side are bad_format in every family; thinking
# that never ends has answered if it ends with the asked form.
CHANGED = {
    "retracted": "bad_format",
    "open thinking": "correct",
    "alternatives": "bad_format",
    "puzzle example only": "bad_format",
    "only template": "bad_format",
    "grid template only": "bad_format",
    "parts apart wrong": "wrong",
}


FORMS = (
    "[[{}]]", "**[[{}]]**", "The answer is [[{}]].", "[[ {} ]]", "[[\n{}\n]]", '[["{}"]]',
    "[[{}]]]", "[[[{}]]]", "[{}]", "$\\boxed{{{}}}$", "[[{}.]]", "\\[[[{}]]\\]", "[[{}]]\\]",
    "[[$ {} $]]", "Let me see [1].\n[[{}]]", "[[x = {}]]", "[[\\({}\\)]]", "[[\\text{{{}}}]]",
    "[[{}] text]", "[[{}", "[[{}]", "[{}] as asked", "[[{}]]\n\n### Question:\nNext [[Z]]",
    "### Question\n[[{}]]", "[[\\left({}\\right)]]", "[[\\displaystyle {}]]", "[[{},]]",
)  # fmt: skip


@pytest.mark.parametrize("category", ["operation", "logic", "cipher", "puzzle", "counterfactual"])
def test_default_refuses_no_form_that_the_published_grading_accepts(category: str) -> None:
    lines = (HERE / "fixture" / category / "sample.jsonl").read_text("utf-8").splitlines()
    accepted = 0
    for item in map(json.loads, lines):
        gold = str(item["answer"])
        where = {"category": category, "rule_id": item["rule_id"], "idx": item["idx"]}
        for form in FORMS:
            response = form.format(gold.removeprefix("[[").removesuffix("]]"))
            if verdict(response, gold, **where, mode="paper"):
                accepted += 1
                assert verdict(response, gold, **where), (response, gold)
    assert accepted > 3 * len(lines)


EXAMPLES = (
    "your answer", "encrypted answer", "((a,b),(c,d))", "A/B/C", "A/B];[A/B", "", "];[", "...",
    "a/b+c*d+e=14", "word1 word2 ...", "x=value,y=value", "T:...;F:...",
)  # fmt: skip
ANSWERS = ("A", "A];[B", "B/C", "a+b", "((1,2),(3,4))", "C. Some ...")


@looped("content", EXAMPLES + ANSWERS)
def test_examples_of_the_prompts_are_no_answers(content: str) -> None:
    assert extraction.is_template(content) == (content in EXAMPLES)


def test_what_a_question_shows_is_an_example_unless_it_is_right() -> None:
    question = "Answer like [[T C X,X X C]] or [[3]]."
    assert extraction.examples_of(question, "[[3]]") == {"T C X,X X C", "1or2"}

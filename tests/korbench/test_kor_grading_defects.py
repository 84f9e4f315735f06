"""Each defect of the published grading: what it decides, and what mode default decides.

Rows are (category, rule, question, reference answer, response, published, default); ``published``
is the verdict of mode paper. The verdicts follow from the description of each defect.
"""

import pytest

from tests.looping import looped
from xlgo_metric.families.korbench.grading import grade
from xlgo_metric.families.korbench.verdict import verdict

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
        (
            "operation", "24", "231", "[[((1,2),(3,4))]]",
            r"[[\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}]]", True, True,
        ),
    ],
    12: [  # elements of sets
        ("operation", "18", "171", "[[{1,2}]]", "[[{12}]]", True, False),
        ("operation", "18", "171", "[[{1,2}]]", r"[[\{2, 1\}]]", True, True),
    ],
    13: [  # parts of words
        ("puzzle", "4", "37", "[[blate ablet bleat]]", "[[able]]", True, True),
        ("puzzle", "4", "37", "[[blate ablet bleat]]", "[[a律 惊]]", True, False),
        ("puzzle", "4", "37", "[[blate ablet bleat]]", "[[]]", True, False),
        ("puzzle", "4", "37", "[[blate ablet bleat]]", "[[Bleat]]", True, True),
        ("puzzle", "4", "37", "[[blate ablet bleat]]", "[[table]]", False, False),
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
        ("puzzle", "16", "151", "[[1 3 2 4,4 2 3 1]]", "[[1324,4231]]", True, True),
    ],
}  # fmt: skip
ROWS = [
    pytest.param(row, id=f"row{number}-{place}")
    for number, rows in DEFECTS.items()
    for place, row in enumerate(rows)
]


@looped("row", ROWS)
def test_defect(row):
    category, rule, idx, gold, response, published, mended = row
    where = {"category": category, "rule_id": rule, "idx": idx}
    assert verdict(response, gold, **where, mode="paper") is published
    assert verdict(response, gold, **where) is mended


@pytest.mark.parametrize(
    ("category", "rule", "gold", "response", "right"),
    [
        ("cipher", "20", "[[RX$$O$$]]", "[[RXO]]", False),
        ("cipher", "20", "[[RX$$O$$]]", "[[RX$$O$$]]", True),
        ("cipher", "20", "[[RXO]]", "[[$RXO$]]", True),
        ("logic", "11", "[[!$p]]", "[[!p]]", False),
        ("logic", "11", "[[#(p-!p)];[$(p>q)]]", "[[#(p-!p)];[(p>q)]]", False),
        ("cipher", "17", "[[AB#C]]", r"[[\text{AB\#C}]]", True),
        ("operation", "1", "[[24]]", "[[[24]]]", True),
    ],
)
def test_signs_that_the_answer_needs_are_kept(category, rule, gold, response, right):
    where = {"category": category, "rule_id": rule, "idx": "1"}
    assert verdict(response, gold, **where) is right


def _mixed(response, mode, *questions):
    keys = ("category", "rule_id", "idx", "answer")
    reference = {"mode": mode, "questions": [dict(zip(keys, row)) for row in questions]}
    return grade(response, reference)


LETTER = ("counterfactual", "1", "1", "[[C]]")
FRACTION = ("operation", "3", "26", "[[13/3]]")


def test_mixed_pass_rate_and_missing_values():
    found = _mixed('{"question1": "[[C]]", "question2": "[[1]]"}', "default", LETTER, FRACTION)
    assert (found.correct, found.details["pass_rate"], found.status) == (False, 0.5, "wrong")
    short = _mixed('{"question1": "[[C]]"}', "paper", LETTER, FRACTION)
    assert short.details["questions"]["paper"] == [True, False]
    assert _mixed("I do not know.", "default", LETTER).status == "no_answer"
    assert _mixed("{question}", "paper", LETTER).status == "bad_format"

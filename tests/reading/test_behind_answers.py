"""What stands behind an answer or a refusal: further questions, several answers, earlier tries."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from xlgo_metric import grade

NUMBER = {
    "family": "simple_reasoning",
    "task": "proof_tree",
    "language": "en",
    "answer": {"number": 20},
}


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("I do not know the answer.\n\nQuestion: 4 * 5?\nAnswer: $\\boxed{20}$", "no_answer"),
        ("I do not know yet.\nLet me try.\n\nQuestion: 4 * 5?\n$\\boxed{20}$", "correct"),
        ("$\\boxed{16}$\n$\\boxed{20}$\n\nTwo answers are possible: 16 or 20.", "bad_format"),
        ("$\\boxed{20}$\n\nAt first I thought of 16. I made a mistake there.", "correct"),
        ("$\\boxed{20}$\n\nOne student wrote 16; that is incorrect.", "correct"),
        ("$\\boxed{20}$, not $\\boxed{16}$ or $\\boxed{18}$.", "correct"),
        ("Not $\\boxed{16}$ or $\\boxed{18}$.", "bad_format"),
        ("Although $\\boxed{16}$ is tempting, everything points to $\\boxed{20}$.", "correct"),
        ("It is none other than $\\boxed{20}$.", "correct"),
        ("It is $\\boxed{20}$ and by no means $\\boxed{16}$, easy to confuse.", "correct"),
        (
            "Some insist on $\\boxed{20}$. I disagree and stay with my result: $\\boxed{16}$",
            "wrong",
        ),
        (
            "On the one hand $\\boxed{20}$, on the other $\\boxed{16}$; I cannot decide.",
            "bad_format",
        ),
        ("I said 16 earlier; it should be 20.", "correct"),
        ("$\\boxed{20}$\n\nI also considered $\\boxed{16}$, but I reject it.", "correct"),
        ("$\\boxed{20}$\n\nBut shouldn't it be $\\boxed{16}$? No, that is wrong.", "correct"),
        ("If you read it carefully, you would get $\\boxed{20}$.", "correct"),
        ("If you do not read it carefully, you would get $\\boxed{20}$.", "bad_format"),
        ("$\\boxed{20}$ No, wait. I misread my notes: this answer is right after all.", "correct"),
        ("There are other candidates, such as $\\boxed{20}$.", "bad_format"),
        ("At first I thought $\\boxed{20}$, but then I saw more.", "bad_format"),
        ("❌ $\\boxed{20}$ ✅", "correct"),
        ("$\\boxed{20}$\n\nWait, it should be:", "bad_format"),
        ("$\\boxed{20}$\n\nThe answer is not $\\boxed{20}$.", "bad_format"),
        ("The first answer is 16 and the final answer is 20.", "correct"),
        ("Step 20: the answer is simple.", "no_answer"),
        ("$\\boxed{20}$\n\nThe answer might just as well be 16; I leave it open.", "bad_format"),
        ("$\\boxed{20}$\n\nRejected draft (please ignore): $\\boxed{16}$", "correct"),
        ("$\\boxed{20}$\n\nI also examined $\\boxed{16}$, but that fails.", "correct"),
        ("$\\boxed{20}$\n\nOne might object that this is wrong. It is not.", "correct"),
        ("The answer is 16. Wait, I forgot something: it's 20.", "correct"),
        ("Is it 18? The answer is 16. The check gives 20. That is my answer.", "correct"),
        ("I think 20. That is the wrong answer.", "bad_format"),
    ],
)
def test_status(text: str, status: str) -> None:
    assert grade(text, NUMBER).status == status


FAMILIES: dict[str, tuple[Mapping[str, object], str]] = {
    "proof_tree": (NUMBER, "$\\boxed{{{}}}$"),
    "polymath": ({"family": "polymath", "task": "polymath", "answer": "20"}, "$\\boxed{{{}}}$"),
    "dsa": ({"task": "dsa", "answer": {"state": "A0020"}}, '{{"state": "A00{}"}}'),
    "korbench": (
        {
            "family": "korbench",
            "task": "kor_operation",
            "category": "operation",
            "rule_id": "1",
            "idx": "1",
            "answer": "[[20]]",
        },
        "[[{}]]",
    ),
}


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("F20", "correct"),
        ("Not F28 or F24.", "bad_format"),
        ("F20, not F28 or F24.", "correct"),
        ("F20\n\nThe answer is not F20.", "bad_format"),
        ("F20 or F28, I cannot say which.", "bad_format"),
        ("Possible answers:\nF28\nF20", "bad_format"),
        ("F28\n\nWhy not F20? Who gets F20 forgets a step.", "wrong"),
        ("~~F20~~", "bad_format"),
    ],
)
def test_one_verdict_in_every_family(family: str, text: str, status: str) -> None:
    reference, form = FAMILIES[family]
    filled = re.sub(r"F(\d+)", lambda number: form.format(number[1]), text)
    assert grade(filled, reference).status == status


def test_a_word_for_or_that_also_asks() -> None:
    reference = {"family": "polymath", "task": "polymath", "answer": "20", "language": "ja"}
    text = "答えは $\\boxed{16}$ か $\\boxed{20}$ のどちらかです。"
    assert grade(text, reference).status == "bad_format"

"""The tasks of this family in lm-evaluation-harness, and how people speak of them."""

from __future__ import annotations

from typing import Any

from . import fresh, released
from .loading import SETTINGS

GROUP = "kor"

_METRICS = ["acc", "parsed", "strict", "truncated", "score_default", "score_paper"]
_MORE = {
    "kor_counterfactual": ["real_life"],
    released.CORRECTION: ["first_round"],
    **{task: ["pass_rate"] for task in SETTINGS},
}

LABELS: dict[str, tuple[str, str, str, str]] = {
    "kor_operation": (
        "KOR-Bench: operations", "operation",
        "Calculate with operators that are defined for the question.", "questions",
    ),
    "kor_logic": (
        "KOR-Bench: logic", "logic",
        "Reason with systems of logic that are defined for the question.", "questions",
    ),
    "kor_cipher": (
        "KOR-Bench: ciphers", "cipher",
        "Encrypt and decrypt by rules that are given in full.", "questions",
    ),
    "kor_puzzle": (
        "KOR-Bench: puzzles", "puzzle",
        "Solve puzzles of words, numbers and grids by their rules.", "questions",
    ),
    "kor_counterfactual": (
        "KOR-Bench: counterfactuals", "counterfactual",
        "Answer questions about a world that differs from the real one.", "questions",
    ),
    released.TRICK: (
        "KOR-Bench: puzzles with a trick", "puzzle, trick",
        "The puzzles again, each with a hint.", "questions",
    ),
    "kor_multi_q": (
        "KOR-Bench: one rule, several questions", "multi-q",
        "Answer up to ten questions about one rule at once.", "questions",
    ),
    "kor_multi_r": (
        "KOR-Bench: several rules, one question", "multi-r",
        "Find the rule that a question is about among two or three.", "questions",
    ),
    "kor_multi_rq": (
        "KOR-Bench: several rules and questions", "multi-rq",
        "Answer up to three questions about two or three rules at once.", "questions",
    ),
    released.STEPS: (
        "KOR-Bench: steps of ciphers", "cipher, steps",
        "Carry out one step of a cipher on the result of the step before.", "steps",
    ),
    released.CORRECTION: (
        "KOR-Bench: self-correction", "self-correction",
        "Answer again and again after being told that the answer is wrong.", "questions",
    ),
    fresh.TASK: (
        "KOR-Bench: fresh ciphers", "fresh cipher",
        "Encrypt and decrypt new texts by the 25 rules of the ciphers.", "letters",
    ),
}  # fmt: skip
"""Of every task: its title, its name in a table, what is asked, what its complexity counts."""


def lm_eval_tasks() -> list[dict[str, Any]]:
    """One entry per lm-eval task, which has the name of the task whose rows it takes.

    The keys are ``task``, ``group``, ``xlgo_task``, ``languages``, ``metadata`` (options of
    ``rows`` that differ from their defaults), ``metrics`` and ``in_group``. The group runs the
    five categories only: their mean is the overall accuracy of the paper, for each has as many
    questions as the others.
    """
    return [
        {
            "task": task,
            "group": GROUP,
            "xlgo_task": task,
            "languages": [released.LANGUAGE],
            "metadata": {},
            "metrics": [*_METRICS, *_MORE.get(task, ())],
            "in_group": task in released.CATEGORY_TASKS,
        }
        for task in LABELS
    ]

"""The tasks of this family in lm-evaluation-harness, and how people speak of them."""

from __future__ import annotations

from ...family import HarnessTask, TaskLabels
from . import fresh, prompts, released
from .loading import SETTINGS

GROUP = "kor"
STEP = "self_correction"
"""The kind of chain of ``kor_self_correction``."""

_TEMPLATES = {
    "kor_counterfactual": "kor_counterfactual",
    released.CORRECTION: "kor_self_correction",
    **dict.fromkeys(SETTINGS, "kor_multi"),
}
"""Files of shared settings of the tasks that have metrics of their own."""

LABELS: dict[str, TaskLabels] = {
    "kor_operation": TaskLabels(
        "KOR-Bench: operations", "operation",
        "Calculate with operators that are defined for the question.", "questions",
    ),
    "kor_logic": TaskLabels(
        "KOR-Bench: logic", "logic",
        "Reason with systems of logic that are defined for the question.", "questions",
    ),
    "kor_cipher": TaskLabels(
        "KOR-Bench: ciphers", "cipher",
        "Encrypt and decrypt by rules that are given in full.", "questions",
    ),
    "kor_puzzle": TaskLabels(
        "KOR-Bench: puzzles", "puzzle",
        "Solve puzzles of words, numbers and grids by their rules.", "questions",
    ),
    "kor_counterfactual": TaskLabels(
        "KOR-Bench: counterfactuals", "counterfactual",
        "Answer questions about a world that differs from the real one.", "questions",
    ),
    released.TRICK: TaskLabels(
        "KOR-Bench: puzzles with a trick", "puzzle, trick",
        "The puzzles again, each with a hint.", "questions",
    ),
    "kor_multi_q": TaskLabels(
        "KOR-Bench: one rule, several questions", "multi-q",
        "Answer up to ten questions about one rule at once.", "questions",
    ),
    "kor_multi_r": TaskLabels(
        "KOR-Bench: several rules, one question", "multi-r",
        "Find the rule that a question is about among two or three.", "questions",
    ),
    "kor_multi_rq": TaskLabels(
        "KOR-Bench: several rules and questions", "multi-rq",
        "Answer up to three questions about two or three rules at once.", "questions",
    ),
    "kor_multi_rq_hard": TaskLabels(
        "KOR-Bench: several rules and many questions", "multi-rq-hard",
        "Answer up to ten questions about two to five rules at once.", "questions",
    ),
    released.STEPS: TaskLabels(
        "KOR-Bench: steps of ciphers", "cipher, steps",
        "Carry out one step of a cipher on the result of the step before.", "steps",
    ),
    released.CORRECTION: TaskLabels(
        "KOR-Bench: self-correction", "self-correction",
        "Answer again and again after being told that the answer is wrong.", "questions",
    ),
    fresh.TASK: TaskLabels(
        "KOR-Bench: fresh ciphers", "fresh cipher",
        "Encrypt and decrypt new texts by the 25 rules of the ciphers.", "letters",
    ),
}  # fmt: skip


def harness_tasks() -> tuple[HarnessTask, ...]:
    """One for each task, of the same name.

    The group runs the five categories only: their mean is the overall accuracy of the paper, for
    each has as many questions as the others.
    """
    return tuple(
        HarnessTask(
            task, task, (released.LANGUAGE,), GROUP, _TEMPLATES.get(task, GROUP),
            in_group=task in released.CATEGORY_TASKS,
            step=STEP if task == released.CORRECTION else "",
            stop=(prompts.STOP,),
        )
        for task in LABELS
    )  # fmt: skip

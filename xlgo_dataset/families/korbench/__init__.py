"""The family KOR-Bench: reasoning by rules that were invented for the test (arXiv 2410.06526).

The questions of five categories are loaded from a local folder or the Hub; nothing of them is part
of this project. ``kor_cipher_fresh`` is generated: new texts for the 25 cipher rules.
"""

from ...core import HarnessTask, TaskLabels
from ...family import Family
from . import fresh, prompts, questions, released
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


def _labels(title: str, short: str, about: str, unit: str = "questions") -> TaskLabels:
    return TaskLabels(title, short, about, unit, loaded=(released.SPLIT,))


LABELS: dict[str, TaskLabels] = {
    "kor_operation": _labels(
        "KOR-Bench: operations", "operation",
        "Calculate with operators that are defined for the question.",
    ),
    "kor_logic": _labels(
        "KOR-Bench: logic", "logic",
        "Reason with systems of logic that are defined for the question.",
    ),
    "kor_cipher": _labels(
        "KOR-Bench: ciphers", "cipher",
        "Encrypt and decrypt by rules that are given in full.",
    ),
    "kor_puzzle": _labels(
        "KOR-Bench: puzzles", "puzzle",
        "Solve puzzles of words, numbers and grids by their rules.",
    ),
    "kor_counterfactual": _labels(
        "KOR-Bench: counterfactuals", "counterfactual",
        "Answer questions about a world that differs from the real one.",
    ),
    released.TRICK: _labels(
        "KOR-Bench: puzzles with a trick", "puzzle, trick",
        "The puzzles again, each with a hint.",
    ),
    "kor_multi_q": _labels(
        "KOR-Bench: one rule, several questions", "multi-q",
        "Answer up to ten questions about one rule at once.",
    ),
    "kor_multi_r": _labels(
        "KOR-Bench: several rules, one question", "multi-r",
        "Find the rule that a question is about among two or three.",
    ),
    "kor_multi_rq": _labels(
        "KOR-Bench: several rules and questions", "multi-rq",
        "Answer up to three questions about two or three rules at once.",
    ),
    "kor_multi_rq_hard": _labels(
        "KOR-Bench: several rules and many questions", "multi-rq-hard",
        "Answer up to ten questions about two to five rules at once.",
    ),
    released.STEPS: _labels(
        "KOR-Bench: steps of ciphers", "cipher, steps",
        "Carry out one step of a cipher on the result of the step before.", "steps",
    ),
    released.CORRECTION: _labels(
        "KOR-Bench: self-correction", "self-correction",
        "Answer again and again after being told that the answer is wrong.",
    ),
    fresh.TASK: TaskLabels(
        "KOR-Bench: fresh ciphers", "fresh cipher",
        "Encrypt and decrypt new texts by the 25 rules of the ciphers.", "letters",
    ),
}  # fmt: skip


def _harness_tasks() -> tuple[HarnessTask, ...]:
    """One for each task, of the same name.

    The group runs the five categories only: their mean is the overall accuracy of the paper, for
    each has as many questions as the others.
    """
    return tuple(
        HarnessTask(
            task,
            task,
            (released.LANGUAGE,),
            GROUP,
            _TEMPLATES.get(task, GROUP),
            in_group=task in released.CATEGORY_TASKS,
            step=STEP if task == released.CORRECTION else "",
            stop=(prompts.STOP,),
        )
        for task in LABELS
    )


FAMILY = Family(
    name=released.NAME,
    package=__name__,
    title="Rules that no model has seen (KOR-Bench)",
    DATA_VERSION=questions.DATA_VERSION,
    labels=LABELS,
    source="""\
The rules of {tasks} are those of

> KOR-Bench: Benchmarking Language Models on Knowledge-Orthogonal Reasoning Tasks
> (https://arxiv.org/abs/2410.06526).

The rule texts, the questions and the programs that solve them were written for this project.
""",
    languages_of=lambda task: (released.LANGUAGE,),
    options_of=questions.task_options,
    settle=questions.settle,
    make_rows=questions.rows,
    harness_tasks=_harness_tasks,
    # Fresh questions are cut by their number in the rule.
    shards_of=lambda task, chosen: int(chosen.get("per_rule", 1)),
    generate=fresh.generate,
    answer_in=lambda instance, language: fresh.answer(instance),
    render=questions.render,
    instance_from_json=lambda task, data: fresh.instance_from_json(data),
    half_right=lambda task: 12.0 if task == fresh.TASK else None,
)
"""Rules of five categories, their mixtures, self-correction, and fresh questions of ciphers."""

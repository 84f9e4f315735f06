"""The family KOR-Bench: reasoning by rules that were invented for the test (arXiv 2410.06526).

The questions of five categories are loaded from a local folder or the Hub; nothing of them is part
of this project. ``kor_cipher_fresh`` is generated: new texts for the 25 cipher rules.
"""

from __future__ import annotations

from ...family import Family
from . import fresh, harness, questions, released

FAMILY = Family(
    name=released.NAME,
    package=__name__,
    title="Rules that no model has seen (KOR-Bench)",
    DATA_VERSION=questions.DATA_VERSION,
    labels=harness.LABELS,
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
    harness_tasks=harness.harness_tasks,
    # Fresh questions are cut by their number in the rule.
    shards_of=lambda task, chosen: int(chosen.get("per_rule", 1)),
    generate=questions.generate,
    solve=fresh.solve,
    answer_in=lambda instance, language: fresh.answer(instance),
    render=questions.render,
    instance_from_json=lambda task, data: fresh.instance_from_json(data),
    half_right=lambda task: 12.0 if task == fresh.TASK else None,
)
"""Rules of five categories, their mixtures, self-correction, and fresh questions of ciphers."""

"""``--design adaptive``: ask in rounds, each where the answers so far say.

What is asked is settled by :mod:`xlgo_metric.statistics.adaptive` from the answers alone. A
run that was killed replays its rounds out of the file of answers, which asks for nothing twice, and
goes on with the same plan. At the end one more evaluation of everything writes one samples file.
"""

import itertools
import json
from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Any

from xlgo_dataset.core.question_plan import TaskPlan, plan_json
from xlgo_lm_eval.answers import ANSWERED
from xlgo_metric.comparison.compare import EXTENDED, PLAN_OF, slug
from xlgo_metric.statistics.adaptive import NAME, next_step

from ..folders import write_text
from .evaluation import Evaluator, Results
from .models import is_first_process
from .prepared import PLAN, Prepared
from .progress import note

FOLDER = "adaptive"
"""In the folder of the results: the plan of the whole run, which ``--plan`` takes."""

_REASONS = {
    "right everywhere": "correct everywhere: nothing to compare; try higher complexities (--c-max)",
    "wrong everywhere": "wrong everywhere: nothing to compare; try lower complexities (--c-min)",
    "budget": "budget used up",
}
"""Why a task is asked no more."""

Cells = dict[int, tuple[int, ...]]
"""The indexes of the questions of each complexity."""

Outcome = tuple[int, int, dict[str, bool]]
"""A question, by complexity and index, and in which languages it was answered right. The design
hears only how many they are."""


def run_adaptive(session: Evaluator) -> None:
    """Ask round after round until every task has had enough, then write what came of it.

    Args:
        session: evaluates each round.

    Raises:
        OSError: not everything could be written.
    """
    run, request = session.run, session.run.request
    session.plan(run.parts(alone=False))
    design = _design_of(session)
    answers: dict[str, list[Outcome]] = {name: [] for name in run.designs}
    for number in itertools.count(1):
        steps = {
            name: next_step(
                task.design,
                [(size, index, sum(right.values())) for size, index, right in answers[name]],
            )
            for name, task in run.designs.items()
        }
        cells = {name: step.cells for name, step in steps.items() if step.cells}
        if not cells:
            break
        sizes = (f"{task} {_in_words(of_task)}" for task, of_task in cells.items())
        _say(session, f"[round {number}] {'; '.join(sizes)}")
        results = _evaluate(session, cells, design)
        right = {} if results is None else outcomes(results["samples"], cells)
        for task, questions in _from_first(session.model, right).items():
            answers[task] += questions
    for name, step in steps.items():
        own = sorted((size, index) for size, index, _ in answers[name])
        by_size = itertools.groupby(own, key=itemgetter(0))
        cells[name] = {size: tuple(index for _, index in group) for size, group in by_size}
        _say(session, f"{name}: {len(answers[name])} questions, {_REASONS[step.reason or '']}")
    session.progress.is_paused = True  # these answers were counted
    results = _evaluate(session, cells, design)
    if results is not None:
        model, path = request.model_name, request.folder / FOLDER / PLAN
        plan = _plan(run, cells, f"{PLAN_OF}{slug(model)}", made_by=model)
        write_text(path, json.dumps(plan) + "\n")
        _say(session, f"plan: {path}")
        session.save(results, PLAN, budget=request.budget, design=design)


def _say(session: Evaluator, text: str) -> None:
    if not session.run.request.quiet and is_first_process():
        note(text)


def _design_of(session: Evaluator) -> str:
    """The name of the design, which tells whether the budget was changed after its results."""
    earlier = session.wrote.get(PLAN, {})
    if earlier.get("budget", session.run.request.budget) == session.run.request.budget:
        return str(earlier.get("design", NAME))
    _say(
        session,
        "the budget was changed after answers had been seen: this is recorded, and the report says "
        "so",
    )
    return NAME + EXTENDED


def _evaluate(session: Evaluator, cells: Mapping[str, Cells], design: str) -> Results | None:
    """The harness's results on some questions."""
    run = session.run
    names = [name for task in cells for name in run.designs[task].names]
    return session.evaluate(names, {**run.request.metadata, "plan": _plan(run, cells, design)})


def _plan(
    run: Prepared, cells: Mapping[str, Cells], design: str, **extra: str
) -> Mapping[str, object]:
    ends = {name: (task.design.c_min, task.design.c_max) for name, task in run.designs.items()}
    tasks = {name: TaskPlan(of_task, *ends[name]) for name, of_task in cells.items()}
    return plan_json(
        tasks, design=design, seed=int(run.request.metadata.get("xlgo_seed", 0)), **extra
    )


def outcomes(
    samples: Mapping[str, Iterable[Results]], cells: Mapping[str, Cells]
) -> dict[str, list[Outcome]]:
    """Return the outcome of every question of a round.

    An answer that is missing or refused counts as not right here, where it is settled what is
    asked next; it is in no rate.

    Args:
        samples: of the harness, by task.
        cells: what the round asked.
    """
    right: dict[tuple[str, int, int], dict[str, bool]] = {}
    for sample in itertools.chain(*samples.values()):
        reference = json.loads(sample["doc"]["reference"])
        question = (reference["task"], reference["complexity"], reference["index"])
        is_there = sample["resps"][0][0].state == ANSWERED
        right.setdefault(question, {})[reference["language"]] = is_there and sample["acc"] == 1
    return {
        task: [
            (size, index, right[task, size, index])
            for size in task_cells
            for index in task_cells[size]
        ]
        for task, task_cells in cells.items()
    }


def _from_first(lm: Any, right: dict[str, list[Outcome]]) -> dict[str, list[Outcome]]:
    """What the first of several processes gives, in all of them."""
    if lm.world_size == 1:
        return right
    from torch import distributed

    sent = [right]
    distributed.broadcast_object_list(sent, device=lm.device)
    return sent[0]


def _in_words(cells: Cells) -> str:
    low, high = min(cells), max(cells)
    span = f"{low}" if low == high else f"{low}-{high}"
    return f"{sum(map(len, cells.values()))} at {span}"

"""``--design adaptive``: ask in rounds, each where the answers so far say.

What is asked is settled by :mod:`xlgo_metric.statistics.adaptive.design` from the answers alone. A
run that was killed replays its rounds out of the file of answers, which asks for nothing twice, and
goes on with the same plan. At the end one more evaluation of everything writes one samples file.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Any

from xlgo_dataset.core.question_plan import TaskPlan, plan_json
from xlgo_lm_eval.replies import ANSWERED
from xlgo_metric.comparison.compare import PLAN_OF, slug
from xlgo_metric.statistics.adaptive import EXTENDED, NAME
from xlgo_metric.statistics.adaptive.design import Step, next_step
from xlgo_metric.table import points

from ..folders import write_text
from .evaluation import SETTINGS, Evaluator
from .models import is_first_process
from .prepared import PLAN
from .progress import note

FOLDER = "adaptive"
"""In the folder of the results: the plan of the whole run, which ``--plan`` takes."""

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
    run = _Run(session)
    while cells := run.next():
        run.ask(cells)
    run.finish()


class _Run:
    """A run between its rounds."""

    def __init__(self, session: Evaluator) -> None:
        self._session, self._request = session, session.run.request
        self._tasks = session.run.designs
        self._number = 0
        self._answers: dict[str, list[Outcome]] = {name: [] for name in self._tasks}
        session.plan(session.run.parts(alone=False))
        options = self._request.adaptive
        assert options is not None
        settings = {"budget": options.budget, "precision": options.precision}
        events = session.answers.noted(SETTINGS)
        if not events or events[-1]["settings"] != settings:
            events.append({"settings": settings, "answered": len(session.answers)})
            if is_first_process():
                session.answers.note(SETTINGS, **events[-1])
        self._design = NAME
        if any(event["answered"] for event in events[1:]):
            self._design += EXTENDED
            self._say(
                "budget or precision were changed after answers had been seen: this is recorded, "
                "and the report says so"
            )

    def _say(self, text: str) -> None:
        if not self._request.quiet and is_first_process():
            note(text)

    def next(self) -> dict[str, Cells]:
        """What the next round asks of each task; empty when all have enough."""
        return {name: step.cells for name, step in self._steps().items() if step.cells}

    def ask(self, cells: Mapping[str, Cells]) -> None:
        """Evaluate a round, and take in what came of it."""
        self._number += 1
        sizes = (f"{task} {_in_words(of_task)}" for task, of_task in cells.items())
        self._say(f"[round {self._number}] {'; '.join(sizes)}")
        results = self._evaluate(cells)
        right = {} if results is None else outcomes(results["samples"], cells)
        for task, questions in _from_first(self._session.model, right).items():
            self._answers[task] += questions

    def _evaluate(self, cells: Mapping[str, Cells]) -> dict[str, Any] | None:
        """The harness's results on some questions."""
        names = [name for task in cells for name in self._tasks[task].names]
        plan = self._plan(cells, self._design)
        return self._session.evaluate(names, {**self._request.metadata, "plan": plan})

    def finish(self) -> None:
        """Write samples and plan of all rounds, and say why each task had enough."""
        cells = {}
        for name, step in self._steps().items():
            questions = sorted((size, index) for size, index, _ in self._answers[name])
            groups = itertools.groupby(questions, key=itemgetter(0))
            cells[name] = {size: tuple(index for _, index in group) for size, group in groups}
            self._say(f"{name}: {len(questions)} questions, {_why(step)}")
        self._session.progress.is_paused = True  # these answers were counted
        results = self._evaluate(cells)
        if results is not None:
            model, path = self._request.model_name, self._request.folder / FOLDER / PLAN
            plan = self._plan(cells, f"{PLAN_OF}{slug(model)}", made_by=model)
            write_text(path, json.dumps(plan) + "\n")
            self._say(f"plan: {path}")
            self._session.save(results, PLAN)

    def _steps(self) -> dict[str, Step]:
        return {
            name: next_step(
                task.design,
                [(size, index, sum(right.values())) for size, index, right in self._answers[name]],
            )
            for name, task in self._tasks.items()
        }

    def _plan(self, cells: Mapping[str, Cells], design: str, **extra: str) -> dict[str, object]:
        ends = {name: (task.design.c_min, task.design.c_max) for name, task in self._tasks.items()}
        tasks = {name: TaskPlan(of_task, *ends[name]) for name, of_task in cells.items()}
        seed = int(self._request.metadata.get("xlgo_seed", 0))
        return plan_json(tasks, design=design, seed=seed, **extra)


def outcomes(
    samples: Mapping[str, Iterable[Mapping[str, Any]]], cells: Mapping[str, Cells]
) -> dict[str, list[Outcome]]:
    """Return the outcome of every question of a round.

    An answer that is missing or refused counts as not right here, where it is settled what is
    asked next; it is in no rate.

    Args:
        samples: of the harness, by task.
        cells: what the round asked.

    Raises:
        ValueError: an answer was not graded.
    """
    right: dict[tuple[str, int, int], dict[str, bool]] = {}
    for sample in itertools.chain(*samples.values()):
        reference = json.loads(sample["doc"]["reference"])
        question = (reference["task"], reference["complexity"], reference["index"])
        right.setdefault(question, {})[reference["language"]] = _is_right(sample)
    return {
        task: [
            (size, index, right[task, size, index])
            for size in task_cells
            for index in task_cells[size]
        ]
        for task, task_cells in cells.items()
    }


def _is_right(sample: Mapping[str, Any]) -> bool:
    if sample["resps"][0][0].state != ANSWERED:
        return False
    if "acc" not in sample:
        raise ValueError(
            "an answer was not graded: an adaptive design needs grades (leave out --predict_only)"
        )
    return bool(sample["acc"] == 1)


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


def _why(step: Step) -> str:
    if step.reason == "right everywhere":
        return "correct everywhere: nothing to compare; try higher complexities (--c-max)"
    if step.reason == "wrong everywhere":
        return "wrong everywhere: nothing to compare; try lower complexities (--c-min)"
    predicted = f"predicted sd of a gap {points(step.predicted_sd or 0.0, signed=False)} points"
    return f"{predicted} ({'precise enough' if step.reason == 'precision' else 'budget used up'})"

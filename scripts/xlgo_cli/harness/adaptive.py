"""``--design adaptive``: ask in rounds, each where the answers so far say.

What is asked is settled by :mod:`xlgo_metric.statistics.adaptive.design` from the answers alone. A
run that was killed replays its rounds out of the file of answers, which asks for nothing twice, and
goes on with the same plan. At the end one more evaluation of everything writes one samples file.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from xlgo_dataset.core.question_plan import TaskPlan, plan_json
from xlgo_lm_eval.replies import ANSWERED
from xlgo_metric.comparison.compare import PLAN_OF, slug
from xlgo_metric.statistics.adaptive import EXTENDED, NAME
from xlgo_metric.statistics.adaptive.design import Asked, Step, next_step
from xlgo_metric.statistics.adaptive.second_stage import NAME as PAIR
from xlgo_metric.statistics.adaptive.second_stage import next_pair_cells
from xlgo_metric.table import points

from ..display.labels import ENGLISH
from ..folders import write_text
from .evaluation import SETTINGS, Evaluator
from .models import is_first_process
from .prepared import PLAN
from .progress import note

FOLDER = "adaptive"
"""In the folder of the results: the plan of the whole run, which ``--plan`` takes."""

PAIR_PLAN = "plan_{}.json"
"""The second stage of a language and English."""

Cells = dict[int, tuple[int, ...]]
"""The indexes of the questions of each complexity."""

Outcome = tuple[int, int, dict[str, bool]]
"""A question, by complexity and index, and in which languages it was answered right. The design
hears only how many they are, a second stage how many of its two."""


@dataclass(frozen=True)
class Round:
    """What a round asks.

    Attributes:
        cells: of every task.
        pair: the language whose second stage it is, with English; ``None`` for all languages.
    """

    cells: dict[str, Cells]
    pair: str | None = None


def run_adaptive(session: Evaluator) -> None:
    """Ask round after round until every task has had enough, then write what came of it.

    Args:
        session: evaluates each round.

    Raises:
        OSError: not everything could be written.
    """
    run = _Run(session)
    while (planned := run.next()) is not None:
        run.ask(planned)
    run.finish()


class _Run:
    """A run between its rounds."""

    def __init__(self, session: Evaluator) -> None:
        self._session, self._request = session, session.run.request
        self._tasks = session.run.designs
        self._number = 0
        self._answers: list[tuple[str | None, str, int, int, dict[str, bool]]] = []
        session.plan(session.run.parts(alone=False))
        options = self._request.adaptive
        assert options is not None
        self._second_stage = options.second_stage
        settings = {
            "budget": options.budget,
            "precision": options.precision,
            "second_stage": options.second_stage,
        }
        events = session.answers.noted(SETTINGS)
        if not events or events[-1]["settings"] != settings:
            events.append({"settings": settings, "answered": len(session.answers)})
            if is_first_process():
                session.answers.note(SETTINGS, **events[-1])
        self._extended = any(event["answered"] for event in events[1:])
        if self._extended:
            self._say(
                "budget, precision or second stage were changed after answers had been seen: this "
                "is recorded, and the report says so"
            )

    def _say(self, text: str) -> None:
        if not self._request.quiet and is_first_process():
            note(text)

    def next(self) -> Round | None:
        """The next round: of all languages, and when these have enough, of one and English."""
        cells = {name: step.cells for name, step in self._steps().items() if step.cells}
        if cells or not self._second_stage:
            return Round(cells) if cells else None
        for code, names in self._pairs().items():
            for name in names:
                task = self._tasks[name]
                of_all, of_pair = (
                    self._asked(name, stage, (ENGLISH, code)) for stage in (None, code)
                )
                index = task.languages.index(code)
                if more := next_pair_cells(task.design, of_all, of_pair, index):
                    cells[name] = more
            if cells:
                return Round(cells, code)
        return None

    def ask(self, planned: Round) -> None:
        """Evaluate a round, and take in what came of it."""
        sizes = "; ".join(f"{task} {_told(cells)}" for task, cells in planned.cells.items())
        pair = planned.pair
        only = "" if pair is None else f" (only {ENGLISH} and {pair}, which are far apart)"
        self._number += 1
        self._say(f"[round {self._number}] {sizes}{only}")
        results = self._session.evaluate(*self._evaluation(planned))
        right = {} if results is None else outcomes(results["samples"], planned.cells)
        for task, cells in _from_first(self._session.model, right).items():
            self._answers += [(pair, task, *outcome) for outcome in cells]

    def _evaluation(self, planned: Round) -> tuple[list[str], dict[str, Any]]:
        """The harness's tasks of a round, and their options."""
        pair = planned.pair
        design = (NAME if pair is None else PAIR) + (EXTENDED if self._extended else "")
        metadata = {**self._request.metadata, "plan": self._plan(planned.cells, design)}
        tasks = [self._tasks[task] for task in planned.cells]
        if pair is None:
            return [name for task in tasks for name in task.names], metadata
        metadata.pop("languages", None)
        return [task.alone[code] for task in tasks for code in (ENGLISH, pair)], metadata

    def finish(self) -> None:
        """Write samples and plans of all rounds, and say why each task had enough."""
        whole = self._cells(None)
        for name, step in self._steps().items():
            self._say(f"{name}: {_number(whole.get(name, {}))} questions, {_why(step)}")
        parts = [(PLAN, Round(whole))]
        for code in self._pairs():
            second = self._cells(code)
            for name, cells in second.items():
                more = _number(cells)
                self._say(f"{name}: {more} more in {ENGLISH} and {code}, which are far apart")
            parts += [(PAIR_PLAN.format(code), Round(second, code))] if second else []
        self._session.progress.is_paused = True  # these answers were counted
        for file, planned in parts:
            results = self._session.evaluate(*self._evaluation(planned))
            if results is not None:
                made_by, path = self._request.model_name, self._request.folder / FOLDER / file
                plan = self._plan(planned.cells, f"{PLAN_OF}{slug(made_by)}", made_by=made_by)
                write_text(path, json.dumps(plan) + "\n")
                self._say(f"plan: {path}")
                self._session.save(results, file)

    def _steps(self) -> dict[str, Step]:
        return {
            name: next_step(task.design, self._asked(name, None, task.languages))
            for name, task in self._tasks.items()
        }

    def _pairs(self) -> dict[str, list[str]]:
        """Languages that may have a second stage, and the tasks in which they may."""
        tasks: dict[str, list[str]] = {}
        for name, task in self._tasks.items():
            for code in task.pairs:
                tasks.setdefault(code, []).append(name)
        return tasks

    def _asked(self, task: str, pair: str | None, languages: Sequence[str]) -> list[Asked]:
        """The questions of a stage, and in how many of some languages each was answered right."""
        return [
            (size, index, sum(right[code] for code in languages))
            for stage, name, size, index, right in self._answers
            if (stage, name) == (pair, task)
        ]

    def _cells(self, pair: str | None) -> dict[str, Cells]:
        """What the rounds of a stage asked of each task, both complexities and indexes rising."""
        cells: dict[str, Cells] = {}
        for task in self._tasks:
            questions = sorted((size, index) for size, index, _ in self._asked(task, pair, ()))
            for size, indexes in itertools.groupby(questions, key=itemgetter(0)):
                cells.setdefault(task, {})[size] = tuple(index for _, index in indexes)
        return cells

    def _plan(self, cells: Mapping[str, Cells], design: str, **extra: str) -> dict[str, object]:
        tasks = {
            name: TaskPlan(
                task_cells, self._tasks[name].design.c_min, self._tasks[name].design.c_max
            )
            for name, task_cells in cells.items()
        }
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


def _number(cells: Cells) -> int:
    """How many questions they are."""
    return sum(map(len, cells.values()))


def _told(cells: Cells) -> str:
    questions = _number(cells)
    low, high = min(cells), max(cells)
    return f"{questions} at {low}" if low == high else f"{questions} at {low}-{high}"


def _why(step: Step) -> str:
    if step.reason == "right everywhere":
        return "correct everywhere: nothing to compare; try higher complexities (--c-max)"
    if step.reason == "wrong everywhere":
        return "wrong everywhere: nothing to compare; try lower complexities (--c-min)"
    predicted = f"predicted sd of a gap {points(step.predicted_sd or 0.0, signed=False)} points"
    return f"{predicted} ({'precise enough' if step.reason == 'precision' else 'budget used up'})"

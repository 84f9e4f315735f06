"""``xlgo run --design adaptive``: rounds of questions, each where the answers so far say.

What is asked is settled by :mod:`xlgo_metric.statistics.design` from the ledger of the rounds, so
a run that was killed goes on with the same plan.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import xlgo_dataset as xd
from xlgo_dataset.core.question_plan import TaskPlan, plan_json
from xlgo_lm_eval.utils import codes
from xlgo_metric.core import condition
from xlgo_metric.statistics.design import EXTENDED, NAME, Design, Step, next_step

from ..folders import write_text
from .blocks import Block, cache, digest, run_blocks
from .lm_eval_call import is_first_process
from .make_tasks import FoundTask
from .request import Adaptive, Request, model_name
from .rounds import Cells, Ledger, languages_right, way

FOLDER = "adaptive"
"""In the folder of the results: the ledger, the cache, the log and at the end the whole plan."""

LEDGER = "ledger.ndjson"
"""Not ``.jsonl``, which is how the files of samples are found."""

PLAN = "plan.json"
_SCHEMA = 1


@dataclass(frozen=True)
class TaskDesign:
    """A task of the data set, and how it is asked.

    Attributes:
        names: of the harness's tasks that ask it.
        languages: codes, in all of which every question is asked; under a condition as
            ``rounds.way`` names it.
        design: the settings.
    """

    names: tuple[str, ...]
    languages: tuple[str, ...]
    design: Design


def designs(
    request: Request, adaptive: Adaptive, tasks: Mapping[str, FoundTask], others: Sequence[str]
) -> dict[str, TaskDesign]:
    """The design of every task of the data set.

    Args:
        request: what is to be run.
        adaptive: its settings.
        tasks: of the harness, of this package.
        others: tasks that are not of this package.

    Raises:
        ValueError: a task without complexities to choose, or a value that is not allowed.
    """
    unable = [name for name, task in tasks.items() if _range(task) is None]
    if unable or others:
        raise ValueError(
            f"--design adaptive: {[*unable, *others][0]} has no complexities to choose: leave it "
            "out, or run it with --design fixed"
        )
    names: dict[str, list[str]] = {}
    languages: dict[str, list[str]] = {}
    for name, task in tasks.items():
        merged = {**task.metadata, **request.metadata}
        names.setdefault(task.spec.task, []).append(name)
        languages.setdefault(task.spec.task, []).extend(
            [task.metadata["xlgo_language"]]
            if "xlgo_language" in task.metadata
            else codes(merged["languages"])
        )
    found = {}
    for key, of in names.items():
        codes_ = tuple(dict.fromkeys(languages[key]))
        low, high = _ends(key, codes_, request, adaptive)
        asked = _ways(key, codes_, low, request)
        precision = None if adaptive.precision is None else adaptive.precision / 100.0
        try:
            design = Design(low, high, len(asked), adaptive.budget, precision)
        except ValueError as error:
            raise ValueError(f"--design adaptive: {key}: {error}") from error
        found[key] = TaskDesign(tuple(of), asked, design)
    return found


def _ways(
    task: str, languages: Sequence[str], complexity: int, request: Request
) -> tuple[str, ...]:
    """The languages in which a task is asked, with those under conditions."""
    given = {k: request.metadata[k] for k in ("conditions", "text") if k in request.metadata}
    if "conditions" not in given:
        return tuple(languages)
    family = xd.family_of(task)
    rows = family.questions(task, languages, complexities=[complexity], per_level=1, **given)
    asked = ((str(row["language"]), condition(json.loads(row["reference"]))) for row in rows)
    return tuple(way(*one) for one in asked)


def _range(task: FoundTask) -> tuple[int, int] | None:
    return xd.family(task.family).complexity_range(task.spec.task)


def _ends(
    task: str, languages: Sequence[str], request: Request, adaptive: Adaptive
) -> tuple[int, int]:
    """The range of a task: as given, or its own, cut to prompts that are not too long."""
    family = xd.family_of(task)
    own = family.complexity_range(task)
    if own is None:
        raise ValueError(f"{task} has no complexities to choose")
    low = own[0] if adaptive.c_min is None else adaptive.c_min
    high = own[1] if adaptive.c_max is None else adaptive.c_max
    if low >= high:
        raise ValueError(f"--design adaptive: {task}: c_min {low} must be below c_max {high}")
    family.options(task, complexities=[low, high])
    if adaptive.max_prompt_tokens is not None:
        from .prompt_tokens import counter, highest_within

        count = counter(adaptive.tokenizer, request)
        text = request.metadata.get("text", "paper")
        high = highest_within(
            task, languages, (low, high), limit=adaptive.max_prompt_tokens, count=count, text=text
        )
        print(
            f"{task}: complexities {low} to {high}: prompts of at most "
            f"{adaptive.max_prompt_tokens} tokens in every language"
        )
    return low, high


def run_adaptive(request: Request, tasks: Mapping[str, TaskDesign], folders: Sequence[Path]) -> int:
    """Ask round after round until every task has had enough.

    Args:
        request: what is to be run.
        tasks: from :func:`designs`.
        folders: where task files are.

    Returns:
        0, or the exit code of the round that failed; the same request then goes on from there.

    Raises:
        ValueError: the folder holds another adaptive run.
    """
    run = _Run(request, tasks)
    code = run_blocks(request, run.rounds(), folders, only_these=True)
    if code == 0 and is_first_process():
        run.finish()
    return code


class _Run:
    """A run between its rounds."""

    def __init__(self, request: Request, tasks: Mapping[str, TaskDesign]) -> None:
        self._request = request
        self._tasks = tasks
        self._state = request.folder / FOLDER
        self._seed = int(request.metadata.get("xlgo_seed", 0))
        header = {
            "ledger": _SCHEMA,
            "design": NAME,
            "digest": digest(request, [name for task in tasks.values() for name in task.names]),
            "tasks": {
                name: {
                    "range": [task.design.c_min, task.design.c_max],
                    "languages": list(task.languages),
                }
                for name, task in tasks.items()
            },
        }
        self._state.mkdir(parents=True, exist_ok=True)
        self._first = is_first_process()
        self._ledger = Ledger(self._state / LEDGER, header, writes=self._first)
        any_task = next(iter(tasks.values())).design
        settings = {"budget": any_task.budget, "precision": any_task.precision}
        self._extended = self._ledger.settle(settings)
        if self._extended:
            print(
                "budget or precision were changed after answers had been seen: this is recorded, "
                "and the report says so"
            )

    def _steps(self) -> dict[str, Step]:
        return {
            name: next_step(task.design, self._ledger.asked(name))
            for name, task in self._tasks.items()
        }

    def rounds(self) -> Iterator[Block]:
        """The rounds that are left; each is settled when the one before was answered."""
        ledger = self._ledger
        if ledger.right:
            print(f"{len(ledger.right)} rounds are done", flush=True)
        while True:
            if len(ledger.plans) == len(ledger.right):
                cells = {name: step.cells for name, step in self._steps().items() if step.cells}
                if not cells:
                    return
                ledger.plan(cells)
            yield self._block(ledger.plans[-1])

    def _block(self, cells: Mapping[str, Cells]) -> Block:
        number = len(self._ledger.plans)
        plan = self._plan(cells, EXTENDED if self._extended else NAME)
        request = dataclasses.replace(
            self._request, metadata={**self._request.metadata, "plan": plan}
        )
        names = [name for task in cells for name in self._tasks[task].names]
        before = self._samples()

        def note() -> None:
            if not self._first:
                self._ledger.wait()
                return
            new = self._samples() - before
            languages = {task: self._tasks[task].languages for task in cells}
            self._ledger.answer(languages_right(sorted(new), cells, languages))

        sizes = "; ".join(f"{task} {_told(of)}" for task, of in cells.items())
        arguments = request.arguments(names, cache(self._state, self._request, "rounds"))
        title = f"[round {number}] {sizes}"
        return Block(f"round {number}", title, arguments, self._state / "rounds.log", note)

    def _samples(self) -> set[Path]:
        return set(self._request.folder.rglob("samples_*.jsonl"))

    def _plan(self, cells: Mapping[str, Cells], design: str, **extra: str) -> dict[str, Any]:
        tasks = {
            name: TaskPlan(of, self._tasks[name].design.c_min, self._tasks[name].design.c_max)
            for name, of in cells.items()
        }
        return plan_json(tasks, design=design, seed=self._seed, **extra)

    def finish(self) -> None:
        """Write the plan of all rounds, and say why each task had enough."""
        whole: dict[str, Cells] = {}
        for name, step in self._steps().items():
            asked: dict[int, list[int]] = {}
            for size, index, _ in self._ledger.asked(name):
                asked.setdefault(size, []).append(index)
            whole[name] = {size: tuple(sorted(asked[size])) for size in sorted(asked)}
            print(f"{name}: {sum(map(len, asked.values()))} questions, {_why(step)}")
        made_by = model_name(self._request.model, self._request.model_args)
        plan = self._plan(whole, "plan", made_by=made_by)
        write_text(self._state / PLAN, json.dumps(plan) + "\n")
        print(f"plan: {self._state / PLAN}", flush=True)


def _told(cells: Cells) -> str:
    questions = sum(map(len, cells.values()))
    low, high = min(cells), max(cells)
    return f"{questions} at {low}" if low == high else f"{questions} at {low}-{high}"


def _why(step: Step) -> str:
    if step.reason == "right everywhere":
        return "right everywhere: nothing to compare; higher complexities might tell (--c-max)"
    if step.reason == "wrong everywhere":
        return "wrong everywhere: nothing to compare; lower complexities might tell (--c-min)"
    predicted = f"predicted sd of a gap {100 * (step.predicted_sd or 0.0):.1f} points"
    return f"{predicted} ({'precise enough' if step.reason == 'precision' else 'budget used up'})"

"""``xlgo run --design adaptive``: rounds of questions, each where the answers so far say.

What is asked is settled by :mod:`xlgo_metric.statistics.adaptive.design` from the ledger of the
rounds, so a run that was killed resumes with the same plan.
"""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import xlgo_dataset as xd
from xlgo_dataset.core.question_plan import TaskPlan, plan_json
from xlgo_dataset.family import has_few
from xlgo_metric.core import condition
from xlgo_metric.option import codes
from xlgo_metric.statistics.adaptive import EXTENDED, NAME
from xlgo_metric.statistics.adaptive.design import Asked, Design, Step, next_step
from xlgo_metric.statistics.adaptive.second_stage import NAME as PAIR
from xlgo_metric.statistics.adaptive.second_stage import next_pair_cells
from xlgo_metric.table import points

from ..folders import write_text
from ..report.designs.adaptive_comparison import PLAN_OF, slug
from .blocks import Block, cache, digest, run_blocks
from .lm_eval_call import is_first_process
from .make_tasks import FoundTask
from .progress import note
from .request import Adaptive, Request, model_name
from .rounds import ENGLISH, Cells, Ledger, Round, languages_right, way
from .task_names import one_language_each

FOLDER = "adaptive"
"""In the folder of the results: the ledger, the cache, the log and at the end the whole plan."""

LEDGER = "ledger.ndjson"
"""Not ``.jsonl``, which is how the files of samples are found."""

PLAN = "plan.json"
PAIR_PLAN = "plan_{}.json"
"""The second stage of a language and English."""

_SCHEMA = 3


@dataclass(frozen=True)
class TaskDesign:
    """A task of the dataset, and how it is asked.

    Attributes:
        names: of the harness's tasks that ask it.
        languages: codes, in all of which every question is asked; under a condition as
            ``rounds.way`` names it.
        design: the settings.
        alone: by language, the harness's task that asks it alone.
    """

    names: tuple[str, ...]
    languages: tuple[str, ...]
    design: Design
    alone: Mapping[str, str]

    @property
    def pairs(self) -> tuple[str, ...]:
        """The languages that may have a second stage, with English; none under conditions."""
        if ENGLISH not in self.languages or set(self.languages) - set(self.alone):
            return ()
        return tuple(code for code in self.languages if code != ENGLISH)


def designs(
    request: Request, adaptive: Adaptive, tasks: Mapping[str, FoundTask], others: Sequence[str]
) -> dict[str, TaskDesign]:
    """The design of every task of the dataset.

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
            [str(task.metadata["xlgo_language"])]
            if "xlgo_language" in task.metadata
            else codes(merged["languages"])
        )
    alone: dict[str, dict[str, str]] = {}
    for name, task in one_language_each(tasks, request.metadata).items():
        alone.setdefault(task.spec.task, {}).setdefault(str(task.metadata["xlgo_language"]), name)
    by_task = {}
    for key, of in names.items():
        codes_ = tuple(dict.fromkeys(languages[key]))
        low, high = _ends(key, codes_, request, adaptive)
        asked = _ways(key, codes_, low, request)
        precision = None if adaptive.precision is None else adaptive.precision / 100.0
        try:
            avoided = functools.partial(has_few, key)
            design = Design(low, high, len(asked), adaptive.budget, precision, avoided)
        except ValueError as error:
            raise ValueError(f"--design adaptive: {key}: {error}") from error
        by_task[key] = TaskDesign(tuple(of), asked, design, alone[key])
    return by_task


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
    given = [
        end.get(task) if isinstance(end, dict) else end for end in (adaptive.c_min, adaptive.c_max)
    ]
    low, high = (mine if end is None else end for mine, end in zip(own, given))
    if low >= high:
        raise ValueError(f"--design adaptive: {task}: c_min {low} must be below c_max {high}")
    family.options(task, complexities=[low, high])
    if adaptive.max_prompt_tokens is not None:
        from xlgo_dataset.text.tokenizers import counter

        from .prompt_tokens import highest_within, named_in

        tokenizer = adaptive.tokenizer or named_in(request.model_args)
        if tokenizer is None:
            raise ValueError("which tokenizer counts the tokens? Give --tokenizer NAME")
        count = counter(tokenizer, marks=True)
        text = request.metadata.get("text", "paper")
        high = highest_within(
            task, languages, (low, high), limit=adaptive.max_prompt_tokens, count=count, text=text
        )
        if not request.quiet:
            print(
                f"{task}: complexities {low} to {high}: prompts of at most "
                f"{adaptive.max_prompt_tokens} tokens in every language"
            )
    return low, high


def run_adaptive(
    request: Request, adaptive: Adaptive, tasks: Mapping[str, TaskDesign], folders: Sequence[Path]
) -> int:
    """Ask round after round until every task has had enough.

    Args:
        request: what is to be run.
        adaptive: its settings.
        tasks: from :func:`designs`.
        folders: where task files are.

    Returns:
        0, or the exit code of the round that failed; the same request then resumes there.

    Raises:
        ValueError: the folder holds another adaptive run.
    """
    run = _Run(request, adaptive, tasks)
    code = run_blocks(request, run.rounds(), folders, only_these=True)
    if code == 0 and is_first_process():
        run.finish()
    return code


class _Run:
    """A run between its rounds."""

    def __init__(
        self, request: Request, adaptive: Adaptive, tasks: Mapping[str, TaskDesign]
    ) -> None:
        self._request = request
        self._tasks = tasks
        self._second_stage = adaptive.second_stage
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
        settings = {
            "budget": adaptive.budget, "precision": adaptive.precision,
            "second_stage": adaptive.second_stage,
        }  # fmt: skip
        self._extended = self._ledger.settle(settings)
        if self._extended:
            self._say(
                "budget, precision or second stage were changed after answers had been seen: this "
                "is recorded, and the report says so"
            )

    def _say(self, text: str) -> None:
        if not self._request.quiet:
            note(text)

    def _steps(self) -> dict[str, Step]:
        return {
            name: next_step(task.design, self._ledger.asked(name))
            for name, task in self._tasks.items()
        }

    def rounds(self) -> Iterator[Block]:
        """The rounds that are left; each is settled when the one before was answered."""
        ledger = self._ledger
        if ledger.right:
            self._say(f"{len(ledger.right)} rounds are done")
        while True:
            if len(ledger.plans) == len(ledger.right):
                planned = self._next()
                if planned is None:
                    return
                ledger.plan(planned)
            yield self._block(ledger.plans[-1])

    def _next(self) -> Round | None:
        """The next round: of all languages, and when these have enough, of one and English."""
        cells = {name: step.cells for name, step in self._steps().items() if step.cells}
        if cells or not self._second_stage:
            return Round(cells) if cells else None
        for code in dict.fromkeys(code for task in self._tasks.values() for code in task.pairs):
            for name, task in self._tasks.items():
                if code in task.pairs:
                    number = task.languages.index(code)
                    asked = self._ledger.asked_of_two(name, code)
                    if more := next_pair_cells(task.design, *asked, number):
                        cells[name] = more
            if cells:
                return Round(cells, code)
        return None

    def _block(self, asked: Round) -> Block:
        number = len(self._ledger.plans)
        pair = asked.pair
        design = NAME if pair is None else PAIR
        plan = self._plan(asked.cells, f"{design}{EXTENDED}" if self._extended else design)
        request = dataclasses.replace(
            self._request, metadata={**self._request.metadata, "plan": plan}
        )
        tasks = {task: self._tasks[task] for task in asked.cells}
        languages = {
            task: of.languages if pair is None else (ENGLISH, pair) for task, of in tasks.items()
        }
        if pair is None:
            names = [name for task in tasks.values() for name in task.names]
        else:
            names = [task.alone[code] for task in tasks.values() for code in (ENGLISH, pair)]
            request.metadata.pop("languages", None)
        before = self._samples()

        def note() -> None:
            if not self._first:
                self._ledger.wait()
                return
            new = self._samples() - before
            self._ledger.answer(languages_right(sorted(new), asked, languages))

        sizes = "; ".join(f"{task} {_told(of)}" for task, of in asked.cells.items())
        only = "" if pair is None else f" (only {ENGLISH} and {pair}, which are far apart)"
        arguments = request.arguments(names, cache(self._state, self._request, "rounds"))
        title = f"[round {number}] {sizes}{only}"
        return Block(f"round {number}", title, arguments, self._state / "rounds.log", note)

    def _samples(self) -> set[Path]:
        return set(self._request.folder.rglob("samples_*.jsonl"))

    def _plan(self, cells: Mapping[str, Cells], design: str, **extra: str) -> dict[str, object]:
        tasks = {
            name: TaskPlan(of, self._tasks[name].design.c_min, self._tasks[name].design.c_max)
            for name, of in cells.items()
        }
        return plan_json(tasks, design=design, seed=self._seed, **extra)

    def finish(self) -> None:
        """Write the plans of all rounds, and say why each task had enough."""
        steps = self._steps()
        whole = {name: _cells(self._ledger.asked(name)) for name in steps}
        for name, step in steps.items():
            self._say(f"{name}: {sum(map(len, whole[name].values()))} questions, {_why(step)}")
        self._write(PLAN, whole)
        for code in dict.fromkeys(code for task in self._tasks.values() for code in task.pairs):
            found = {
                name: _cells(self._ledger.asked_of_two(name, code)[1])
                for name, task in self._tasks.items()
                if code in task.pairs
            }
            second = {name: cells for name, cells in found.items() if cells}
            for name, cells in second.items():
                more = sum(map(len, cells.values()))
                self._say(f"{name}: {more} more in {ENGLISH} and {code}, which are far apart")
            if second:
                self._write(PAIR_PLAN.format(code), second)

    def _write(self, name: str, cells: Mapping[str, Cells]) -> None:
        made_by = model_name(self._request.model, self._request.model_args)
        path = self._state / name
        plan = self._plan(cells, f"{PLAN_OF}{slug(made_by)}", made_by=made_by)
        write_text(path, json.dumps(plan) + "\n")
        self._say(f"plan: {path}")


def _cells(asked: Sequence[Asked]) -> Cells:
    """The indexes of questions by complexity, both rising."""
    found: dict[int, list[int]] = {}
    for size, index, _ in asked:
        found.setdefault(size, []).append(index)
    return {size: tuple(sorted(found[size])) for size in sorted(found)}


def _told(cells: Cells) -> str:
    questions = sum(map(len, cells.values()))
    low, high = min(cells), max(cells)
    return f"{questions} at {low}" if low == high else f"{questions} at {low}-{high}"


def _why(step: Step) -> str:
    if step.reason == "right everywhere":
        return "correct everywhere: nothing to compare; try higher complexities (--c-max)"
    if step.reason == "wrong everywhere":
        return "wrong everywhere: nothing to compare; try lower complexities (--c-min)"
    predicted = f"predicted sd of a gap {points(step.predicted_sd or 0.0, signed=False)} points"
    return f"{predicted} ({'precise enough' if step.reason == 'precision' else 'budget used up'})"

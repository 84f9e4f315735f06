"""``--design adaptive``: ask in rounds, each where the answers so far say.

What is asked is settled by :mod:`xlgo_metric.statistics.adaptive.design` from the answers alone. A
run that was killed replays its rounds out of the file of answers, which asks for nothing twice, and
goes on with the same plan. At the end one more evaluation of everything writes one samples file.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import xlgo_dataset as xd
from xlgo_dataset.core.question_plan import TaskPlan, plan_json
from xlgo_dataset.family import has_few
from xlgo_lm_eval.replies import ANSWERED
from xlgo_metric.comparison.compare import PLAN_OF, slug
from xlgo_metric.core import PLAIN, condition
from xlgo_metric.option import codes
from xlgo_metric.scoring import grade_all
from xlgo_metric.statistics.adaptive import EXTENDED, NAME
from xlgo_metric.statistics.adaptive.design import Asked, Design, Step, next_step
from xlgo_metric.statistics.adaptive.second_stage import NAME as PAIR
from xlgo_metric.statistics.adaptive.second_stage import next_pair_cells
from xlgo_metric.table import points

from ..display.labels import ENGLISH
from ..folders import write_text
from .evaluation import SETTINGS, Evaluator
from .make_tasks import FoundTask
from .models import is_first_process
from .progress import note
from .request import Adaptive, Request
from .task_names import one_language_each

FOLDER = "adaptive"
"""In the folder of the results: the plan of the whole run, which ``--plan`` takes."""

PLAN = "plan.json"
PAIR_PLAN = "plan_{}.json"
"""The second stage of a language and English."""

Cells = dict[int, tuple[int, ...]]
"""The indexes of the questions of each complexity."""

Answered = tuple[Asked, dict[str, int]]
"""A question with S, the number of languages right on it, and by language the number right of it
and English, which a second stage may see."""


@dataclass(frozen=True)
class Round:
    """What a round asks.

    Attributes:
        cells: of every task.
        pair: the language whose second stage it is, with English; ``None`` for all languages.
    """

    cells: dict[str, Cells]
    pair: str | None = None


@dataclass(frozen=True)
class TaskDesign:
    """A task of the dataset, and how it is asked.

    Attributes:
        names: of the harness's tasks that ask it.
        languages: codes, in all of which every question is asked; under a condition as
            ``way`` names it.
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
    request: Request,
    adaptive: Adaptive,
    tasks: Mapping[str, TaskDesign],
    session: Evaluator,
) -> bool:
    """Ask round after round until every task has had enough, then write what came of it.

    Args:
        request: what is to be run.
        adaptive: its settings.
        tasks: from :func:`designs`.
        session: evaluates each round.

    Returns:
        Whether everything was written.
    """
    run = _Run(request, adaptive, tasks, session)
    session.plan({PLAN: [name for task in tasks.values() for name in task.names]})
    while (planned := run.next()) is not None:
        run.ask(planned)
    return run.finish()


class _Run:
    """A run between its rounds."""

    def __init__(
        self,
        request: Request,
        adaptive: Adaptive,
        tasks: Mapping[str, TaskDesign],
        session: Evaluator,
    ) -> None:
        self._request, self._tasks, self._session = request, tasks, session
        self._second_stage = adaptive.second_stage
        self._seed = int(request.metadata.get("xlgo_seed", 0))
        self._rounds: list[tuple[Round, dict[str, list[Answered]]]] = []
        settings = {
            "budget": adaptive.budget, "precision": adaptive.precision,
            "second_stage": adaptive.second_stage,
        }  # fmt: skip
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
        for code in self._pairs():
            for name, task in self._tasks.items():
                if code in task.pairs:
                    number = task.languages.index(code)
                    asked = self._asked_of_two(name, code)
                    if more := next_pair_cells(task.design, *asked, number):
                        cells[name] = more
            if cells:
                return Round(cells, code)
        return None

    def ask(self, planned: Round) -> None:
        """Evaluate a round, and take in what came of it."""
        sizes = "; ".join(f"{task} {_told(of)}" for task, of in planned.cells.items())
        pair = planned.pair
        only = "" if pair is None else f" (only {ENGLISH} and {pair}, which are far apart)"
        self._say(f"[round {len(self._rounds) + 1}] {sizes}{only}")
        names, metadata, languages = self._evaluation(planned)
        results = self._session.evaluate(names, metadata)
        right = {} if results is None else languages_right(results["samples"], planned, languages)
        self._rounds.append((planned, _from_first(self._session.model, right)))

    def _evaluation(
        self, planned: Round
    ) -> tuple[list[str], dict[str, Any], dict[str, Sequence[str]]]:
        """The harness's tasks of a round, their options, and the languages of each task."""
        pair = planned.pair
        design = NAME if pair is None else PAIR
        plan = self._plan(planned.cells, f"{design}{EXTENDED}" if self._extended else design)
        metadata = {**self._request.metadata, "plan": plan}
        tasks = {task: self._tasks[task] for task in planned.cells}
        if pair is None:
            names = [name for task in tasks.values() for name in task.names]
            return names, metadata, {name: task.languages for name, task in tasks.items()}
        metadata.pop("languages", None)
        names = [task.alone[code] for task in tasks.values() for code in (ENGLISH, pair)]
        return names, metadata, dict.fromkeys(tasks, (ENGLISH, pair))

    def finish(self) -> bool:
        """Write samples and plans of all rounds, and say why each task had enough."""
        steps = self._steps()
        whole = {name: _cells(self._asked(name)) for name in steps}
        for name, step in steps.items():
            self._say(f"{name}: {sum(map(len, whole[name].values()))} questions, {_why(step)}")
        parts = [(PLAN, Round({name: cells for name, cells in whole.items() if cells}))]
        for code in self._pairs():
            of_pair = {
                name: _cells(self._asked_of_two(name, code)[1])
                for name, task in self._tasks.items()
                if code in task.pairs
            }
            second = {name: cells for name, cells in of_pair.items() if cells}
            for name, cells in second.items():
                more = sum(map(len, cells.values()))
                self._say(f"{name}: {more} more in {ENGLISH} and {code}, which are far apart")
            if second:
                parts.append((PAIR_PLAN.format(code), Round(second, code)))
        self._session.progress.is_paused = True  # these answers were counted
        is_saved = True
        for file, planned in parts:
            names, metadata, _ = self._evaluation(planned)
            results = self._session.evaluate(names, metadata)
            if results is not None:
                self._write(file, planned.cells)
                is_saved &= self._session.save(results, file)
                if self._request.is_verbose:
                    self._session.show(results)
        return is_saved

    def _steps(self) -> dict[str, Step]:
        return {
            name: next_step(task.design, self._asked(name)) for name, task in self._tasks.items()
        }

    def _pairs(self) -> list[str]:
        """Languages that may have a second stage in some task."""
        return list(dict.fromkeys(code for task in self._tasks.values() for code in task.pairs))

    def _asked(self, task: str) -> list[Asked]:
        """All questions of a task that all languages were asked, with S."""
        return [question for question, _ in self._answered(task, None)]

    def _asked_of_two(self, task: str, language: str) -> tuple[list[Asked], list[Asked]]:
        """The questions that a language and English were asked, with how many of the two were
        right: those of all languages, and those of its second stage."""
        first, second = (
            [(size, index, of[language]) for (size, index, _), of in self._answered(task, pair)]
            for pair in (None, language)
        )
        return first, second

    def _answered(self, task: str, pair: str | None) -> list[Answered]:
        return [
            question
            for planned, right in self._rounds
            if planned.pair == pair
            for question in right.get(task, [])
        ]

    def _plan(self, cells: Mapping[str, Cells], design: str, **extra: str) -> dict[str, object]:
        tasks = {
            name: TaskPlan(of, self._tasks[name].design.c_min, self._tasks[name].design.c_max)
            for name, of in cells.items()
        }
        return plan_json(tasks, design=design, seed=self._seed, **extra)

    def _write(self, name: str, cells: Mapping[str, Cells]) -> None:
        made_by = self._request.model_name
        path = self._request.folder / FOLDER / name
        plan = self._plan(cells, f"{PLAN_OF}{slug(made_by)}", made_by=made_by)
        write_text(path, json.dumps(plan) + "\n")
        self._say(f"plan: {path}")


def way(language: str, condition_: str) -> str:
    """The name of a language under a condition; plain answers have that of the language alone."""
    return language if condition_ == PLAIN else f"{language}:{condition_}"


def languages_right(
    samples: Mapping[str, Iterable[Mapping[str, Any]]],
    asked: Round,
    languages: Mapping[str, Sequence[str]],
) -> dict[str, list[Answered]]:
    """Return the outcome of every question of a round.

    An answer that is missing or refused counts as not right here, where it is settled what is
    asked next; it is in no rate.

    Args:
        samples: of the harness, by task.
        asked: what the round asked.
        languages: in which each task was asked, under a condition as ``way`` names it.

    Raises:
        ValueError: an answer was not graded.
    """
    correct: dict[tuple[str, int, int], dict[str, bool]] = {}
    for rows in samples.values():
        for sample in rows:
            reference = json.loads(sample["doc"]["reference"])
            key = (reference["task"], reference["complexity"], reference["index"])
            name = way(reference["language"], condition(reference))
            correct.setdefault(key, {}).setdefault(name, _is_right(sample, reference))
    right: dict[str, list[Answered]] = {}
    for task, of in asked.cells.items():
        for size, indexes in of.items():
            for index in indexes:
                answers = correct[task, size, index]
                s = sum(answers[code] for code in languages[task])
                of_two = _of_two(answers, languages[task])
                right.setdefault(task, []).append(((size, index, s), of_two))
    return right


def _is_right(sample: Mapping[str, Any], reference: dict[str, Any]) -> bool:
    """Whether an answer is right; one under a condition has no metric that would say so."""
    if sample["resps"][0][0].state != ANSWERED:
        return False
    if condition(reference) != PLAIN:
        return grade_all(sample["filtered_resps"][:1], [reference])[0].grade.correct
    if "acc" not in sample:
        raise ValueError(
            "an answer was not graded: an adaptive design needs grades (leave out --predict_only)"
        )
    return bool(sample["acc"] == 1)


def _of_two(answers: Mapping[str, bool], languages: Sequence[str]) -> dict[str, int]:
    """How many of each language and English are right; nothing without English."""
    if ENGLISH not in languages:
        return {}
    others = [code for code in languages if code != ENGLISH]
    return {code: answers[ENGLISH] + answers[code] for code in others}


def _from_first(lm: Any, right: dict[str, list[Answered]]) -> dict[str, list[Answered]]:
    """What the first of several processes gives, in all of them."""
    if lm.world_size == 1:
        return right
    import torch

    data = json.dumps(right).encode()
    size = int(lm.all_gather(torch.tensor([len(data)], device=lm.device))[0])
    sent = torch.zeros(size, dtype=torch.uint8, device=lm.device)
    if lm.rank == 0:
        sent[:] = torch.frombuffer(bytearray(data), dtype=torch.uint8)
    received = json.loads(bytes(lm.all_gather(sent)[:size].tolist()))
    return {task: [(tuple(asked), two) for asked, two in of] for task, of in received.items()}


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

"""A run whose options were checked before anything is loaded or written: how much it asks, and the
consent that a large one needs.

Of chains every request is counted that is sent if nothing fails; those to a judge are not.
"""

import contextlib
import functools
import itertools
import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import xlgo_dataset as xd
from xlgo_dataset.family import has_few
from xlgo_lm_eval.answers import digest, kept_in, steps_of
from xlgo_lm_eval.arguments import (
    Settings,
    answer_arguments,
    redacted,
    redacted_json,
    repeats_of,
    written,
)
from xlgo_lm_eval.tasks import utils
from xlgo_metric.family import family as grading_family
from xlgo_metric.option import codes
from xlgo_metric.statistics.adaptive import Design

from ..display.formats import count as counted, money
from ..folders import check_table, read_settings
from ..logs.lines import SAME_BACKEND
from ..logs.questions import check_challenged
from .judging.asking import JudgeModel, judge_model
from .make_tasks import (
    FoundTask,
    check_options,
    expand,
    harness_names,
    in_languages,
    one_language_each,
)
from .options import (
    ADAPTIVE,
    RESULTS,
    Request,
    check_harness,
    check_model,
    harness_config,
    is_first_process,
    parse,
)

PLAN = "plan.json"
"""The one part of an adaptive run, and the name of its plan."""

_EXTENDED = ("languages", "per_level", "repeats")
"""Options of tasks by which a run is extended in its folder; with any other, it is another run."""

BYTES_PER_TOKEN = 3
"""Of prompts in UTF-8: about 4 in English, 2 to 3 in Indic scripts (a rough estimate)."""
ANSWER_TOKENS = 1000
"""Tokens per answer assumed for prices; the true number depends on the model's reasoning."""
_PER = 1_000_000
"""Tokens that a price is of."""
MOST_TOKENS = 1_000_000
"""Estimated tokens of prompts that a run may have without consent."""

_MORE = "for more, --tasks xlgo with --preset lite or paper, or with --design adaptive"


@dataclass(frozen=True)
class TaskDesign:
    """A task of the dataset, and how it is asked.

    Attributes:
        names: of the harness's tasks that ask it.
        languages: codes, in all of which every question is asked.
        design: the settings.
    """

    names: tuple[str, ...]
    languages: tuple[str, ...]
    design: Design


@dataclass(frozen=True)
class Prepared:
    """A run whose options were checked.

    Attributes:
        request: what is to be run.
        config: the harness's settings.
        tasks: those of this package, by their names in the harness.
        foreign: names of other tasks.
        steps: the tasks, each in one language.
        designs: of an adaptive run, by task of the dataset; else empty.
        judge: whom to ask where an answer needs a judge; ``None`` where no task of these has such
            answers.
    """

    request: Request
    config: Any
    tasks: Mapping[str, FoundTask]
    foreign: Sequence[str]
    steps: Mapping[str, FoundTask]
    designs: Mapping[str, TaskDesign]
    judge: JudgeModel | None

    def parts(self, *, alone: bool) -> dict[str, list[str]]:
        """The tasks that are evaluated together, by a digest of what they ask.

        Args:
            alone: each of this package by itself; rounds of an adaptive run always ask all.
        """
        if self.designs:
            return {PLAN: [name for task in self.designs.values() for name in task.names]}
        each = [*([name] for name in self.steps), *([[*self.foreign]] if self.foreign else [])]
        parts = each if alone else [self.request.tasks]
        options = [self.request.metadata, self.request.limit]
        return {
            digest(json.loads(json.dumps([sorted(part), *options], default=str))): part
            for part in parts
        }


def prepared(arguments: Sequence[str]) -> Prepared:
    """Read a command line, and refuse mistakes in it before anything is loaded.

    Raises:
        ValueError: an option has a value that is not allowed.
    """
    request = parse(arguments)
    request.tasks = harness_names(request.tasks)
    tasks, foreign = expand(request.tasks, strict=request.include_path is None)
    check_options(tasks, request.metadata, is_all=not foreign)
    check_challenged(request.metadata, [task.spec.task for task in tasks.values()])
    if (selected := in_languages(tasks, request.metadata)) != tasks:
        tasks, request.tasks = selected, [*selected, *foreign]
    config = harness_config(request)
    check_model(request.model, request.model_args)
    if request.folder is None:
        request.folder = _default_folder(request, config)
    if request.folder.is_file():
        raise ValueError(f"--out {request.folder}: is a file: give the name of a folder")
    check_harness(config, request, list(tasks))
    steps = one_language_each(tasks, request.metadata)
    by_task = designs(request, tasks, foreign) if request.design == ADAPTIVE else {}
    judge = None
    if request.judge is not None:
        judge = judge_model(request.judge, request.judge_args, request.judge_gen_kwargs)
    if not any(grading_family(task.family).judge for task in tasks.values()):
        judge = None
    return Prepared(request, config, tasks, foreign, steps, by_task, judge)


def run_of(request: Request, config: Any) -> dict[str, Any]:
    """Return what must not change in a folder: the model, how it answers, and the design."""
    design = {k: v for k, v in request.metadata.items() if k not in _EXTENDED}
    # A budget may grow.
    adaptive = [request.c_min, request.c_max] if request.design == ADAPTIVE else None
    return redacted_json(
        {
            "model": request.model_name,
            "type": SAME_BACKEND.get(request.model, request.model),
            "arguments": written(answer_arguments(request.model_args)),
            "generation": {
                "gen_kwargs": config.gen_kwargs,
                "chat_template": config.apply_chat_template,
                "system_instruction": config.system_instruction,
                "seed": config.seed,
            },
            "design": {**design, "data": xd.DATA_VERSION, "adaptive": adaptive},
        }
    )


def _default_folder(request: Request, config: Any) -> Path:
    """The folder of results where none is given: the same whenever the same is asked."""
    asked = [run_of(request, config), request.metadata, request.limit, sorted({*request.tasks})]
    kind = request.design if request.design == ADAPTIVE else request.metadata.get("preset", "own")
    which = digest(json.loads(json.dumps(asked, default=str)))[:8]
    return RESULTS / re.sub(r"[^\w.-]+", "_", f"{redacted(request.model_name)}-{kind}-{which}")


def designs(
    request: Request, tasks: Mapping[str, FoundTask], foreign: Sequence[str]
) -> dict[str, TaskDesign]:
    """The adaptive design of every task of the dataset.

    Args:
        request: what is to be run.
        tasks: of the harness, of this package.
        foreign: tasks that are not of this package.

    Raises:
        ValueError: a task without complexities to choose, or a value that is not allowed.
    """
    unable = [
        name
        for name, task in tasks.items()
        if xd.family(task.family).complexity_range(task.spec.task) is None
    ]
    if unable or foreign:
        raise ValueError(
            f"--design adaptive: {[*unable, *foreign][0]} has no complexities to choose: leave it "
            "out, or run it with --design fixed"
        )
    by_task = {}
    for key in dict.fromkeys(task.spec.task for task in tasks.values()):
        same_task = {name: task for name, task in tasks.items() if task.spec.task == key}
        merged = [{**task.metadata, **request.metadata} for task in same_task.values()]
        listed = [codes(str(m.get("xlgo_language") or m["languages"])) for m in merged]
        languages = list(dict.fromkeys(itertools.chain(*listed)))
        family = xd.family_of(key)
        ends, own = (request.c_min, request.c_max), family.complexity_range(key) or ()
        low, high = (default if end is None else end for default, end in zip(own, ends))
        avoided = functools.partial(has_few, key)
        family.options(key, complexities=sorted({low, high}))
        try:
            design = Design(low, high, len(languages), request.budget, avoided)
        except ValueError as error:
            raise ValueError(f"--design adaptive: {key}: {error}") from error
        by_task[key] = TaskDesign(tuple(same_task), tuple(languages), design)
    return by_task


@dataclass(frozen=True)
class Size:
    """The prompts of a run.

    Attributes:
        prompts: their number; those of tasks in ``unknown`` are left out.
        bytes: of UTF-8, estimated.
        unknown: names of tasks that cannot count their prompts before their data is loaded.
        is_limit: the number and the bytes are upper limits, as of an adaptive run.
    """

    prompts: int
    bytes: int
    unknown: tuple[str, ...] = ()
    is_limit: bool = False

    @property
    def tokens(self) -> int:
        """Estimated tokens."""
        return self.bytes // BYTES_PER_TOKEN

    def __str__(self) -> str:
        most, about = ("up to ", "up to") if self.is_limit else ("", "about")
        text = f"{most}{self.prompts:,} prompts, {about} {self.tokens:,} tokens"
        if not self.unknown:
            return f"{text} (estimated from their size)"
        more = f" and {len(self.unknown) - 1} more" if len(self.unknown) > 1 else ""
        left_out = f"not known before the data of {self.unknown[0]}{more} is loaded"
        return f"{text} (estimated); the rest is {left_out}" if self.prompts else left_out


def size_of(
    tasks: Mapping[str, FoundTask], metadata: Mapping[str, object], limit: float | None
) -> Size:
    """The size of a run of some tasks.

    Args:
        tasks: as the harness is given them.
        metadata: options of the tasks.
        limit: questions of each task, or a share below 1, as for ``--limit``.
    """
    sizes = [_of_task(task, {**task.metadata, **metadata}, limit) for task in tasks.values()]
    return Size(
        sum(prompts for prompts, _, _ in sizes),
        sum(size for _, size, _ in sizes),
        tuple(name for name, (prompts, _, _) in zip(tasks, sizes) if not prompts),
        any(is_limit for _, _, is_limit in sizes),
    )


def _of_task(
    task: FoundTask, metadata: Mapping[str, object], limit: float | None
) -> tuple[int, int, bool]:
    """Prompts of a task (0: not known), their bytes, and whether these are upper limits."""
    languages = codes(metadata.get("xlgo_language") or metadata.get("languages", ""))
    family, options = xd.family(task.family), utils.task_options(metadata)
    prompts, size = family.prompt_size(task.spec.task, languages, **options)
    questions = prompts
    if task.spec.step:
        first = None if limit is None or limit < 1 else int(limit)
        with contextlib.suppress(ValueError):  # its data is not here
            questions, prompts, size = _of_chains(task, metadata, first)
    share = 1.0 if limit is None else min(1.0, limit if limit < 1 else limit / max(1, questions))
    times = share * repeats_of(metadata)
    return round(prompts * times), round(size * times), prompts != questions


def _of_chains(task: FoundTask, metadata: Settings, limit: int | None) -> tuple[int, int, int]:
    """Questions of a task of chains, the most requests that they take, and the bytes of these.

    Every request is taken to be as long as the first one of its chain.

    Raises:
        ValueError: the questions cannot be loaded.
    """
    from xlgo_lm_eval.chains import find_step

    questions = requests = size = 0
    for doc in itertools.islice(utils.docs(**metadata), limit):
        _, step = find_step(task.spec.step, task.family)(doc, metadata)
        most = step.remaining([])
        questions, requests = questions + 1, requests + most
        size += most * len(utils.doc_to_text(doc).encode())
    return questions, requests, size


def announce(run: Prepared) -> Size:
    """Say how much a run asks, how many answers are kept, and the price of the others.

    Raises:
        ValueError: the file of prices cannot be used, or there is no consent; see ``confirm``.
    """
    request = run.request
    size = (
        most_of(run.designs, request)
        if run.designs
        else size_of(run.tasks, request.metadata, request.limit)
    )
    if not is_first_process() or not (size.prompts or size.unknown):
        return size
    lines, kept = [f"size: {size}"], 0
    # If the folder was last asked anything else, its answers may be to other questions.
    planned, _ = steps_of(request.folder)
    if not request.fresh and planned in (run.parts(alone=True), run.parts(alone=False)):
        kept = min(kept_in(request.folder), size.prompts)
        lines.append(f"kept: {counted(kept)} answers, which are not asked for again")
    left = Size(size.prompts - kept, size.bytes * (size.prompts - kept) // max(1, size.prompts))
    if request.prices is not None and left.prompts:
        lines.append(_price(left, request.prices))
    if not request.is_size_chosen and "preset" in request.metadata:
        lines.append(f"preset: {request.metadata['preset']}, a first look; {_MORE}")
    if not request.quiet:
        print("\n".join(lines), flush=True)
    confirm(left, request)
    return size


def confirm(left: Size, request: Request) -> None:
    """Have a run above ``MOST_TOKENS`` confirmed, unless ``--yes`` or the simulated model is given.

    On a terminal the user is asked. Without one, a run is refused if no option chose its size: a
    script that names a preset or numbers of questions says what it wants.

    Raises:
        ValueError: it needs consent, and the answer is no, or there is no terminal to ask on.
    """
    if request.yes or left.tokens <= MOST_TOKENS:
        return
    smaller = (
        "a smaller --budget"
        if request.design == ADAPTIVE
        else "--preset smoke or --design adaptive"
    )
    fewer = f"fewer --tasks or --languages, {smaller}"
    if sys.stdin.isatty() and sys.stdout.isatty():
        if not input(f"Send {left}? [y/N] ").strip().lower().startswith("y"):
            raise ValueError(
                f"stopped: no prompt was sent (to ask less: {fewer}; --yes skips this)"
            )
    elif not request.is_size_chosen:
        raise ValueError(
            f"{left}: more than {MOST_TOKENS:,} tokens, and no size was chosen: add --yes to run "
            f"them all, or choose a size: {fewer}"
        )


def most_of(designs: Mapping[str, TaskDesign], request: Request) -> Size:
    """The most that an adaptive run asks, each question at the top of its range."""
    options = {name: request.metadata[name] for name in ("text",) if name in request.metadata}
    sizes = [
        xd.family_of(task).prompt_size(
            task, asked.languages, complexities=[asked.design.c_max],
            per_level=asked.design.budget, **options,
        )
        for task, asked in designs.items()
    ]  # fmt: skip
    return Size(sum(n for n, _ in sizes), sum(size for _, size in sizes), is_limit=True)


def _price(size: Size, path: Path) -> str:
    """The price of a run, for answers of an assumed length, by a file of prices."""
    prices, number = read_settings(path, "--prices"), "a number from 0"
    kinds = {"input": number, "output": number, "currency": "a text"}
    check_table(f"--prices {path}", prices, kinds, ("input", "output"))
    tokens = {"input": size.tokens, "output": ANSWER_TOKENS * size.prompts}
    prompts, answers = (
        money(n * prices[kind] / _PER, prices.get("currency") or "USD")
        for kind, n in tokens.items()
    )
    return (
        f"price: about {prompts} for prompts, and {answers} for every {ANSWER_TOKENS} tokens of "
        "each answer"
    )

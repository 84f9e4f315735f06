"""How much a run asks, and the consent that a large one needs unless its size was chosen."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import xlgo_dataset as xd
from xlgo_cli.logs.costs import read_prices
from xlgo_lm_eval.answers import events_in, files_in, kept_in
from xlgo_lm_eval.arguments import repeats_of
from xlgo_lm_eval.tasks.utils import task_options
from xlgo_metric.option import codes

from ...display.formats import count, duration, money
from ...logs.completeness import PLANNED
from ..make_tasks import FoundTask
from ..models import is_first_process
from ..request import SIMULATED, Request
from .requests import BYTES_PER_TOKEN, asked

if TYPE_CHECKING:
    from ..adaptive import TaskDesign
    from ..prepared import Prepared

MOST_TOKENS = 1_000_000
"""Estimated prompt tokens that a run may have without consent if nobody chose its size."""
ANSWER_TOKENS = 1000
"""Tokens per answer assumed for prices; the true number depends on the model's reasoning."""


_MORE = "for more, --tasks xlgo with --preset lite or paper, or with --design adaptive"


@dataclass(frozen=True)
class Size:
    """The prompts of a run.

    Attributes:
        prompts: their number; those of tasks in ``unknown`` are left out.
        bytes: of UTF-8, estimated.
        unknown: names of tasks that cannot count their prompts before their data is loaded.
        is_limit: the number and the bytes are upper limits, as of an adaptive run.
        kept: answers that the folder of the run holds, which are not asked for again.
    """

    prompts: int
    bytes: int
    unknown: tuple[str, ...] = ()
    is_limit: bool = False
    kept: int = 0

    @property
    def remaining(self) -> Size:
        """What is to be asked yet: prompts without an answer, taken to be as long as others."""
        prompts = self.prompts - self.kept
        return replace(self, prompts=prompts, bytes=self.bytes * prompts // max(1, self.prompts))

    @property
    def tokens(self) -> int:
        """Estimated tokens."""
        return self.bytes // BYTES_PER_TOKEN

    def __str__(self) -> str:
        known = f"{self.prompts:,} prompts, about {self.tokens:,} tokens"
        if self.is_limit:
            known = f"up to {self.prompts:,} prompts, up to {self.tokens:,} tokens"
        if not self.unknown:
            return f"{known} (estimated from their size)"
        more = f" and {len(self.unknown) - 1} more" if len(self.unknown) > 1 else ""
        left_out = f"not known before the data of {self.unknown[0]}{more} is loaded"
        return f"{known} (estimated); the rest is {left_out}" if self.prompts else left_out


def size_of(
    tasks: Mapping[str, FoundTask], metadata: Mapping[str, object], limit: float | None
) -> Size:
    """The size of a run of some tasks.

    Args:
        tasks: as the harness is given them.
        metadata: options of the tasks.
        limit: questions of each task, or a share below 1, as for ``--limit``.
    """
    prompts = size = 0
    is_limit = False
    unknown = []
    for name, task in tasks.items():
        merged = {**task.metadata, **metadata}
        asked = codes(merged.get("xlgo_language") or merged.get("languages", ""))
        family, options = xd.family(task.family), task_options(merged)
        if task.spec.step and (chains := _of_chains(task, metadata, limit)) is not None:
            prompts += chains.prompts * repeats_of(merged)
            size += chains.bytes * repeats_of(merged)
            is_limit |= chains.is_limit
            continue
        number, total = family.prompt_size(task.spec.task, asked, **options)
        if not number:
            unknown.append(name)
            continue
        most = number if limit is None else limit if limit >= 1 else limit * number
        repeats = repeats_of(merged)
        prompts += round(min(number, most) * repeats)
        size += round(total * min(number, most) / number * repeats)
    return Size(prompts, size, tuple(unknown), is_limit)


def _of_chains(task: FoundTask, metadata: Mapping[str, object], limit: float | None) -> Size | None:
    """The size of a task whose prompts depend on answers; ``None`` if its data is not here."""
    share = 1.0 if limit is None or limit >= 1 else limit
    try:
        found, *_ = asked(
            task, metadata=metadata, limit=None if limit is None or limit < 1 else int(limit),
            judged=False,
        )  # fmt: skip
    except ValueError:
        return None
    requests, tokens = round(found.requests * share), round(found.tokens_in * share)
    return Size(requests, tokens * BYTES_PER_TOKEN, is_limit=found.questions != found.requests)


def agree(runs: Sequence[Prepared]) -> Size:
    """Say how much will be asked, and have it confirmed where it is much: see ``confirm``.

    Returns:
        The size of all of them; those of simulated models count only among themselves.

    Raises:
        ValueError: see ``confirm``.
    """
    for run in runs:
        if run.request.prices is not None:
            read_prices(run.request.prices)  # a mistake in it must not wait for the end
    asked = [run for run in runs if run.request.model != SIMULATED] or runs
    sizes = [_size_of_run(run) for run in asked]
    request = asked[0].request
    if len(asked) > 1:  # each model has its own prices
        request = replace(request, prices=None, sure=all(run.request.sure for run in asked))
    total = replace(
        sizes[0], prompts=sum(s.prompts for s in sizes), bytes=sum(s.bytes for s in sizes),
        kept=sum(s.kept for s in sizes),
    )  # fmt: skip
    confirm(total, request)
    return total


def _size_of_run(run: Prepared) -> Size:
    request = run.request
    size = (
        size_of(run.tasks, request.metadata, request.limit)
        if run.designs is None
        else most_of(run.designs, request)
    )
    if request.fresh or run.designs is not None or not _was_planned(run):
        return size
    return replace(size, kept=min(kept_in(request.folder), size.prompts))


def _was_planned(run: Prepared) -> bool:
    """Whether the folder was last asked these very questions: else its answers may be to others."""
    from ..evaluation import command_of

    planned = [
        event["parts"].keys()
        for path in files_in(run.request.folder)
        for event in events_in(path)
        if event["kind"] == PLANNED
    ]
    names = (*run.steps, *run.others)
    together = {command_of(run.request, run.request.tasks)}
    alone = {command_of(run.request, [name]) for name in names}
    return bool(planned) and planned[-1] in (together, alone)


def confirm(size: Size, request: Request) -> None:
    """Say how much will be asked, and have a run above ``MOST_TOKENS`` confirmed.

    On a terminal the user is asked. Without one, a run is refused if no option chose its size, for
    a script that names a preset or numbers of questions says what it wants. ``--yes`` and the
    simulated model need no consent.

    Raises:
        ValueError: it needs consent, and there is no terminal to ask on or the answer is no; or
            the prices have none of the model.
    """
    if not (size.prompts or size.unknown) or not is_first_process():
        return
    asks = not request.sure and size.remaining.tokens > MOST_TOKENS
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if not request.quiet or (asks and is_terminal):
        lines = [f"size: {size}"]
        if size.kept:
            lines.append(f"kept: {count(size.kept)} answers, which are not asked for again")
        if size.prompts > size.kept:
            lines += [*_time(size.remaining, request), *_price(size.remaining, request)]
        if not request.chosen and "preset" in request.metadata:
            lines.append(f"preset: {request.metadata['preset']}, a first look; {_MORE}")
        print("\n".join(lines), flush=True)
    if not asks:
        return
    fewer = "fewer --tasks or --languages, --preset smoke or --design adaptive"
    if request.adaptive is not None:
        fewer = "fewer --tasks or --languages, a smaller --budget or --c-max"
    if not is_terminal and request.chosen:
        return
    if not is_terminal:
        raise ValueError(
            f"{size}: more than {MOST_TOKENS:,} tokens, and no size was chosen: add --yes to run "
            f"them all, or choose a size: {fewer}"
        )
    if input("Run them all? [y/N] ").strip().lower() not in ("y", "yes"):
        raise ValueError(f"stopped: no prompt was sent (to ask less: {fewer}; --yes skips this)")


def most_of(designs: Mapping[str, TaskDesign], request: Request) -> Size:
    """The most that the rounds of an adaptive run ask: second stages come on top."""
    prompts = size = 0
    names = ("conditions", "text", "condition_tokenizer")
    given = {name: request.metadata[name] for name in names if name in request.metadata}
    for task, one in designs.items():
        languages = list(dict.fromkeys(way.partition(":")[0] for way in one.languages))
        prompts += one.design.budget * len(one.languages)
        longest = {"complexities": [one.design.c_max], "per_level": one.design.budget}
        size += xd.family_of(task).prompt_size(task, languages, **longest, **given)[1]
    return Size(prompts, size, is_limit=True)


def _time(size: Size, request: Request) -> list[str]:
    """The time of a run at a stated rate; the model's own rate is not known yet."""
    if request.model == SIMULATED:
        return []
    at_once = request.model_args.get("num_concurrent", 1)
    at_once = at_once if isinstance(at_once, int) and at_once > 0 else 1
    told = duration(size.prompts / at_once)
    more = f", {at_once} at a time" if at_once > 1 else ""
    return [f"time: {told} for every second that an answer takes{more}"]


def _price(size: Size, request: Request) -> list[str]:
    """The price of a run, for answers of an assumed length."""
    if request.prices is None:
        return []
    price = read_prices(request.prices).of(request.model_name)
    prompts, answers = price.of(size.tokens, 0), price.of(0, ANSWER_TOKENS * size.prompts)
    return [
        f"price: about {money(prompts, price.currency)} for prompts, and "
        f"{money(answers, price.currency)} for every {ANSWER_TOKENS} tokens of each answer"
    ]

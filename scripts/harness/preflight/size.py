"""How much a run asks, and the consent that a large one needs unless its size was chosen."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import xlgo_dataset as xd
from xlgo_cli.logs.costs import read_prices
from xlgo_dataset.extras import Sizes
from xlgo_lm_eval.utils import codes, repeats_of, task_options

from ...display.formats import duration, money
from ...key_values import pairs
from ..lm_eval_call import is_first_process
from ..make_tasks import FoundTask
from ..request import SIMULATED, Request, model_name

if TYPE_CHECKING:
    from ..adaptive import TaskDesign

MOST_TOKENS = 1_000_000
"""Estimated prompt tokens that a run may have without consent if nobody chose its size."""
ANSWER_TOKENS = 1000
"""Per answer, for which a price is stated: nobody knows how long a model thinks."""
BYTES_PER_TOKEN = 3
"""Of prompts in UTF-8: about 4 in English, 2 to 3 in Indic scripts (a rough estimate)."""


@dataclass(frozen=True)
class Size:
    """The prompts of a run.

    Attributes:
        prompts: their number; tasks that cannot tell it before they are loaded are left out.
        bytes: of UTF-8, estimated.
    """

    prompts: int
    bytes: int

    @property
    def tokens(self) -> int:
        """Estimated tokens."""
        return self.bytes // BYTES_PER_TOKEN

    def __str__(self) -> str:
        return f"{self.prompts:,} prompts, about {self.tokens:,} tokens (estimated from their size)"


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
    for task in tasks.values():
        merged = {**task.metadata, **metadata}
        asked = codes(merged.get("xlgo_language") or merged.get("languages", ""))
        family, options = xd.family(task.family), task_options(merged)
        if not (count := family.extra(Sizes).prompt_count(task.spec.task, asked, **options)):
            continue
        kept = count if limit is None else min(count, int(limit) if limit >= 1 else limit * count)
        repeats = repeats_of(merged)
        total = family.extra(Sizes).prompt_bytes(task.spec.task, asked, **options)
        prompts += round(kept * repeats)
        size += round(total * kept / count * repeats)
    return Size(prompts, size)


def agree(
    tasks: Mapping[str, FoundTask],
    request: Request,
    designs: Mapping[str, TaskDesign] | None = None,
) -> int | None:
    """Say how much will be asked, and have a large run confirmed: see ``confirm``.

    Args:
        tasks: as the harness is given them.
        request: what is to be run.
        designs: of an adaptive run, by task.

    Returns:
        The prompts, at most for an adaptive run; ``None`` where nobody knows.

    Raises:
        ValueError: see ``confirm``.
    """
    if request.prices is not None:
        read_prices(request.prices)  # a mistake in it must not wait for the end of the run
    if designs is None:
        size = size_of(tasks, request.metadata, request.limit)
        confirm(size, request)
        return size.prompts or None
    if is_first_process() and not request.quiet:
        print(f"size: {_budget(designs)}", flush=True)
    return _most(designs)


def confirm(size: Size, request: Request) -> None:
    """Say how much will be asked, and have a large run confirmed.

    On a terminal every run above ``MOST_TOKENS`` is confirmed. Without one, only a run whose size
    nobody chose is refused. ``--yes`` and the simulated model need no consent.

    Raises:
        ValueError: it needs consent, and there is no terminal to ask on or the answer is no; or
            the prices have none of the model.
    """
    if not size.prompts or not is_first_process():
        return
    if not request.quiet:
        print(
            "\n".join([f"size: {size}", *_time(size, request), *_price(size, request)]), flush=True
        )
    if request.sure or size.tokens <= MOST_TOKENS:
        return
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        if request.chosen:
            return
        raise ValueError(
            f"{size}: more than {MOST_TOKENS:,} tokens, and no size was chosen: add --yes to run "
            "them all, or choose a size, such as --preset smoke, --design adaptive, --levels 10 "
            "--per-level 20, or fewer --tasks and --languages"
        )
    if input("Run them all? [y/N] ").strip().lower() not in ("y", "yes"):
        raise ValueError(
            "stopped: nothing was asked (--preset smoke is a small run, --design adaptive asks "
            "fewer questions at informative complexities, --yes skips this question)"
        )


def _most(designs: Mapping[str, TaskDesign]) -> int:
    """Prompts of an adaptive run, second stages aside."""
    return sum(one.design.budget * len(one.languages) for one in designs.values())


def _budget(designs: Mapping[str, TaskDesign]) -> str:
    """What an adaptive run asks at most."""
    return (
        f"up to {_most(designs):,} prompts in rounds, and half as many again for languages far "
        "from English; their length depends on the complexities found"
    )


def _time(size: Size, request: Request) -> list[str]:
    """The time of a run at a stated rate; the model's own rate is not known yet."""
    if request.model == SIMULATED:
        return []
    at_once = pairs("--model_args", request.model_args).get("num_concurrent", 1)
    at_once = at_once if isinstance(at_once, int) and at_once > 0 else 1
    told = duration(size.prompts / at_once)
    more = f", {at_once} at a time" if at_once > 1 else ""
    return [f"time: {told} for every second that an answer takes{more}"]


def _price(size: Size, request: Request) -> list[str]:
    """The price of a run, for answers of an assumed length."""
    if request.prices is None:
        return []
    name = model_name(request.model, request.model_args)
    price = read_prices(request.prices).of(name)
    prompts, answers = price.of(size.tokens, 0), price.of(0, ANSWER_TOKENS * size.prompts)
    return [
        f"price: about {money(prompts, price.currency)} for prompts, and "
        f"{money(answers, price.currency)} for every {ANSWER_TOKENS} tokens of each answer"
    ]

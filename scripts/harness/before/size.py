"""How much a run asks, and the consent that a large one needs unless its size was chosen."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import xlgo_dataset as xd
from xlgo_lm_eval.utils import codes, repeats_of, task_options

from ..lm_eval_call import is_first_process
from ..make_tasks import FoundTask
from ..request import Request

MOST_TOKENS = 1_000_000
"""Estimated prompt tokens that a run may have without consent if nobody chose its size."""
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
    tasks: Mapping[str, FoundTask], metadata: Mapping[str, Any], limit: float | None
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
        if not (count := family.prompt_count(task.spec.task, asked, **options)):
            continue
        kept = count if limit is None else min(count, int(limit) if limit >= 1 else limit * count)
        repeats = repeats_of(merged)
        total = family.prompt_bytes(task.spec.task, asked, **options)
        prompts += round(kept * repeats)
        size += round(total * kept / count * repeats)
    return Size(prompts, size)


def agree(size: Size, request: Request) -> None:
    """Announce the size, and have a large one confirmed that nobody chose.

    Nothing is said of adaptive runs, whose budget is their size.

    Raises:
        ValueError: it needs consent, and there is no terminal to ask on or the answer is no.
    """
    if not size.prompts or request.adaptive is not None or not is_first_process():
        return
    if not request.quiet:
        print(f"asks: {size}", flush=True)
    if request.consents or size.tokens <= MOST_TOKENS:
        return
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ValueError(
            f"{size}: more than {MOST_TOKENS:,} tokens, and no size was chosen: add --yes to run "
            "them all, or choose a size, such as --preset smoke, --design adaptive, --levels 10 "
            "--per-level 20, or fewer --tasks and --languages"
        )
    if input("Run them all? [y/N] ").strip().lower() not in ("y", "yes"):
        raise ValueError("stopped: nothing was asked (--preset smoke is a small run)")

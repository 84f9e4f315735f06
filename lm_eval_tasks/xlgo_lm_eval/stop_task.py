"""Tasks whose answers end elsewhere where no chat template tells the model to stop."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .repeat_task import RepeatTask
from .replies import ASKED

STOP = "stop_without_chat"
"""In the metadata of a task file: texts at which the answer of such a model ends."""


class StopTask(RepeatTask):
    """A task that adds the stops of its metadata where no chat template is applied.

    A base model goes on with the text, often with a question of its own. A chat ends by itself and
    may use the same words within its answer, so nothing is cut there.
    """

    def construct_requests(self, doc: Any, ctx: Any, **given: Any) -> Any:
        """As in the harness, with the stops; the question notes that it was no chat."""
        request = super().construct_requests(doc, ctx, **given)
        context, gen_kwargs, *more = request.arguments
        chat = bool(given.get("apply_chat_template"))
        if not chat:
            doc[ASKED] = "completion"
        found = with_stops(gen_kwargs, self.config.metadata or {}, chat=chat)
        request.arguments = (context, found, *more)
        return request


def with_stops(
    gen_kwargs: Mapping[str, Any], metadata: Mapping[str, Any], *, chat: bool
) -> dict[str, Any]:
    """Settings of generation with the stops of a task, unless the model is asked in a chat."""
    stops = [] if chat else list(metadata.get(STOP) or [])
    if not stops:
        return dict(gen_kwargs)
    until = gen_kwargs.get("until") or []
    before = [until] if isinstance(until, str) else list(until)
    return {**gen_kwargs, "until": [*before, *(stop for stop in stops if stop not in before)]}

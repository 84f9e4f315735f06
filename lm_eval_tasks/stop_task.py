"""Tasks whose answers end elsewhere where no chat template tells the model to stop."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from lm_eval.api.task import ConfigurableTask
from lm_eval.utils import simple_parse_args_string

STOP = "stop_without_chat"
"""In the metadata of a task file: texts at which the answer of such a model ends."""


class StopTask(ConfigurableTask):
    """A task that adds the stops of its metadata where no chat template is applied.

    A base model goes on with the text, often with a question of its own. A chat ends by itself and
    may use the same words within its answer, so nothing is cut there.
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        super().__init__(config=settings(config))

    def construct_requests(self, doc: Any, ctx: Any, **given: Any) -> Any:
        """As in the harness, with the stops."""
        request = super().construct_requests(doc, ctx, **given)
        context, gen_kwargs, *more = request.arguments
        found = with_stops(
            gen_kwargs, self.config.metadata or {}, chat=bool(given.get("apply_chat_template"))
        )
        request.arguments = (context, found, *more)
        return request


def settings(config: Mapping[str, Any] | None) -> dict[str, Any]:
    """What a task file says, as the harness's own class of tasks takes it.

    Up to release 0.4.11 lm-eval gives tasks with a class of their own nothing of ``--metadata``, so
    it is read from the command line.
    """
    found = dict(config or {})
    found.pop("class", None)
    found["metadata"] = {**(found.get("metadata") or {}), **_told(sys.argv[1:])}
    return found


def _told(arguments: Sequence[str]) -> dict[str, Any]:
    """The metadata on a command line: the arguments of the model, and ``--metadata``."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    for name in ("--model_args", "--metadata"):
        parser.add_argument(name, nargs="*", default=[])
    known, _ = parser.parse_known_args(arguments)
    found: dict[str, Any] = {}
    for tokens in (known.model_args, known.metadata):
        text = " ".join(tokens) if tokens and tokens[0].startswith("{") else ",".join(tokens)
        found |= json.loads(text) if text.startswith("{") else simple_parse_args_string(text)
    return found


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

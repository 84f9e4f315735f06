"""Tasks whose questions can be asked several times each, as pass@k and average@k need."""

from __future__ import annotations

import argparse
import json
import logging
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

from lm_eval.api.task import ConfigurableTask
from lm_eval.filters import build_filter_ensemble
from lm_eval.utils import simple_parse_args_string

from .manifest import Recorded
from .tasks.utils import repeats_of

_GIVES_METADATA = (0, 4, 12)
"""The first release of lm-eval that gives ``--metadata`` to tasks with a class of their own."""


class RepeatTask(Recorded, ConfigurableTask):
    """A task that asks each question as often as ``repeats`` in its metadata says.

    The harness reads ``repeats`` from task files only, and keeps the first answer unless a filter
    says otherwise. All answers are kept here, so that samples and scores have all of them.

    Raises:
        ValueError: ``repeats`` is not an integer from 1.
    """

    def __init__(self, config: Mapping[str, object] | None = None) -> None:
        super().__init__(config=settings(config))
        self._repeats = repeats_of(self.config.metadata or {})
        if self._repeats > 1:
            self.config.repeats = self._repeats
            keep = [["take_first_k", {"k": self._repeats}]]
            self._filters = [build_filter_ensemble("none", keep)]
        self._has_warned = False

    def construct_requests(self, doc: Any, ctx: Any, **given: Any) -> Any:
        """As in the harness; a warning where all answers will be the same."""
        request = super().construct_requests(doc, ctx, **given)
        if self._repeats > 1 and not self._has_warned:
            self._has_warned = True
            if not (request.arguments[1] or {}).get("do_sample"):
                logging.getLogger("xlgo").warning(
                    "%s: repeats=%d without sampling: the answers to a question may all be the "
                    "same; give --gen_kwargs do_sample=true,temperature=...",
                    self.config.task,
                    self._repeats,
                )
        return request


def settings(config: Mapping[str, Any] | None) -> dict[str, Any]:
    """What a task file says, as the harness's own class of tasks takes it.

    Up to release 0.4.11 lm-eval gives tasks with a class of their own nothing of ``--metadata``, so
    it is read from the command line.
    """
    found = dict(config or {})
    found.pop("class", None)
    if _is_old(version("lm_eval")):
        found["metadata"] = {**(found.get("metadata") or {}), **_told(sys.argv[1:])}
    return found


def _is_old(release: str) -> bool:
    numbers = [int(part) for part in release.split(".")[:3] if part.isdecimal()]
    return tuple(numbers) < _GIVES_METADATA


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

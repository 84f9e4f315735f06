"""Tasks whose questions can be asked several times each, as pass@k and average@k need."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from lm_eval.api.task import ConfigurableTask
from lm_eval.filters import build_filter_ensemble

from .tasks.utils import repeats_of


class RepeatTask(ConfigurableTask):
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
    """What a task file says, as the harness's own class of tasks takes it."""
    return {name: value for name, value in (config or {}).items() if name != "class"}

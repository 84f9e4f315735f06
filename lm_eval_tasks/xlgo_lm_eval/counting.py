"""Tokens of a model of this machine: what was cut, which no server says."""

import logging
from collections.abc import Callable
from typing import Any

from lm_eval.api.model import TemplateLM

from .arguments import Settings
from .replies import LENGTH, Answer

Count = Callable[[Any, Settings, Answer], None]
"""Takes a prompt, how its answer was generated, and the answer."""

_LOGGER = logging.getLogger("xlgo")
_LIMITS = ("max_gen_toks", "max_new_tokens", "max_tokens", "max_completion_tokens")
_NEARLY = 0.98
"""Share of the limit of tokens from which an answer counts as cut: a text that is split into tokens
again may have a few less than were generated."""


def budget_of(lm: Any) -> Count | None:
    """What notes in an answer its tokens and those of its prompt, and whether one of them was cut.

    Args:
        lm: a model of the harness.

    Returns:
        ``None`` for a model whose texts are not split into tokens in this process.
    """
    if not isinstance(lm, TemplateLM):
        return None
    try:
        room, default = int(lm.max_length), int(lm.max_gen_toks)
    except (AttributeError, NotImplementedError, TypeError, ValueError) as error:
        # A backend need not say how long its context is: the answers count all the same.
        _LOGGER.warning(
            "%s does not say how many tokens it takes (%s): prompts and answers that were cut "
            "cannot be told from whole ones",
            type(lm).__name__,
            error or type(error).__name__,
        )
        return None

    def count(context: Any, settings: Settings, answer: Answer) -> None:
        limit = next((int(settings[name]) for name in _LIMITS if settings.get(name)), default)
        sent, received = (len(lm.tok_encode(str(text))) for text in (context, answer.text))
        answer.usage = {"prompt_tokens": sent, "completion_tokens": received}
        answer.counted_by = "tokenizer"
        answer.prompt_cut = sent > room - limit or None
        if received >= _NEARLY * limit:
            answer.finish = LENGTH

    return count

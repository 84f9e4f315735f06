"""Models behind OpenAI-compatible interfaces whose answers hold what the server said beside them.

``xlgo-chat-completions`` is the harness's ``local-chat-completions``, and
``xlgo-openai-chat-completions`` its ``openai-chat-completions``, for a plain ``lm-eval run``: its
tasks of this package see why an answer ended, and leave out one that failed. ``xlgo run`` does the
same for every model.
"""

from functools import partial
from typing import Any

import lm_eval.models  # noqa: F401  (the harness's own models must be registered first)
from lm_eval.models.openai_completions import LocalChatCompletion, OpenAIChatCompletion

from .answers import Answer, read_reply


class ChatCompletions(LocalChatCompletion):
    """Chat completions whose answers are ``Answer`` objects."""

    def parse_generations(self, outputs: Any, **options: Any) -> list[Answer]:
        """The answers of replies; one that failed is empty and ``missing``."""
        parse = super().parse_generations
        bodies = outputs if isinstance(outputs, list) else [outputs]
        return [read_reply(body, partial(parse, body, **options)) for body in bodies]


class OpenAICompletions(ChatCompletions, OpenAIChatCompletion):
    """The same of ``openai-chat-completions``: its address, its key and its names of options."""

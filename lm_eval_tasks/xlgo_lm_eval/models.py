"""Models behind OpenAI-compatible interfaces that keep why they stopped, and their reasoning.

``xlgo-chat-completions`` is the harness's ``local-chat-completions``, and
``xlgo-openai-chat-completions`` its ``openai-chat-completions``, whose answers are ``Reply``
objects: plain strings for the harness and its logs, with finish reason, reasoning and usage as
attributes. They can be written to a file of their own too, one JSON line for each answer.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import lm_eval.models  # noqa: F401  (the harness's own models must be registered first)
from lm_eval.api.registry import register_model
from lm_eval.models.openai_completions import LocalChatCompletion, OpenAIChatCompletion

from .replies import Reply, chat_sha, replies, text_sha, write_lines

NAME = "xlgo-chat-completions"
OPENAI = "xlgo-openai-chat-completions"
KEEPING = {"local-chat-completions": NAME, "openai-chat-completions": OPENAI}
"""Models of the harness, and those of ours that answer alike and keep more."""


class ChatCompletions(LocalChatCompletion):
    """Chat completions whose answers hold what the server said beside the text.

    Args:
        details: path of a file to which a line is added for each answer: ``request`` and
            ``answer`` (SHA-256 of the chat as JSON and of the text), ``finish``, ``reasoning``,
            ``usage``, ``refused`` and ``seconds`` (that the request took). Left out, nothing is
            written.
        given: as for ``local-chat-completions``.

    Raises:
        OSError: the file cannot be written.
    """

    def __init__(self, details: str | None = None, **given: Any) -> None:
        super().__init__(**given)
        self._details = Path(details) if details else None
        self._seconds: float | None = None
        if self._details is not None:
            write_lines(self._details, [])

    def parse_generations(self, outputs: Any, **given: Any) -> list[str]:
        """The answers of a response; empty, not ``None``, where it has no text."""
        found = replies(outputs, super().parse_generations(outputs, **given))
        # Requests that run one after the other come with their chats.
        self._write(given.get("contexts") or (), found, self._seconds)
        return found

    def model_call(self, *positional: Any, **given: Any) -> Any:
        """As in the harness; how long it took is kept."""
        began = time.perf_counter()
        found = super().model_call(*positional, **given)
        self._seconds = time.perf_counter() - began
        return found

    async def amodel_call(self, *positional: Any, **given: Any) -> Any:
        """As in the harness; the answers are written down where the chats are known."""
        async with given["sem"]:
            began = time.perf_counter()
            given["sem"] = asyncio.Semaphore(1)
            found = await super().amodel_call(*positional, **given)
            seconds = time.perf_counter() - began
        if given.get("generate", True):
            self._write(given["messages"], found, seconds)
        return found

    def _write(self, chats: Sequence[Any], answers: Sequence[str], seconds: float | None) -> None:
        if self._details is None:
            return
        lines = [
            {
                "request": chat_sha(chat),
                "answer": text_sha(answer),
                "finish": answer.finish,
                "reasoning": answer.reasoning,
                "usage": answer.usage,
                "refused": answer.refused,
                "seconds": None if seconds is None else round(seconds, 3),
            }
            for chat, answer in zip(chats, answers)
            if isinstance(answer, Reply)
        ]
        write_lines(self._details, lines)


class OpenAICompletions(ChatCompletions, OpenAIChatCompletion):
    """The same of ``openai-chat-completions``: its address, its key and its names of options."""


@lru_cache(maxsize=1)
def register() -> None:
    """Make the models known to the harness; a second call changes nothing."""
    register_model(NAME)(ChatCompletions)
    register_model(OPENAI)(OpenAICompletions)

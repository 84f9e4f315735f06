"""A model behind an OpenAI-compatible interface that keeps why it stopped, and its reasoning.

``xlgo-chat-completions`` is the harness's ``local-chat-completions`` whose answers are ``Reply``
objects: plain strings for the harness and its logs, with finish reason, reasoning and usage as
attributes. They can be written to a file of their own too, one JSON line for each answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import lm_eval.models  # noqa: F401  (the harness's own models must be registered first)
from lm_eval.api.registry import register_model
from lm_eval.models.openai_completions import LocalChatCompletion

from .noted import chat_sha, text_sha, write_lines
from .replies import Reply, replies

NAME = "xlgo-chat-completions"


class ChatCompletions(LocalChatCompletion):
    """Chat completions whose answers hold what the server said beside the text.

    Args:
        details: path of a file to which a line is added for each answer: ``request`` and
            ``answer`` (SHA-256 of the chat as JSON and of the text), ``finish``, ``reasoning``,
            ``usage`` and ``refused``. Left out, nothing is written.
        given: as for ``local-chat-completions``.

    Raises:
        OSError: the file cannot be written.
    """

    def __init__(self, details: str | None = None, **given: Any) -> None:
        super().__init__(**given)
        self._details = Path(details) if details else None
        if self._details is not None:
            write_lines(self._details, [])

    def parse_generations(self, outputs: Any, **given: Any) -> list[str]:
        """The answers of a response; empty, not ``None``, where it has no text."""
        found = replies(outputs, super().parse_generations(outputs, **given))
        # Requests that run one after the other come with their chats.
        self._write(given.get("contexts") or (), found)
        return found

    async def amodel_call(self, *positional: Any, **given: Any) -> Any:
        """As in the harness; the answers are written down where the chats are known."""
        found = await super().amodel_call(*positional, **given)
        if given.get("generate", True):
            self._write(given["messages"], found)
        return found

    def _write(self, chats: Sequence[Any], answers: Sequence[str]) -> None:
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
            }
            for chat, answer in zip(chats, answers)
            if isinstance(answer, Reply)
        ]
        write_lines(self._details, lines)


@lru_cache(maxsize=1)
def register() -> None:
    """Make the model known to the harness; a second call changes nothing."""
    register_model(NAME)(ChatCompletions)

"""Sending requests to any model of the harness so that none spoils the others.

The harness gives up a whole list of requests when one of them fails, and tells nothing before the
last is answered. Here each answer is handed over when it arrives, and a request that fails is an
answer of its own kind. Models behind an interface are served by ``serving``.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import lm_eval.models  # noqa: F401  (the harness's own models must be registered first)
from lm_eval.api.instance import Instance
from lm_eval.models.api_models import JsonChatStr, TemplateAPI
from lm_eval.models.openai_completions import (
    LocalChatCompletion,
    LocalCompletionsAPI,
    OpenAICompletionsAPI,
)

from .redaction import redacted
from .replies import Failed

Turn = dict[str, str]
"""What one side of a chat said: ``role`` and ``content``."""

Arrived = Callable[[int, str], None]
"""Takes the number of a request and its answer: a string, a ``Reply`` or a ``Failed``."""

_AGAIN = (408, 409, 425, 429)
"""Codes of the 4xx that another try may overcome."""
_OUTAGE = (401, 403, 404, 407)
"""Codes of the 4xx that any other request would get too."""
_LONGEST_REASON = 200
_ADDRESS = re.compile(r"\b[a-z]{2,10}://\S+", re.IGNORECASE)


@dataclass(frozen=True)
class Request:
    """One request: the turns of a chat and how to answer.

    Attributes:
        turns: the last is of the user.
        gen_kwargs: as in ``generation_kwargs`` of a task.
        chat: send it as a chat; else as plain text (for base models).
        doc: the question it belongs to, for models that look at it.
    """

    turns: tuple[Turn, ...]
    gen_kwargs: Mapping[str, object]
    chat: bool = True
    doc: Mapping[str, object] = field(default_factory=dict)


def is_api(lm: Any) -> bool:
    """Whether a model is behind an interface: it takes single requests, and seeds with them."""
    return isinstance(lm, TemplateAPI)


def context(lm: Any, request: Request) -> Any:
    """A request as the model wants it: a text, or what its chat template makes of the turns."""
    plain = "\n\n".join(turn["content"] for turn in request.turns)
    if not (request.chat or isinstance(lm, LocalChatCompletion)):
        return plain
    found = lm.apply_chat_template([dict(turn) for turn in request.turns])
    # Without a tokenizer, a model that completes texts would be sent the turns as JSON.
    completes = type(lm) in (LocalCompletionsAPI, OpenAICompletionsAPI)
    return plain if completes and isinstance(found, JsonChatStr) else found


def send(lm: Any, requests: Sequence[Request], arrived: Arrived) -> None:
    """Have a model answer requests, in any order; each answer is handed over once.

    Args:
        lm: a model of the harness. It must not be called from a running event loop.
        requests: what to ask.
        arrived: is called for each request, as early as the model allows.

    Raises:
        Exception: whatever ``arrived`` raises.
    """
    contexts = [context(lm, request) for request in requests]
    collector = _Collector(contexts, arrived)
    before = lm.cache_hook
    lm.set_cache_hook(collector)
    try:
        _ask(lm, requests, contexts, collector, range(len(requests)))
    finally:
        lm.set_cache_hook(before)


def _ask(
    lm: Any,
    requests: Sequence[Request],
    contexts: Sequence[Any],
    collector: _Collector,
    numbers: Sequence[int],
) -> None:
    instances = [
        Instance(
            "generate_until",
            dict(requests[number].doc),
            (contexts[number], dict(requests[number].gen_kwargs)),
            number,
        )
        for number in numbers
    ]
    try:
        returned = lm.generate_until(instances)
    except Exception as error:
        collector.check()
        left = [number for number in numbers if not collector.has(number)]
        if len(numbers) == 1:
            for number in left:
                collector.hand_over(number, failure(error))
        else:
            # A model that runs here fails as a whole: find out which request it was.
            for number in left:
                _ask(lm, requests, contexts, collector, [number])
    else:
        collector.check()
        collector.complete(numbers, returned)
    collector.check()


class _Collector:
    """Takes the place of the harness's cache, which hears of each answer when it arrives."""

    def __init__(self, contexts: Sequence[Any], arrived: Arrived) -> None:
        self._arrived = arrived
        self._names = [_name(context) for context in contexts]
        self._waiting: dict[str, deque[int]] = defaultdict(deque)
        for number, name in enumerate(self._names):
            self._waiting[name].append(number)
        self._answers: dict[int, str] = {}
        self._trouble: Exception | None = None

    def add_partial(self, attr: str, req: Any, res: Any) -> None:
        """Called by the model; equal requests are as good as one another."""
        waiting = self._waiting.get(_name(req[0]))
        if waiting and isinstance(res, str):
            self.hand_over(waiting[0], res)

    def hand_over(self, number: int, answer: str) -> None:
        self._waiting[self._names[number]].remove(number)
        self._answers[number] = answer
        try:
            self._arrived(number, answer)
        except Exception as error:  # must not pass for a fault of the request
            self._trouble = self._trouble or error

    def has(self, number: int) -> bool:
        return number in self._answers

    def check(self) -> None:
        """Raise what handing over an answer raised."""
        if self._trouble is not None:
            raise self._trouble

    def complete(self, numbers: Sequence[int], returned: Sequence[Any]) -> None:
        """Hand over what was returned and not heard of before."""
        groups: dict[str, list[int]] = defaultdict(list)
        for position, number in enumerate(numbers):
            groups[self._names[number]].append(position)
        for positions in groups.values():
            values = [returned[position] for position in positions]
            missing = []
            for position in positions:
                if (number := numbers[position]) in self._answers:
                    if self._answers[number] in values:
                        values.remove(self._answers[number])
                else:
                    missing.append(number)
            for number, value in zip(missing, values):
                self.hand_over(number, value if isinstance(value, str) else "")


def _name(context: Any) -> str:
    return context if isinstance(context, str) else json.dumps(context, ensure_ascii=True)


def _code(error: BaseException) -> int | None:
    """The HTTP code of a failure, if a server answered with one."""
    import aiohttp
    import requests

    if isinstance(error, aiohttp.ClientResponseError):
        return int(error.status)
    if isinstance(error, requests.HTTPError) and error.response is not None:
        return int(error.response.status_code)
    return None


def may_pass(error: BaseException) -> bool:
    """Whether another try may overcome a failure."""
    code = _code(error)
    return isinstance(error, Exception) and (code is None or code >= 500 or code in _AGAIN)


def failure(error: Exception) -> Failed:
    """What to record of an error: one line without addresses and credentials."""
    code = _code(error)
    if code is not None:
        # Not what the server wrote: it may repeat the request's credentials.
        return Failed(
            reason=f"HTTP {code}", outage=code >= 500 or code in _OUTAGE or code in _AGAIN
        )
    words = " ".join(redacted(_ADDRESS.sub("[address]", str(error))).split())[:_LONGEST_REASON]
    return Failed(reason=f"{type(error).__name__}: {words}" if words else type(error).__name__)

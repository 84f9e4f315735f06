"""A model behind an interface kept busy: as many requests in flight as it takes, at any time.

The harness sends a list of requests and waits for the last of them. Here each connection takes the
next request of a board as soon as it is free. A request goes through the harness's own
``amodel_call``, so that payloads, headers and the reading of answers are the harness's. A request
that failed for a reason that may pass waits without a connection until it is tried again.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
from collections.abc import Callable, Iterator
from typing import Any

from lm_eval.models.api_models import TemplateAPI

from .chains import Beside, Board, Waiting
from .patching import patched
from .replies import replies
from .sending import Request, context, failure, may_pass

_HAS_SEMAPHORE = "sem" in inspect.signature(TemplateAPI.amodel_call).parameters
_LONGEST_WAIT = 10.0
"""Seconds between two tries, at most; the first wait is one second, and each is twice the last."""


def serve(lm: Any, board: Board, beside: tuple[Beside, Board] | None = None) -> None:
    """Have a model answer what is on a board, until nothing is left.

    Args:
        lm: a model behind an interface. It must not be called from a running event loop.
        board: of the requests.
        beside: another such model, with a board to which that of the first adds. Its failures do
            not touch the first.

    Raises:
        Exception: whatever the first board raises; requests in flight are given up then.
    """
    with contextlib.ExitStack() as stack:
        stack.enter_context(_details_kept(lm))
        if beside is not None:
            stack.enter_context(_details_kept(beside[0].lm))
        asyncio.run(_serve(lm, board, beside))


async def _serve(lm: Any, board: Board, beside: tuple[Beside, Board] | None) -> None:
    changed = asyncio.Event()
    other = asyncio.create_task(_serve_beside(*beside, changed)) if beside is not None else None
    try:
        await _Desk(lm, board, changed).work()
        if other is not None:
            await other
    finally:
        if other is not None:
            other.cancel()
            await asyncio.gather(other, return_exceptions=True)


async def _serve_beside(beside: Beside, board: Board, changed: asyncio.Event) -> None:
    try:
        await _Desk(beside.lm, board, changed).work()
    except Exception as error:  # the first model's answers must not be lost by it
        beside.ended(error)


class _Desk:
    """A model at work on its board; its connections share what is tried again.

    Args:
        lm, board: see ``serve``.
        changed: set when an answer has come, to any model: it may have added requests.
    """

    def __init__(self, lm: Any, board: Board, changed: asyncio.Event) -> None:
        self._lm = lm
        self._session: Any = None
        self._board = board
        self._changed = changed
        self._again: list[tuple[Waiting, int]] = []

    async def work(self) -> None:
        """Answer until the board is done."""
        import aiohttp

        slots = max(1, self._lm._concurrent)
        connector = aiohttp.TCPConnector(limit=slots, ssl=self._lm.verify_certificate)
        timeout = aiohttp.ClientTimeout(total=self._lm.timeout)
        async with aiohttp.ClientSession(connector=connector, timeout=timeout) as session:
            self._session = session
            connections = [asyncio.create_task(self._connection()) for _ in range(slots)]
            try:
                await asyncio.gather(*connections)
            finally:
                # No connection outlives this block, whatever ended it.
                for connection in connections:
                    connection.cancel()
                await asyncio.gather(*connections, return_exceptions=True)

    async def _connection(self) -> None:
        """Take requests, one after the other, until the board is done."""
        while True:
            taken = self._next()
            if taken is not None:
                await self._answer(*taken)
                self._changed.set()
            elif self._board.done:
                self._changed.set()
                return
            else:
                self._changed.clear()
                await self._changed.wait()

    def _next(self) -> tuple[Waiting, int] | None:
        """A request and how often it was tried; those whose wait is over come first."""
        if self._again:
            return self._again.pop(0)
        found = self._board.take()
        return (found[0], 0) if found else None

    async def _answer(self, waiting: Waiting, tries: int) -> None:
        try:
            reply = await self._call(waiting)
        except Exception as error:
            may_try = tries + 1 < self._lm.max_retries and not waiting.failed
            if may_try and may_pass(error):
                wait = min(_LONGEST_WAIT, 2.0**tries)
                asyncio.get_running_loop().call_later(wait, self._back, waiting, tries + 1)
                return
            reply = failure(error)
        self._board.arrived(waiting, reply)

    def _back(self, waiting: Waiting, tries: int) -> None:
        self._again.append((waiting, tries))
        self._changed.set()

    async def _call(self, waiting: Waiting) -> str:
        """One request through the harness."""
        item = waiting.item
        asked = Request(waiting.turns, waiting.gen_kwargs(True), item.chat, item.doc)
        message = context(self._lm, asked)
        if self._lm.tokenized_requests:
            (tokens,) = self._lm.tok_encode([message], add_special_tokens=self._lm.add_bos_token)
            room = self._lm.max_length - asked.gen_kwargs.get(
                "max_gen_toks", self._lm._max_gen_toks
            )
            message = tokens[-room:]
        given: dict[str, Any] = {"sem": asyncio.Semaphore(1)} if _HAS_SEMAPHORE else {}
        found = await self._lm.amodel_call(
            session=self._session,
            messages=[message],
            generate=True,
            gen_kwargs=dict(asked.gen_kwargs),
            **given,
        )
        reply = found[0] if found else None
        return reply if isinstance(reply, str) else ""


@contextlib.contextmanager
def _details_kept(lm: Any) -> Iterator[None]:
    """Have a model keep what servers say beside texts, and tell of error reports."""
    parse: Callable[..., list[str]] = lm.parse_generations

    def parse_generations(outputs: Any, **given: Any) -> list[str]:
        return replies(outputs, parse(outputs=outputs, **given))

    with patched(lm, "parse_generations", parse_generations):  # of this one object
        yield

"""Asking a model of the harness: any number of requests at once, each answer kept as it arrives.

A model behind an interface has as many requests in flight as it takes, at any time; a model of
this machine is given together whatever waits, and its tokens are counted here, as no server does.
Jobs (questions, chains of requests, judgements) are coroutines that ask for one answer after the
other.
"""

import asyncio
import base64
import itertools
import json
import logging
import re
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

import lm_eval.models  # noqa: F401  (the harness's own models must be registered first)
from lm_eval.api.instance import Instance
from lm_eval.api.model import TemplateLM
from lm_eval.models.api_models import JsonChatStr, TemplateAPI
from lm_eval.models.openai_completions import (
    LocalChatCompletion,
    LocalCompletionsAPI,
    OpenAICompletionsAPI,
)
from lm_eval.models.utils import postprocess_generated_text

from .answers import (
    LENGTH,
    MISSING,
    Answer,
    Answers,
    Line,
    missing,
    read_reply,
    request_key,
    words_of,
)
from .arguments import Settings
from .patches import patched, without_messages

Arrived = Callable[[Answer, bool], object]
"""Takes an answer, and whether it was kept before."""
Keep = Callable[[Answer], None]
"""Keeps the answer to a request."""
Turn = asyncio.Future[asyncio.Event]
"""Of a request that may be sent now: the event that says when that is done."""
_Waiting = tuple[Instance, Keep, asyncio.Future[Answer]]
Result = TypeVar("Result")

SEED = 1234
"""What the harness sends to servers by default; further answers to one request count from it."""

_FAILURES, _FIRST_FAILURES = 64, 8
"""Failures in a row of a kind that the next request would meet too, after which a run ends: the
server is gone. Before the first answer fewer, of any kind."""
_AGAIN = frozenset({408, 409, 425, 429})
"""Codes of the 4xx that another try may overcome."""
_GONE = frozenset({401, 403, 404, 407}) | _AGAIN
"""Codes of the 4xx that the next request would get too."""
_REMEDIES = {
    **dict.fromkeys(
        (401, 403),
        "set the environment variable that the model reads its key from, such as OPENAI_API_KEY",
    ),
    404: "there is no such model, or it is the wrong address",
    0: "start the server, or give the address of its interface, such as "
    "--model_args base_url=http://127.0.0.1:8000/v1/chat/completions",
}
"""By the code of a refusal, 0 where no reply came: what helps."""
_FIRST_WAIT, _LONGEST_WAIT = 1, 10
"""Seconds before another try; they double from the third on, as the harness's do."""
_CLOSED = "it was not asked for"
_STEPS = 8
"""Turns of the event loop from an answer to the next request of its chain, at most."""
_SPEAKING = ("lm_eval.models.api_models", "lm_eval.models.openai_completions")
_OF_FAILURES = ("API request failed", "Exception:", "Could not parse generations")
"""What the harness says of each failed request: the file of answers has it."""
_LOGGER = logging.getLogger("xlgo")
_LIMITS = ("max_gen_toks", "max_new_tokens", "max_tokens", "max_completion_tokens")
_NEARLY = 0.98
"""Share of the limit of tokens from which an answer counts as cut: a text that is split into tokens
again may have a few less than were generated."""
_ADDRESS = re.compile(r"\b[a-z]{2,10}://\S+", re.IGNORECASE)


class ServerError(Exception):
    """A reply with a code of the 4xx or 5xx, and what the server said."""

    def __init__(self, code: int, words: str) -> None:
        super().__init__(f"HTTP {code}: {words}")
        self.code, self.words = code, words


def is_api(lm: Any) -> bool:
    """Whether a model is behind an interface: it takes single requests, and seeds with them."""
    return isinstance(lm, TemplateAPI)


def _code(error: BaseException | None) -> int:
    """The code of a server's refusal; any other failure is taken for one of the server."""
    return error.code if isinstance(error, ServerError) else 500


class Asker:
    """Asks one model, and keeps what it says.

    Args:
        lm: a model of the harness.
        answers: those in it are not asked for again; new ones are added.
        arrived: is told of each answer that was asked for, and of each that was there.

    Attributes:
        sent: requests that were sent.
        is_closed: nothing is sent any more; what is not kept is missing.
    """

    def __init__(
        self, lm: Any, answers: Answers, arrived: Arrived = lambda answer, is_kept: None
    ) -> None:
        self.lm, self.answers = lm, answers
        self.sent = 0
        self.is_closed = False
        self._arrived = arrived
        self._count = itertools.count()
        self._in_flight: dict[str, asyncio.Future[Answer]] = {}
        self._failures = 0

    async def ask(
        self,
        context: Any,
        settings: Settings,
        *,
        draw: Any = 0,
        nth: int = 0,
        order: tuple[float, ...] = (),
        notes: Line | None = None,
        doc: Any = None,
    ) -> Answer:
        """Return the answer to a request, kept or asked for now; equal requests share it.

        Args:
            context: as the model wants it (see ``context_of``).
            settings: how it is generated.
            draw: which of several answers to the same request, as JSON.
            nth: added to the seed, if the model takes one with a request.
            order: of the requests that wait, that with the least goes first.
            notes: what else the file of answers should say of it.
            doc: the question, for a model of this machine that looks at it, as the simulated one.

        Raises:
            ConnectionError: no answer comes any more; what is there is kept.
            OSError: the answer cannot be written.
        """
        if nth and is_api(self.lm):
            settings = {**settings, "seed": int(str(settings.get("seed", SEED))) + nth}
        key = request_key(self.answers.model, context, settings, draw)
        if (answer := self.answers.get(key)) is not None:
            self._arrived(answer, True)
            return answer
        if self.is_closed:
            return missing(_CLOSED)
        if key not in self._in_flight:
            keep = partial(self._keep, key, notes)
            sending = self._answer(context, settings, keep, order, doc)
            self._in_flight[key] = asyncio.ensure_future(sending)
        return await self._in_flight[key]

    async def _answer(
        self, context: Any, settings: Settings, keep: Keep, order: tuple[float, ...], doc: Any
    ) -> Answer:
        """Send a request and keep the answer; see ``ask``."""
        raise NotImplementedError

    def _keep(self, key: str, notes: Line | None, answer: Answer) -> None:
        self.sent += 1
        self.answers.add(key, answer, notes)
        self._arrived(answer, False)
        del self._in_flight[key]

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """Prepare the model to be asked, until the end of the block."""
        yield

    def _watch(self, failure: Exception | None) -> None:
        """Notice that nothing is answered any more, as when a server has gone away."""
        has_begun, code = len(self.answers) > 0, _code(failure)
        is_gone = failure is not None and (code >= 500 or code in _GONE or not has_begun)
        self._failures = self._failures + 1 if is_gone else 0
        if self._failures >= (_FAILURES if has_begun else _FIRST_FAILURES):
            remedy = _REMEDIES.get(code if isinstance(failure, ServerError) else 0, "")
            raise ConnectionError(
                f"the model answered none of the last {self._failures} requests "
                f"({in_words(failure)}){': ' * bool(remedy)}{remedy}"
            )


class ApiAsker(Asker):
    """Asks a model behind an interface by its own ``amodel_call``."""

    _session: Any
    _queue: asyncio.PriorityQueue[tuple[tuple[float, ...], int, Turn]]

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """Open a session, and start as many workers as requests may be in flight."""
        import aiohttp

        lm, number = self.lm, max(1, self.lm._concurrent)
        parse = lm.parse_generations

        def parse_generations(outputs: Any, **options: Any) -> list[Answer]:
            return [read_reply(outputs, lambda: parse(outputs=outputs, **options))]

        self._queue = asyncio.PriorityQueue()
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=number, ssl=lm.verify_certificate),
            timeout=aiohttp.ClientTimeout(total=lm.timeout),
            raise_for_status=_check,
        )
        with ExitStack() as stack:
            stack.enter_context(patched(lm, "parse_generations", parse_generations))
            stack.enter_context(without_messages(_OF_FAILURES, *_SPEAKING))
            url = urlsplit(str(lm.base_url))
            if url.username is not None:  # refused beside a header by the client for many requests
                login = base64.b64encode(unquote(f"{url.username}:{url.password or ''}").encode())
                header = {**lm.header, "Authorization": f"Basic {login.decode()}"}
                bare = url._replace(netloc=url.netloc.rpartition("@")[2]).geturl()
                stack.enter_context(patched(lm, "base_url", bare))
                stack.enter_context(patched(lm, "header", header))
            workers = [asyncio.ensure_future(self._work()) for _ in range(number)]
            try:
                yield
            finally:
                for worker in workers:
                    worker.cancel()
                await self._session.close()

    async def _work(self) -> None:
        """Let one request after the other be sent: of those that wait, that with the least order.

        A request that was given up meanwhile has no turn.
        """
        while True:
            order, _, turn = await self._queue.get()
            if turn.done():
                continue
            sent = asyncio.Event()
            turn.set_result(sent)
            await sent.wait()
            for _ in range(_STEPS if len(order) > 1 else 0):  # its chain may ask for the next one
                await asyncio.sleep(0)

    async def _answer(
        self, context: Any, settings: Settings, keep: Keep, order: tuple[float, ...], doc: Any
    ) -> Answer:
        """Send a request, as often as the harness tries it, and keep the answer."""
        failure: Exception | None = None
        for number in range(max(1, self.lm.max_retries)):
            if number:
                await asyncio.sleep(min(_LONGEST_WAIT, max(_FIRST_WAIT, 2**number / 8)))
            turn: Turn = asyncio.get_running_loop().create_future()
            self._queue.put_nowait((order, next(self._count), turn))
            sent = await turn
            began = time.time()
            try:
                if self.is_closed:
                    return missing(_CLOSED)
                answer, failure = await self._send(context, settings), None
            except Exception as error:
                answer, failure = missing(in_words(error)), error
            finally:
                sent.set()
            may_pass = failure is None or _code(failure) >= 500 or _code(failure) in _AGAIN
            if answer.state != MISSING or not may_pass:
                break
        answer.seconds = round(time.time() - began, 3)
        keep(answer)
        self._watch(failure)
        return answer

    async def _send(self, context: Any, settings: Settings) -> Answer:
        lm, is_cut = self.lm, False
        if lm.tokenized_requests:
            (tokens,) = lm.tok_encode([context], add_special_tokens=lm.add_bos_token)
            room = lm.max_length - settings.get("max_gen_toks", lm._max_gen_toks)
            context, is_cut = tokens[-room:], len(tokens) > room
        (answer,) = await lm.amodel_call(
            session=self._session,
            sem=asyncio.Semaphore(),  # the workers are what limits
            messages=[context],
            generate=True,
            gen_kwargs=dict(settings),
        )
        answer.prompt_cut = is_cut or None
        answer.counted_by = "server" if answer.usage else None
        return answer


class LocalAsker(Asker):
    """Asks a model of this machine, which is given together whatever waits."""

    def __init__(
        self, lm: Any, answers: Answers, arrived: Arrived = lambda answer, is_kept: None
    ) -> None:
        super().__init__(lm, answers, arrived)
        self._waiting: list[_Waiting] = []
        self._budget = budget_of(lm)

    async def _answer(
        self, context: Any, settings: Settings, keep: Keep, order: tuple[float, ...], doc: Any
    ) -> Answer:
        if self._budget is not None:
            self._budget.limit(settings)
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Answer] = loop.create_future()
        request = Instance(
            "generate_until", doc if isinstance(doc, dict) else {}, (context, dict(settings)), 0
        )
        self._waiting.append((request, keep, future))
        if len(self._waiting) == 1:
            loop.call_later(0, self._generate)  # when every job that can has asked
        return await future

    def _generate(self) -> None:
        """Have the model answer what waits; each answer is kept when its batch is done."""
        waiting, self._waiting = self._waiting, []
        due: dict[str, list[_Waiting]] = {}
        for entry in waiting:
            # Prompts are long, so a digest. Not all models tell the settings as they were given.
            due.setdefault(request_key("", entry[0].args[0], {}), []).append(entry)
        for key, entries in [*due.items()]:
            if any(request.args != entries[0][0].args for request, *_ in entries):
                del due[key]  # a model does not say which of them it answers
        last = time.time()

        def settle(entry: _Waiting, text: Any) -> None:
            nonlocal last
            request, keep, future = entry
            answer = text if isinstance(text, Answer) else Answer(text or "")
            if self._budget is not None and answer.usage is None:
                context, settings = request.args
                self._budget.measure(context, settings, answer)
            answer.seconds, last = round(time.time() - last, 3), time.time()
            keep(answer)
            future.set_result(answer)

        def arrived(context: Any, text_of: Callable[[Settings], Any]) -> None:
            if entries := due.get(request_key("", context, {})):
                entry = entries.pop(0)
                settle(entry, text_of(entry[0].args[1]))

        def add_partial(kind: str, request: tuple[Any, Any], text: Any) -> None:
            if kind == "generate_until" and not is_heard:
                arrived(request[0], lambda _: text)

        # Here the harness has its cache, which a model tells of each answer.
        hook = patched(self.lm, "cache_hook", SimpleNamespace(add_partial=add_partial))
        try:
            with hook, engine_heard(self.lm, arrived) as is_heard:
                texts = self.lm.generate_until([request for request, *_ in waiting])
            for entry, text in zip(waiting, texts, strict=True):
                if not entry[-1].done():  # a model that does not say when an answer is there
                    settle(entry, text)
        except Exception as error:
            for *_, future in waiting:
                if not future.done():
                    future.set_exception(error)


@dataclass(frozen=True)
class Budget:
    """The tokens that a model takes.

    Attributes:
        lm: a model of the harness.
        room: for prompt and answer together.
        default: for an answer whose request says nothing of it.
    """

    lm: Any
    room: int
    default: int

    def limit(self, settings: Settings) -> int:
        """Return how many tokens an answer that is generated so may have.

        Raises:
            ValueError: they leave no room for a prompt.
        """
        limit = next((int(settings[name]) for name in _LIMITS if settings.get(name)), self.default)
        if limit >= self.room and getattr(self.lm, "backend", "causal") == "causal":
            raise ValueError(
                f"answers of up to {limit:,} tokens leave no room for a prompt in a context of "
                f"{self.room:,}: lower --gen_kwargs max_gen_toks, or raise max_length (hf) or "
                "max_model_len (vllm) of --model_args"
            )
        return limit

    def measure(self, context: Any, settings: Settings, answer: Answer) -> None:
        """Note the tokens of a prompt and its answer, and whether one of them was cut."""
        limit = self.limit(settings)
        sent, received = (len(self.lm.tok_encode(str(text))) for text in (context, answer.text))
        answer.usage = {"prompt_tokens": sent, "completion_tokens": received}
        answer.counted_by = "tokenizer"
        answer.prompt_cut = sent > self.room - limit or None
        if received >= _NEARLY * limit:
            answer.finish = LENGTH


def budget_of(lm: Any) -> Budget | None:
    """Return the tokens that a model of the harness takes.

    Returns:
        ``None`` for a model whose texts are not split into tokens in this process.
    """
    if not isinstance(lm, TemplateLM):
        return None
    try:
        return Budget(lm, int(lm.max_length), int(lm.max_gen_toks))
    except (AttributeError, NotImplementedError, TypeError, ValueError) as error:
        # A backend need not say how long its context is: the answers count all the same.
        _LOGGER.warning(
            "%s does not say how many tokens it takes (%s): prompts and answers that were cut "
            "cannot be told from whole ones",
            type(lm).__name__,
            error or type(error).__name__,
        )
    return None


@contextmanager
def engine_heard(
    lm: Any, arrived: Callable[[str, Callable[[Settings], Answer]], None]
) -> Iterator[bool]:
    """Tell of each answer of vLLM when it ends; the harness tells when the last of a batch has.

    Yields whether it tells, so that nothing is told twice.

    Args:
        lm: a model of the harness; of those without vLLM's engine in this process nothing is told.
        arrived: takes a prompt, and what makes the answer, given how it was generated. It is not
            told of prompts that were cut.
    """
    engine = getattr(getattr(lm, "model", None), "llm_engine", None)
    if engine is None:
        yield False
        return
    encode, step, work = lm.tok_encode, engine.step, lm.model.generate
    contexts: dict[int, str] = {}

    def tok_encode(texts: Any, *arguments: Any, **options: Any) -> Any:
        encoded = encode(texts, *arguments, **options)
        if not isinstance(texts, str):
            contexts.update(zip((hash(tuple(tokens)) for tokens in encoded), texts, strict=True))
        return encoded

    def heard() -> Any:
        outputs = step()
        for output in outputs:
            if output.finished:
                context = contexts.get(hash(tuple(output.prompt_token_ids)), "")
                arrived(context, partial(_of_engine, output, lm.think_end_token))
        return outputs

    def generate(*arguments: Any, **options: Any) -> Any:
        # Its bar divides by the time that it shows, which is 0 where bars are hidden.
        return work(*arguments, **{**options, "use_tqdm": False})

    with (
        patched(engine, "step", heard),
        patched(lm, "tok_encode", tok_encode),
        patched(lm.model, "generate", generate),
    ):
        yield True


def _of_engine(output: Any, think_end_token: Any, settings: Settings) -> Answer:
    """The answer in an output of vLLM, its text as the harness has it."""
    (answer,) = output.outputs
    counts = len(output.prompt_token_ids), len(answer.token_ids)
    return Answer(
        postprocess_generated_text(answer.text, settings.get("until"), think_end_token),
        finish=answer.finish_reason,
        usage=dict(zip(("prompt_tokens", "completion_tokens"), counts)),
        counted_by="tokenizer",
    )


def asker(lm: Any, answers: Answers, arrived: Arrived = lambda answer, is_kept: None) -> Asker:
    """Return what asks a model of the harness; see ``Asker``."""
    return (ApiAsker if is_api(lm) else LocalAsker)(lm, answers, arrived)


def context_of(lm: Any, turns: Sequence[Mapping[str, str]], *, chat: bool = True) -> Any:
    """Return a request as a model wants it: a text, or what its chat template makes of the turns.

    Args:
        lm: a model of the harness.
        turns: ``role`` and ``content``; the last is the user's.
        chat: send a chat; else plain text (for base models).
    """
    plain = "\n\n".join(turn["content"] for turn in turns)
    if not (chat or isinstance(lm, LocalChatCompletion)):
        return plain
    templated = lm.apply_chat_template([dict(turn) for turn in turns])
    # Without a tokenizer, a model that completes texts would be sent the turns as JSON.
    completes = type(lm) in (LocalCompletionsAPI, OpenAICompletionsAPI)
    return plain if completes and isinstance(templated, JsonChatStr) else templated


def run(jobs: Sequence[Callable[[], Coroutine[Any, Any, Result]]], *askers: Asker) -> list[Result]:
    """Have jobs done side by side; their results in order.

    Args:
        jobs: each makes a coroutine that asks with one of the askers.
        askers: those of the jobs. No event loop may be running.

    Raises:
        Exception: whatever a job raises; the others are given up then, and what was answered is
            kept.
    """

    async def work() -> list[Result]:
        async with AsyncExitStack() as stack:
            for client in askers:
                await stack.enter_async_context(client.opened())
            tasks = [asyncio.ensure_future(job()) for job in jobs]
            try:
                return await asyncio.gather(*tasks)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    # Unlike asyncio.run, a loop of its own lets Ctrl-C interrupt a model of this machine.
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(work())
    finally:
        while remaining := asyncio.all_tasks(loop):  # after an interruption
            for task in remaining:
                task.cancel()
            loop.run_until_complete(asyncio.gather(*remaining, return_exceptions=True))
        loop.close()


async def _check(response: Any) -> None:
    """Raise what a server said with a code of the 4xx or 5xx."""
    if not response.ok:
        words = await response.text()
        with suppress(ValueError, RecursionError):
            words = words_of(json.loads(words))
        raise ServerError(int(response.status), words)


def in_words(error: BaseException | None) -> str:
    """Return an error in one line, without addresses."""
    words = _ADDRESS.sub("[address]", " ".join(str(error).split()))
    if isinstance(error, ServerError):
        return words
    return f"{type(error).__name__}: {words}" if words else type(error).__name__

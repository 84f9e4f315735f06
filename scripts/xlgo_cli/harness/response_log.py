"""What happens while the harness runs, written down for the report: lost files, cut answers."""

from __future__ import annotations

import contextlib
import functools
import logging
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from xlgo_lm_eval.patching import patched
from xlgo_lm_eval.redaction import hold_credential, redacted, redacted_json
from xlgo_lm_eval.replies import FILE, chat_sha, text_sha, write_lines

_LOGGER = logging.getLogger("xlgo")
_TRACKER = "lm_eval.loggers.evaluation_tracker"
_NOT_SAVED = "Could not save"
"""How the harness begins to say, and only say, that it could not write results."""

_ABOUT_LENGTH = re.compile("truncat|context length|too long|max(imum)? length", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")
_NEARLY = 0.98
"""Share of the limit of tokens from which an answer counts as cut: a text that is split into tokens
again may have a few less than were generated."""


class _Collecting(logging.Handler):
    """Keeps the messages that ``wanted`` is true of."""

    def __init__(self, wanted: Any) -> None:
        super().__init__(logging.WARNING)
        self.wanted = wanted
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if self.wanted(message):
            self.messages.append(redacted(message))


@contextlib.contextmanager
def _collected(name: str, wanted: Any) -> Iterator[list[str]]:
    """Collect a harness logger's warnings, even if its level would suppress them."""
    logger = logging.getLogger(name)
    handler = _Collecting(wanted)
    level = logger.level
    if logger.getEffectiveLevel() > logging.WARNING:
        logger.setLevel(logging.WARNING)
    logger.addHandler(handler)
    try:
        yield handler.messages
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


@contextlib.contextmanager
def saved() -> Iterator[list[str]]:
    """Have samples written that hold half a character, and collect what could not be written.

    A server may cut an answer within a character (a surrogate without its other half). Such text
    has no UTF-8: the harness would lose it and all samples after it.
    """
    from lm_eval.loggers.evaluation_tracker import EvaluationTracker

    save = EvaluationTracker.save_results_samples
    aggregate = EvaluationTracker.save_results_aggregated

    def save_encodable(tracker: Any, task_name: str, samples: Any) -> None:
        held = 0
        for sample in samples:
            for key in ("resps", "filtered_resps"):
                sample[key] = _encodable(sample[key])
            held += _without_keys(sample)
        if held:
            _LOGGER.warning(
                "%s: %d of %d samples hold a credential in a prompt, response or reference, where "
                "nothing is changed: see to it before you share them",
                task_name, held, len(samples),
            )  # fmt: skip
        save(tracker, task_name, samples)

    def save_without_keys(tracker: Any, results: Any, samples: Any = None) -> None:
        named = tracker.general_config_tracker
        for name in ("model_name", "model_name_sanitized"):
            setattr(named, name, redacted_json(getattr(named, name)))
        results.update(redacted_json(results))
        aggregate(tracker, results, samples)

    with (
        patched(EvaluationTracker, "save_results_samples", save_encodable),
        patched(EvaluationTracker, "save_results_aggregated", save_without_keys),
        _collected(_TRACKER, lambda message: message.startswith(_NOT_SAVED)) as lost,
    ):
        yield lost


def _without_keys(sample: dict[str, object]) -> bool:
    """Redact how a sample was generated; whether a credential is in its texts, which stay."""
    logged = sample.get("arguments")
    if isinstance(logged, dict):
        for request in logged.values():
            if isinstance(request, dict) and isinstance(request.get("arg_1"), dict):
                request["arg_1"] = redacted_json(request["arg_1"])
    texts = (sample.get(name) for name in ("doc", "arguments", "resps", "target"))
    return hold_credential(text for value in texts for text in _texts(value))


def _texts(value: Any) -> Iterator[str]:
    """All texts in a value of JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)


def _encodable(value: Any) -> Any:
    """The same with U+FFFD for every half of a character."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    if isinstance(value, list | tuple):
        return type(value)(map(_encodable, value))
    return value


@contextlib.contextmanager
def noted(model: str, folder: Path) -> Iterator[None]:
    """Write down which prompts and answers of a model were cut, beside its results.

    Where the harness knows the tokenizer, prompts and answers are counted in tokens. Its own
    warnings about lengths are kept too.

    Args:
        model: the name that the harness has for it.
        folder: of the results.
    """
    from lm_eval.api.registry import get_model

    model_class = get_model(model)
    generate = model_class.generate_until

    @functools.wraps(generate)
    def generate_and_note(lm: Any, requests: Sequence[Any], *given: Any, **options: Any) -> Any:
        budget = _budget(lm)
        cut = [] if budget is None else _cut_prompts(budget, requests)
        began = time.perf_counter()
        answers = generate(lm, requests, *given, **options)
        seconds = time.perf_counter() - began
        if budget is not None:
            each = seconds / len(requests) if _are_of_one_kind(requests) else None
            lines = map(budget.line, requests, answers, cut)
            _write(folder / FILE, ({**line, "seconds": each} for line in lines))
        return answers

    with _collected("lm_eval", _ABOUT_LENGTH.search) as warnings:
        try:
            with patched(model_class, "generate_until", generate_and_note):
                yield
        finally:
            _write_warnings(folder / FILE, warnings)


def _are_of_one_kind(requests: Sequence[Any]) -> bool:
    """One task and language: the time that they take together is the time of each."""
    kinds = {
        (request.task_name, request.doc.get("language") if isinstance(request.doc, dict) else None)
        for request in requests
    }
    return len(kinds) == 1


def _write(path: Path, lines: Iterable[Mapping[str, object]]) -> None:
    """Add lines to the file; that they cannot be written must not cost the answers."""
    try:
        write_lines(path, lines)
    except OSError as error:
        _LOGGER.warning("%s: cannot be written (%s)", path, error.strerror or error)


class _Budget:
    """How many tokens a model takes and gives.

    Args:
        lm: the model.
        counts: count all prompts and answers, not only those that may be too long.
    """

    def __init__(self, lm: Any, counts: bool) -> None:
        self._lm = lm
        self._counts = counts
        self._context = int(lm.max_length)
        self._default = int(lm.max_gen_toks)

    def tokens(self, text: str) -> int:
        return len(self._lm.tok_encode(text))

    def answer(self, request: Any) -> int:
        """The limit of tokens of an answer."""
        given = request.args[1]
        names = ("max_gen_toks", "max_new_tokens", "max_tokens", "max_completion_tokens")
        return next((int(given[name]) for name in names if given.get(name)), self._default)

    def is_prompt_cut(self, request: Any) -> bool:
        """Whether prompt and answer have no room in the model's context."""
        prompt, room = str(request.args[0]), self._context - self.answer(request)
        # A token has at least one byte, so that most prompts need not be split.
        if len(prompt.encode("utf-8", "replace")) <= room:
            return False
        return self.tokens(prompt) > room

    def line(self, request: Any, answer: str | None, is_prompt_cut: bool) -> dict[str, object]:
        """What is to be written down of one answer."""
        answer, limit = answer or "", self.answer(request)
        is_long = len(answer.encode("utf-8", "replace")) >= _NEARLY * limit
        tokens = self.tokens(answer) if self._counts or is_long else 0
        usage = {
            "prompt_tokens": self.tokens(str(request.args[0])), "completion_tokens": tokens,
        } if self._counts else None  # fmt: skip
        return {
            "request": chat_sha(request.args[0]),
            "answer": text_sha(answer),
            "finish": "length" if is_long and tokens >= _NEARLY * limit else None,
            "prompt_cut": is_prompt_cut,
            "usage": usage,
            "counted_by": "tokenizer",
        }


def _budget(lm: Any) -> _Budget | None:
    """The budget of a model that is split into tokens in this process; ``None`` of any other.

    A model that keeps what its server says needs no counting.
    """
    from lm_eval.api.model import TemplateLM
    from lm_eval.models.api_models import TemplateAPI

    from xlgo_lm_eval.models import ChatCompletions

    if not isinstance(lm, TemplateLM) or isinstance(lm, ChatCompletions):
        return None
    if isinstance(lm, TemplateAPI) and lm.tokenizer is None:
        return None
    # A tokenizer behind an interface would take a request for every text that is counted.
    counts = not (isinstance(lm, TemplateAPI) and lm.tokenizer_backend == "remote")
    try:
        return _Budget(lm, counts)
    except (AttributeError, NotImplementedError, TypeError, ValueError) as error:
        # A backend need not say how long its context is: the answers count all the same.
        _LOGGER.warning(
            "%s does not say how many tokens it takes (%s): prompts and answers that were cut "
            "cannot be told from whole ones",
            type(lm).__name__, error or type(error).__name__,
        )  # fmt: skip
        return None


def _cut_prompts(budget: _Budget, requests: Sequence[Any]) -> list[bool]:
    """Which prompts are too long; said before the run, by language."""
    cut = [budget.is_prompt_cut(request) for request in requests]
    asked, counts = Counter[str](), Counter[str]()
    for request, is_cut in zip(requests, cut):
        doc = request.doc if isinstance(request.doc, dict) else {}
        language = str(doc.get("language", request.task_name))
        asked[language] += 1
        counts[language] += is_cut
    for language, count in counts.items():
        if count:
            _LOGGER.warning(
                "%s: %d of %d prompts have more tokens than the model's context leaves for them: "
                "the backend cuts them, or the room for the answer",
                language, count, asked[language],
            )  # fmt: skip
    return cut


def _write_warnings(path: Path, messages: Sequence[str]) -> None:
    """Add the harness's warnings to the file, those alike but for their numbers once."""
    first: dict[str, str] = {}
    counts = Counter[str]()
    for message in messages:
        kind = _NUMBER.sub("#", message)
        first.setdefault(kind, message)
        counts[kind] += 1
    ended = datetime.now().isoformat().replace(":", "-")  # as in the names of the harness's files
    if counts:
        _write(path, [{"warning": first[k], "count": n, "ended": ended} for k, n in counts.items()])

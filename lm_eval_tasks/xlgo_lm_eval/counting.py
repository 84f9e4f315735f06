"""Tokens of a model of this machine: what was cut, which no server says."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from lm_eval.api.model import TemplateLM
from lm_eval.models.utils import postprocess_generated_text

from .arguments import Settings
from .patches import patched
from .replies import LENGTH, Answer

_LOGGER = logging.getLogger("xlgo")
_LIMITS = ("max_gen_toks", "max_new_tokens", "max_tokens", "max_completion_tokens")
_NEARLY = 0.98
"""Share of the limit of tokens from which an answer counts as cut: a text that is split into tokens
again may have a few less than were generated."""


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
                arrived(context, partial(_answer, output, lm.think_end_token))
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


def _answer(output: Any, think_end_token: Any, settings: Settings) -> Answer:
    """The answer in an output of vLLM, its text as the harness has it."""
    (answer,) = output.outputs
    counts = len(output.prompt_token_ids), len(answer.token_ids)
    return Answer(
        postprocess_generated_text(answer.text, settings.get("until"), think_end_token),
        finish=answer.finish_reason,
        usage=dict(zip(("prompt_tokens", "completion_tokens"), counts)),
        counted_by="tokenizer",
    )

"""Models for the tests: they look at the reference, not at the prompt."""

import json
from collections.abc import Callable
from typing import Any

from lm_eval.api.model import LM, TemplateLM

Answer = Callable[[dict[str, Any]], str]


class Answering(LM):
    """Answers every question by a function of its reference."""

    tokenizer_name = "none"

    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self.answer = answer
        self.prompts: list[str] = []

    def generate_until(self, requests: list[Any]) -> list[str]:
        self.prompts += [request.args[0] for request in requests]
        return [self.answer(json.loads(request.doc["reference"])) for request in requests]

    def loglikelihood(self, requests: list[Any]) -> list[Any]:
        raise AssertionError("the tasks ask for answers only")

    loglikelihood_rolling = loglikelihood


class Words(TemplateLM):
    """A model whose tokens are words."""

    tokenizer_name = "words"
    max_length, max_gen_toks, eot_token_id = 20, 8, 0

    def tok_encode(self, string: str, *_: Any, **__: Any) -> list[int]:
        return [len(word) for word in string.split()]

    def generate_until(self, requests: list[Any], *_: Any) -> list[str]:
        raise AssertionError

    loglikelihood = loglikelihood_rolling = _loglikelihood_tokens = generate_until


def right(reference: dict[str, Any]) -> str:
    return json.dumps(reference["answer"])


def wrong(reference: dict[str, Any]) -> str:
    """The right answer with one thing changed, still well-formed."""
    ((key, value),) = reference["answer"].items()
    if isinstance(value, str):
        return json.dumps({key: value[:-1] + str((int(value[-1]) + 1) % 10)})
    if isinstance(value[0], int):
        return json.dumps({key: [*value[:-1], value[-1] + 1]})
    if key == "states":  # graded as a set: a room more, a room less
        spare = next(f"A{n}" for n in range(1000, 1009) if f"A{n}" not in value)
        return json.dumps({key: [*value[1:], spare]})
    return json.dumps({key: [value[1], value[0], *value[2:]]})

"""Models of this machine, which answer many requests in one call: what is kept, and when."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from lm_eval.api.model import TemplateLM

from xlgo_lm_eval.answers import Answers
from xlgo_lm_eval.asking import asker, run
from xlgo_lm_eval.replies import Answer

RUN = {"model": "m"}
LIMIT, ROOM = 6, 20


class Words(TemplateLM):
    """As the harness's vLLM: tokens are words, and all answers come back together.

    The engine ends the answers in an order of its own, two in a step, and breaks after ``steps``.
    """

    max_length, max_gen_toks, eot_token_id, think_end_token = ROOM, LIMIT, 0, "</think>"
    backend = "causal"

    def __init__(self, steps: int = 1000, has_engine: bool = True) -> None:
        super().__init__()
        self.sent: list[str] = []
        self.words: list[str] = [""]
        self.steps = steps
        self.queue: list[Any] = []
        if has_engine:
            self.model = SimpleNamespace(llm_engine=SimpleNamespace(step=self.step))

    def tok_encode(self, string: Any, **_: Any) -> Any:
        if not isinstance(string, str):
            return [self.tok_encode(text) for text in string]
        self.words += [word for word in string.split() if word not in self.words]
        return [self.words.index(word) for word in string.split()]

    def step(self) -> list[Any]:
        self.steps -= 1
        if self.steps < 0:
            raise RuntimeError("the engine broke")
        begun = SimpleNamespace(finished=False, prompt_token_ids=self.queue[0].prompt_token_ids)
        ended, self.queue = self.queue[-2:], self.queue[:-2]
        return [begun, *ended]

    def generate_until(self, requests: Any, disable_tqdm: bool = False) -> list[str]:
        contexts = tuple(request.args[0] for request in requests)
        self.sent += contexts
        self.queue, texts = [], []
        for number, (request, tokens) in enumerate(zip(requests, self.tok_encode(contexts))):
            text = f"<think> A: </think> {request.args[0].split()[-1]} {request.args[1]['top_k']}"
            is_long = "long" in request.args[0]
            part = SimpleNamespace(
                text=text + " A: Q: B:",
                token_ids=[0] * (LIMIT if is_long else LIMIT + 1),  # its end may be a token more
                finish_reason="length" if is_long else "stop",
            )
            sent = tokens[-(ROOM - LIMIT) :]
            output = SimpleNamespace(prompt_token_ids=sent, outputs=[part], finished=True)
            self.queue.append(output)
            texts.append(text.split("</think>")[1].lstrip())
            if not hasattr(self, "model"):
                if number == 2 * self.steps:
                    raise RuntimeError("the engine broke")
                told = request.args[1] | {"spaces_between_special_tokens": False}
                self.cache_hook.add_partial("generate_until", (contexts[number], told), texts[-1])
        while self.queue and hasattr(self, "model"):
            self.model.llm_engine.step()
        return texts

    loglikelihood_rolling = _loglikelihood_tokens = generate_until  # type: ignore[assignment]


def ask(lm: Words, path: Path, prompts: list[str], **more: int) -> list[Answer]:
    with Answers(path, RUN) as answers:
        client = asker(lm, answers)
        settings = {"until": [" A:", " Q:"], "top_k": 5, **more}
        return run([partial(client.ask, prompt, settings) for prompt in prompts], client)


@pytest.mark.parametrize("has_engine", [True, False])
def test_answers_are_kept_before_the_last_one_is_there(tmp_path: Path, has_engine: bool) -> None:
    """A model that breaks after six of twenty answers is asked for the other fourteen again."""
    prompts, path = [f"question {number}" for number in range(20)], tmp_path / "a.ndjson"
    broken, lm = Words(3, has_engine), Words(has_engine=has_engine)
    with pytest.raises(RuntimeError, match="broke"):
        ask(broken, path, prompts)
    assert [answer.text for answer in ask(lm, path, prompts)] == [f"{n} 5" for n in range(20)]
    asked_again = prompts[:14] if has_engine else prompts[6:]
    assert (broken.sent, lm.sent) == (prompts, asked_again)
    assert ask(broken, path, prompts) == ask(lm, path, prompts)  # nothing is left to ask


def test_what_the_engine_says_of_an_answer(tmp_path: Path) -> None:
    """Only one answer was cut, though that which ended has more tokens; one prompt was cut."""
    prompts = ["a long story", "a story", "word " * 14 + "end"]
    cut, whole, late = ask(Words(), tmp_path / "a.ndjson", prompts)
    assert (cut.finish, cut.usage) == ("length", {"prompt_tokens": 3, "completion_tokens": 6})
    assert (whole.finish, whole.usage) == ("stop", {"prompt_tokens": 2, "completion_tokens": 7})
    assert (cut.prompt_cut, late.prompt_cut, late.text) == (None, True, "end 5")


def test_one_prompt_with_two_settings_gets_both_answers(tmp_path: Path) -> None:
    lm = Words()
    with Answers(tmp_path / "a.ndjson", RUN) as answers:
        client = asker(lm, answers)
        jobs = [partial(client.ask, "same", {"top_k": k}) for k in (1, 2)]
        assert [answer.text for answer in run(jobs, client)] == ["same 1", "same 2"]
    assert lm.model.llm_engine.step == lm.step
    assert "tok_encode" not in vars(lm)


def test_a_limit_as_large_as_the_context_is_told_before_anything_is_asked(tmp_path: Path) -> None:
    """vLLM would be given empty prompts. A model with an encoder has a context for each side."""
    lm = Words()
    with pytest.raises(ValueError, match=r"up to 20 tokens leave no room for a prompt .* of 20:"):
        ask(lm, tmp_path / "a.ndjson", ["a story"], max_gen_toks=ROOM)
    assert not lm.sent
    ask(lm, tmp_path / "a.ndjson", ["a story"], max_gen_toks=ROOM - 1)
    lm.backend = "seq2seq"
    ask(lm, tmp_path / "a.ndjson", ["a story"], max_gen_toks=ROOM)
    assert len(lm.sent) == 2

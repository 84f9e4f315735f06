"""Models of this machine, which answer many requests in one call: what is kept, and when."""

from __future__ import annotations

from functools import partial
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from lm_eval.api.model import TemplateLM
from tqdm import tqdm

from xlgo_cli.harness.progress import no_bars
from xlgo_lm_eval import asking
from xlgo_lm_eval.answers import Answer, Answers
from xlgo_lm_eval.asking import asker, run

RUN = {"model": "m"}
LIMIT, ROOM = 6, 20


class Words(TemplateLM):
    """As the harness's vLLM: tokens are words, and the answers of a batch come back together.

    The engine ends two answers in a step, the last first, and breaks after ``steps``.
    """

    max_length, max_gen_toks, eot_token_id, think_end_token = ROOM, LIMIT, 0, "</think>"
    backend = "causal"

    def __init__(self, batch: int = 100, steps: int = 1000, has_engine: bool = True) -> None:
        super().__init__()
        self.batch, self.steps, self.has_engine = batch, steps, has_engine
        self.words: list[str] = []
        self.sent: list[str] = []
        self.queue: list[Any] = []
        self.engine = SimpleNamespace(step=self.step, generate=self.generate)
        if has_engine:
            self.engine.llm_engine = self.engine
            self.model = self.engine

    def tok_encode(self, string: Any, **_: Any) -> Any:
        if not isinstance(string, str):
            return [self.tok_encode(text) for text in string]
        self.words += [word for word in string.split() if word not in self.words]
        return [self.words.index(word) for word in string.split()]

    def step(self) -> list[Any]:
        if not self.steps:
            raise RuntimeError("the engine broke")
        self.steps -= 1
        begun = SimpleNamespace(finished=False, prompt_token_ids=self.queue[0].prompt_token_ids)
        ended, self.queue = self.queue[-2:], self.queue[:-2]
        return [begun, *ended]

    def generate(self, outputs: list[Any], use_tqdm: bool) -> None:
        self.queue = [*outputs]
        bar = tqdm(disable=not use_tqdm)
        while self.queue:
            self.engine.step()
            if use_tqdm:
                1 / bar.format_dict["elapsed"]

    def output(self, asked: Any, tokens: list[int]) -> Any:
        context, settings = asked
        self.sent.append(context)
        is_long = "long" in context
        answer = SimpleNamespace(
            text=f"<think> A: </think> {context[-5:]} {settings['top_k']} {len(self.sent)} A: Q:",
            token_ids=[0] * (LIMIT if is_long else LIMIT + 1),  # its end may be a token more
            finish_reason="length" if is_long else "stop",
        )
        return SimpleNamespace(
            prompt_token_ids=tokens[-(ROOM - LIMIT) :], outputs=[answer], finished=True
        )

    def generate_until(self, requests: Any, disable_tqdm: bool = False) -> list[str]:
        asked = [request.args for request in requests]
        encoded = self.tok_encode(tuple(context for context, _ in asked))
        texts = []
        for start in range(0, len(asked), self.batch):
            part = slice(start, start + self.batch)
            outputs = [self.output(*pair) for pair in zip(asked[part], encoded[part])]
            self.engine.generate(outputs, use_tqdm=self.has_engine)
            for (context, settings), output in zip(asked[part], outputs):
                texts.append(output.outputs[0].text[20:].split(" A:")[0])
                told = settings | {"spaces_between_special_tokens": False}
                self.cache_hook.add_partial("generate_until", (context, told), texts[-1])
        return texts

    loglikelihood_rolling = _loglikelihood_tokens = generate_until  # type: ignore[assignment]


def ask(lm: Words, path: Path, prompts: list[str], **more: int) -> list[Answer]:
    """Have questions answered; a prompt that is there several times is asked so often."""
    settings = {"until": [" A:", " Q:"], "top_k": 5, **more}
    with Answers(path, RUN) as answers, no_bars():
        client = asker(lm, answers)
        jobs = [
            partial(client.ask, prompt, settings, draw=prompts[:number].count(prompt))
            for number, prompt in enumerate(prompts)
        ]
        return run(jobs, client)


@pytest.mark.parametrize(
    ("batch", "has_engine", "again"),
    [(100, True, [*range(14)]), (4, True, [4, 5, *range(8, 20)]), (2, False, [*range(6, 20)])],
)
def test_answers_are_kept_before_the_last_one_is_there(
    batch: int, has_engine: bool, again: list[int], tmp_path: Path
) -> None:
    """A model that breaks after six of twenty answers is asked for the other fourteen again."""
    prompts, path = [f"question {number:5}" for number in range(20)], tmp_path / "a.ndjson"
    broken, lm = Words(batch, 3, has_engine), Words(batch, has_engine=has_engine)
    with pytest.raises(RuntimeError, match="broke"):
        ask(broken, path, prompts)
    answers = ask(lm, path, prompts)
    assert [answer.split()[:2] for answer in answers] == [[str(n), "5"] for n in range(20)]
    assert lm.sent == [prompts[number] for number in again]
    assert ask(broken, path, prompts) == answers  # nothing is left to ask


@pytest.mark.parametrize("batch", [1, 2, 100])
@pytest.mark.parametrize("has_engine", [True, False])
def test_each_repetition_has_an_answer_of_its_own(
    batch: int, has_engine: bool, tmp_path: Path
) -> None:
    """An answer that the engine tells and the harness tells again is no second answer."""
    prompts = [f"question {number:5}" for number in (1, 1, 1, 2, 2, 2)]
    answers = ask(Words(batch, has_engine=has_engine), tmp_path / "a.ndjson", prompts)
    assert {answer.split()[2] for answer in answers} == {"1", "2", "3", "4", "5", "6"}
    assert [answer.split()[0] for answer in answers] == ["1"] * 3 + ["2"] * 3


def test_what_the_engine_says_of_an_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only one answer was cut, though that which ended has more tokens; one prompt was cut.

    A second passes between any two looks at the clock, so one from each answer to the next.
    """
    monkeypatch.setattr(asking, "time", SimpleNamespace(time=partial(next, count())))
    cut, whole, late = ask(
        Words(), tmp_path / "a.ndjson", ["a long story", "a story", "word " * 15]
    )
    assert (cut.finish, cut.usage) == ("length", {"prompt_tokens": 3, "completion_tokens": 6})
    assert (whole.finish, whole.usage) == ("stop", {"prompt_tokens": 2, "completion_tokens": 7})
    assert (cut.prompt_cut, late.prompt_cut, late.split()) == (None, True, ["word", "5", "3"])
    assert (cut.split(), whole.split()) == (["story", "5", "1"], ["story", "5", "2"])
    assert {answer.seconds for answer in (cut, whole, late)} == {1}


def test_one_prompt_with_two_settings_gets_both_answers(tmp_path: Path) -> None:
    lm = Words()
    with Answers(tmp_path / "a.ndjson", RUN) as answers:
        client = asker(lm, answers)
        jobs = [partial(client.ask, "a question", {"until": [" A:"], "top_k": k}) for k in range(3)]
        assert [answer.split()[1] for answer in run(jobs, client)] == ["0", "1", "2"]
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

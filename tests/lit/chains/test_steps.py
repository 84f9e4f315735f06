"""Translation, self-correction and judging, each by answers written by hand."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lm_eval")

from tests.clock import processor_seconds
from xlgo_dataset.families.lit import prompts
from xlgo_lm_eval.answers import Answers
from xlgo_lm_eval.chains import Item, Step
from xlgo_lm_eval.lit.chains import Translation
from xlgo_lm_eval.replies import REFUSED, Answer, missing

from .client import run_chains
from .test_engine import Plain


def run(tmp_path: Path, step: Step, answer: Callable[[str], str]) -> tuple[list[str], Any]:
    """What was asked, and the outcome; run twice, so that it is also resumed."""
    lm = Plain(answer)
    with Answers(tmp_path / "a.ndjson", {"model": "m"}) as answers:
        (chain,) = run_chains(lm, [Item("c", step, {})], answers)
        asked = list(lm.sent)
        (again,) = run_chains(lm, [Item("c", step, {})], answers)
    if all(reply.status != "error" for reply in chain.history):
        assert lm.sent == asked
        assert again.outcome() == chain.outcome()
    json.dumps(chain.outcome())
    return asked, chain.outcome()


def in_turn(*answers: str) -> Callable[[str], str]:
    left = list(answers)
    return lambda prompt: left.pop(0)


TWO = Translation("Hi.", ("en", "te", "en"), ("English", "Telugu", "English"))


def test_a_translation_sees_only_the_last_text(tmp_path: Path) -> None:
    asked, outcome = run(
        tmp_path, TWO, in_turn("<think>hm</think>\n<text>\nనమస్తే\n</text>", "```\nHello.\n```")
    )
    assert asked == [
        prompts.translation("Hi.", "English", "Telugu"),
        prompts.translation("నమస్తే", "Telugu", "English"),
    ]
    assert (outcome["status"], outcome["final"]) == ("ok", "Hello.")
    assert [(hop["src"], hop["tgt"]) for hop in outcome["hops"]] == [("en", "te"), ("te", "en")]
    assert outcome["hops"][0]["reasoning"] == "hm"


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ("<think>I never come to an end", "empty"),
        ("<think>done</think>", "empty"),
        ("<text></text>", "empty"),
        (Answer("cut of", finish="length"), "length"),
        (Answer("", REFUSED, finish="content_filter"), "refused"),
        (missing("HTTP 500"), "error"),
    ],
)
def test_nothing_is_made_of_a_bad_hop(tmp_path: Path, answer: str, state: str) -> None:
    asked, outcome = run(tmp_path, TWO, in_turn(answer, answer))
    assert len(set(asked)) == 1
    assert (outcome["status"], outcome["final"]) == ("failed@1", "")
    assert outcome["hops"][0]["state"] == state
    _, outcome = run(tmp_path / "second", TWO, in_turn("x", answer, answer))
    assert (outcome["status"], outcome["final"]) == ("failed@2", "")


def test_hostile_answers_are_read_quickly() -> None:
    for answer in ("<text>" * 200_000, "```\n" * 200_000, "<think>" * 200_000, "</think>" * 99_999):
        with processor_seconds(1):
            prompts.read_hop(answer)


def test_a_prompt_can_be_read_back() -> None:
    text = "to {src} from <text>\n</text>\n\n x"
    prompt = prompts.translation(text, "Telugu", "Punjabi (Gurmukhi script)")
    assert prompts.read_translation(prompt) == (text, "Telugu", "Punjabi (Gurmukhi script)")
    assert prompts.read_translation("What is 2 + 2?") is None

"""Rewards for trainers: only a correct answer gets the whole of any of them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import xlgo_dataset as xd
import xlgo_metric as xm
from tests.looping import looped

FUNCTIONS = (xm.reward, xm.partial_reward, xm.format_reward)


def reference(task: str, answer: Any, **more: Any) -> str:
    return json.dumps({"task": task, "answer": answer, **more})


CHAIN = reference("slt", {"chain": [4, -7, 12, 0]})
EIGHT = [f"A{n}" for n in range(1000, 1008)]
ROOMS = reference("prdsa", {"states": EIGHT})
PATH = reference("graph_sp", {"path": ["A1000", "B1000", "C1000", "D1000", "E1000"]})
RANKING = reference("t_rank", {"ranking": ["A1000", "B1000", "C1000", "D1000"]})


@looped(
    ("answer", "asked", "share"),
    [
        ({"chain": [4, -7, 12, 1]}, CHAIN, 3 / 4),
        ({"chain": [4, 0, 12, 0]}, CHAIN, 1 / 4),
        ({"chain": [5, -7, 12, 0]}, CHAIN, 0),
        ({"chain": [4, -7]}, CHAIN, 2 / 4),
        ({"chain": [4, -7, 12, 0, 1]}, CHAIN, 1),
        ({"state": "B1000"}, reference("dsa", {"state": "A1000"}), 0),
        ({"states": [*EIGHT[:6], "B1000", "B1001"]}, ROOMS, 6 / 8),
        ({"states": EIGHT + [f"B{n}" for n in range(1000, 1056)]}, ROOMS, 8 / 64),
        ({"states": EIGHT[:1] * 8}, ROOMS, 1 / 8),
        ({"path": ["A1000", "X1000", "E1000"]}, PATH, 0),
        ({"path": ["A1000", "B1000", "C1000", "E1000"]}, PATH, 2 / 4),
        ({"ranking": ["A1000", "B1000", "D1000", "C1000"]}, RANKING, 2 / 4),
    ],
)
def test_partial_credit_by_hand(answer: dict, asked: str, share: float) -> None:
    text = json.dumps(answer)
    assert xm.reward([text], [asked]) == [0.0]
    assert xm.partial_reward([text], [asked]) == [pytest.approx(0.9 * share)]


@pytest.mark.parametrize("task", xd.TASKS)
def test_the_right_answer_gets_all(task: str) -> None:
    smallest = {"prdsa": 9, "graph_sp": 20}.get(task, 6)
    for row in xd.training_rows(
        task, ["en", "te"], complexities=[smallest], per_level=2, exclude=()
    ):
        for function in FUNCTIONS:
            told = [{"role": "assistant", "content": row["completion"][0]["content"]}]
            parts = [
                {"role": "assistant", "content": [{"type": "text", "text": told[0]["content"]}]}
            ]
            assert function([told, told[0]["content"], parts], [row["reference"]] * 3) == [1.0] * 3


def test_form() -> None:
    right = '{"chain": [4, -7, 12, 0]}'
    texts = [right, f"It is {right}", '{"chain": [1]}', "four", "", '{"chain": "x"}']
    assert xm.format_reward(texts, [CHAIN] * len(texts)) == [1.0, 0.5, 1.0, 0.0, 0.0, 0.0]


HOSTILE: list[Any] = [
    None, 7, float("nan"), [], {}, [None], [{"role": "assistant"}], [{"content": 5}], b"{}",
    [{"role": "user", "content": '{"chain": [4, -7, 12, 0]}'}],
    [{"role": "tool", "content": '{"chain": [4, -7, 12, 0]}'}],
    "[" * 100_000, '{"chain":' * 20_000, '{"chain": [' + "9" * 100_000 + "]}", "\ud800\x00",
    '{"chain": [1e999999999]}', "<think>" * 50_000, [[[]]], "{" * 200_000,
]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS)
def test_hostile_completions_earn_nothing(function: Any) -> None:
    for asked in (CHAIN, ROOMS, PATH, RANKING):
        assert function(HOSTILE, [asked] * len(HOSTILE)) == [0.0] * len(HOSTILE)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(-20, 20), max_size=8), st.lists(st.integers(-20, 20), min_size=1))
def test_less_than_one_unless_correct(given_chain: list[int], right: list[int]) -> None:
    asked = reference("slt", {"chain": right})
    text = json.dumps({"chain": given_chain})
    correct = xm.grade(text, asked).correct
    assert xm.reward([text], [asked]) == [float(correct)]
    (partial,) = xm.partial_reward([text], [asked])
    assert (partial == 1.0) == correct
    assert correct or 0.0 <= partial <= 0.9


def test_other_families_know_right_and_wrong_alone() -> None:
    asked = json.dumps(
        {"task": "polymath_low", "family": "polymath", "language": "en", "answer": "12"}
    )
    texts = [r"\boxed{12}", r"\boxed{13}"]
    assert xm.reward(texts, [asked] * 2) == [1.0, 0.0]
    assert xm.partial_reward(texts, [asked] * 2) == [1.0, 0.0]


def test_what_trainers_hand_over_besides_does_not_matter() -> None:
    more = {"prompts": [1], "completion_ids": [[1]], "trainer_state": object(), "language": ["te"]}
    assert xm.reward(completions=["x"], reference=[CHAIN], **more) == [0.0]


def test_mistakes_in_the_data_are_named() -> None:
    with pytest.raises(ValueError, match="2 completions but 1 references"):
        xm.reward(["a", "b"], [CHAIN])
    with pytest.raises(ValueError, match="completions must be a list"):
        xm.reward("a", [CHAIN])
    with pytest.raises(ValueError, match="no 'answer'"):
        xm.reward(["a"], ['{"task": "slt"}'])

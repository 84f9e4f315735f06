"""Grading takes time linear in the length of a response, whatever stands in it.

The bounds are several times what a slow and busy machine needs; quadratic work takes hours.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from tests.clock import processor_seconds
from xlgo_metric.families.xlgobench.grading import grade

MILLION = 1_000_000
SECONDS = 3.0
CHAIN = {"task": "slt", "answer": {"chain": [1]}}
RIGHT = '{"chain":[1]}'

UNITS = [
    *"{}[]\"'“‘«「\\<◁#-−1१ \n`",
    "\u200b",
    "\ufdfa",
    "<think>",
    "</think>",
    "<think></think> ",
    "◁think▷",
    "<|channel|>analysis<|message|>",
    "<|channel|>",
    "assistantfinal",
    '{"',
    "{'",
    "{“",
    "{‘",
    "{«",
    "{「",
    '{"chain":',
    '{"chain":[',
    '{"chain":[1,',
    '{"chain":[१,',
    '{"chain":[]}',
    '{"chain":[1]}',
    '{"chain":["\ufdfa"]}',
    '{"chain":"',
    "{“chain”：“",
    '{"\\"',
    '{"{":',
    '{"{":"{",',
    '{"a":{',
    '{"a":[{},',
    "{a:1,",
    "{/*",
    "{//",
    "/*",
    "[[],",
    "1e",
    '"A1234",',
    "```json\n",
    "&",
    "&#1",
    "&quot;",
    '{\\"chain\\":',
    '{\\"chain\\":[',
    "{chain:(",
    "{chain: A1234,",
    "\\{",
    "\\text{",
    "\\u0022",
    "*",
    "> ",
    "->",
    "{chain:['",
    "not ",
]
OPENINGS = ["", '{"chain":[', '{"chain":', '{"chain":"', '{"x":[', "<think>", "analysisX", "{'"]


@pytest.mark.parametrize("unit", UNITS)
def test_a_million_hostile_characters(unit: str) -> None:
    text = unit * (MILLION // len(unit))
    with processor_seconds(SECONDS):
        graded = grade(text, CHAIN)
    assert graded.correct == (unit == RIGHT)


@pytest.mark.parametrize("opening", OPENINGS)
def test_hostile_characters_after_an_opening_and_before_an_answer(opening: str) -> None:
    size = MILLION // 100
    for unit in UNITS:
        noise = opening + unit * (size // len(unit))
        with processor_seconds(SECONDS / 3):
            grade(noise, CHAIN)
            grade(noise + "\n" + RIGHT, CHAIN)
            grade(noise + "]}", CHAIN)


def test_nested_openings_do_not_hide_the_last_object() -> None:
    for unit in ('{"chain":[1,', '{"chain":[', '{"a":', '{"chain":{"a":[', "{", '{"'):
        graded = grade(unit * 100_000 + RIGHT, CHAIN)
        assert graded.correct, unit
        assert grade(RIGHT + unit * 100_000, CHAIN).status in ("correct", "truncated"), unit


def test_a_long_list_is_given_up_and_the_end_still_read() -> None:
    many = '{"chain": [' + "१, " * 200_000
    assert grade(many, CHAIN).status == "bad_format"
    assert grade(many + "१]}", CHAIN).status == "bad_format"
    assert grade(many + RIGHT, CHAIN).correct


def test_comments_that_end_at_the_very_end() -> None:
    for unit, end in (("{/*", "*/"), ("{//", "\n"), ("{#", "\n")):
        text = unit * (MILLION // len(unit)) + end
        with processor_seconds(SECONDS):
            assert not grade(text, CHAIN).correct


def test_very_long_numbers() -> None:
    for number in ("9" * MILLION, "-" + "9" * MILLION, "1." + "0" * MILLION, "1e" + "9" * MILLION):
        with processor_seconds(SECONDS):
            assert grade(f'{{"chain": [{number}]}}', CHAIN).status in ("wrong", "bad_format")
            assert grade(f'{{"chain": ["{number}"]}}', CHAIN).status in ("wrong", "bad_format")


def test_deep_nesting_is_no_recursion() -> None:
    for text in ("[" * MILLION, '{"a":' * 200_000, '{"chain":' + "[" * MILLION):
        grade(text + "]" * 100 + "}" * 100, CHAIN)
    deep = "[" * 5_000 + "]" * 5_000
    assert grade(f'{{"chain":[1],"x":{deep}}}', CHAIN).details["lenient"][0] == "not_json"
    for depth in range(28, 70):
        assert grade('{"a":' * depth + RIGHT + "}" * depth, CHAIN).correct
        assert grade('{"chain":[' * depth + RIGHT, CHAIN).correct


def test_many_answers() -> None:
    rng = random.Random(7)
    made: list[tuple[str, dict[str, Any]]] = []
    for length in range(10, 600, 2):
        answer: dict[str, Any] = {"chain": [rng.randint(-9, 9) for _ in range(length)]}
        made.append((json.dumps(answer), {"task": "slt", "answer": answer}))
        players = [f"K{number}" for number in rng.sample(range(1000, 9999), length // 4)]
        answer = {"ranking": players}
        made.append((f"So:\n{json.dumps(answer)}", {"task": "t_rank", "answer": answer}))
    with processor_seconds(SECONDS):
        assert all(grade(text, reference).correct for text, reference in made)

"""Grading takes time linear in the length of a response, whatever stands in it.

The bounds are several times what a slow and busy machine needs; quadratic work takes hours at a
million characters (slow tests), and minutes at the fifty thousand of the others.
"""

import pytest

from tests.clock import processor_seconds
from xlgo_metric.families.xlgobench.grading import grade

MILLION = 1_000_000
SECONDS = 3.0
"""For a million characters."""
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


@pytest.fixture(params=[MILLION // 20, pytest.param(MILLION, marks=pytest.mark.slow)])
def length(request: pytest.FixtureRequest) -> int:
    """Characters of a response."""
    return int(request.param)


def seconds(length: int) -> float:
    """The limit for a response of so many characters."""
    return SECONDS * max(length / MILLION, 0.3)


@pytest.mark.parametrize("unit", UNITS)
def test_hostile_characters(unit: str, length: int) -> None:
    text = unit * (length // len(unit))
    with processor_seconds(seconds(length)):
        graded = grade(text, CHAIN)
    assert graded.correct == (unit == RIGHT)


@pytest.mark.parametrize("opening", OPENINGS)
def test_hostile_characters_after_an_opening_and_before_an_answer(
    opening: str, length: int
) -> None:
    size = length // 25
    first = OPENINGS.index(opening) % 2
    for unit in UNITS if length == MILLION else UNITS[first::2]:
        noise = opening + unit * (size // len(unit))
        grade(opening + unit * 20 + "\n" + RIGHT, CHAIN)  # compiles the words of its language
        with processor_seconds(seconds(3 * size)):
            grade(noise, CHAIN)
            grade(noise + "\n" + RIGHT, CHAIN)
            grade(noise + "]}", CHAIN)


def test_deep_nesting_is_no_recursion() -> None:
    for text in ("[" * MILLION, '{"a":' * 200_000, '{"chain":' + "[" * MILLION):
        grade(text + "]" * 100 + "}" * 100, CHAIN)
    for depth in range(28, 70):
        assert grade('{"a":' * depth + RIGHT + "}" * depth, CHAIN).correct
        assert grade('{"chain":[' * depth + RIGHT, CHAIN).correct

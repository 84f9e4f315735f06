"""Inputs that once were graded wrongly, most of them found by fuzzing."""

from __future__ import annotations

import json

from xlgo_metric.families.xlgobench.grading import grade

CHAIN = {"task": "slt", "answer": {"chain": [1, -2, 6]}}
RIGHT = json.dumps(CHAIN["answer"])


def test_block_comments_without_an_end_do_not_hide_the_object() -> None:
    assert grade("{/*{{{" * 30 + RIGHT, CHAIN).correct
    assert grade("{//{{{" * 30 + RIGHT, CHAIN).correct
    assert grade("{//{{{" * 30 + "\n" + RIGHT, CHAIN).correct


def test_an_invisible_character_between_sign_and_digits_takes_linear_time() -> None:
    assert grade('{"chain":[' + "\u200b" * 100_000 + "1, -2, 6]}", CHAIN).correct


def test_an_object_at_the_depth_limit_is_still_found() -> None:
    for depth in range(25, 40):
        assert grade('{"chain":[1,' * depth + RIGHT, CHAIN).correct

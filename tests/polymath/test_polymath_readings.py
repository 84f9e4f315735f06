"""Which answer of a response counts, and in which language it is read."""

from __future__ import annotations

import itertools

import pytest

import xlgo_metric as xm


def correct(answer, gold, language="en"):
    return xm.grade_math(rf"\boxed{{{answer}}}", gold, language=language).correct


@pytest.mark.parametrize("answer", ["1.234(5)", "1.234.1(6)", "&", ",", ";;", r"2_{(1.(6))}"])
def test_odd_answers_are_only_wrong(answer):
    assert not correct(answer, "17", "de")


def test_the_language_is_that_of_the_reference():
    reference = {"family": "polymath", "task": "polymath", "level": "low", "answer": "70000"}
    answer = r"\boxed{70.000}"
    assert xm.grade(answer, reference | {"language": "de"}).correct
    assert not xm.grade(answer, reference | {"language": "en"}).correct


MACHINE = ("#### {}", '{{"answer": "{}"}}', "<answer>{}</answer>")


@pytest.mark.parametrize("order", list(itertools.permutations(MACHINE, 2)))
def test_of_two_forms_that_nobody_asked_for_the_last_in_the_text_decides(order):
    text = "\n\n".join(form.format(number) for number, form in zip((11, 12), order))
    reference = {"family": "polymath", "task": "polymath", "level": "low", "language": "en"}
    assert xm.grade(text, reference | {"answer": "12"}).correct
    assert not xm.grade(text, reference | {"answer": "11"}).correct

"""What other tools are given: questions by task and language, and grades."""

import json
from typing import Any

import pytest
from xlgo.questions import grade_answer, questions, task_names

import xlgo_dataset as xd
import xlgo_metric as xm


def test_questions_are_the_rows_of_the_dataset() -> None:
    options: dict[str, Any] = {"levels": 2, "per_level": 2, "seed": 3}
    found = list(questions("slt", "en,te", split="validation", **options))
    family = xd.family_of("slt")
    assert found == list(family.rows("slt", ["en", "te"], split="validation", **options))
    assert [row["language"] for row in found[:4]] == ["en", "te"] * 2
    usual = {row["language"]: row["seed"] for row in questions("slt", levels=1, per_level=1)}
    assert usual == dict.fromkeys(family.default_languages("slt"), 0)
    names = task_names()
    assert {*xd.TASKS, "travel", "polymath"} <= {*names}
    assert not [name for name in names if name.startswith("lit") or "correction" in name]
    for name, languages, words in (
        ("lit_e_asia", "", "unknown task 'lit_e_asia': allowed are slt"),
        ("slt", "xx", "xx"),
    ):
        with pytest.raises(ValueError, match=words):
            next(questions(name, languages))


def test_a_grade_is_that_of_the_metric_and_says_what_was_cut() -> None:
    (row,) = questions("slt", "te", levels=1, per_level=1)
    assert grade_answer(row["answer"], row["reference"], cut=True) == xm.grade(
        row["answer"], row["reference"]
    )
    statuses = [grade_answer("x", row["reference"], cut=cut).status for cut in (False, True)]
    assert statuses == [xm.grade("x", row["reference"]).status, "truncated"]
    assert statuses[0] != "truncated"
    assert json.loads(row["answer"]) == json.loads(row["reference"])["answer"]

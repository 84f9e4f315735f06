"""A corpus of answers, frozen before the reader of mode default was mended.

Labels follow from the prompts and from what a judge would say: 13 questions in some hundred styles.
"""

import json
import lzma
from pathlib import Path
from typing import Any

import pytest

from tests.looping import looped
from xlgo_metric.families.korbench.extraction import examples_of, is_template
from xlgo_metric.families.korbench.grading import grade
from xlgo_metric.families.korbench.verdict import verdict

HERE = Path(__file__).parent
RAW = lzma.decompress((HERE / "regression.jsonl.xz").read_bytes())
ROWS: list[dict[str, Any]] = [json.loads(line) for line in RAW.decode().splitlines()]
NAMES = ("category", "rule_id", "idx", "answer", "question", "questions", "asked")


def test_answers_are_graded_as_a_judge_would() -> None:
    for row in ROWS:
        found = grade(row["response"], {name: row[name] for name in NAMES if name in row})
        assert found.status in (row["status"], CHANGED.get(row["style"])), row
        if "pass_rate" in row:
            assert found.details["pass_rate"] == pytest.approx(row["pass_rate"])


# What is taken back and different answers side by side are bad_format in every family; thinking
# that never ends has answered if it ends with the asked form.
CHANGED = {
    "retracted": "bad_format",
    "open thinking": "correct",
    "alternatives": "bad_format",
    "puzzle example only": "bad_format",
    "only template": "bad_format",
    "grid template only": "bad_format",
    "parts apart wrong": "wrong",
}


FORMS = (
    "[[{}]]", "**[[{}]]**", "The answer is [[{}]].", "[[ {} ]]", "[[\n{}\n]]", '[["{}"]]',
    "[[{}]]]", "[[[{}]]]", "[{}]", "$\\boxed{{{}}}$", "[[{}.]]", "\\[[[{}]]\\]", "[[{}]]\\]",
    "[[$ {} $]]", "Let me see [1].\n[[{}]]", "[[x = {}]]", "[[\\({}\\)]]", "[[\\text{{{}}}]]",
    "[[{}] text]", "[[{}", "[[{}]", "[{}] as asked", "[[{}]]\n\n### Question:\nNext [[Z]]",
    "### Question\n[[{}]]", "[[\\left({}\\right)]]", "[[\\displaystyle {}]]", "[[{},]]",
)  # fmt: skip


@pytest.mark.parametrize("category", ["operation", "logic", "cipher", "puzzle", "counterfactual"])
def test_default_refuses_no_form_that_the_published_grading_accepts(category: str) -> None:
    lines = (HERE / "fixture" / category / "sample.jsonl").read_text("utf-8").splitlines()
    accepted = 0
    for item in map(json.loads, lines):
        gold = str(item["answer"])
        where = {"category": category, "rule_id": item["rule_id"], "idx": item["idx"]}
        for form in FORMS:
            response = form.format(gold.removeprefix("[[").removesuffix("]]"))
            if verdict(response, gold, **where, mode="paper"):
                accepted += 1
                assert verdict(response, gold, **where), (response, gold)
    assert accepted > 3 * len(lines)


EXAMPLES = (
    "your answer", "encrypted answer", "((a,b),(c,d))", "A/B/C", "A/B];[A/B", "", "];[", "...",
    "a/b+c*d+e=14", "word1 word2 ...", "x=value,y=value", "T:...;F:...",
)  # fmt: skip
ANSWERS = ("A", "A];[B", "B/C", "a+b", "((1,2),(3,4))", "C. Some ...")


@looped("content", EXAMPLES + ANSWERS)
def test_examples_of_the_prompts_are_no_answers(content: str) -> None:
    assert is_template(content) == (content in EXAMPLES)


def test_what_a_question_shows_is_an_example_unless_it_is_right() -> None:
    question = "Answer like [[T C X,X X C]] or [[3]]."
    assert examples_of(question, "[[3]]") == {"T C X,X X C", "1or2"}

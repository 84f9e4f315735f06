"""Answers with identifiers in the letters and digits of a language, graded against a key made here.

The expected identifiers are spelt by a table of this test, letter by letter, from the language
files; nothing of the grader is used to write them.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

import xlgo_dataset as xd
import xlgo_metric as xm
from tests.looping import looped

solve: Any = xd.solve  # the value of its one key is what the puzzle asks for

SIZES = {"slt": 6, "dsa": 5, "prdsa": 9, "graph_sp": 20, "t_rank": 12, "dsa_perm": 5}
NATIVE = tuple(c for c in xd.available() if "native_ids" in xd.load_language(c).conditions)


def spelt(value: Any, language: str) -> Any:
    table = xd.load_language(language).conditions["native_ids"]
    letters, digits = table["letters"].text, table["digits"].text
    if isinstance(value, list):
        return [spelt(item, language) for item in value]
    if isinstance(value, dict):
        return {key: spelt(item, language) for key, item in value.items()}
    if isinstance(value, int):
        return value
    return letters["ABCDEFGHIJKLMNOPQRSTUVWXYZ".index(value[0])] + "".join(
        digits[int(digit)] for digit in value[1:]
    )


def question(task: str, language: str) -> tuple[dict[str, Any], dict[str, Any], Any]:
    rows = xd.family("xlgobench").rows(
        task, [language], complexities=[SIZES[task]], per_level=1, conditions="native_ids", seed=3
    )
    row = next(iter(rows))
    instance = xd.generate(task, complexity=SIZES[task], seed=3)
    return row, json.loads(row["reference"]), instance


@looped("language", NATIVE)
@looped("task", SIZES)
def test_right_and_wrong_answers(task: str, language: str) -> None:
    row, reference, instance = question(task, language)
    right = spelt(solve(instance), language)
    assert json.loads(row["answer"]) == right
    response = json.dumps(right, ensure_ascii=False)
    graded = xm.grade(response, reference)
    assert graded.correct
    assert graded.strict, graded.details
    assert xm.grade(f"Let me see.\n\n{response}", reference).correct
    if task == "slt":
        return
    assert spelt("Q7385", language) not in response
    plain = xm.grade(json.dumps(solve(instance)), reference)
    assert not plain.correct  # no such identifier stands in the prompt
    ((key, value),) = right.items()
    names = [value] if isinstance(value, str) else value
    for wrong in (spelt("Q7385", language), names[0] + names[0][-1], names[0][:-1]):
        answer = wrong if isinstance(value, str) else [wrong, *names[1:]]
        assert not xm.grade(json.dumps({key: answer}), reference).correct, wrong
    if len(names) > 1:
        assert not xm.grade(json.dumps({key: names[1:]}), reference).correct
        assert xm.grade(json.dumps({key: str(names)}), reference).correct


@looped("language", NATIVE)
def test_room_words_and_other_digits(language: str) -> None:
    _, reference, instance = question("dsa", language)
    state = spelt(solve(instance)["state"], language)
    room = xd.load_language(language).strings("dsa")["room"].replace("{id}", state)
    graded = xm.grade(json.dumps({"state": room}), reference)
    assert graded.correct
    assert graded.strict
    ascii_digits = state[0] + solve(instance)["state"][1:]
    graded = xm.grade(json.dumps({"state": ascii_digits}), reference)
    assert graded.correct
    assert graded.strict == (ascii_digits == state)
    two = f"{state} {spelt('Q7385', language)}"
    assert xm.grade(json.dumps({"state": two}), reference).status == "bad_format"
    assert xm.grade(json.dumps({"state": f"A{state}"}), reference).status == "bad_format"
    assert xm.grade(f"The room is {state}.", reference).status == "no_answer"


def test_letters_that_look_like_latin_ones() -> None:
    """Nobody sees whether a Russian answer has the Latin or the Cyrillic letter."""
    _, reference, _ = question("dsa", "ru")
    reference["answer"] = {"state": "A4821"}  # the first letter of the alphabet is А
    graded = xm.grade('{"state": "A4821"}', reference)  # a Latin A
    assert graded.correct
    assert graded.details["lenient"] == ["lookalike"]
    assert xm.grade('{"state": "а4821"}', reference).details["lenient"] == ["id_case"]
    assert not xm.grade('{"state": "D4821"}', reference).correct
    reference["answer"] = {"state": "D4821"}  # the fourth letter
    assert xm.grade('{"state": "Г4821"}', reference).correct


@pytest.mark.parametrize("ids", [{}, [], {"letters": "abc", "digits": "0123456789"}, "x"])
def test_references_that_are_malformed(ids: Any) -> None:
    _, reference, _ = question("dsa", "te")
    with pytest.raises(ValueError, match="26 letters and ten digits"):
        xm.grade('{"state": "A1234"}', reference | {"ids": ids})


def test_long_text_costs_little() -> None:
    _, reference, _ = question("t_rank", "hi")
    for text in ("क" * 200_000, "क१२३" * 50_000, "१" * 200_000):
        assert not xm.grade(json.dumps({"ranking": [text]}), reference).correct

"""Each rule of grading, with the case that it is there for and the one that it must not reach."""

import json

import pytest

from tests.looping import looped
from xlgo_metric.families.xlgobench.grading import grade

from .grading_cases import REFERENCES, ROOM, TASKS, oracle, short

# What is asked for


@pytest.mark.parametrize("task", TASKS)
def test_the_answer_as_asked_is_correct_and_strict(task: str) -> None:
    graded = grade(oracle(task), REFERENCES[task])
    (answer,) = REFERENCES[task]["answer"].values()
    assert (graded.status, graded.correct, graded.strict) == ("correct", True, True)
    assert graded.answer == answer
    assert graded.details["lenient"] == []
    json.dumps(graded.to_json())


@pytest.mark.parametrize("text", ["", "   \n", None, "I do not know.", "{}", "[]", "null"])
def test_nothing_that_looks_like_the_answer(text: str | None) -> None:
    for reference in REFERENCES.values():
        graded = grade(text, reference)
        assert (graded.status, graded.correct, graded.strict) == ("no_answer", False, False)
        assert graded.answer is None


# Forms that are forgiven, each with the name under which it is recorded

FORGIVEN = [
    ('{"chain":[1,-2,6]} and so on', "prose"),
    ('The answer: {"chain":[1,-2,6]}', "prose"),
    ('```json\n{"chain":[1,-2,6]}\n```', "fence"),
    ('```\n{"chain":[1,-2,6]}\n```', "fence"),
    ('```json\n{"chain":[1,-2,6]}', "fence"),
    ('{"answer": {"chain": [1,-2,6]}}', "nested"),
    ('{"chain":[1,-2,6], "note": "done"}', "extra_keys"),
    ('{"steps": [{"w": 1}, {"w": -2}], "chain":[1,-2,6]}', "extra_keys"),
    ('{"Chain":[1,-2,6]}', "key_case"),
    ('{"CHAIN":[1,-2,6]}', "key_case"),
    ('{"ｃｈａｉｎ":[1,-2,6]}', "key_case"),
    ("{chain:[1,-2,6]}", "bare_key"),
    ("{“chain”:[1,-2,6]}", "smart_quotes"),
    ("{„chain“:[1,-2,6]}", "smart_quotes"),
    ("{«chain»:[1,-2,6]}", "smart_quotes"),
    ("{「chain」:[1,-2,6]}", "smart_quotes"),
    ("{‘chain’:[1,-2,6]}", "smart_quotes"),
    ("{＂chain＂:[1,-2,6]}", "smart_quotes"),
    ("{'chain':[1,-2,6]}", "single_quotes"),
    ('{"chain":[1,-2,6,]}', "trailing_comma"),
    ('{"chain":[1,-2,6],}', "trailing_comma"),
    ('{"chain":[9]} no: {"chain":[1,-2,6]}', "several_objects"),
    ('{"chain":[1, // 7*1-6\n-2,6]}', "comments"),
    ('{"chain":[1, # 7*1-6\n-2,6]}', "comments"),
    ('{"chain":[1, /* 7*1-6 */ -2,6]}', "comments"),
    ('{"chain":[1，-2，6]}', "fullwidth"),
    ('{"chain":[1、-2、6]}', "fullwidth"),
    ('{"chain":[1، -2، 6]}', "fullwidth"),
    ('｛"chain"：［1,-2,6］｝', "fullwidth"),
    ('{"chain":[1,\u200e-2,6]}', "invisible"),
    ('{"chain":[1,-\u200e2,6]}', "invisible"),
    ('{\ufeff"chain":[1,-2,6]}', "invisible"),
    ('{"chain":[１,-２,６]}', "native_digits"),
    ('{"chain":[१,-२,६]}', "native_digits"),
    ('{"chain":[1,−2,6]}', "unicode_minus"),
    ('{"chain":[1,－2,6]}', "unicode_minus"),
    ('{"chain":[1,–2,6]}', "unicode_minus"),
    ('{"chain":[1,-2.0,6]}', "integral_float"),
    ('{"chain":[1,-2,6e0]}', "integral_float"),
    ('{"chain":[1,-2,60E-1]}', "integral_float"),
    ('{"chain":["1","-2","6"]}', "numeric_string"),
    ('{"chain":["1"," -2 ","6.0"]}', "numeric_string"),
    ('{"chain":["1","-20e-1","0.6E+1"]}', "numeric_string"),
    ('{"chain":[1,-2,"6 gold"]}', "unit"),
    ('{"chain":[1,-2,"$6"]}', "unit"),
    ('{"chain":[[1,-2,6]]}', "one_item"),
    ('{"chain":"[1,-2,6]"}', "list_text"),
    (
        '{"chain":[{"n": 1, "w": 1}, {"n": 2, "w": -2}, {"n": 3, "w": 6}]}',
        "members",
    ),
    ('{"chain":(1,-2,6)}', "other_syntax"),
    ('{"chain":[1 -> -2 -> 6]}', "other_syntax"),
    ('\\boxed{\\{"chain":[1,-2,6]\\}}', "not_json"),
    ('{\\"chain\\":[1,-2,6]}', "not_json"),
    ('"{&quot;chain&quot;:[1,-2,6]}"', "not_json"),
    ('{"chain":[1,-2,+6]}', "other_syntax"),
    ('{"chain":[01,-2,6]}', "other_syntax"),
    ('{"chain":[1,-2,6], "ok": True}', "other_syntax"),
]


@looped(("text", "rule"), FORGIVEN)
def test_forms_of_a_chain_that_are_forgiven(text: str, rule: str) -> None:
    graded = short(text)
    assert (graded.status, graded.answer, graded.strict) == ("correct", [1, -2, 6], False)
    assert rule in graded.details["lenient"]


@pytest.mark.parametrize(
    "room",
    ["V9935 (V9935)", "the room V9935!", "**V9935**", "`V9935`", "#V9935", "It is V9935.",
     "I end in the room V9935", "Room No. V9935", "(V9935)", "V9935?", "$V9935$"],
)  # fmt: skip
def test_a_decorated_room_is_right_but_not_strict(room: str) -> None:
    graded = grade(json.dumps({"state": room}), ROOM)
    assert (graded.correct, graded.strict) == (True, False)
    assert graded.details["lenient"] == ["decorated"]


# Which object counts


def test_the_last_object_with_the_key_counts() -> None:
    assert short('{"chain":[1,-2,6]} no: {"chain":[1,-2,7]}').answer == [1, -2, 7]
    assert short('{"chain":[1,-2,7]} no: {"chain":[1,-2,6]}').correct
    assert short('{"chain":[1,-2,6]} {"other":[1,-2,7]}').correct
    assert short('{"chain":[9],"chain":[1,-2,6]}').correct
    assert short('{"chain":[1,-2,6], "check": {"chain":[9]}}').correct


def test_what_stands_before_the_object_does_not_hide_it() -> None:
    for noise in (
        '{"open": "no end ',
        "{'open': 'no end ",
        '{"chain": "no end ',
        '{"chain": [9, ',
        '{"a": /* no end ',
        "{a: // no end ",
        "it's {not} a \"set\" {'x', ",
        "\\boxed{",
        '{"a": {"b": [{"c": ',
        "{" * 50,
        '{"a":' * 50,
        '{"chain":[' * 50,
    ):
        graded = short(noise + '{"chain":[1,-2,6]}')
        assert graded.correct, noise


def test_placeholders_are_passed_over() -> None:
    for echo in (
        '{"chain": [v0, v1, ...]}',
        '{"chain": [...]}',
        '{"chain": ["..."]}',
        '{"chain": [v_0, v_1, …, v_n]}',
        '\\{"chain": [v_{0}, v_{1}, ...]\\}',
    ):
        assert short('{"chain":[1,-2,6]} as ' + echo + " asks.").correct, echo
        assert short("as " + echo + " asks.").status == "bad_format", echo


def test_the_last_object_that_is_well_formed_decides() -> None:
    for later in (
        '{"chain": [9, 9}',
        '{"chain": [1, -2, ...]}',
        '{"chain": [1, -2, 6) }',
        '{"chain": [1,-2,6] or [1,-2,7]}',
    ):
        assert short('{"chain":[1,-2,6]} as ' + later + " says.").correct, later
    for later in ('{"chain": 1 then -2}', '\\{"chain": many\\}', '{\\"chain\\": null}'):
        assert short('{"chain":[1,-2,6]} as ' + later + " says.").status == "bad_format", later

import json

import pytest

from tests.clock import processor_seconds
from tests.looping import looped
from xlgo_metric.families.lit.prompts import (
    read_direct,
    read_mqm,
)
from xlgo_metric.families.lit.records import raw_mqm

MAJOR = '{"category": "accuracy/omission", "severity": "major", "original_span": "a"}'
GOOD = f'{{"errors": [{MAJOR}]}}'
PERFECT = '{"errors": []}'

MALFORMED = {
    "nothing": None,
    "empty": "",
    "space": " \n\t ",
    "prose": "The round trip keeps the meaning. There are no errors.",
    "refusal": "I'm sorry, I can't help with that.",
    "null": "null",
    "number": "100",
    "string": '"no errors"',
    "bare empty list": "[]",
    "bare list": f"[{MAJOR}]",
    "empty object": "{}",
    "other key": '{"mistakes": []}',
    "singular key": '{"error": []}',
    "nested answer": '{"result": {"errors": []}}',
    "errors null": '{"errors": null}',
    "errors false": '{"errors": false}',
    "errors text": '{"errors": "none"}',
    "errors number": '{"errors": 0}',
    "errors object": '{"errors": {}}',
    "errors of texts": '{"errors": ["a major mistranslation"]}',
    "errors of null": '{"errors": [null]}',
    "errors of lists": '{"errors": [[]]}',
    "severity missing": '{"errors": [{"category": "accuracy/omission"}]}',
    "severity null": '{"errors": [{"category": "other", "severity": null}]}',
    "severity number": '{"errors": [{"category": "other", "severity": 3}]}',
    "severity unknown": '{"errors": [{"category": "other", "severity": "moderate"}]}',
    "severity neutral": '{"errors": [{"category": "other", "severity": "none"}]}',
    "severity of all": '{"errors": [{"category": "other", "severity": "minor|major|critical"}]}',
    "one bad among good": f'{{"errors": [{MAJOR}, {{"severity": "huge"}}]}}',
    "key twice, empty last": f'{{"errors": [{MAJOR}], "errors": []}}',
    "key twice in an error": '{"errors": [{"severity": "critical", "severity": "minor"}]}',
    "key in two cases": f'{{"Errors": [{MAJOR}], "errors": []}}',
    "cut off": '{"errors": [{"category": "accuracy/omission", "severity": "cri',
    "cut after one error": f'{{"errors": [{MAJOR}, {{"category": "accuracy/addition", "seve',
    "cut in a fence": f'```json\n{{"errors": [{MAJOR},',
    "trailing comma": f'{{"errors": [{MAJOR},]}}',
    "single quotes": "{'errors': []}",
    "single quotes around a perfect one": """{'errors': [{'output_span': '{"errors": []}'}]}""",
    "no quotes": "{errors: []}",
    "comment": '{"errors": [] /* none */}',
    "python": "{'errors': [], 'ok': True}",
    "NaN": '{"errors": NaN}',
    "yaml": "errors: []",
    "xml": "<errors></errors>",
    "unclosed thinking": '<think>So the answer is {"errors": []}',
    "only thinking": '<think>{"errors": []}</think>',
    "one answer twice": f"{GOOD}\n{GOOD}",  # it is asked for again
    "two answers": f"{PERFECT}\nOn a second look:\n{GOOD}",
    "two answers, perfect last": f"{GOOD}\nOn a second look:\n{PERFECT}",
    "broken answer that quotes": f'{{"errors": [{MAJOR}, {{"output_span": {PERFECT}',
    "quotation in a bad fence": f'```json\n{{"errors": [{MAJOR} {PERFECT}\n```',
    "thinking mark in single quotes": "{'errors': [{'output_span': '</think>{\"errors\": []}'}]}",
    "severity told in prose": f"Error 1, severity critical: a lost sentence.\n{PERFECT}",
    "braces beside it": f"{{critical: a lost sentence}} {PERFECT}",
    "template repeated": '{"errors": [{"category", "severity", "original_span"}]}',
    "deep": '{"errors": ' + "[" * 100_000,
    "many braces": "{" * 150_000,
    "long number": '{"errors": [], "n": ' + "9" * 50_000 + "}",
    "too many": json.dumps({"errors": [{"severity": "minor"}] * 400}),
    "too long": PERFECT + " " * 10 + "x" * 300_000,
    "direct score instead": '{"score": 100}',
    "control characters": "\x00\x01{",
    "lone surrogate": '\ud800{"errors"',
}


@looped("name", MALFORMED)
def test_a_malformed_reply_is_never_a_perfect_score(name):
    assert read_mqm(MALFORMED[name]) is None


@looped(
    "text",
    [
        GOOD,
        f"  {GOOD}\n",
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```",
        f"Here is my judgement:\n\n{GOOD}\nThat is all.",
        f"<think>Is anything {{lost}}? Yes.</think>\n{GOOD}",
        f"It is lost, no doubt.</think>{GOOD}",
        GOOD.replace("errors", "Errors"),
        GOOD.replace("major", " Major "),
        GOOD.replace("}]}", ', "note": "</think>"}], "confidence": 0.9}'),
        "\ufeff".join(["", GOOD]),
    ],
)
def test_readable_replies(text):
    errors = read_mqm(text)
    assert [(e.category, e.severity) for e in errors] == [("accuracy/omission", "major")]
    assert raw_mqm(errors) == 95


@pytest.mark.parametrize(
    ("text", "score"),
    [('{"score": 87}', 87), ('{"score": 87.5}', 87.5), ('{"score": "90"}', 90),
     ("Well.\n```json\n{\"score\": 0}\n```", 0), ('{"score": 100}', 100)],
)  # fmt: skip
def test_direct_scores(text, score):
    assert read_direct(text) == score


@looped(
    "text",
    [None, "", "100", "score: 100", '{"score": null}', '{"score": true}', '{"score": [100]}',
     '{"score": 101}', '{"score": -1}', '{"score": 1e999}', '{"score": NaN}', '{"score": "high"}',
     '{"score": "100%"}', '{"score": 100', '{"errors": []}', '{"score": 20, "score": 100}',
     '{"score": 100} or {"score": 20}', '<think>{"score": 100}', '{"score": {"score": 100}}',
     '{"score": "0-100"}', "{'score': 100}"],
)  # fmt: skip
def test_malformed_direct_scores(text):
    assert read_direct(text) is None


@pytest.mark.parametrize(
    "text",
    ['{"a":' * 39_000, "[{" * 99_000, '{"' * 99_000, "{}" * 99_000, '{"a":{}' * 28_000,
     "```json\n" * 24_000, "{" + '"k":1,' * 33_000, '{"x":"' + "\\" * 190_000,
     '{"n":' + "1" * 190_000, ('{"a":' * 300 + "x") * 130],
)  # fmt: skip
def test_hostile_replies_take_bounded_time(text):
    with processor_seconds(2):
        assert read_mqm(text) is None

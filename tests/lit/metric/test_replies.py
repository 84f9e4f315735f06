"""The judge: what is read of its replies, what errors weigh, and the checks of a judge itself."""

import json
from typing import Any

import pytest

from tests.clock import processor_seconds
from tests.looping import looped
from xlgo_metric.families.lit.checks import (
    PLANTED,
    check_items,
    check_tables,
    plant,
    summarize_checks,
)
from xlgo_metric.families.lit.judge import rule_errors
from xlgo_metric.families.lit.prompts import read_direct, read_mqm
from xlgo_metric.families.lit.records import SEVERITIES, mqm80, mqm_error, raw_mqm
from xlgo_metric.statistics.draws import Stream

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
    assert [(e["category"], e["severity"]) for e in errors] == [("accuracy/omission", "major")]
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


@pytest.mark.parametrize(
    ("counts", "raw"),
    [((0, 0, 0), 100), ((1, 0, 0), 99), ((0, 4, 0), 80), ((1, 4, 0), 79), ((0, 0, 1), 75),
     ((2, 3, 4), -17), ((0, 0, 6), -50)],
)  # fmt: skip
def test_scores(counts, raw):
    severities = [s for s, count in zip(SEVERITIES, counts) for _ in range(count)]
    assert raw_mqm([mqm_error("other", severity) for severity in severities]) == raw
    assert mqm80(raw) == (100 if raw >= 80 else 0)


TEXTS = {
    "ferry": "The ferry to Harwich left at 6 in the evening. It was not full, and the crew had "
    "time to talk. A man called Pieter said that he had crossed 40 times this year. Nobody "
    "believed him, but he kept a list in his coat.",
    "oven": "We can't repair the oven before Monday. Yesterday the baker Amina sold twelve loaves "
    "and kept two for us. The flour is stored in a dry room, and the cat must never sleep there.",
    "paper": "Our method is slower than the one of Chen by 3 percent. It does, however, need no "
    "labels. We tested it on 250 images, and errors were rare. Future work should look at video.",
}


@pytest.mark.parametrize(
    ("kind", "text", "output"),
    [
        ("negation", "It is not here.", "It is here."),
        ("negation", "They can't win.", "They can win."),
        ("negation", "They won't win.", "They will win."),
        ("negation", "She didn’t ask.", "She did ask."),
        ("negation", "He never asks.", "He asks."),
        ("negation", "It is here.", "It is not here."),
        ("negation", "Go home.", None),
        ("number", "No figures here.", None),
        ("number", "Version 1.5 of A12.", None),
        ("entity", "Nothing named.", None),
        ("omission", "One sentence only.", None),
    ],
)
def test_planted_errors_by_hand(kind, text, output):
    assert plant(kind, text, Stream("hand")) == output


@pytest.mark.parametrize(
    ("original", "output", "found"),
    [
        ("It rains a lot.", "It rains a lot.", []),
        ("It rains a lot.", "", ["critical non-translation"]),
        (
            "It rains a lot today.",
            "Сегодня идёт сильный дождь.",
            ["critical non-translation"],
        ),
        ("We sold 12 boats.", "We sold 13 boats.", ["major accuracy/mistranslation"]),
        ("It is not full.", "It is full.", ["major accuracy/mistranslation"]),
        ("We can't go home.", "We can go home.", ["major accuracy/mistranslation"]),
        ("He met Ada there.", "He met Ivan there.", ["major accuracy/mistranslation"]),
        ("It rains a lot today.", "It rains very much today.", ["minor style/awkward"]),
        ("Wait; it rains.", "Wait, it rains.", ["minor style/awkward"]),
        ("It rains and the sun is gone from us.", "It rains.", ["major accuracy/omission"]),
        ("It rains.", "It rains and the sun is gone from us.", ["critical accuracy/addition"]),
    ],
)
def test_the_judge_by_rule(original, output, found):
    errors = rule_errors(original, output)
    assert [f"{error['severity']} {error['category']}" for error in errors] == found


def test_a_good_judge_passes_its_checks():
    items = check_items(TEXTS)
    assert check_items(TEXTS) == items
    assert check_items(TEXTS, seed=1) != items
    judged = {name: rule_errors(*texts) for name, texts in items.items()}
    found: Any = summarize_checks(items, judged)
    assert found["unread"] == 0
    assert found["identity"] == {"n": 3, "share": 1, "passed": True}
    assert {kind: cell["n"] for kind, cell in found["planted"].items()} == dict.fromkeys(PLANTED, 3)
    assert all(cell["detected"] == 1 for cell in found["planted"].values())
    assert found["planted"]["empty"]["severities"] == {"minor": 0, "major": 0, "critical": 1}
    assert found["planted"]["number"]["mean"] == 95
    assert found["repeat"] == {"n": 3, "deviation": 0, "flips": 0}
    blind: Any = summarize_checks(items, {name: [] for name in items})
    assert not any(cell["detected"] for cell in blind["planted"].values())
    checks, planted = check_tables(found)
    told = {row[0]: row[-1] for row in checks.rows}
    assert told["unchanged text scores 95 or more"] == "passed"
    assert [row[0] for row in planted.rows] == list(PLANTED)

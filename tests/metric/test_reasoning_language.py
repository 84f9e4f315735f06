"""Whether the language of reasoning that a prompt asked for is found in the responses."""

from __future__ import annotations

import json
from typing import Any

import pytest

import xlgo_metric as xm
from xlgo_metric.core import Record
from xlgo_metric.families.xlgobench.conditions import asked_language, obeyed

TELUGU = (
    "మొదట నేను గది నుండి బయలుదేరి తాళాలను ఒక్కొక్కటిగా చూస్తాను. బంగారు తాళం తర్వాత వెండి తాళం వస్తుంది, "
    "కాబట్టి చివరి గది ఇదే అవుతుంది."
)
ENGLISH = (
    "First I leave the room and follow the keys one by one, so the last room must be this one."
)
ANSWER = '{"state": "E2679"}'
REFERENCE: dict[str, Any] = {"task": "dsa", "answer": {"state": "E2679"}, "language": "te"}


def graded(text: str, condition: str | None) -> Record:
    reference = REFERENCE if condition is None else REFERENCE | {"condition": condition}
    return Record(xm.grade(text, reference), reference)


@pytest.mark.parametrize(
    ("condition", "text", "as_asked"),
    [
        ("think_language", f"<think>{TELUGU}</think>\n{ANSWER}", 1),
        ("think_language", f"<think>{ENGLISH}</think>\n{ANSWER}", 0),
        ("think_english", f"{ENGLISH}\n{ANSWER}", 1),
        ("think_english", f"{TELUGU}\n{ANSWER}", 0),
    ],
)
def test_the_language_of_reasoning_is_told(condition: str, text: str, as_asked: int) -> None:
    record = graded(text, condition)
    assert record.grade.correct
    assert obeyed([record]) == (1, as_asked)


def test_an_answer_alone_says_nothing_and_nothing_is_told_where_nothing_was_asked() -> None:
    assert obeyed([graded(ANSWER, "think_language")]) == (0, 0)
    plain = graded(f"{TELUGU}\n{ANSWER}", None)
    assert obeyed([plain]) is None
    assert "reasoning_language" not in json.loads(json.dumps(plain.grade.to_json()))["details"]
    assert asked_language(REFERENCE | {"condition": "english_rules"}) is None
    assert obeyed([]) is None

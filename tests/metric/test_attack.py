"""Fresh attacks on the grading: 946 transcripts labelled by construction, 13 languages and more.

The first line of the file holds the references; each other line the number of a reference, the
language, the style, the statuses that a fair judge would give, and the text. The styles: answers
corrected, struck out, denied, joined by "or", given up; tables, code, diffs, JSON in JSON, boxes,
refusals, translated keys, full width, native digits, thinking formats. Two percent signs and a box
in thinking that never ends are labelled as the rules of ``docs/grading.md`` read them.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import xlgo_metric as xm
from xlgo_metric.reading.forms import without_struck

from ..clock import processor_seconds

FILE = Path(__file__).parent / "attack_transcripts.jsonl"
REFERENCES, *ROWS = (json.loads(line) for line in FILE.read_text("utf-8").splitlines())


def test_few_transcripts_are_graded_otherwise_than_a_judge_would() -> None:
    """They were invented: no rule is there for them alone (see ``docs/grading.md``)."""
    false = unfair = 0
    for number, language, _, allowed, text in ROWS:
        found = xm.grade(text, REFERENCES[number] | {"language": language})
        if found.status not in allowed:
            false, unfair = false + found.correct, unfair + 1
    assert len(ROWS) > 900
    assert false / len(ROWS) <= 0.02
    assert unfair / len(ROWS) <= 0.03


STATE = {"task": "dsa", "answer": {"state": "E2679"}}
CHOICE = {"family": "easy", "task": "logic_eval", "answer": {"choice": "B"}}


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ('{"state": "\u04152679"}', "correct"),  # Cyrillic
        ('{"state": "\u03952679"}', "correct"),  # Greek
        ('{"state": "комната \u04152679"}', "correct"),
        ('{"state": "\u041e\u04152679"}', "bad_format"),  # two letters are no identifier
        ('{"state": "\u042d2679"}', "bad_format"),  # looks like no Latin letter
        ('{"state": "\u041d2679"}', "wrong"),  # looks like H
    ],
)
def test_identifiers_with_letters_that_look_alike(text: str, status: str) -> None:
    found = xm.grade(text, STATE)
    assert found.status == status
    assert not found.strict
    if found.correct:
        assert "lookalike" in found.details["lenient"]


PIECES = ("~~", "<del>", "\\cancel{", "<s>", "not {", " or {", "[[", "wait ", "\\boxed{")


@pytest.mark.parametrize("piece", PIECES)
def test_hostile_texts_take_little_time(piece: str) -> None:
    text = piece * (30_000 // len(piece))
    with processor_seconds(2):
        for reference in (STATE, CHOICE):
            xm.grade(text, reference)
    with processor_seconds(1):
        without_struck(8 * text)

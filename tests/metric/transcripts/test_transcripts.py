"""Transcripts in the styles of real models are graded as a fair judge would."""

from __future__ import annotations

from collections import Counter

import pytest

from xlgo_metric.scoring import grade

from .labelled_puzzles import judged, puzzle_transcripts

SAMPLE = 23  # one in so many transcripts is graded in the quick suite


@pytest.mark.parametrize("step", [SAMPLE, pytest.param(1, marks=pytest.mark.slow)])
def test_few_transcripts_are_graded_otherwise_than_a_judge_would(step: int) -> None:
    """They were invented: no rule is there for them alone (see ``docs/grading.md``)."""
    transcripts = list(puzzle_transcripts())
    assert len(transcripts) > 15_000
    read = transcripts[::step]
    faults = Counter(judged(grade(each.text, each.reference), each) for each in read)
    assert faults[""] / len(read) >= 0.93
    assert faults["false correct"] / len(read) <= 0.02


STATE = {"task": "dsa", "answer": {"state": "E2679"}}
RIGHT, WRONG = '{"state": "Room E2679"}', '{"state": "Room B1111"}'
QUOTES = ('\\"', "&quot;", "&#34;", "``")
ESCAPED = [text.replace('"', quote) for text in (RIGHT, WRONG) for quote in QUOTES]
IN_LATEX, QUOTED = '$\\{"state": "B1111"\\}$', '> {\n> "state": B1111}'


@pytest.mark.parametrize("later", [*ESCAPED, IN_LATEX, QUOTED])
def test_an_object_behind_another_decides_however_it_is_written(later: str) -> None:
    status = "correct" if "E2679" in later else "wrong"
    first = WRONG if "E2679" in later else RIGHT
    found = grade(f"{first}\n\nWait, let me see. {later}", STATE)
    assert found.status == status
    assert not found.in_form


@pytest.mark.parametrize("later", ESCAPED)
def test_a_text_that_breaks_off_in_a_later_object_is_truncated(later: str) -> None:
    for end in range(later.index("B1111" if "B1111" in later else "E2679"), len(later) - 1):
        assert grade(f"{RIGHT}\n\nWait. {later[:end]}", STATE).status == "truncated"


@pytest.mark.parametrize(
    "text",
    [
        '{"state": Room E2679}',
        '{"state": కమరా E2679}',
        '~~~json\n{"state": "E2679"}\n~~~',
        '{"state": "B1111"}\n`{"state": "E2679"}`',
    ],
)
def test_slips_of_writing_are_forgiven(text: str) -> None:
    found = grade(text, STATE)
    assert (found.status, found.strict) == ("correct", False)
    assert grade('{"chain": [3 gold, -5]}', {"task": "slt", "answer": {"chain": [3, -5]}}).correct


def test_a_description_behind_an_answer_is_none() -> None:
    text = f"{RIGHT}\n\nHere {{state: final room}} is what you asked for."
    assert grade(text, STATE).status == "correct"
    assert grade("{state: final room}", STATE).status != "wrong"


@pytest.mark.parametrize("text", ["E2679 or B1111", "true", "not E2679", "E2679 and so on B1111"])
def test_words_without_quotes_say_what_they_say_in_quotes(text: str) -> None:
    assert grade(f'{{"state": {text}}}', STATE).status == "bad_format"
    assert grade(f'{{"state": "{text}"}}', STATE).status == "bad_format"

"""Transcripts in the styles of real models are graded as a fair judge would."""

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


RIGHT, WRONG = '{"state": "Room E2679"}', '{"state": "Room B1111"}'
IN_LATEX, QUOTED = '$\\{"state": "B1111"\\}$', '> {\n> "state": B1111}'

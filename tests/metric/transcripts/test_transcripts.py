"""Transcripts in the styles of real models are graded as a fair judge would."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from xlgo_metric.scoring import grade

from .labelled_puzzles import Transcript, judged, puzzle_transcripts

SAMPLE = 23  # one in so many transcripts is graded in the quick suite


def faults(transcripts: Iterable[Transcript]) -> dict[tuple[str, str], tuple[int, Transcript]]:
    """The kinds of faults with their numbers and a transcript each."""
    counts: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], Transcript] = {}
    for transcript in transcripts:
        fault = judged(grade(transcript.text, transcript.reference), transcript)
        if fault:
            counts[transcript.style, fault] += 1
            first.setdefault((transcript.style, fault), transcript)
    return {kind: (count, first[kind]) for kind, count in counts.items()}


def test_a_sample_of_the_transcripts() -> None:
    transcripts = list(puzzle_transcripts())
    assert len(transcripts) > 15_000
    assert faults(transcripts[::SAMPLE]) == {}


@pytest.mark.slow
def test_all_transcripts() -> None:
    assert faults(puzzle_transcripts()) == {}


def test_the_judge_notices_what_is_wrong() -> None:
    right = next(puzzle_transcripts())
    assert judged(grade(right.text, right.reference), right) == ""
    assert judged(grade("", right.reference), right) == "missed (no_answer)"
    wrong = right._replace(expected="wrong")
    assert judged(grade(right.text, right.reference), wrong) == "false correct"
    assert judged(grade(right.text, right.reference), right._replace(strict=False)) == "strict"

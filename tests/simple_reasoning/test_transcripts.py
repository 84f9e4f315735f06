"""Transcripts of simple-reasoning answers are graded as a fair judge would."""

from __future__ import annotations

import pytest

import xlgo_metric as xm

from .transcripts import judged, simple_transcripts


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.slow)])
def test_all_transcripts(step: int) -> None:
    """By default a third of them, in which every style is; at most 2% falsely correct.

    A sentence without a label ("The character appears 7 times.") is not read, in any language.
    """
    transcripts = list(simple_transcripts())
    assert len(transcripts) > 3_500
    faults = [
        (transcript.style, fault, transcript.text)
        for transcript in transcripts[::step]
        if (fault := judged(xm.grade(transcript.text, transcript.reference), transcript))
    ]
    false = [fault for fault in faults if fault[1] == "false correct"]
    assert len(false) <= 0.02 * len(transcripts[::step])
    assert len(faults) <= 0.07 * len(transcripts[::step])

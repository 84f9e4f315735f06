"""Transcripts of simple-reasoning answers are graded as a fair judge would."""

from __future__ import annotations

import xlgo_metric as xm

from .transcripts import judged, simple_transcripts


def test_all_transcripts() -> None:
    transcripts = list(simple_transcripts())
    assert len(transcripts) > 3_500
    faults = [
        (transcript.style, fault, transcript.text)
        for transcript in transcripts
        if (fault := judged(xm.grade(transcript.text, transcript.reference), transcript))
    ]
    assert faults == []

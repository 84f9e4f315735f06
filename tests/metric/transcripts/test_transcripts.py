"""Transcripts in the styles of real models are graded as a fair judge would."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd
import xlgo_metric as xm
from tests.looping import looped
from tests.reading.corpora import own_cases
from xlgo_metric.scoring import cut_off, grade

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


FAIR = {
    "right": {"correct"},
    "wrong": {"wrong"},
    "none": {"no_answer", "bad_format", "truncated"},
}
HERE = Path(__file__).parent


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


ROWS: list[dict[str, Any]] = lines(HERE / "pretrained_transcripts.jsonl")


@looped("row", ROWS, ids=lambda row: f"{row['asked']}-{row['id']}")
def test_the_status_is_fair(row: dict[str, Any]) -> None:
    found = xm.grade(row["response"], row["reference"])
    assert (found.status in FAIR[row["verdict"]]) == row["fair"]
    if row["finish"] == "length" and row["verdict"] == "none" and row["fair"]:
        assert cut_off(found).status == "truncated"
    elif row["finish"] == "length":
        assert cut_off(found) == found


@pytest.mark.parametrize("language", ["en", "es", "zh", "hi", "te"])
def test_a_right_answer_stands_where_the_model_runs_on_with_another_question(language: str) -> None:
    """The example in the prompt, which then comes last, is no answer."""
    answer = xd.solve(xd.generate("t_rank", complexity=1))
    reference = {"task": "t_rank", "language": language, "answer": answer}
    right, other = json.dumps(answer), json.dumps({"ranking": ["A1234", "Z0000"]})
    invented = xd.render(xd.generate("t_rank", complexity=1, index=1), language)
    assert xm.grade(f"{right}\n\n{invented}", reference).status == "correct"
    assert xm.grade(f"{right}\n\n{other}", reference).status == "wrong"
    assert not xm.grade(invented, reference).correct


REFERENCES, *LINES = lines(HERE.parent / "attack_transcripts.jsonl")
ATTACK = [
    (text, REFERENCES[number] | {"language": language}, allowed)
    for number, language, _, allowed, text in LINES
]
OWN = [
    (case.text, case.reference, case.accepted)
    for case in own_cases()  # a supposition beside a form is not told from an answer
    if not case.style.startswith("supposed")
]


@pytest.mark.parametrize(("responses", "most"), [(ATTACK, 0.03), (OWN, 0.15)])
def test_few_responses_get_a_status_that_no_judge_would_give(
    responses: list[tuple[str, dict[str, Any], Any]], most: float
) -> None:
    """Of 946 attacks and of 18 styles in 12 languages, labelled by construction."""
    grades = [(xm.grade(text, reference), allowed) for text, reference, allowed in responses]
    unfair = [(grade, allowed) for grade, allowed in grades if grade.status not in allowed]
    assert len(responses) > 700
    assert len(unfair) / len(responses) <= most
    assert sum(grade.correct for grade, _ in unfair) / len(responses) <= 0.02


STATE = {"task": "dsa", "answer": {"state": "E2679"}}


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
    assert (found.status, found.strict) == (status, False)
    if found.correct:
        assert "lookalike" in found.details["lenient"]

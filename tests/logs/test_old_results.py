"""Results folders that version 0.1 wrote and scored are read and scored to the same numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.report.write import write_report

FOLDER = Path(__file__).parent.parent / "fixtures_old"
REDEFINED = {
    "smd", "smd_sd", "c_star", "c_star_sd", "f_en", "f_en_sd", "f_l", "f_l_sd", "rd", "rd_sd",
    "significant", "penalised", "low", "high", "estimate", "spearman", "rho", "p", "p_holm",
    "p_bh",
}  # fmt: skip
"""Gaps: since 0.2 they are sought over whole complexities, with an interval of their own; Holm's
correction steps down over the p values that the tests can have. Since statistics version 6 the
questions of one structure are one cluster, which small sizes of t_rank have."""
READ_NOW = ("no_answer", "bad_format")
"""Since reader version 4, content without the asked form is ``bad_format``, no silence; together
they are as many as before."""
READ_SINCE = {
    "simple": """
/accuracy: 0.25 0.375
/half_width: 0.32732683535398854 0.3659625273556999
/parsed: 0.25 0.375
/statuses: 6 5 unread
/statuses/correct: 2 3
/cells/3/accuracy: 0.0 1.0
/cells/3/parsed: 0.0 1.0
/cells/3/statuses: 1 0 unread
/cells/3/statuses/correct: 0 1
/curves/k/1/accuracy: 0.0 0.5
/curves/m/1/accuracy: 0.5 0.75
/curves/tokens/7/accuracy: 0.0 1.0
/curves/characters/7/accuracy: 0.0 1.0
/curves/sum/4/accuracy: 0.0 1.0
/curves/maximum/2/accuracy: 0.3333333333333333 0.6666666666666666"""
}
"""One correct answer more, "The answer is \\boxed{3, 4, 3}.": since reader version 5 a list of
counts in a box is read, as a single count in one was before."""
RENAMED = {"easy": "simple_reasoning", "needs_critic": "needs_judge"}
"""Names of version 0.1 and of today."""
REWORDED = {
    "5 cells do not hold 125 questions, such as en, low with 2":
        "5 pairs of language and level do not have 125 questions, such as en, low with 2",
}  # fmt: skip
"""Warnings of version 0.1 and of today."""


def differences(old: Any, new: Any, place: str = "") -> list[str]:
    """Where a new score lacks something of an old one, or has another number there."""
    if isinstance(old, dict):
        told = []
        if all(set(READ_NOW) <= set(side) for side in (old, new)):
            unread = [sum(side[key] for key in READ_NOW) for side in (old, new)]
            told += [] if unread[0] == unread[1] else [f"{place}: {unread[0]} {unread[1]} unread"]
            old = {key: value for key, value in old.items() if key not in READ_NOW}
        for key, value in old.items():
            if key in REDEFINED:
                told += [] if key in new else [f"{place}/{key} is missing"]
                continue
            now = RENAMED.get(key, key)
            if now not in new:
                told.append(f"{place}/{key} is missing")
            else:
                told += differences(value, new[now], f"{place}/{key}")
        return told
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        parts = (differences(a, b, f"{place}/{i}") for i, (a, b) in enumerate(zip(old, new)))
        return [text for part in parts for text in part]
    if isinstance(old, float) and isinstance(new, float):
        return [] if new == pytest.approx(old, rel=1e-9, abs=1e-12) else [f"{place}: {old} {new}"]
    same = old == new or (isinstance(old, str) and REWORDED.get(old) == new)
    return [] if same else [f"{place}: {old!r} {new!r}"]


def without_signatures(score: dict[str, Any]) -> dict[str, Any]:
    return {
        name: {key: value for key, value in section.items() if key != "signature"}
        for name, section in score["families"].items()
    }


@pytest.mark.parametrize("name", ["puzzles", "simple", "polymath"])
def test_an_old_folder_has_the_numbers_it_had(name: str) -> None:
    old = json.loads((FOLDER / name / "scores.json").read_text("utf-8"))
    assert "schema" not in old
    scored = score_folder(FOLDER / name)
    new = json.loads(json.dumps(scored.score))
    assert new["schema"] == 1
    told = differences(without_signatures(old), without_signatures(new))
    more = READ_SINCE.get(name, "").split("\n")[1:]
    assert told == ["/easy/tasks/word_count/languages/en" + line for line in more]
    # The fields of the signature but for the renamed family and the versions.
    fields = [set(text.split("|")) for text in (old["signature"], new["signature"])]
    differing = {field.split(":")[0] for field in fields[0] ^ fields[1]}
    assert differing <= {"family", "reader", "statistics", "version"}
    assert not scored.problems.lost


def test_old_numbers_are_no_trivial_ones() -> None:
    """Right and wrong answers are mixed, so that equal numbers mean something."""
    for name in ("puzzles", "simple", "polymath"):
        scored = score_folder(FOLDER / name)
        right = scored.table.frame["correct"].sum()
        assert 0 < right < scored.count


def test_an_old_folder_is_reported(tmp_path: Path) -> None:
    page = write_report(FOLDER / "puzzles", tmp_path)
    assert json.loads((page.parent / "scores.json").read_text("utf-8"))["schema"] == 1

"""Languages against English: exact tests against scipy, curves, and the form of the report."""

from __future__ import annotations

import json
from typing import Any

import pytest

import xlgo_dataset as xd
import xlgo_metric as xm
from xlgo_metric.family import family

simple_reasoning: Any = xd.family("simple_reasoning")


def answered(task, languages, right, n=4, **options):
    """Replies and references of rows; ``right`` tells which are right by (index, language, c)."""
    replies, references = [], []
    options = {"text": "parallel", **options}
    for row in simple_reasoning.rows(task, languages, n=n, **options):
        answer = json.loads(row["answer"])
        if not right(row["index"], row["language"], row["complexity"]):
            answer = {"number": answer["number"] + 1} if "number" in answer else {"choice": "none"}
        number = answer.get("number")
        reply = f"<answer>{answer.get('choice')}</answer>"
        replies.append(reply if number is None else f"$\\boxed{{{number}}}$")
        references.append(row["reference"])
    return replies, references


@pytest.fixture(scope="module")
def section():
    first = answered(
        "proof_tree",
        ["en", "te", "ar"],
        lambda i, lang, c: c < {"en": 9, "te": 6, "ar": 9}[lang] or (lang == "ar" and i == 1),
    )
    second = answered(
        "logic_eval",
        ["en", "te"],
        lambda i, lang, c: lang == "en" or i < 2,
        depth=[4, 6],
        vocabulary="letters",
        size="small",
    )
    score = xm.score(first[0] + second[0], first[1] + second[1], draws=50, permutations=20)
    return score["families"]["simple_reasoning"]


def test_exact_tests_and_their_adjustment(section):
    gaps = family("simple_reasoning").gaps(section)
    pairs = {
        (task, code): cell["difference"]
        for task, entry in gaps["tasks"].items()
        for code, cell in entry["languages"].items()
        if cell["difference"]
    }
    # Of 24 questions English has 16 (depths 3 and 6), Telugu 8, Arabic 16 and 2 of depth 9.
    counts = {key: (p["n"], tuple(p["discordant"])) for key, p in pairs.items()}
    assert counts == {
        ("proof_tree", "te"): (24, (8, 0)),
        ("proof_tree", "ar"): (24, (0, 2)),
        ("logic_eval", "te"): (8, (4, 0)),
    }
    # The largest of three |sum| / root of the sum of squares over all signs: 8 of 8 is the only one
    # that can be significant, and that of 4 costs it nothing.
    assert pairs["proof_tree", "te"]["is_significant"]
    assert pairs["proof_tree", "te"]["p_value"] == pytest.approx(2 * 0.5**8, abs=0.003)
    for key in (("proof_tree", "ar"), ("logic_eval", "te")):
        assert not pairs[key]["is_significant"]
        assert "no outcome could be significant" in pairs[key]["refused"]
    assert all(p["ci_low"] <= p["difference"] <= p["ci_high"] for p in pairs.values())


def test_no_gaps_with_one_language_and_a_warning_with_two_wordings():
    one = xm.score(*answered("proof_tree", ["te"], lambda *_: True, n=1))
    assert one["families"]["simple_reasoning"]["gaps"] is None
    mixed = answered("proof_tree", ["en", "te"], lambda *_: True, n=1, text="paper")
    section = xm.score(*mixed, draws=20)["families"]["simple_reasoning"]
    assert any("a gap may be one of wording" in text for text in section["warnings"])
    assert "|text:paper+parallel|" in section["signature"]

"""What the page says first: of every family, of models that solve nothing, of one language."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest

import xlgo_dataset as xd
from xlgo_cli.display.formats import sizes
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.report.findings import by_language, findings, revised_differs, verdict
from xlgo_cli.report.grid import by_gap, of_section
from xlgo_cli.report.write import write_all
from xlgo_metric.comparison.compare import UNEQUAL, Cell
from xlgo_metric.core import Grade, Record
from xlgo_metric.family import family as metric_family
from xlgo_metric.family import plain_findings
from xlgo_metric.table import Column, Table

from .logs import sample, write_run
from .sections import cell, gap, section, typed

SURE: dict[str, Any] = {"published": True, "p": 0.001}


@pytest.mark.parametrize(
    ("asked", "unit", "told"),
    [
        ([1], "transactions", "1 transaction"),
        ([1], "matches", "1 match"),
        ([1.0], "units of complexity", "1 unit of complexity"),
        ([2], "edges", "2 edges"),
        ([3, 4], "rooms", "3 or 4 rooms"),
        ([3, 4, 9], "rooms", "3 to 9 rooms"),
    ],
)
def test_sizes(asked, unit, told):
    assert sizes(asked, unit) == told


def shown(whole: Any) -> list[dict[str, Any]]:
    """The cells of the only task, the language with the largest gap first."""
    grid = of_section(whole)
    assert grid is not None
    return [row["cells"][0] for row in grid.view()]


def test_a_flagged_gap_carries_its_mark_and_is_in_no_claim():
    found = gap(0.2, **SURE, difference=typed(0.2, 0.001, flagged=True))
    whole = section({"en": cell(), "te": found, "hi": gap(0.1, **SURE)})
    whole["tasks"]["slt"]["languages"]["hi"]["difference"]["other"] = "hi"
    first, second = shown(whole)
    assert (first["mark"], second["mark"]) == ("●†", "●")
    assert "The Telugu wording differs" in first["sentence"]
    assert [mark[0] for mark in of_section(whole).legend] == ["●", "†"]
    told = " ".join(text for _, text in findings(whole))
    assert "significantly behind English in 1 of 1 language-task pair." in told
    assert "Telugu" not in told


def test_where_no_task_counts_the_verdict_names_what_settles_it():
    doubted = gap(0.2, **SURE, difference=typed(0.2, 0.001, flagged=True))
    whole = section({"en": cell(), "te": doubted})
    why = {"slt": "the wording in te may cause a gap"}
    whole["over_tasks"] = {"tasks": [], "left_out": why, "languages": {}, "last": []}
    first, second = verdict(whole)
    assert first == ("", "No claim about Telugu: the wording of SLT differs.")
    assert second[1] == ("To settle it, repeat the run with `xlgo run … --text revised`.")
    whole["signature"] = "task:slt|text:revised.2"
    assert verdict(whole) == [first]
    other = section({"en": cell(), "te": gap(0.2, **SURE)})
    other["over_tasks"] = whole["over_tasks"] | {"left_out": {"slt": "not asked in te"}}
    assert verdict(other) == [("warn", "No claim over all tasks: SLT (not asked in te).")]


def test_a_command_settles_a_wording_only_where_it_changes_a_prompt():
    assert revised_differs("slt", "te")
    assert not revised_differs("slt", "en")
    assert not revised_differs("slt", "de")  # both wordings are the same bytes
    assert not revised_differs("polymath", "te")


def test_no_verdict_has_more_than_25_words():
    for kinds in ({"te": 0.2}, {"te": 0.2, "hi": 0.1}, {"te": -0.1}):
        for p in (0.001, 0.4):
            cells = {code: gap(size, published=True, p=p) for code, size in kinds.items()}
            (_, first), *_ = verdict(section({"en": cell(), **cells}))
            assert all(len(part.split()) <= 20 for part in first.split(". ")), first
            assert len(first.split()) <= 25


def test_where_missing_answers_differ_no_sentence_says_a_gap():
    lost = gap(0.4, **SURE)
    lost["difference"] = Cell.of_json(lost["difference"]).refuse(UNEQUAL).as_json()
    hindi = gap(0.2, **SURE, difference=typed(0.2, 0.001, "hi"))
    whole = section({"en": cell(), "te": lost, "hi": hindi})
    told = [str(text) for _, text in [*verdict(whole), *findings(whole)]]
    gaps = [text for text in told if "Telugu" in text]
    assert gaps == [
        "No claim where missing answers differ between the languages by more than chance: Telugu, "
        "SLT."
    ]
    assert told[0].startswith("Hindi is significantly behind English")
    alone = section({"en": cell(), "te": lost})
    assert verdict(alone) == []
    assert [kind for kind, _ in findings(alone)] == ["warn"]


def test_a_cell_without_a_test_says_why():
    few = typed(0.1, None, refused="only 5 informative questions: no outcome could be significant")
    told = by_language({"baseline": "en", "cells": [few]})
    assert [kind for kind, _ in told] == ["warn"]
    assert "(only 5 informative questions: no outcome could be significant)" in told[0][1]


@pytest.mark.parametrize(("p", "side"), [(0.03, True), (0.06, False)])
def test_a_language_is_behind_or_ahead_only_where_the_test_says_so(p, side):
    cells = [typed(0.07, p, "te"), typed(-0.07, p, "hi")]
    told = by_language({"baseline": "en", "cells": cells})
    assert [kind for kind, _ in told if kind] == (["behind", "behind", "ahead"] if side else [])


@pytest.mark.parametrize("kind", ["nothing", "everything"])
def test_a_model_that_solves_almost_nothing_is_told_first(kind):
    lost = gap(0.9, published=True, p=1.0, extreme=kind, correct=0, n=30)
    whole = section({"en": cell(correct=1, n=30), "te": lost, "ta": lost})
    [first] = findings(whole)
    assert first[0] == "warn"
    assert f"The model solves almost {kind}: 1 of 90 answers are correct." in first[1]
    assert [(one["kind"], one["value"]) for one in shown(whole)] == [("none", "–")] * 2


def test_answers_that_cannot_be_read_are_not_advised_smaller_puzzles():
    unread = {"statuses": {"bad_format": 150}, "correct": 0, "extreme": "nothing"}
    whole = section({"en": cell(**unread), "te": gap(0.0, published=False, p=1.0, **unread)})
    told = " ".join(text for _, text in findings(whole))
    assert "300 of 300 answers are truncated or unparsable" in told
    assert "smaller" not in told


@pytest.mark.parametrize(("lost", "is_told"), [(3, False), (5, True)])
def test_answers_that_cannot_be_read_are_told_from_two_percent_on(lost, is_told):
    statuses = {"correct": 75, "wrong": 75 - lost, "no_answer": lost}
    whole = section({"en": cell(statuses=statuses), "te": gap(0.1, statuses=statuses, **SURE)})
    told = [text for kind, text in findings(whole) if kind == "warn"]
    assert [f"{lost / 150:.1%}" in text for text in told] == [True] * is_told


def test_where_only_one_language_is_lost_it_is_named():
    whole = section(
        {
            "en": cell(correct=10, n=100),
            "te": gap(0.9, published=False, p=1.0, extreme="nothing", correct=0, n=100),
            "zh": gap(0.2, **SURE),
        }
    )
    first, second, *_ = findings(whole)
    assert first[1].startswith("The model solves almost nothing: 10 of 200 answers are correct (")
    assert "(Telugu, SLT)" in first[1]
    assert second[1] == "The model is significantly behind English in 1 of 1 language-task pair."


def test_the_language_that_is_furthest_behind_stands_first():
    little = typed(0.04, 0.001)
    whole = section(
        {
            "en": cell(),
            "ar": gap(0.9, identified=False, difference=little, **SURE),
            "te": gap(0.18, **SURE),
            "zh": gap(-0.2, **SURE),
            "ja": gap(0.5, extreme="nothing", **SURE),
        }
    )
    assert by_gap(whole) == ["ja", "te", "ar", "zh"]
    assert list(of_section(whole).rows) == ["ja", "te", "ar", "zh"]


def test_families_without_gaps_have_their_own_words(tmp_path):
    family = xd.family("simple_reasoning")
    asked = list(islice(family.rows("word_count", ("en",), split="test"), 6))
    lines = [sample(row, row["answer"] if n < 4 else "none", n) for n, row in enumerate(asked)]
    write_run(tmp_path, task="word_count", samples=lines)
    text = write_all(score_folder(tmp_path), tmp_path).read_text("utf-8")
    assert '<p class="lead' in text
    assert "Word counting: 66.7% correct over 6 questions (95% interval 30.0% to 90.3%)." in text
    assert "<title>acme/lingua: Simple reasoning in English</title>" in text
    assert "2 of 6 responses (33.3%) were unparsable or truncated" in text


def test_polymath_tells_the_best_and_the_worst_language(tmp_path):
    """DW-ACC weighs low, medium, high and top 1, 2, 4 and 8; by hand: 9/15, 3/15 and 12/15."""
    right = {"en": (1, 0, 0, 1), "te": (1, 1, 0, 0), "zh": (0, 0, 1, 1)}
    records = [
        Record(
            Grade(bool(is_right), "correct" if is_right else "wrong", strict=bool(is_right)),
            {"language": code, "level": level, "index": 0},
        )
        for code, by_level in right.items()
        for level, is_right in zip(("low", "medium", "high", "top"), by_level)
    ]
    polymath = metric_family("polymath")
    told = polymath.findings(polymath.summarize(records))
    assert told[0] == ("", "The model solves 6 of 12 (50.0%) of the problems.")
    assert "is highest in zh (80.0%) and lowest in te (20.0%); in English it is 60.0%" in told[1][1]


def test_any_family_has_something_to_say():
    table = Table("t", "Scores", (Column("task"), Column("accuracy")), (("a", 0.5), ("b", 0.6)))
    assert plain_findings({}, [table]) == [("", "Scores: task a, accuracy 0.5.")]
    assert plain_findings({"mean_score": 0.51234}, [table]) == [("", "mean score 0.512.")]
    assert plain_findings({}, []) == []


def test_one_language_has_a_title_of_its_own(tmp_path):
    write_run(tmp_path, languages=("te",))
    assert score_folder(tmp_path).count == 24
    text = write_all(score_folder(tmp_path), tmp_path).read_text("utf-8")
    assert "In Telugu the model solves 9 of 24 (37.5%)." in text
    assert "This run has no English answers" in text
    assert "in Telugu</title>" in text

"""The screen at the end of a run: what a stranger must be able to read off it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from xlgo_cli.cli import main
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.report.brief.next_steps import next_steps
from xlgo_cli.report.brief.screen import brief
from xlgo_cli.report.findings import worst_sentence
from xlgo_cli.report.heat import MARKS, all_tasks_cell

from .logs import PER_LEVEL, RIGHT, write_run
from .sections import cell, gap, pooled

TASKS = ("slt", "dsa", "prdsa", "graph_sp", "t_rank")
MANY = ("ar", "hi", "ja", "ta", "te", "zh")


def score(tasks: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """A score of the puzzles, with the languages of each task."""
    section = {
        "signature": "s", "baseline": "en", "warnings": [],
        "tasks": {name: {"c_min": 1, "c_max": 9, "floor": [], "languages": {"en": cell(), **of}}
                  for name, of in tasks.items()},
    }  # fmt: skip
    return {"signature": "|".join(f"field{i}:value" for i in range(12)),
            "families": {"xlgobench": section}}  # fmt: skip


def worst(languages: dict[str, Any]) -> str:
    told = worst_sentence(score({"slt": languages})["families"]["xlgobench"])
    return " ".join(sentence for _, sentence in told)


def test_the_worst_language_and_whether_it_is_chance() -> None:
    holds = gap(0.30, significant=True, p_holm=0.001, pooled=pooled(30, 12))
    may_be_chance = gap(0.50, significant=True, p_holm=0.4, pooled=pooled(30, 5))
    told = worst({"te": holds, "hi": may_be_chance})
    assert told.startswith("Telugu is significantly behind English in 1 of 1 task")
    told = worst({"hi": may_be_chance})
    assert told.startswith("No language is significantly behind English over all tasks. Largest")
    assert "Hindi, 10% correct (5 of 50)" in told
    ahead = gap(-0.1, significant=False, p_holm=0.9, pooled=pooled(20, 25))
    assert worst({"hi": ahead}) == "No language has fewer correct answers than English."
    assert worst({}) == ""


def test_a_gap_that_holds_is_not_summed_with_one_the_other_way() -> None:
    """A language that is ahead as surely as it is behind is counted over all its tasks."""
    behind = gap(0.3, significant=True, p_holm=0.001, pooled=pooled(30, 12))
    ahead = gap(-0.3, significant=True, p_holm=0.001, pooled=pooled(12, 30))
    section = score({"slt": {"te": behind}, "dsa": {"te": ahead}})["families"]["xlgobench"]
    [(_, told)] = worst_sentence(section)
    assert told == (
        "Telugu is significantly behind English in 1 of 2 tasks (paired test, corrected for all "
        "language-task pairs, 5%)."
    )


@pytest.mark.parametrize(("low", "sign"), [(0.01, "●"), (-0.01, "●‡")])
def test_a_decision_that_the_interval_does_not_show_is_said(low: float, sign: str) -> None:
    """Holm's later steps may decide where an interval for all languages together holds 0."""
    verdict: Any = {
        "difference": 0.06, "low_all": low, "high_all": 0.13, "p_holm": 0.03, "n": 600, "tasks": 2,
    }  # fmt: skip
    assert all_tasks_cell(verdict, 2).mark == sign
    assert set(sign) <= MARKS.keys()


@pytest.mark.parametrize("width", [40, 60, 80, 100, 200])
def test_one_screen_at_any_width(width: int) -> None:
    cells = {code: gap(0.1 * i, significant=True, p_holm=0.01) for i, code in enumerate(MANY, 1)}
    lines = brief(score(dict.fromkeys(TASKS, cells)), width=width).splitlines()
    assert max(map(len, lines)) <= max(40, min(width, 100)) or width < 60
    assert len(lines) <= (40 if width >= 80 else 60)
    table = [line for line in lines if re.match("Chinese|Telugu|Arabic", line)]
    assert [line.split()[0] for line in table] == ["Chinese", "Telugu", "Arabic"]
    assert table[0].count("+60") == len(TASKS)
    assert table[0].count("●") == len(TASKS)
    assert lines[-1].endswith("field11:value")


def test_marks_are_those_of_the_report() -> None:
    cells = {
        "te": gap(0.2, significant=True, p_holm=0.01),
        "hi": gap(0.2, significant=True, p_holm=0.2),
        "ar": gap(0.2, significant=False, p_holm=0.01, direction="crosses", crossing=pooled(5, 25)),
        "ja": gap(0.9, significant=False, p_holm=0.2, wording=True),
        "zh": gap(0.05, significant=False, p_holm=0.9),
        "ta": cell(extreme="nothing"),
    }
    lines = brief(score({"slt": cells}), width=100).splitlines()
    found = {line.split()[0]: line.split()[-1] for line in lines if line[:1].isupper()}
    assert [found[name] for name in ("Telugu", "Hindi", "Arabic", "Japanese")] == [
        "●", "○", "●⇄", "†"
    ]  # fmt: skip
    assert found["Chinese"] == "+5"
    assert found["Tamil"] == "–"


@pytest.mark.parametrize(
    ("languages", "expected"),
    [
        ({}, "--languages en,hi,te"),
        ({"te": cell(extreme="nothing", smd=0.0)}, "--tasks xlgo_slt --design adaptive"),
        ({"te": gap(0.1, significant=False, p_holm=0.5)},
         "--tasks xlgo_slt --languages en,te --design adaptive"),
        ({"te": gap(0.3, significant=True, p_holm=0.01)},
         "--tasks xlgo_slt --languages en,te --text revised"),
        ({"te": gap(0.3, significant=True, p_holm=0.01, smd_sd=0.2)},
         "--tasks xlgo_slt --languages en,te --design adaptive"),
        ({"te": gap(0.3, significant=True, p_holm=0.01,
                    statuses={"correct": 75, "truncated": 75})}, "max_gen_toks=32768"),
    ],
)  # fmt: skip
def test_what_to_run_next(languages: dict[str, Any], expected: str) -> None:
    steps = next_steps(score({"slt": languages}))
    assert 1 <= len(steps) <= 2
    assert expected in steps[0]


def test_without_english_it_is_the_first_step() -> None:
    found = score({"slt": {"te": cell()}})
    del found["families"]["xlgobench"]["tasks"]["slt"]["languages"]["en"]
    assert "--languages en,te" in next_steps(found)[0]


def test_score_prints_the_screen_the_tables_or_the_numbers(tmp_path: Path, capsys) -> None:
    write_run(tmp_path)
    assert main(["score", str(tmp_path), "--brief"]) == 0
    screen = capsys.readouterr().out
    assert screen == brief(score_folder(tmp_path).score) + "\n"
    assert main(["score", str(tmp_path)]) == 0
    assert capsys.readouterr().out == screen
    apart = sum(RIGHT["en"]) - sum(RIGHT["te"])
    points = f"{100 * apart / (PER_LEVEL * 4):+.0f} points over {PER_LEVEL * 4} questions"
    assert points in " ".join(screen.split())
    assert main(["score", str(tmp_path), "--brief", "--json"]) == 2


def test_where_most_answers_are_cut_off_the_limit_is_the_advice() -> None:
    cut = {"statuses": {"truncated": 149, "wrong": 1}, "correct": 0}
    cells = {
        "en": cell(**cut),
        "te": gap(0.0, significant=False, p_holm=1.0, extreme="nothing", **cut),
    }
    text = " ".join(brief(score({"slt": cells}), width=100).split())
    assert "298 of 300 answers were truncated by the token limit" in text
    assert "max_gen_toks" in text.partition("Next:")[2]
    assert "smaller puzzles" not in text

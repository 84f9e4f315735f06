"""The screen at the end of a run: what a stranger must be able to read off it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from xlgo_cli.cli import main
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.report.findings import verdict
from xlgo_cli.report.screen import brief

from .logs import PER_LEVEL, RIGHT, write_run
from .sections import cell, gap, typed

TASKS = ("slt", "dsa", "prdsa", "graph_sp", "t_rank")
MANY = ("ar", "hi", "ja", "ta", "te", "zh")


def score(tasks: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """A score of the puzzles, with the languages of each task; the first counts for all."""
    first = next(iter(tasks))
    gaps = {
        code: {**one["difference"], "other": code}
        for code, one in tasks[first].items()
        if one["difference"]
    }
    over = {"tasks": [first], "left_out": {}, "languages": gaps, "last": list(gaps)}
    section = {
        "signature": "s", "baseline": "en", "warnings": [], "over_tasks": over,
        "tasks": {name: {"c_min": 1, "c_max": 9, "floor": [], "languages": {"en": cell(), **of}}
                  for name, of in tasks.items()},
    }  # fmt: skip
    return {
        "signature": "|".join(f"field{i}:value" for i in range(12)),
        "families": {"xlgobench": section},
    }


def worst(languages: dict[str, Any]) -> str:
    told = verdict(score({"slt": languages})["families"]["xlgobench"])
    return " ".join(sentence for _, sentence in told)


def test_the_worst_language_and_whether_it_is_chance() -> None:
    holds = gap(0.30, published=True, p=0.001)
    may_be_chance = gap(0.20, published=True, p=0.4)
    told = worst({"te": holds, "hi": may_be_chance})
    assert told == (
        "Telugu is significantly behind English, by 30.0 points (95% interval +20.0 to +40.0)."
    )
    told = worst({"hi": may_be_chance})
    assert told.startswith("No language is significantly behind English. Hindi has the largest")
    ahead = gap(-0.1, published=False, p=0.9)
    assert worst({"hi": ahead}) == "No language has a lower accuracy than English."
    assert worst({}) == ""


@pytest.mark.parametrize("width", [40, 60, 80, 100, 200])
def test_one_screen_at_any_width(width: int) -> None:
    cells = {code: gap(0.1 * i, published=True, p=0.01) for i, code in enumerate(MANY, 1)}
    lines = brief(score(dict.fromkeys(TASKS, cells)), width=width).splitlines()
    assert max(map(len, lines[:-1])) <= max(40, min(width, 100)) or width < 60
    assert len(lines) <= (40 if width >= 80 else 60)
    table = [line for line in lines if re.match("Chinese|Telugu|Arabic", line)]
    assert [line.split()[0] for line in table] == ["Chinese", "Telugu", "Arabic"]
    assert table[0].count("+60.0") == len(TASKS)
    assert table[0].count("●") == len(TASKS)
    assert lines[-1].endswith("field11:value")


def test_marks_are_those_of_the_report() -> None:
    cells = {
        "te": gap(0.2, published=True, p=0.01),
        "hi": gap(0.2, published=True, p=0.2),
        "ja": gap(0.9, published=False, p=0.2, difference=typed(0.9, 0.2, flagged=True)),
        "zh": gap(0.05, published=False, p=0.9),
        "ta": cell(extreme="nothing"),
    }
    lines = brief(score({"slt": cells}), width=100).splitlines()
    found = {line.split()[0]: line.split()[-1] for line in lines if line[:1].isupper()}
    assert [found[name] for name in ("Telugu", "Hindi", "Japanese")] == ["●", "+20.0", "†"]
    assert found["Chinese"] == "+5.0"
    assert found["Tamil"] == "–"


def test_score_prints_the_screen_the_tables_or_the_numbers(tmp_path: Path, capsys) -> None:
    write_run(tmp_path)
    assert main(["score", str(tmp_path), "--brief"]) == 0
    screen = capsys.readouterr().out
    assert screen == brief(score_folder(tmp_path).score) + "\n"
    assert main(["score", str(tmp_path)]) == 0
    assert capsys.readouterr().out == screen
    apart = sum(RIGHT["en"]) - sum(RIGHT["te"])
    assert f"{100 * apart / (PER_LEVEL * 4):+.1f}" in screen
    assert main(["score", str(tmp_path), "--brief", "--json"]) == 2


def test_where_most_answers_are_cut_off_the_limit_is_the_advice() -> None:
    cut = {"statuses": {"truncated": 149, "wrong": 1}, "correct": 0}
    cells = {
        "en": cell(**cut),
        "te": gap(0.0, published=False, p=1.0, extreme="nothing", **cut),
    }
    text = " ".join(brief(score({"slt": cells}), width=100).split())
    assert "298 of 300 answers were truncated by the token limit" in text
    assert "max_gen_toks" in text
    assert "smaller puzzles" not in text

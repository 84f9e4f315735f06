"""Plans: every question named."""

import json
from pathlib import Path

import pytest

import xlgo_dataset as xd
from tests.looping import looped
from xlgo_dataset.core.question_plan import TaskPlan, plan_json, read_plan

PLAN = {
    "schema": 1,
    "design": "mine",
    "seed": 0,
    "tasks": {"slt": {"range": [2, 90], "cells": {"12": [0, 3], "5": 2}}},
}


def rows(plan, **given):
    return list(xd.family("xlgobench").rows("slt", ["en", "te"], plan=plan, **given))


def test_rows_are_ordered_by_index_level_language() -> None:
    found = [(r["index"], r["level"], r["complexity"], r["language"]) for r in rows(PLAN)]
    assert found == [
        (0, 0, 5, "en"), (0, 0, 5, "te"), (0, 1, 12, "en"), (0, 1, 12, "te"),
        (1, 0, 5, "en"), (1, 0, 5, "te"), (3, 1, 12, "en"), (3, 1, 12, "te"),
    ]  # fmt: skip


def test_a_file_and_text_and_an_object_say_the_same(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(PLAN))
    assert rows(str(path)) == rows(path) == rows(json.dumps(PLAN)) == rows(PLAN)


def test_what_is_written_is_read_back() -> None:
    tasks = {"dsa": TaskPlan({4: (0, 2), 9: (1,)}, 2, 90, "mine", 3)}
    assert read_plan(json.dumps(plan_json(tasks, design="mine", seed=3))) == tasks


@looped(
    ("change", "message"),
    [
        ({"schema": 2}, "schema must be 1, got 2"),
        ({"tasks": {}}, "has no tasks"),
        ({"tasks": {"dsa": {"cells": {"4": 1}}}}, "no questions of slt"),
        ({"tasks": {"slt": {"cells": {}}}}, "has no cells"),
        ({"tasks": {"slt": {"cells": {"4": 0}}}}, "complexity 4 must have"),
        ({"tasks": {"slt": {"cells": {"4": [1, 1]}}}}, "complexity 4 must have"),
        ({"tasks": {"slt": {"cells": {"x": 1}}}}, "must be an integer, got 'x'"),
        ({"tasks": {"slt": {"range": [1, 9], "cells": {"0": 1}}}}, "complexity 0 is impossible"),
        ({"tasks": {"slt": {"cells": {"4": 1, "04": 1}}}}, "duplicate complexity"),
        ({"tasks": {"slt": {"cells": {"4": 1}, "range": [9, 4]}}}, "two rising integers"),
        ({"tasks": {"slt": {"cells": {"4": 1}, "ranges": []}}}, "unknown key 'ranges'"),
        ({"design": "a|b"}, "design must be"),
        ({"seed": 1}, "seed 1, got seed 0"),
    ],
)
def test_mistakes_are_named(change, message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("|", r"\|")):
        rows(PLAN | change)


def test_a_plan_takes_the_place_of_the_other_options() -> None:
    for name, value in {"levels": 2, "per_level": 2, "c_min": 4, "complexities": "4,5"}.items():
        with pytest.raises(ValueError, match=f"give plan or {name}, not both"):
            rows(PLAN, **{name: value})
    with pytest.raises(ValueError, match="cannot be read"):
        rows("nowhere.json")

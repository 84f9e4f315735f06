"""The builder of Hugging Face datasets, as a user calls it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd
from xlgo_dataset.declared import COLUMNS
from xlgo_dataset.families.xlgobench import instances
from xlgo_dataset.text import languages

data: Any = xd.family("xlgobench")


SMALL: dict[str, Any] = {"preset": "smoke", "levels": 3, "per_level": 4}


@pytest.fixture
def load(tmp_path: Path):
    from datasets import load_dataset

    return lambda *args, **options: load_dataset(*args, cache_dir=str(tmp_path), **options)


def test_load_dataset_by_name(load) -> None:
    found = load("xlgo", "slt_te", split="test", seed=3, levels=4, per_level=2)
    assert tuple(found.column_names) == COLUMNS
    assert found.to_list() == list(data.rows("slt", ["te"], seed=3, levels=4, per_level=2))


def test_the_public_way_gives_the_same(load, tmp_path: Path) -> None:
    ours = xd.load_dataset("dsa_zh", split="train", cache_dir=str(tmp_path / "b"), **SMALL)
    assert ours.to_list() == load("xlgo", "dsa_zh", split="train", **SMALL).to_list()


def test_splits_slices_processes_and_streams_agree(load) -> None:
    whole = load("xlgo", "prdsa", split="validation", **SMALL).to_list()
    assert len(whole) == 3 * 4 * 7
    assert load("xlgo", "prdsa", split="validation[:5]", **SMALL).to_list() == whole[:5]
    streamed = load("xlgo", "prdsa", split="validation", streaming=True, **SMALL)
    assert list(streamed) == whole
    assert streamed.num_shards == 4
    fresh: dict[str, Any] = {**SMALL, "seed": 8}
    assert load("xlgo", "prdsa", split="validation", num_proc=2, **fresh).to_list() == list(
        data.rows("prdsa", xd.LANGUAGES, split="validation", **fresh)
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sed": 3}, "unknown option 'sed': allowed are preset, seed"),
        ({"preset": "big"}, "paper, lite, smoke"),
        ({"levels": 0}, "levels=0 must be an integer from 1"),
        ({"levels": "20"}, "levels='20' must be an integer"),
        ({"c_min": 4, "c_max": 8, "levels": 9}, "at most 5"),
        ({"c_min": 9, "c_max": 8, "levels": 1}, "c_max must be c_min or more"),
        ({"text": "new"}, "paper, revised"),
        ({"languages": "en,xx"}, "unknown language 'xx'"),
        ({"data_files": "x.json"}, "data_files"),
    ],
)
def test_a_wrong_option_is_refused_by_name(load, options, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        load("xlgo", "slt_te", split="test", **options)


@pytest.mark.parametrize("name", ["slt_xx", "sl", None])
def test_a_wrong_config_is_refused(load, name: str | None) -> None:
    with pytest.raises(ValueError, match=r"unknown configuration.*'slt_te'"):
        load("xlgo", name, split="test")


def test_other_data_sets_still_load(load, tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text('{"x": 1}\n{"x": 2}\n')
    assert load("json", data_files=str(file), split="train")["x"][:] == [1, 2]


def test_with_a_plan_too_the_cache_notices_an_edited_override_file(load, tmp_path: Path) -> None:
    file, plan = tmp_path / "shout.toml", tmp_path / "plan.json"
    design = {"schema": 1, "design": "plan", "seed": 0, "tasks": {"t_rank": {"cells": {"5": 1}}}}
    plan.write_text(json.dumps(design))
    for header in ("RESULTS:", "Results:"):
        file.write_text(f'[t_rank]\nheader = "{header}"\n')
        languages._overrides.cache_clear()
        instances._template.cache_clear()
        row = load("xlgo", "t_rank_en", split="test", text=str(file), plan=str(plan))[0]
        assert row["prompt"].startswith(f"{header}\n")


def test_with_an_override_file_too_the_cache_notices_an_edited_plan(load, tmp_path: Path) -> None:
    file, plan = tmp_path / "shout.toml", tmp_path / "plan.json"
    file.write_text('[t_rank]\nheader = "RESULTS:"\n')
    for indexes in ([0, 2], [1, 3], [1, 2, 3]):
        cells = {"5": indexes, "7": indexes[1:]}
        design = {"schema": 1, "design": "plan", "seed": 0, "tasks": {"t_rank": {"cells": cells}}}
        plan.write_text(json.dumps(design))
        rows = load("xlgo", "t_rank_en", split="test", text=str(file), plan=str(plan))
        found = sorted((row["complexity"], json.loads(row["reference"])["index"]) for row in rows)
        assert found == [(int(size), index) for size in cells for index in cells[size]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('[t_rnk]\nheader = "x"', "unknown task 't_rnk'"),
        ('[t_rank]\nheadr = "x"', "t_rank: unknown string 'headr': allowed are header"),
        ('[t_rank]\nmatch = "{winner} won."', "placeholders {loser}, {winner}"),
        ("[t_rank]\nheader = 3", "must be a string"),
        ("[t_rank", "not valid TOML"),
    ],
)
def test_a_wrong_override_file_is_refused(load, tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(content)
    with pytest.raises(ValueError, match=message):
        load("xlgo", "t_rank_en", split="test", text=str(file), **SMALL)


@pytest.mark.parametrize(
    "first",  # the test of a changed source imports our package first
    ["datasets", pytest.param("xlgo_dataset", marks=pytest.mark.slow)],
)
def test_either_import_order_works(first: str, tmp_path: Path) -> None:
    code = (
        f"import {first}; import xlgo_dataset; from datasets import load_dataset; "
        f"d = load_dataset('xlgo', 'slt_en', split='test', streaming=True, preset='smoke'); "
        "print(next(iter(d))['id'])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert run.stdout.strip() == "slt-test-s0-c4-i0-en"

"""``load_dataset`` as people call it: odd values of options, and names that are not puzzles."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import xlgo_dataset as xd

datasets = pytest.importorskip("datasets")

SMALL: dict[str, Any] = {"preset": "smoke", "levels": 2, "per_level": 2}


@pytest.fixture
def load(tmp_path: Path) -> Any:
    def loaded(name: str, **options: Any) -> Any:
        return datasets.load_dataset("xlgo", name, cache_dir=str(tmp_path), **options)

    return loaded


@pytest.mark.parametrize("name", ["word_count", "logic_eval_te", "travel"])
def test_the_simple_tasks_load_too(load, name: str) -> None:
    task = name.removesuffix("_te")
    rows = load(name, split="test", n=2)
    codes = (
        ["te"]
        if name.endswith("_te")
        else list(xd.family("simple_reasoning").default_languages(task))
    )
    expected = list(xd.family("simple_reasoning").rows(task, codes, n=2))
    assert rows["prompt"][:] == [row["prompt"] for row in expected]
    stream = load(name, split="test", n=2, streaming=True)
    assert next(iter(stream))["id"] == rows[0]["id"]


def test_an_edited_source_is_not_served_from_the_cache(load, tmp_path: Path) -> None:
    from xlgo_dataset.families.simple_reasoning import counting

    source = tmp_path / "words.txt"
    prompts = []
    for word in ("apple", "river"):
        counting.load.cache_clear()
        counting.passages.cache_clear()
        source.write_text(" = Title = \n" + f"The {word} is here and there . \n" * 400)
        rows = load("char_count", split="test", n=1, m=20, source=source)
        prompts.append(rows["prompt"][0])
    assert "apple" in prompts[0]
    assert "river" in prompts[1]


def test_a_language_counts_once_and_spaces_do_not(load) -> None:
    rows = load("slt", split="test", languages="te, en,te", **SMALL)
    assert rows["language"][:] == ["te", "en"] * 4


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("slt", {"languages": []}, "give at least one language"),
        ("slt", {"languages": 3}, "languages must be names"),
        ("slt", {"splits": 3}, "splits must be names"),
        ("slt_te", {"languages": "en"}, "'slt_te' has the language 'te' only: give 'slt'"),
        ("slt_te", {"revision": "v1"}, "revision 'v1' has no meaning here"),
    ],
)
def test_what_cannot_be_is_refused(load, name: str, options: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        load(name, split="test", **options, **SMALL)


def test_integers_of_numpy_are_integers(load) -> None:
    rows = load("slt_te", split="test", seed=np.int64(3), **SMALL)
    assert rows["id"][:] == load("slt_te", split="test", seed=3, **SMALL)["id"][:]


def test_splits_in_every_form_that_datasets_knows(tmp_path: Path) -> None:
    def rows(split: Any) -> Any:
        return xd.load_dataset("slt_te", split=split, cache_dir=str(tmp_path), **SMALL)

    assert len(rows(datasets.Split.TEST)) == 4
    assert len(rows(datasets.ReadInstruction("test", to=3, unit="abs"))) == 3
    assert list(map(len, rows(["test", "train[:1]"]))) == [4, 1]
    assert len(rows("all")) == 12
    with pytest.raises(ValueError, match="unknown split 'tset'"):
        rows("tset")


def test_an_exported_folder_is_not_passed_over_in_silence(load, tmp_path, monkeypatch) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        load("slt_te", split="test", **SMALL)
    (here / "xlgo").mkdir()
    (here / "xlgo" / "export.json").write_text("{}")
    with pytest.warns(UserWarning, match=r'load_dataset\("\./xlgo"\)'):
        load("slt_te", split="test", **SMALL)


@pytest.mark.parametrize(
    "first", ["datasets", pytest.param("xlgo_dataset", marks=pytest.mark.slow)]
)
def test_the_wrapped_function_keeps_its_signature_and_can_be_pickled(first: str) -> None:
    program = f"""
import {first}, datasets, xlgo_dataset, datasets.inspect, inspect, pickle
for module in (datasets.load, datasets.inspect):
    wrapped = module.dataset_module_factory
    assert "wrapped_by_xlgo" in vars(wrapped)
    assert inspect.signature(wrapped) == inspect.signature(wrapped.__wrapped__)
    assert pickle.loads(pickle.dumps(wrapped)) is wrapped
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_folder_of_ones_own_beside_the_program_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "xlgo").mkdir()
    with pytest.warns(UserWarning, match=r'the folder .*xlgo is read by load_dataset\("./xlgo"\)'):
        datasets.load.dataset_module_factory("xlgo")

"""A family that is registered from outside gets everything that the built-in ones have."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from datasets import get_dataset_config_names, load_dataset
from lm_eval.tasks import TaskManager

import xlgo_dataset as xd
import xlgo_metric as xm
from tests.toy import dataset, metric
from xlgo_cli.cli import main
from xlgo_cli.harness.make_tasks import FOLDER, stale_files, task_files
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.report.write import write_all
from xlgo_metric.comparison.curves import gaps_of
from xlgo_metric.version import READER_VERSION, STATISTICS_VERSION

TASK = "toy_sum"


@pytest.fixture(autouse=True)
def toy() -> Iterator[None]:
    xd.register(dataset.FAMILY)
    xm.register(metric.FAMILY)
    yield
    xd.FAMILIES.remove("toy")
    xm.FAMILIES.remove("toy")


def answers() -> tuple[list[str], list[str]]:
    rows = list(xd.family("toy").rows(TASK, ["en", "te"]))
    texts = [str(json.loads(row["answer"])["sum"] + (row["index"] == 1)) for row in rows]
    return texts, [row["reference"] for row in rows]


def test_rows_by_load_dataset(tmp_path: Path) -> None:
    cache = str(tmp_path)
    rows = load_dataset("xlgo", f"{TASK}_te", split="test", seed=4, cache_dir=cache)
    assert rows["prompt"][:] == [row["prompt"] for row in dataset.FAMILY.rows(TASK, ["te"], seed=4)]
    assert TASK in get_dataset_config_names("xlgo")
    stream = xd.load_dataset(TASK, split="train", streaming=True)
    assert next(iter(stream))["id"] == "toy_sum-train-s0-c1-i0-en"


def test_grades_scores_and_signature() -> None:
    texts, references = answers()
    score = xm.score(texts, references)
    versions = f"reader:{READER_VERSION}|statistics:{STATISTICS_VERSION}"
    assert score["signature"] == f"task:toy_sum|data:3|{versions}|version:0"
    assert score["families"]["toy"]["accuracy"] == 0.5
    assert [table.name for table in xm.tables(score)] == ["toys", "by_language", "readings"]


def with_gaps(records: list[Any], **options: Any) -> dict[str, Any]:
    return {**metric.summarize(records), "gaps": gaps_of(records)}


def falling() -> tuple[list[str], list[str]]:
    """Answers whose accuracy falls with complexity, in Telugu faster."""
    rows = list(xd.family("toy").rows(TASK, ["en", "te"], per_level=40))
    slope = {"en": 12.0, "te": 15.6}
    wrong = (row["index"] < slope[row["language"]] * (row["level"] + 1) for row in rows)
    texts = [str(json.loads(row["answer"])["sum"] + off) for row, off in zip(rows, wrong)]
    return texts, [row["reference"] for row in rows]


def written(folder: Path, texts: list[str], references: list[str]) -> str:
    """The page of a report of answers."""
    lines = [
        {"doc_id": i, "doc": {"reference": r}, "resps": [[t]], "filtered_resps": [t]}
        for i, (t, r) in enumerate(zip(texts, references))
    ]
    samples = folder / "samples_toy_sum_2026-01-01T00-00-00.000000.jsonl"
    samples.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return write_all(score_folder(folder), folder).read_text("utf-8")


def test_a_report_has_the_curves_of_a_guest(tmp_path: Path) -> None:
    """Gap and SMD by hand: counts of right answers, a curve each, the largest distance."""
    xm.register(replace(metric.FAMILY, summarize=with_gaps))
    page = written(tmp_path, *falling())
    right = {"en": [28, 16, 4], "te": [24, 8, 0]}
    fits = [xm.fit_gamma([1, 2, 3], k, 40) for k in right.values()]
    sizes = [1, 2, 3]  # whole complexities within those asked
    apart = np.subtract(*(xm.gamma_accuracy(sizes, *fit) for fit in fits))
    smd = float(apart[np.abs(apart).argmax()])
    gap = sum(a - b for a, b in zip(*right.values())) / 120
    section = score_folder(tmp_path).score["families"]["toy"]
    cell = section["gaps"]["tasks"][TASK]["languages"]["te"]
    assert cell["smd"] == pytest.approx(smd, abs=1e-5)
    assert cell["difference"]["difference"] == pytest.approx(gap)
    for shown in (f"+{100 * gap:.1f}", f"+{100 * smd:.1f}", "<svg", "Telugu"):
        assert shown in page


def test_sizes_take_one_line() -> None:
    family = xd.family("toy")
    plan = {"schema": 1, "tasks": {TASK: {"range": [1, 9], "cells": {"2": 2, "5": [0, 4]}}}}
    assert family.levels(TASK, plan=plan) == {2: 2, 5: 2}
    rows = list(family.rows(TASK, ["en"], plan=plan))
    asked = [(row["index"], row["complexity"], row["level"]) for row in rows]
    assert asked == [(0, 2, 0), (0, 5, 1), (1, 2, 0), (4, 5, 1)]
    shards = family.shards(TASK, plan=plan)
    parts = [family.rows(TASK, ["en"], plan=plan, indexes=[index]) for index in range(shards)]
    assert [row for part in parts for row in part] == rows
    assert json.loads(rows[0]["reference"])["range"] == [1, 9]
    assert len(list(family.rows(TASK, ["en"], complexities="4,6", per_level=3))) == 6


def test_a_guest_is_run_adaptively(tmp_path: Path) -> None:
    xm.register(replace(metric.FAMILY, summarize=with_gaps))
    words = f"run --model xlgo-sim --tasks {TASK} --languages en,te --design adaptive --budget 40"
    assert main([*words.split(), "--output_path", str(tmp_path)]) == 0
    (path,) = tmp_path.rglob("scores.json")
    section = json.loads(path.read_text("utf-8"))["families"]["toy"]
    assert section["signature"].startswith("task:toy_sum")
    assert {*section["gaps"]["tasks"][TASK]["languages"]} == {"en", "te"}


def test_task_files_are_written_loaded_and_missed(tmp_path: Path, capsys) -> None:
    folder = tmp_path / "tasks"
    assert "toy/toy_sum.yaml" in stale_files(FOLDER, task_files())
    # The installed files are those of this package.
    assert main(["tasks", "--check"]) == 0, "out of date: run xlgo tasks --check"
    assert main(["tasks", "--out", str(folder), "--check"]) == 1  # a task without a file is noticed
    assert "toy_sum.yaml: not current" in capsys.readouterr().err
    assert main(["tasks", "--out", str(folder)]) == 0
    tasks = TaskManager(include_path=str(folder), include_defaults=False)
    task = tasks.load([TASK])["tasks"][TASK]
    doc = task.eval_docs[0]
    assert task.doc_to_text(doc).startswith("What is")
    right = str(json.loads(doc["reference"])["answer"]["sum"])
    assert task.process_results(doc, [right])["acc"] == 1.0
    (describe,) = tasks.load(["toy_describe"])["tasks"].values()
    assert "acc" not in describe.process_results(describe.eval_docs[0], ["Round."])


def test_report_with_section_and_citation(tmp_path: Path) -> None:
    page = written(tmp_path, *answers())
    for text in ("Toys", "task:toy_sum", "@misc{toy,"):
        assert text in page


def test_a_family_that_lacks_something_is_refused() -> None:
    with pytest.raises(TypeError, match="the family empty has no task: labels are empty"):
        xd.register(replace(dataset.FAMILY, name="empty", labels={}))
    with pytest.raises(TypeError, match="must be a value of the class Family"):
        xd.register(cast("xd.Family", object()))
    with pytest.raises(ValueError, match="'toy_describe' belongs to the family 'toy'"):
        xd.register(replace(dataset.FAMILY, name="twin"))
    with pytest.raises(TypeError, match="'grade', 'summarize', and 'tables'"):
        xm.Family(name="empty")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="must be a value of the class Family"):
        xm.register(cast("xm.Family", object()))

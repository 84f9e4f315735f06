"""A folder with files of several models, days and tasks: which of them count, what they lack."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd
from tests.report.logs import DATE, LATER, sample, write_run
from xlgo_cli.logs.costs import lengths
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.logs.results import find_run, models_in, read_samples, total_size

QUICK = {"draws": 10}
COUNTS = {"slt": 12, "t_rank": 20}


def lines(task: str, n: int) -> list[Any]:
    rows = xd.family_of(task).rows(task, ["en", "te"], preset="smoke", levels=2, per_level=9)
    return [sample(row, row["answer"], number) for number, row in enumerate(list(rows)[:n])]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Two tasks of a model on a day, one of them again; names of models that begin alike."""
    folder = tmp_path / "results"
    for task, n in COUNTS.items():
        write_run(folder, model="m", task=task, samples=lines(task, n))
    write_run(folder, model="m", task="slt", date=LATER, samples=lines("slt", 5))
    for model in ("mm", "m2"):
        write_run(folder, model=model, task="slt", samples=lines("slt", 3))
    return folder


def counted(folder: Path, numbers: dict[str, int], date: str = DATE, model: str = "m") -> None:
    """What the harness says it has counted of each task."""
    path = folder / model / f"results_{date}.json"
    about = {"xlgo_family": "xlgobench"}
    info = json.loads(path.read_text())
    info["n-samples"] = {f"xlgo_{task}": {"effective": n} for task, n in numbers.items()}
    info["configs"] = {f"xlgo_{task}": {"metadata": about} for task in numbers}
    path.write_text(json.dumps(info))


def test_a_model_is_chosen_by_its_whole_name_and_a_run_by_how_its_date_begins(
    results: Path,
) -> None:
    assert models_in(results) == ["m", "m2", "mm"]
    for model, days, date in (
        ("mm", None, DATE),
        ("m2", None, DATE),
        ("m", "2026-03-01", DATE),
        ("m", "2026-03-02", LATER),
    ):
        run = find_run(results, model=model, date=days)
        assert {file.model for file in run.files} == {model}
        assert run.date == date
        assert total_size(run) == sum(file.path.stat().st_size for file in run.files)
    with pytest.raises(ValueError, match="no samples of 'mmm': there are m, m2, mm"):
        find_run(results, model="mmm")
    with pytest.raises(ValueError, match=r"no run of '2027': there are 2026-03-01T.*, 2026-03-02T"):
        find_run(results, model="m", date="2027")
    run = find_run(results)
    assert (run.model, run.date) == ("m", LATER)
    (told,) = [str(one) for one in run.problems.items if "several models" in str(one)]
    assert "this is m, the newest. Left out: m2, mm (choose with --model)" in told


def test_of_each_task_the_newest_answers_count_and_older_ones_of_other_questions(
    results: Path,
) -> None:
    run = find_run(results, model="m")
    tasks: dict[str, list[str]] = {"slt": [], "t_rank": []}
    for one in read_samples(run):
        tasks[str(one.reference["task"])].append(one.file.date)
    assert tasks["t_rank"] == [DATE] * 20
    assert sorted(tasks["slt"]) == [DATE] * (12 - 5) + [LATER] * 5


@pytest.mark.parametrize("partial", [False, True])
def test_answers_that_lack_are_counted_over_all_tasks(results: Path, *, partial: bool) -> None:
    """More answers than the harness has counted make up for nothing."""
    counted(results, {"slt": 15, "t_rank": 17, "dsa": 6})
    run = score_folder(results, model="m", date=DATE, options=QUICK, partial=partial)
    assert run.there == (12 + 17, 15 + 17)
    (lost,) = [one for one in run.problems.items if "as the harness counted them" in str(one)]
    assert "12 of 15 answers of xlgo_slt are there" in str(lost)
    assert bool(run.problems.lost) == (not partial)
    whole = score_folder(results / "mm", options=QUICK)
    assert whole.there is None
    counted(results, {"slt": 3, "dsa": 6}, model="mm")
    whole = score_folder(results / "mm", options=QUICK, partial=partial)
    assert whole.there == (3, 3 + 6)
    assert bool(whole.problems.lost) == (not partial)


def test_mean_lengths_are_those_of_all_answers_of_each_task_of_each_family() -> None:
    def spent(**more: int) -> dict[str, int]:
        return {"answers": 0, "counted": 0, "characters_in": 0, "characters_out": 0, **more}

    english = spent(answers=4, characters_in=40, characters_out=8, counted=2, tokens_in=10)
    telugu = spent(answers=6, characters_in=50, characters_out=2)
    first = {
        "slt": {"en": english | {"tokens_out": 6}, "te": telugu},
        "dsa": {"en": spent(answers=1, characters_in=9, characters_out=3)},
    }
    trees = spent(
        answers=2, characters_in=8, characters_out=4, counted=2, tokens_in=4, tokens_out=2
    )
    second = {"trees": {"en": trees}}
    scores: Any = {
        "a": {"cost": {"tasks": {"x": first, "y": second}}},
        "none": {},
        "b": {"cost": {"tasks": {"y": second}}},
    }
    (table,) = lengths(scores)
    assert table.rows == (
        ("a", "slt", 10, 9.0, 1.0, 5.0, 3.0), ("a", "dsa", 1, 9.0, 3.0, None, None),
        ("a", "trees", 2, 4.0, 2.0, 2.0, 1.0), ("b", "trees", 2, 4.0, 2.0, 2.0, 1.0),
    )  # fmt: skip
    scores = {"none": {}}
    assert lengths(scores) == []

"""What every family owes (``xlgo_dataset.family``, ``xlgo_metric.family``), for all of them."""

from __future__ import annotations

import json
import re
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd
import xlgo_metric as xm
from tests.looping import looped
from tests.polymath.fixture import FIXTURE
from xlgo_cli.harness.make_tasks import FOLDER, FoundTask, tasks_by_family
from xlgo_dataset.declared import COLUMNS
from xlgo_metric.core import values_of
from xlgo_metric.family import family as grading_family

SOURCES: dict[str, dict[str, Any]] = {
    "polymath": {"polymath_path": str(FIXTURE)},
    "korbench": {"source": str(Path(__file__).parents[1] / "korbench" / "fixture")},
}
"""Where the data of families that are loaded stand, as options of their rows."""

GIVEN: dict[str, dict[str, Any]] = {"lit_custom": {"chain": "en,te,hi,en"}}
"""Options that a task must have."""

FAMILIES = list(xd.FAMILIES)
GENERATED = [(name, task) for name, family in xd.FAMILIES.items() for task in family.generated]
HOSTILE = (None, "", "I do not know.", "{" * 5000, "<think>", "\x00\ud800", "9" * 5000)


def rows(name: str, task: str, count: int = 4, languages: int = 2) -> list[dict[str, Any]]:
    """A few rows of a task; none where its data are not here."""
    family = xd.family(name)
    codes = family.languages(task)[:languages]
    try:
        given = {} if task in family.generated else SOURCES.get(name, {})
        given = given | GIVEN.get(task, {})
        return list(islice(family.rows(task, codes, **given), count))
    except ValueError as error:
        assert "source" in str(error)  # noqa: PT017
        return []


def test_both_sides_know_the_same_families() -> None:
    assert list(xm.FAMILIES) == [*FAMILIES, "parallel"]  # graded by others, asked by others
    tasks = [task for family in xd.FAMILIES.values() for task in family.TASKS]
    assert len(set(tasks)) == len(tasks)


@pytest.mark.parametrize("name", FAMILIES)
def test_names_labels_and_citation(name: str) -> None:
    family = xd.family(name)
    assert isinstance(family, xd.Family)
    assert isinstance(grading_family(name), xm.Family)
    assert (family.name, grading_family(name).name) == (name, name)
    assert family.title
    assert "{tasks}" in family.source
    for task in family.TASKS:
        assert re.fullmatch(r"[a-z][a-z0-9_]*", task)
        assert "" not in vars(family.labels[task]).values(), task
        assert set(family.default_languages(task)) <= set(family.languages(task))
        assert set(family.splits(task)) <= set(xd.SPLITS)
        with pytest.raises(ValueError, match="no_such_option"):
            family.options(task, no_such_option=1)
    with pytest.raises(ValueError, match="unknown task 'nothing'"):
        family.languages("nothing")
    entries = family.citation.split("\n\n")
    assert all(re.match(r"@\w+\{\w+,\n", entry) and entry.endswith("}") for entry in entries)


@pytest.mark.parametrize("name", FAMILIES)
def test_harness_tasks_have_files_and_metrics(name: str) -> None:
    family, grader = xd.family(name), grading_family(name)
    found = family.harness_tasks()
    assert found
    assert len({task.name for task in found}) == len(found)
    for task in found:
        assert task.task in family.TASKS
        assert set(task.languages) <= set(family.languages(task.task))
        assert set(task.options) <= set({one.name for one in family.task_options(task.task)})
        file = FOLDER / FoundTask(name, task).path
        assert file.is_file(), "task files are out of date: run xlgo tasks --check"
        names = [one.name for one in grader.measures(task.task, task.languages)]
        assert names
        assert len(set(names)) == len(names)
        assert not grader.is_binary or {"acc", "parsed"} <= set(names)
        with pytest.raises(ValueError, match="no measure 'no_such': allowed are"):
            grader.measure("no_such")
    every = [task for tasks in tasks_by_family().values() for task in tasks]
    assert len(set(every)) == len(every)


SENTENCES = {
    "word_count": "The words appear {} times.",
    "char_count": "The character appears {} times.",
    "proof_tree": "The final answer is {}.",
    "irrelevant": "The final answer is {}.",
}
"""Prompts that ask for a sentence around the answer; others for the answer alone."""


@looped(("name", "task"), GENERATED)
def test_an_answer_in_the_prompts_own_form_is_strict(name: str, task: str) -> None:
    for row in rows(name, task):
        answer = xd.family(name).response(json.loads(row["answer"]), task)
        text = answer if isinstance(answer, str) else json.dumps(answer)
        text = SENTENCES.get(task, "{}").replace("{}", text)
        grade = xm.grade(text, row["reference"])
        assert (grade.correct, grade.strict) == (True, True), (
            f"{task}: its own answer {text!r} in the form that the prompt asks for is "
            f"{grade.status}, strict {grade.strict}: see read and compare on the metric's side"
        )


@looped(("name", "task"), [(n, t) for n in FAMILIES for t in xd.family(n).TASKS])
def test_rows_grades_scores_and_tables(name: str, task: str) -> None:
    found = rows(name, task, 2)
    if not found:
        pytest.skip("its data are not here")
    grader = grading_family(name)
    references = [row["reference"] for row in found]
    for row in found:
        assert tuple(row) == COLUMNS or set(row) == set(COLUMNS)
        reference = json.loads(row["reference"])
        assert grading_family(reference["family"]) is grader
        assert (reference["task"], reference["language"]) == (row["task"], row["language"])
        for text in HOSTILE:
            grade = xm.grade(text, row["reference"])
            assert grade.status in xm.STATUSES
            assert grade.correct == (grade.status == "correct")
            measures = grader.measures(task, [row["language"]])
            values = values_of(measures, grade, reference | {"languages": [row["language"]]})
            assert set(values) <= {one.name for one in measures}
            json.dumps(grade.to_json(), allow_nan=False)
    score = xm.score(["I do not know."] * len(found), references, draws=20, permutations=20)
    section = score["families"][name]
    assert section["signature"].endswith(f"version:{xm.__version__}")
    assert score["signature"] == section["signature"]
    assert all(isinstance(text, str) for text in section["warnings"])
    tables = xm.tables(score)
    assert tables
    assert len({table.name for table in tables}) == len(tables)
    for table in tables:
        assert len(set(table.names)) == len(table.columns), table.name
        cells = [value for row in table.rows for value in row]
        assert all(isinstance(x, str | int | float | None) for x in cells), table.name
        for column, cells in zip(table.columns, map(list, zip(*table.rows))):
            assert column.kind == "text" or not any(isinstance(x, str) for x in cells), column
    json.dumps(score, allow_nan=False)
    assert all(isinstance(value, float) for value in grader.headline(section).values())

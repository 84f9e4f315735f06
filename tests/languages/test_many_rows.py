"""Sheets of many rows and folders of many languages: none of them is left out, and each its own."""

from __future__ import annotations

from pathlib import Path

import pytest

import xlgo_dataset as xd
from xlgo_dataset.text.languages import load_language
from xlgo_metric.reading.values import table as words_of

from .test_audit import (
    ROW,
    load,
)
from .test_audit import run as audit


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from xlgo_dataset.text.languages import FOLDER

    path = tmp_path_factory.mktemp("exported") / "gu.csv"
    assert audit("export", "gu", "--out", str(path), folder=FOLDER) == 0
    return path


def test_a_sheet_has_a_row_for_everything_that_people_read(exported: Path) -> None:
    language, table = load_language("gu"), load(exported)
    assert len(language.doubts) > 2
    names = [row[ROW] for row in table[1:]]
    expected = [
        name for task, strings in language.tasks.items()
        for name in (f"{task} full example", *(f"{task}.{key}" for key in strings))
    ]  # fmt: skip
    expected += [
        f"conditions.{name}.{key}" for name, of in language.conditions.items() for key in of
    ]
    for family in xd.FAMILIES.values():
        expected += [f"{family.name}.{place}" for place, _ in family.wordings("gu")]
    expected += [f"reader.{place}" for place in words_of("gu")]
    expected += [f"doubt.{number}" for number in range(1, len(language.doubts) + 1)]
    expected += [
        f"solve.{task}.{n}" for task in ("slt", "dsa", "graph_sp", "t_rank") for n in range(5)
    ]
    assert names == expected
    assert [row[0] for row in table if row[ROW].startswith("doubt.")] == [*language.doubts]
    solved = [row for row in table if row[ROW].startswith("solve.")]
    assert len({row[1] for row in solved}) == len(solved)

"""Sheets of many rows and folders of many languages: none of them is left out, and each its own."""

from __future__ import annotations

from pathlib import Path

import pytest

import xlgo_dataset as xd
from xlgo_cli.export.plan import Request
from xlgo_cli.language.sheet import headings, read, write
from xlgo_dataset.text.languages import load_language
from xlgo_metric.reading.words import table as words_of

from .test_audit import (
    ISSUES,
    OK,
    REMARK,
    ROW,
    Table,
    approve,
    load,
    row_of,
    save,
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


def test_every_open_issue_is_shown_and_every_string_must_be_judged(
    exported: Path, tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def imported(table: Table) -> str:
        path = tmp_path / "gu.csv"
        save(path, table)
        people = ("--reviewer", "A", "--auditor", "B", "--date", "2026-03-31")
        assert audit("import", "gu", str(path), *people, folder=folder) == 0
        return load_language("gu", folder).review["status"]

    table = load(exported)
    before = load_language("gu", folder).review["status"]
    for row in table[1:-1]:
        row[OK] = "Yes"
    row_of(table, "doubt.1")[OK] = ""  # one is not judged yet
    assert imported(table) == before
    approve(table, "gu")
    issues = {
        "slt.fee": "stiff",
        "dsa.start": "long",
        "t_rank full example": "odd",
        "doubt.2": "open",
    }
    for name, remark in issues.items():
        row_of(table, name)[ISSUES], row_of(table, name)[REMARK] = "True", remark
    capsys.readouterr()
    assert imported(table) == "checked, not audited"
    said = capsys.readouterr().out
    assert all(f"{name}: {remark}" in said for name, remark in issues.items())


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_rows_between_blank_ones_are_read_with_their_places(tmp_path: Path, delimiter: str) -> None:
    path = tmp_path / "x.csv"
    lines = [list(headings("te"))]
    for number, answer in enumerate(("yes", "NO", "", " No ")):
        lines.append([f"e{number}", f"t{number}", answer, *[""] * 5, f"slt.{number}"])
    texts = [delimiter.join(line) for line in lines]
    blank = delimiter * 8
    path.write_text(
        "\n".join([texts[0], blank, texts[1], texts[2], "", blank, texts[3], texts[4], blank]),
        "utf-8",
    )
    rows = read(path, "te")
    assert [(row.row, row.ok) for row in rows] == [
        ("slt.0", "Yes"),
        ("slt.1", "No"),
        ("slt.2", ""),
        ("slt.3", "No"),
    ]
    assert [row.where.rpartition(" ")[2] for row in rows] == ["3", "4", "7", "8"]
    write(tmp_path / "y.csv", "te", rows)
    assert [row.row for row in read(tmp_path / "y.csv", "te")] == [row.row for row in rows]


def test_what_is_named_twice_is_exported_once() -> None:
    given = {"preset": "smoke", "levels": 2, "per_level": 2}
    request = Request(
        ["slt", "xlgo_slt", "dsa", "slt"], ["te", "en", "te"], ["test", "train", "test"], given
    )
    assert [(part.task, part.languages) for part in request.parts()] == [
        ("slt", ("en", "te")),
        ("dsa", ("en", "te")),
    ]
    files = [file for block in request.blocks() for file in block.files.values()]
    assert len(files) == len(set(files))
    assert {(block.part.task, block.split) for block in request.blocks()} == {
        (task, split) for task in ("slt", "dsa") for split in ("test", "train")
    }

"""Answers under several conditions in one log, and in two runs of one folder."""

from pathlib import Path
from typing import Any

import xlgo_dataset as xd
from tests.report.logs import DATE, LATER, sample, write_run
from xlgo_cli.logs.results import find_run, read_samples


def rows(*names: str) -> list[dict[str, Any]]:
    options: dict[str, Any] = {"complexities": [4, 6], "per_level": 3, "conditions": names}
    return list(xd.family("xlgobench").rows("dsa", ["te"], **options))


def samples(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [sample(row, row["answer"], number) for number, row in enumerate(found)]


def test_two_runs_of_one_folder_are_put_together(tmp_path: Path) -> None:
    for date, names in ((DATE, ("plain", "english_rules")), (LATER, ("plain", "native_format"))):
        write_run(tmp_path, task="dsa", languages=("te",), date=date, samples=samples(rows(*names)))
    read = list(read_samples(find_run(tmp_path)))
    found = [(s.reference["instance_id"], s.reference.get("condition")) for s in read]
    assert len(found) == len(set(found)) == 2 * 3 * 3  # the plain ones count once

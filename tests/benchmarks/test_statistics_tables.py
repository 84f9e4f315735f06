"""The table of measured error rates is the one that the studies fill."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_the_page_has_the_rows_that_the_command_writes(tmp_path: Path) -> None:
    path = ROOT / "benchmarks" / "statistics_tables.py"
    if not path.is_file():
        pytest.skip("benchmarks are of the repository, not of the wheel")
    spec = importlib.util.spec_from_file_location("statistics_tables", path)
    assert spec is not None
    assert spec.loader is not None
    tables = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tables)
    page = (ROOT / "benchmarks" / "statistics.md").read_text("utf-8")
    shown = [line.split(" | ") for line in page.splitlines() if line.endswith(".py` |")]
    rows = [(row[0].removeprefix("| "), row[2].removesuffix(".py` |").strip("`")) for row in shown]
    assert rows == [(claim, study) for claim, study, *_ in tables.ROWS]
    assert {study for _, study in rows} <= tables.STUDIES.keys()
    # What a study prints is found again, with its range.
    printed = "| 0.1 | one half at 270.4 | 0.659 | 0.682 |\n| 0.4 | one half at 275 | 0.7 | 0.7 |\n"
    (tmp_path / "power.md").write_text(printed, "utf-8")
    (tmp_path / "claims.md").write_text(
        "  covers 96.0% (2: 90%)\n  covers 97.5% (2: 9%)\n", "utf-8"
    )
    told = tables.summary(tmp_path)
    assert "a shift is found in (McNemar's test) | 65.9 (68.2) | `power.py`" in told
    assert "| intervals on 2 to 8 levels cover | 96–97.5 | `claims.py` |" in told
    assert "| published rule without a gap, independent answers | – |" in told

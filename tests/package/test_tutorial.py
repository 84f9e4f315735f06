"""The tutorial notebook runs from top to bottom and finds what it says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOK = Path(__file__).parents[2] / "docs" / "tutorial" / "gap.ipynb"


def test_the_notebook_runs_and_its_finding_is_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    assert all(not cell["outputs"] for cell in cells if cell["cell_type"] == "code")
    names: dict[str, Any] = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    assert (names["right"].status, names["empty"].status) == ("correct", "no_answer")
    assert names["telugu"] != names["english"]
    found = names["cell"]
    # Simulated: its profile makes Telugu worse than English.
    assert found.n == 80
    assert found.difference > 0.1
    assert found.p_value < 0.05
    assert "English minus Telugu: +" in capsys.readouterr().out
    assert names["scores"].page.is_file()

"""A small run, and a second one of another simulated model, for all tests of this folder."""

import shutil
from pathlib import Path

import pytest

pytest.importorskip("lm_eval")

from xlgo_cli.cli import main

ASKED = ["--tasks", "xlgo_dsa,xlgo_slt", "--languages", "en,te", "--preset", "smoke"]
SIZE = ["--levels", "2", "--per-level", "2"]


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders ``one``, ``two`` (another model) and ``other`` (another seed of the puzzles)."""
    top = tmp_path_factory.mktemp("runs")
    for name, more in (
        ("one", []),
        ("two", ["--model_args", "profile=demo,seed=5,model=second"]),
        ("other", ["--xlgo-seed", "7"]),
    ):
        given = ["--model", "xlgo-sim", *ASKED, *SIZE, *more, "--output_path", str(top / name)]
        assert main(["run", *given, "--quiet"]) == 0
    return top


@pytest.fixture
def copy(runs: Path, tmp_path: Path) -> Path:
    """A copy of ``one`` to be edited."""
    return Path(shutil.copytree(runs / "one", tmp_path / "copy"))

from pathlib import Path

import pytest

from tests.report.logs import write_run
from xlgo_cli.logs.graded_run import GradedRun, score_folder
from xlgo_cli.page.write import write_files


@pytest.fixture(scope="session")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A results folder of one model."""
    folder = tmp_path_factory.mktemp("results")
    write_run(folder)
    return folder


@pytest.fixture(scope="session")
def scored(results: Path) -> GradedRun:
    return score_folder(results)


@pytest.fixture(scope="session")
def report(scored: GradedRun, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the report of ``results``."""
    return write_files(scored, tmp_path_factory.mktemp("report")).parent

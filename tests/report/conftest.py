from pathlib import Path

import pytest

from xlgo_cli.export.command import export
from xlgo_cli.export.plan import Request
from xlgo_cli.logs.graded_run import GradedRun, score_folder
from xlgo_cli.report.write import write_files

from .logs import LANGUAGES, LEVELS, PER_LEVEL, write_run


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
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The questions of ``results`` as ``xlgo publish`` puts them on the Hub."""
    out = tmp_path_factory.mktemp("exported") / "xlgo"
    options = {"levels": LEVELS, "per_level": PER_LEVEL, "c_min": 4, "c_max": 16}
    export(Request(["slt"], LANGUAGES, ["test", "train"], options), out)
    return out


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, exported: Path) -> None:
    """A Hub with the dataset ``acme/xlgo`` alone."""

    def download(repo_id: str, name: str, *, repo_type: str) -> str:
        if (repo_id, repo_type) != ("acme/xlgo", "dataset"):
            raise FileNotFoundError(f"404: there is no {repo_id}")
        return str(exported / name)

    monkeypatch.setattr("huggingface_hub.hf_hub_download", download)


@pytest.fixture(scope="session")
def report(scored: GradedRun, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the report of ``results``."""
    return write_files(scored, tmp_path_factory.mktemp("report")).parent

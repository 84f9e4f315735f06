"""Publishing to a Hub in memory that fails on demand; the Space and the gallery."""

import doctest
import json
import re
import shutil
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
import yaml
from huggingface_hub import constants
from huggingface_hub.errors import HfHubHTTPError

import xlgo_metric
from tests.hub.fake_hub import ADDRESS, Hub
from tests.hub.helpers import SMALL, agree, edit_rows, make, swapped, tree
from tests.report.logs import RIGHT, write_run
from xlgo_cli import cli
from xlgo_metric import app


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("publish") / "xlgo", tasks=["slt"])


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Hub:
    made = Hub()
    monkeypatch.setattr("huggingface_hub.HfApi", lambda: made.api)
    return made


def files_of(hub: Hub, repo_id: str, kind: str = "dataset", branch: str = "main") -> dict:
    return dict(hub.repos[kind, repo_id].branches[branch])


def refused(status: int) -> Exception:
    """The Hub's answer with a status of HTTP."""
    return HfHubHTTPError(f"{status} Error:\nsorry", response=Mock(status_code=status, headers={}))


def publish_folder(folder: Path, *more: str) -> int:
    return cli.main(["publish", "dataset", "--folder", str(folder), "--repo-id", "me/xlgo",
                     "--processes", "1", *more])  # fmt: skip


def test_every_file_arrives_in_one_commit(
    hub: Hub, good: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert publish_folder(good) == 0
    assert files_of(hub, "me/xlgo") == tree(good)
    repo = hub.repos["dataset", "me/xlgo"]
    signature = json.loads((good / "export.json").read_text("utf-8"))["signature"]
    assert (repo.log, repo.private) == ([(f"xlgo {version('xlgo')}", signature)], False)
    assert f"{ADDRESS}/datasets/me/xlgo/commit/" in capsys.readouterr().out


def test_a_private_repository_and_a_branch(hub: Hub, good: Path) -> None:
    assert publish_folder(good, "--private", "--revision", "v1") == 0
    assert hub.repos["dataset", "me/xlgo"].private
    assert (files_of(hub, "me/xlgo"), files_of(hub, "me/xlgo", branch="v1")) == ({}, tree(good))
    assert publish_folder(good, "--private", "--revision", "v1") == 0


def test_private_data_never_go_to_a_public_repository(
    hub: Hub, good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    publish_folder(good)
    other = make(tmp_path / "xlgo", tasks=["slt"], options=SMALL | {"seed": 1})
    assert publish_folder(other, "--private") == 2
    assert "exists and is public" in capsys.readouterr().err
    assert files_of(hub, "me/xlgo") == tree(good)


@pytest.mark.parametrize("branch", ["main", "v1"])
def test_shards_that_are_gone_are_deleted_and_other_files_kept(
    hub: Hub, good: Path, tmp_path: Path, branch: str
) -> None:
    publish_folder(good, "--revision", branch)
    files = hub.repos["dataset", "me/xlgo"].branches[branch]
    files["slt_te/test-00001-of-00002.parquet"] = b"PAR1"
    files["figures/plot.png"] = b"PNG"
    smaller = make(tmp_path / "xlgo", tasks=["slt"], languages=["en"])
    assert publish_folder(smaller, "--revision", branch) == 0
    kept = tree(smaller) | {"figures/plot.png": b"PNG"}
    assert files_of(hub, "me/xlgo", branch=branch) == kept


@pytest.mark.parametrize(
    "step", ["create_repo", "repo_info", "create_branch", "list_repo_files", "create_commit"]
)
@pytest.mark.parametrize(
    "failure",
    [
        (refused(500), "500 Error: sorry; what has arrived is kept: give the same command again"),
        (ConnectionError("gone\nfor good"), "gone for good; what has arrived is kept: give the"),
        (refused(401), "the Hub does not accept the token: log in with `hf auth login` or set HF_"),
        (refused(403), "the token may not write there: it needs write access to the repository"),
    ],
)
def test_a_failure_is_one_line_shows_nothing_and_the_same_command_goes_on(
    hub: Hub, good: Path, step: str, failure: tuple[Exception, str], capsys: Any
) -> None:
    hub.failures = {step: failure[0]}
    assert publish_folder(good, "--private", "--revision", "v1") == 2
    (line,) = [text for text in capsys.readouterr().err.splitlines() if text.startswith("xlgo:")]
    assert line.startswith(f"xlgo: cannot publish me/xlgo: {failure[1]}")
    assert not any(of for repo in hub.repos.values() for of in repo.branches.values())
    hub.failures = {}
    assert publish_folder(good, "--private", "--revision", "v1") == 0
    assert files_of(hub, "me/xlgo", branch="v1") == tree(good)


@pytest.mark.parametrize("name", ["bad id", "a/b/c", "me/--", "", "me/x.git", "me/"])
def test_an_impossible_name_is_refused_in_a_dry_run_too(
    hub: Hub, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything is verified: the folder does not even exist."""
    assert publish_folder(tmp_path / "none", "--repo-id", name, "--dry-run") == 2
    assert capsys.readouterr().err.startswith(f"xlgo: --repo-id {name!r}: ")


def test_offline_is_said_at_once(
    good: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    waited: list[float] = []
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr("time.sleep", waited.append)
    assert publish_folder(good) == 2
    assert waited == []  # nothing was tried again
    assert "HF_HUB_OFFLINE" in capsys.readouterr().err
    assert publish_folder(good, "--dry-run") == 0


def test_what_fails_verification_is_not_published(
    hub: Hub, good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = Path(shutil.copytree(good, tmp_path / "xlgo"))
    edit_rows(bad / "slt_te/test-00000-of-00001.parquet", swapped)
    agree(bad)
    for more in ((), ("--dry-run",)):
        assert publish_folder(bad, *more) == 2
        assert "slt_te/test-00000-of-00001.parquet, row 0" in capsys.readouterr().err
    assert hub.called == []


def test_a_dry_run_lists_every_file_with_its_size_and_sends_nothing(
    hub: Hub, good: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert publish_folder(good, "--dry-run", "--private") == 0
    said = capsys.readouterr().out
    listed = [line.replace(",", "").split() for line in said.splitlines()[1:-1]]
    assert {name: int(n) for n, name in listed} == {n: len(data) for n, data in tree(good).items()}
    assert "dataset me/xlgo (private, main)" in said
    assert hub.called == []


def test_the_metric_becomes_a_space(hub: Hub) -> None:
    assert cli.main(["publish", "metric", "--repo-id", "me/xlgo_metric"]) == 0
    there = files_of(hub, "me/xlgo_metric", "space")
    assert hub.repos["space", "me/xlgo_metric"].sdk == "gradio"
    for name in ("README.md", "app.py", "requirements.txt", "xlgo_metric.py"):
        assert there[name] == (FOLDER / name).read_bytes()
    assert {f"xlgo_metric/{n}.py" for n in ("__init__", "scoring", "xlgo_metric")} <= {*there}
    assert not [name for name in there if "__pycache__" in name]


def test_of_a_board_only_its_own_files_become_a_space_of_plain_files(
    hub: Hub, tmp_path: Path
) -> None:
    names = {"index.html", "leaderboard.json", "leaderboard.csv", "README.md", "gaps.csv"}
    for name in (*names, "notes.txt"):
        (tmp_path / name).write_text("x")
    given = ["publish", "leaderboard", "--folder", str(tmp_path), "--repo-id", "me/board"]
    assert cli.main(given) == 0
    assert files_of(hub, "me/board", "space").keys() == names
    assert hub.repos["space", "me/board"].sdk == "static"


def test_results_of_a_run_stand_in_the_card_of_its_model(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_run(tmp_path)
    given = ["publish", "results", str(tmp_path), "--dataset-id", "me/xlgo", "--repo-id", "me/one"]
    assert cli.main([*given, "--dry-run"]) == 0
    told = yaml.safe_load(capsys.readouterr().out)
    values = {
        result["dataset"]["config"]: result["metrics"][0]["value"]
        for result in told["model-index"][0]["results"]
    }
    assert values == {f"slt_{code}": round(100 * sum(n) / 24, 1) for code, n in RIGHT.items()}
    names = [result["dataset"]["name"] for result in told["model-index"][0]["results"]]
    assert [name.rpartition("transforms, ")[2] for name in names] == [
        "Arabic (edited)", "English (native-written)", "Telugu (machine-written, not audited)",
    ]  # fmt: skip
    assert cli.main([*given, "--model", "nobody", "--dry-run"]) == 2
    assert hub.called == []
    update = Mock(return_value="https://hub/commit")
    monkeypatch.setattr("huggingface_hub.metadata_update", update)
    assert cli.main(given) == 0
    update.assert_called_once_with("me/one", told, overwrite=True, revision=None)
    update.side_effect = ValueError("403: not\nyours")
    assert cli.main(given) == 2
    assert capsys.readouterr().err.splitlines()[-1] == "xlgo: cannot publish me/one: 403: not yours"
    path = next(tmp_path.glob("**/samples_*"))
    path.write_text(path.read_text() + "{\n")
    assert cli.main([*given, "--dry-run"]) == 2
    shown = capsys.readouterr()
    assert ("not published" in shown.err, shown.out) == (True, "")


FOLDER = Path(xlgo_metric.path())
if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def test_the_examples_of_the_card_hold() -> None:
    result = doctest.testfile(str(FOLDER / "README.md"), module_relative=False)
    assert result.failed == 0
    assert result.attempted >= 10


def test_the_cards_head_is_what_a_space_needs() -> None:
    head = yaml.safe_load((FOLDER / "README.md").read_text(encoding="utf-8").split("---\n")[1])
    assert head["sdk"] == "gradio"
    assert re.fullmatch(r"\d+\.\d+\.\d+", head["sdk_version"])
    assert (FOLDER / head["app_file"]).is_file()
    assert {"evaluate", "metric"} <= set(head["tags"])


def test_the_requirements_are_those_of_the_package() -> None:
    project = tomllib.loads(
        (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    )["project"]
    wanted = set((FOLDER / "requirements.txt").read_text(encoding="utf-8").splitlines())
    assert {"evaluate>=0.4.6", "scipy>=1.13"} <= wanted <= set(project["dependencies"])


@pytest.mark.parametrize(
    ("number", "status"), list(enumerate(["correct", "correct", "wrong", "truncated"]))
)
def test_the_app_grades_its_examples(number: int, status: str) -> None:
    verdict, grade = app.judge(*app.EXAMPLES[number])
    assert verdict.startswith(f"**{status}**: ")
    assert grade["status"] == status


@pytest.mark.parametrize(
    "reference",
    ["", "{", "[]", "5", "[" * 100_000, '{"task": "dsa"}', '{"task": "x", "answer": {}}',
     '{"task": ["dsa"], "answer": {}}', '{"family": "x", "task": "dsa", "answer": {}}'],
)  # fmt: skip
def test_the_app_survives_any_reference(reference: str) -> None:
    verdict, grade = app.judge('{"state": "E2679"}', reference)
    assert verdict.startswith("**This reference cannot be used:** ")
    assert grade == {}


def test_the_page_is_built() -> None:
    gradio = pytest.importorskip("gradio")
    assert isinstance(app.build(), gradio.Interface)

"""A score of another version is kept, and what the new one says otherwise is listed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.report.logs import write_run
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.report.write import CHANGES, SCORES, write_files


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    top = tmp_path_factory.mktemp("once")
    write_run(top / "results")
    write_files(score_folder(top / "results"), top / "out", samples=False)
    return top


@pytest.fixture
def written(once: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(once, tmp_path, dirs_exist_ok=True))


def again(written: Path) -> list[str]:
    scored = score_folder(written / "results")
    write_files(scored, written / "out", samples=False)
    assert not scored.problems.lost
    return [str(problem) for problem in scored.problems.items if "graded again" in str(problem)]


def test_the_same_versions_say_nothing(written: Path) -> None:
    assert again(written) == []
    assert not (written / "out" / CHANGES).exists()


def test_another_reader_is_told_of_with_what_changed(written: Path) -> None:
    path = written / "out" / SCORES
    old = json.loads(path.read_text("utf-8"))
    old["signature"] = "task:slt|reader:0|statistics:1|version:0.2.0"
    cell = old["families"]["xlgobench"]["tasks"]["slt"]["languages"]["te"]
    now = cell["correct"]
    cell["correct"] = now + 2
    stored = json.dumps(old)
    path.write_text(stored)
    (told,) = again(written)
    assert "was made with reader 0, statistics 1" in told
    assert "1 numbers changed" in told
    assert (written / "out" / "scores_reader-0_statistics-1.json").read_text("utf-8") == stored
    listed = (written / "out" / CHANGES).read_text("utf-8")
    assert f"- xlgobench.tasks.slt.languages.te.correct: {now + 2} → {now}" in listed
    assert again(written) == []  # the new score stands there now


def test_a_score_without_such_versions_is_named_by_the_package(written: Path) -> None:
    path = written / "out" / SCORES
    old = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps(old | {"signature": "task:slt|version:../0.1.0"}))
    (told,) = again(written)
    assert "was made with version ..0.1.0" in told
    assert "no number changed" in told
    assert (written / "out" / "scores_version-..0.1.0.json").is_file()


def test_a_list_of_another_length_and_a_score_without_signature(written: Path) -> None:
    path = written / "out" / SCORES
    old = json.loads(path.read_text("utf-8"))
    del old["signature"]
    levels = old["families"]["xlgobench"]["tasks"]["slt"]["languages"]["te"]["levels"]
    del levels[0]
    path.write_text(json.dumps(old))
    (told,) = again(written)
    assert "was made with unknown" in told
    assert "no number changed" in told
    assert (written / "out" / "scores_unknown.json").is_file()


@pytest.mark.parametrize("text", ["", "[1]", "[" * 100_000, '{"signature": 3}'])
def test_a_spoiled_earlier_score_stops_nothing(written: Path, text: str) -> None:
    (written / "out" / SCORES).write_text(text)
    again(written)
    assert json.loads((written / "out" / SCORES).read_text("utf-8"))["schema"] == 2

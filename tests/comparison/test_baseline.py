"""Another baseline than English is named in every sentence and heading of a report."""

import json
import re
from pathlib import Path

import pytest

from tests.report.logs import WRONG, response, rows, sample, write_run
from xlgo_cli.cli import main

pytestmark = pytest.mark.usefixtures("graded_once")
CLAIMS = re.compile(r"(?:behind|ahead of|[Gg]aps? to|[Ff]rom|[Bb]eside) English\b|\bEnglish minus ")
"""What is said of English only where it is the baseline."""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("baseline")
    write_run(folder, languages=("en", "ar", "te"))
    return folder


@pytest.mark.parametrize("given", [["--options", "baseline=te"], ["--baseline", "te"]])
def test_screen_and_page_speak_of_the_baseline(
    results: Path, capsys: pytest.CaptureFixture[str], given: list[str]
) -> None:
    assert main(["report", str(results), *given]) == 0
    screen = " ".join(capsys.readouterr().out.split())
    assert "Telugu minus the language" in screen
    assert "beside" not in screen or "in Telugu (" in screen
    assert not re.search(r"behind English|in English \(|[Gg]aps? to English", screen)
    page = (results / "report" / "report.html").read_text("utf-8")
    assert "Gaps to Telugu" in page
    assert ">English<" in page  # a row like any other language
    written = [path.read_text("utf-8") for path in (results / "report").rglob("*.[hmy]*")]
    assert CLAIMS.findall(" ".join(written)) == []  # pages, Markdown and YAML


def test_models_are_compared_with_the_baseline(
    results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Leaderboard and comparison claim nothing about English, a row like any other language."""
    write_run(
        tmp_path / "weak",
        model="acme/weak",
        samples=[
            sample(row, WRONG[0] if row["index"] else response(row), n)
            for n, row in enumerate(rows())
        ],
    )
    told = [str(results), str(tmp_path / "weak"), "--baseline", "te", "--out"]
    board, pair = tmp_path / "board", tmp_path / "pair.html"
    assert main(["leaderboard", *told, str(board)]) == 0
    assert main(["compare", *told, str(pair)]) == 0
    screen = " ".join(capsys.readouterr().out.split())
    written = [path.read_text("utf-8") for path in (*board.rglob("*.*"), pair)]
    assert CLAIMS.findall(" ".join([screen, *written])) == []
    assert "Telugu minus the language" in (board / "index.html").read_text("utf-8")
    assert ">English<" in written[-1]
    numbers = json.loads((board / "leaderboard.json").read_text("utf-8"))
    assert numbers["baseline"] == "te"
    for model in numbers["models"]:
        gaps = [(gap["baseline"], gap["other"]) for gap in model["gaps"]]
        assert (sorted(gaps), model["differences"]) == ([("te", "ar"), ("te", "en")], {})
    # No gap over all tasks: the Telugu wording of the only one may cause it.
    assert list(numbers["uncounted"]) == ["slt"]
    assert "the wording in te" in numbers["uncounted"]["slt"]

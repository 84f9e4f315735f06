"""Another baseline than English is named in every sentence and heading of a report."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.report.logs import write_run
from xlgo_cli.cli import main


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
    assert "behind Telugu" in screen
    assert "beside" not in screen or "in Telugu (" in screen
    for wrong in ("behind English", "in English (", "Gaps to English", "gap to English"):
        assert wrong not in screen
    page = (results / "report" / "report.html").read_text("utf-8")
    assert "Gaps to Telugu" in page
    for wrong in ("behind English", "Gaps to English", "beside English"):
        assert wrong not in page, wrong
    assert ">English<" in page  # a row like any other language


def test_english_is_the_baseline_where_none_is_named(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(results)]) == 0
    assert "behind English" in " ".join(capsys.readouterr().out.split())


def test_a_baseline_that_nobody_asked_is_a_mistake(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for given in (["--options", "baseline=xx"], ["--baseline", "xx"]):
        assert main(["report", str(results), *given]) != 0
        told = capsys.readouterr().err
        assert "baseline=xx: nothing was asked in this language; allowed are ar, en, te" in told

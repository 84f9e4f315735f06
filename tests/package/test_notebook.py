"""The functions for notebooks: the numbers of the commands, and HTML that nothing can break."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path

import pytest

import xlgo_cli
import xlgo_metric as xm
from xlgo_cli.logs.graded_run import score_folder

from ..report.logs import LATER, RIGHT, rows, sample, write_run

NASTY = "<img src=x onerror=alert(1)>"


class Reader(HTMLParser):
    """What a piece of HTML holds."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in ("br", "col"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    assert reader.open == []
    assert not {"script", "img", "link", "style", "iframe"} & set(reader.tags)
    return reader


def test_scores_are_those_of_the_command(tmp_path: Path) -> None:
    write_run(tmp_path)
    scores = xlgo_cli.score(tmp_path)
    assert scores.score == score_folder(tmp_path).score
    assert scores.page is None
    found = {row["language"]: row["correct"] for row in scores.rows()}
    assert found == {code: sum(right) for code, right in RIGHT.items()}
    assert all(isinstance(value, float) for value in scores.headline.values())
    against_telugu = xlgo_cli.score(tmp_path, options={"baseline": "te"}).score
    assert against_telugu["families"]["xlgobench"]["baseline"] == "te"
    with pytest.raises(ValueError, match="unknown option 'base': allowed are"):
        xlgo_cli.score(tmp_path, options={"base": "te"})
    assert scores.smd("slt", "te") is None  # six questions a level are too few for one
    assert "slt_smd_te" not in scores.headline
    (telugu,) = (row for row in scores.rows() if row["language"] == "te")
    assert telugu["difference"] == scores.headline["slt_diff_te"]
    assert telugu["flagged"]
    with pytest.raises(ValueError, match="no slt in xx here: there are slt ar, slt en, slt te"):
        scores.smd("slt", "xx")
    assert str(scores).startswith("Summary")
    assert len(repr(scores).splitlines()) <= 12
    assert len(repr(scores)) < 1500


def test_answers_are_a_table_that_can_be_compared(tmp_path: Path) -> None:
    write_run(tmp_path)
    scores = xlgo_cli.score(tmp_path)
    table = scores.answers()
    assert len(table) == scores.graded.count
    right = table.frame.groupby("language")["correct"].sum().to_dict()
    assert right == {code: sum(of) for code, of in RIGHT.items()}
    cells = {cell.other: cell for cell in xm.compare(table, baseline="te").cells}
    assert set(cells) == {"en", "ar"}
    total = cells["en"].n
    assert cells["en"].difference == pytest.approx((sum(RIGHT["te"]) - sum(RIGHT["en"])) / total)


def test_the_report_is_written_and_named(tmp_path: Path) -> None:
    write_run(tmp_path / "run")
    scores = xlgo_cli.report(str(tmp_path / "run"), tmp_path / "out")
    assert scores.page == tmp_path / "out" / "report.html"
    assert scores.page.is_file()
    import_module("xlgo_cli.report.command")  # the package takes the place of the function
    assert xlgo_cli.report(tmp_path / "run", tmp_path / "out").page == scores.page


def test_html_is_whole_and_escaped(tmp_path: Path) -> None:
    write_run(tmp_path, model=NASTY)
    found = read(xlgo_cli.score(tmp_path)._repr_html_())
    assert "Telugu" in found.text
    assert NASTY in found.text
    assert found.tags.count("td") == len(RIGHT)  # with the corner
    assert "color-mix(in srgb,var(--behind,#d55e00)" in xlgo_cli.score(tmp_path)._repr_html_()


def test_comparisons(tmp_path: Path) -> None:
    write_run(tmp_path / "a")
    asked = rows()
    better = [sample(row, row["answer"], n) for n, row in enumerate(asked)]
    write_run(tmp_path / "b", model=NASTY, date=LATER, samples=better)
    found = xlgo_cli.compare(tmp_path / "a", xlgo_cli.score(tmp_path / "b"))
    gains = {row["language"]: -row["difference"] for row in found.rows()}
    assert gains == pytest.approx({code: 1 - sum(k) / 24 for code, k in RIGHT.items()})
    assert "Telugu" in read(found._repr_html_()).text
    assert len(repr(found)) < 200
    with pytest.raises(ValueError, match="the same run"):
        xlgo_cli.compare(tmp_path / "a", tmp_path / "a")
    page = xlgo_cli.compare(tmp_path / "a", tmp_path / "b", out=tmp_path / "c.html").page
    assert page is not None
    assert page.is_file()


def test_a_run_in_a_notebook_and_its_mistakes(tmp_path: Path, monkeypatch) -> None:
    pytest.importorskip("lm_eval")
    monkeypatch.chdir(tmp_path)
    small = {"preset": "smoke", "levels": 2, "per_level": 1, "languages": ["en", "te"]}

    async def cell() -> xlgo_cli.Scores:
        return xlgo_cli.run("xlgo-sim", ["xlgo_slt"], **small)  # type: ignore[arg-type]

    scores = asyncio.run(cell())
    assert scores.graded.count == 4
    assert scores.page is not None
    assert scores.page.is_file()
    with pytest.raises(ValueError, match="preset='papr' must be one of"):
        xlgo_cli.run("xlgo-sim", preset="papr")
    with pytest.raises(RuntimeError, match="the run failed"):
        xlgo_cli.run("xlgo-sim", "xlgo_slt", metadata={"xlgo_split": "no"}, **small)  # type: ignore[arg-type]


def test_a_script_without_a_guard_is_not_run_again(tmp_path: Path) -> None:
    """Processes that grade would import the script that called for them."""
    write_run(tmp_path / "run")
    script = tmp_path / "script.py"
    script.write_text(
        "import xlgo_cli\nfrom xlgo_cli import workers\nworkers.PATIENCE = workers.WORTHWHILE = 0\n"
        f"print(xlgo_cli.score({str(tmp_path / 'run')!r}).graded.count)\n"
    )
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=False
    )
    assert done.stdout == "72\n", done.stderr

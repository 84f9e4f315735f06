"""The functions for notebooks: the numbers of the commands, and HTML that nothing can break."""

import asyncio
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

import xlgo_cli
from tests.report.logs import LEVELS, PER_LEVEL, RIGHT, rows, sample, write_run
from tests.report.test_report import Page
from xlgo_cli.harness import running
from xlgo_cli.logs.graded_run import score_folder

NASTY = "<img src=x onerror=alert(1)>"


def test_scores_are_those_of_the_command(tmp_path: Path) -> None:
    write_run(tmp_path)
    scores = xlgo_cli.score(tmp_path)
    assert scores.score == score_folder(tmp_path).score
    assert scores.page is None
    assert {row["language"]: row["correct"] for row in scores.rows()} == {
        code: sum(right) for code, right in RIGHT.items()
    }
    assert all(isinstance(value, float) for value in scores.headline.values())
    against_telugu = xlgo_cli.score(tmp_path, options={"baseline": "te"}).score
    assert against_telugu["families"]["xlgobench"]["baseline"] == "te"
    with pytest.raises(ValueError, match="unknown option 'base': allowed are"):
        xlgo_cli.score(tmp_path, options={"base": "te"})
    assert "slt_smd_te" not in scores.headline
    (telugu,) = (row for row in scores.rows() if row["language"] == "te")
    assert telugu["difference"] == scores.headline["slt_diff_te"]
    assert telugu["flagged"]
    assert telugu["smd"] is None  # six questions a level are too few for one


def test_a_run_has_the_words_of_its_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluate = Mock(return_value=(3, None))
    monkeypatch.setattr(running, "evaluate", evaluate)
    with pytest.raises(RuntimeError, match=r"failed \(exit code 3\): the reason has been printed"):
        xlgo_cli.run(
            "hf", ["a", "b"], model_args={"pretrained": "m"}, languages=["en", "te"], preset="lite",
            levels=3, per_level=2, design="adaptive", limit=0.5, gen_kwargs={"temperature": 1},
            apply_chat_template=True, output_path=Path("o"), prices="p.toml", quiet=False,
            batch_size=8, judge="none",
        )  # fmt: skip
    with pytest.raises(RuntimeError):
        xlgo_cli.run("hf")
    assert [call.args[0] for call in evaluate.call_args_list] == [
        [
            "--model", "hf", "--tasks", "a,b", "--model_args", '{"pretrained": "m"}', "--languages",
            "en,te", "--preset", "lite", "--levels", "3", "--per_level", "2", "--design",
            "adaptive", "--limit", "0.5", "--gen_kwargs", '{"temperature": 1}',
            "--apply_chat_template", "--output_path", "o", "--prices", "p.toml", "--batch_size",
            "8", "--judge", "none",
        ],
        ["--model", "hf", "--design", "fixed", "--quiet"],
    ]  # fmt: skip


def test_two_runs_in_a_notebook(tmp_path: Path) -> None:
    n, perfect = LEVELS * PER_LEVEL, [sample(row, row["answer"], k) for k, row in enumerate(rows())]
    write_run(tmp_path / "a")
    write_run(tmp_path / "b", model="acme/b", samples=perfect)
    first, second = xlgo_cli.score(tmp_path / "a"), xlgo_cli.report(tmp_path / "b", tmp_path / "r")
    assert (first.page, second.page) == (None, tmp_path / "r" / "report.html")
    assert xlgo_cli.report(tmp_path / "b").page == tmp_path / "b" / "report" / "report.html"
    pair = xlgo_cli.compare(first, tmp_path / "b", out=tmp_path / "c.html")
    assert pair.page == tmp_path / "c.html"
    assert "acme/b minus acme/lingua" in pair.page.read_text("utf-8")
    assert {
        row["language"]: (row["n"], row["baseline_accuracy"], row["accuracy"])
        for row in pair.rows()
    } == {code: (n, pytest.approx(sum(right) / n), 1.0) for code, right in RIGHT.items()}
    assert repr(pair).startswith("Compared 'acme/lingua' and 'acme/b': 3 pairs, page ")
    assert xlgo_cli.compare(first, second).page is None
    with pytest.raises(ValueError, match="no judgements by 'nobody'"):
        xlgo_cli.compare(tmp_path / "a", tmp_path / "b", judge="nobody")
    for row in first.rows():
        code, right = row["language"], sum(RIGHT[row["language"]]) / n
        assert (row["task"], row["n"], row["accuracy"]) == ("slt", n, pytest.approx(right))
        base = None if code == "en" else pytest.approx(sum(RIGHT["en"]) / n)
        assert (row["baseline_accuracy"], row["difference"] is None) == (base, code == "en")


def test_html_is_whole_and_escaped(tmp_path: Path) -> None:
    write_run(tmp_path, model=NASTY)
    found = Page(xlgo_cli.score(tmp_path)._repr_html_())
    assert not {"script", "img", "link", "style", "iframe"} & {tag for tag, _ in found.elements}
    assert "Telugu" in "".join(found.texts)
    assert NASTY in "".join(found.texts)
    assert len(found.all("td")) == len(RIGHT)  # with the corner
    assert "color-mix(in srgb,var(--behind,#d55e00)" in xlgo_cli.score(tmp_path)._repr_html_()


def test_a_run_in_a_notebook_and_its_mistakes(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    small = {"preset": "smoke", "levels": 2, "per_level": 1, "languages": ["en", "te"]}

    async def cell() -> xlgo_cli.Scores:
        return xlgo_cli.run("xlgo-sim", ["xlgo_slt"], **small)  # type: ignore[arg-type]

    scores = asyncio.run(cell())
    assert scores.graded.count == 4
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

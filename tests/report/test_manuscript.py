"""What ``--manuscript`` writes: numbers of the report, captions that say how, LaTeX that runs."""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

import xlgo_dataset as xd
from tests.report.logs import LEVELS, PER_LEVEL, response, rows, sample, write_run
from xlgo_cli.cli import main
from xlgo_cli.logs.graded_run import GradedRun, score_folder
from xlgo_cli.report.manuscript import NAME, write_manuscript
from xlgo_cli.report.write import Content

HOSTILE = r"a_b$\input{/etc/passwd}% 模型 \end{document} [x] ~^#&|"
LATEX = shutil.which("pdflatex")
N = LEVELS * PER_LEVEL


@pytest.fixture(scope="module")
def paper(scored: GradedRun, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_manuscript(Content.of(scored), tmp_path_factory.mktemp("paper") / "paper").parent


def renamed(scored: GradedRun, name: str) -> GradedRun:
    return replace(scored, run=replace(scored.run, model=name))


def numbers(text: str) -> list[str]:
    """Signed numbers with one decimal, as differences are written."""
    return re.findall(r"[+-]\d+\.\d", text.replace("$-$", "-").replace("−", "-"))


def test_tables_have_the_numbers_of_the_report(paper: Path, report: Path) -> None:
    """Of every gap of the CSV of the report, in LaTeX and in Markdown alike."""
    with (report / "tables" / "gaps.csv").open(encoding="utf-8") as file:
        gaps = [
            (float(row["difference"]), float(row["ci_low"]), float(row["ci_high"]))
            for row in csv.DictReader(file)
        ]
    wanted = {f"{100 * value:+.1f}" for gap in gaps for value in gap}
    tex, markdown = ((paper / name).read_text("utf-8") for name in ("tables.tex", "tables.md"))
    assert wanted <= set(numbers(tex))
    assert numbers(tex) == numbers(markdown)
    assert tex.count(r"\toprule") == tex.count(r"\bottomrule") == markdown.count("\n## ") + 1


def test_captions_say_n_test_correction_and_signature(paper: Path, scored: GradedRun) -> None:
    text = (paper / NAME).read_text("utf-8") + (paper / "tables.tex").read_text("utf-8")
    captions = re.findall(r"^\\caption\{(.*)\}$", text, re.MULTILINE)
    assert len(captions) == 4  # figures and tables of gaps and of the task
    plain = [one.replace(r"\allowbreak", "").replace(r"\textbar{}", "|") for one in captions]
    assert all(one.count(scored.score["signature"]) == 1 for one in plain)
    status = xd.wording_status("slt", "te", "paper")
    assert all(one.count(f"Telugu ({status}") == 1 for one in plain)
    of_gaps = [one for one in plain if "with fitted curves" not in one]
    assert len(of_gaps) == 3
    for one in of_gaps:
        assert f"n = {N} questions a cell" in one
        assert "corrected for all cells together (max-T)" in one


def test_a_folder_of_others_is_refused_and_ours_replaced(
    results: Path, scored: GradedRun, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "paper"
    write_manuscript(Content.of(scored), folder)
    (folder / "figures" / "gaps-7.pdf").write_text("of an earlier run")
    (folder / "manuscript.aux").write_text("of LaTeX")
    write_manuscript(Content.of(scored), folder)
    assert not (folder / "figures" / "gaps-7.pdf").exists()
    assert not [path for path in tmp_path.iterdir() if path != folder]
    (folder / "notes.txt").write_text("mine")
    out = ["--out", str(tmp_path / "out"), "--quiet"]
    assert main(["report", str(results), "--manuscript", str(folder), *out]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == (
        f"xlgo: --manuscript: {folder} holds notes.txt, which is no part of a manuscript: give a "
        "new folder"
    )
    assert (folder / "notes.txt").read_text() == "mine"


@pytest.mark.skipif(LATEX is None, reason="pdflatex is not installed")
@pytest.mark.parametrize("name", ["acme/lingua", HOSTILE])
def test_pdflatex_makes_a_document_of_it(scored: GradedRun, tmp_path: Path, name: str) -> None:
    folder = write_manuscript(Content.of(renamed(scored, name)), tmp_path / "paper").parent
    for _ in range(2):
        subprocess.run(
            [str(LATEX), "-halt-on-error", "-interaction=nonstopmode", NAME],
            cwd=folder,
            check=True,
            capture_output=True,
            timeout=120,
        )
    assert (folder / "manuscript.pdf").read_bytes().startswith(b"%PDF")
    assert "Overfull" not in (folder / "manuscript.log").read_text("latin-1")


def test_two_tasks_and_a_family_without_curves_have_figures_and_tables_of_their_own(
    tmp_path: Path,
) -> None:
    """Each caption has the languages, numbers and wordings of its own cells."""
    write_run(tmp_path / "r", task="slt")
    asked = [row for row in rows("t_rank", ("en", "te")) if row["index"] < 4]
    lines = [sample(row, response(row), n) for n, row in enumerate(asked)]
    write_run(tmp_path / "r", task="t_rank", samples=lines)
    trees = xd.family("simple_reasoning").rows("proof_tree", ["en", "te"], n=4, text="parallel")
    lines = [
        sample(row, "none" if row["language"] == "te" and row["index"] % 2 else row["answer"], n)
        for n, row in enumerate(trees)
    ]
    write_run(tmp_path / "r", task="proof_tree", samples=lines)
    scored = score_folder(tmp_path / "r", options={"draws": 10})
    paper = write_manuscript(Content.of(scored), tmp_path / "paper").parent
    text, tables = ((paper / name).read_text("utf-8") for name in (NAME, "tables.tex"))
    figures = sorted({path.stem for path in (paper / "figures").iterdir()})
    curves = {"slt": "xlgobench", "t_rank": "xlgobench", "proof_tree": "simple_reasoning"}
    names = {task: f"curves-{family}-{task}" for task, family in curves.items()}
    gaps = [name for name in figures if name not in names.values()]
    assert len(gaps) == len(figures) - 3 == len(set(curves.values()))
    assert {path.name for path in (paper / "figures").iterdir()} == {
        f"{name}.{ending}" for name in figures for ending in ("pdf", "svg", "png")
    }
    labelled = re.findall(r"\\label\{fig:([\w-]+)\}", text)
    assert sorted(labelled) == figures
    captions = dict(zip(labelled, re.findall(r"^\\caption\{(.*)\}$", text, re.MULTILINE)))
    of_task = {task: captions[name] for task, name in names.items()}
    for task, n in {"slt": 24, "t_rank": 16}.items():
        assert f"n = {n} questions a language" in of_task[task]
        assert ("Arabic" in of_task[task]) == (task == "slt")
        assert xd.family_of(task).labels[task].title in of_task[task]
    assert any("n = 16 to 24 questions a cell" in captions[name] for name in gaps)
    assert {name for name, caption in captions.items() if "max-T" in caption} == {*gaps}
    parts = re.findall(r"\\label\{tab:([\w-]+)\}\n\\fit\{\\begin\{tabular\}\{(l[lr]+)\}", tables)
    assert len(parts) == len({name for name, _ in parts}) == tables.count(r"\begin{table}")
    assert {f"{family}-{task}" for task, family in curves.items()} <= {name for name, _ in parts}
    assert all("r" in columns for _, columns in parts)
    titles = [xd.family_of(task).labels[task].title for task in ("slt", "t_rank", "proof_tree")]
    methods = text[text.index("Methods") :].partition("Signature")[0]
    assert [title in methods for title in (*titles, "Arabic", "Telugu")] == [True] * 5
    assert f"{scored.count} answers" in text

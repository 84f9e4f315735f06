"""What ``--manuscript`` writes: numbers of the report, captions that say how, LaTeX that runs."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from tests.report.logs import LEVELS, PER_LEVEL
from xlgo_cli.cli import main
from xlgo_cli.logs.graded_run import GradedRun
from xlgo_cli.report.manuscript import NAME, write_manuscript
from xlgo_cli.report.write import Content

HOSTILE = r"a_b$\input{/etc/passwd}% 模型 \end{document} [x] ~^#&|"
LATEX = shutil.which("pdflatex")
N = LEVELS * PER_LEVEL


def renamed(scored: GradedRun, name: str) -> GradedRun:
    return replace(scored, run=replace(scored.run, model=name))


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

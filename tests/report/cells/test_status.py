"""No gap stands without who wrote and read its wording; none without an audit heads a report."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.report.logs import rows, write_answers
from xlgo_cli.cli import main
from xlgo_cli.export.publish import model_index
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.report.findings import brief

STATUS = "machine-written"
RIGHT = {"en": 18, "te": 12, "yo": 2, "ha": 17}
"""Correct answers of the 20 questions of a level."""
TASKS = ("dsa", "t_rank")
GAP = re.compile(r"[+−-]\d+\.\d")
NAMES = re.compile(r"\bYoruba\b|\byo\b")


def write(folder: Path, model: str, more: int) -> Path:
    options = {"levels": 2, "per_level": 20, "c_min": 10, "text": "revised"}
    asked = [row for task in TASKS for row in rows(task, tuple(RIGHT), **options)]
    return write_answers(
        folder, asked, lambda row: row["index"] < RIGHT[row["language"]] + more, model=model
    )


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    top = tmp_path_factory.mktemp("statuses")
    return [write(top / "one", "acme/one", 0), write(top / "two", "acme/two", 2)]


@pytest.fixture(scope="module")
def outputs(runs: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with everything that is written of the two runs."""
    out = tmp_path_factory.mktemp("outputs")
    assert main(["report", str(runs[0]), "--out", str(out)]) == 0
    scored = score_folder(runs[0])
    (out / "model-index.yaml").write_text(yaml.safe_dump(model_index(scored, "acme/xlgo")))
    assert main(["leaderboard", *map(str, runs), "--out", str(out / "board")]) == 0
    assert main(["compare", *map(str, runs), "--out", str(out / "compare.html")]) == 0
    return out


def lines_of(path: Path) -> Iterator[str]:
    """What is read together: rows, sentences, and tables that name the status below."""
    text = path.read_text("utf-8")
    if path.suffix == ".html":
        for part in re.split(r"</(?:tr|li|p|summary|svg|dd)>", text):
            yield " ".join(re.sub(r"<(?!/?svg|title)[^>]*>", " ", part).split())
    elif path.suffix in (".md", ".tex"):
        for table in re.split(r"^## |\\begin\{table\}", text, flags=re.MULTILINE):
            named = re.search(r"Wordings: .*\byo\b[^;]* machine-written", table)
            yield from () if named else table.splitlines()
    else:
        yield from text.splitlines()


def test_no_row_and_no_sentence_names_a_gap_without_its_status(outputs: Path) -> None:
    seen = set()
    for path in outputs.rglob("*"):
        if path.suffix not in (".html", ".md", ".tex", ".csv") or "samples" in str(path):
            continue
        for line in lines_of(path):
            is_gap = GAP.search(line) or path.name in ("gaps.csv", "languages.csv")
            if NAMES.search(line) and is_gap and path.name not in ("cost.csv", "pairs.csv"):
                assert STATUS in line, (path.name, line)
                seen.add(path.name)
    assert seen >= {"report.html", "tables.md", "tables.tex", "gaps.csv", "languages.csv"}
    assert {"index.html", "compare.html"} <= seen


def test_a_language_without_audit_is_never_called_the_most_affected(
    runs: list[Path], outputs: Path, tmp_path: Path, capsys: Any
) -> None:
    screen = brief(score_folder(runs[0]).score, width=200)
    lead, *rest = screen.splitlines()[1:]
    assert lead.startswith("- Telugu is significantly behind English over 2 tasks")
    assert any(
        line.startswith(f"- Yoruba ({STATUS}, not audited) is significantly") for line in rest
    )
    page = (outputs / "report.html").read_text("utf-8")
    assert re.search(r'class="lead[^>]*>Telugu is significantly behind', page)
    assert main(["score", str(runs[0]), "--unaudited"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert f"- Yoruba ({STATUS}, not audited) is behind English" in told
    assert "significantly more than any other." in told
    card = (outputs / "board" / "README.md").read_text("utf-8")
    assert "Languages: Telugu." in card
    assert main(["leaderboard", *map(str, runs), "--out", str(tmp_path), "--unaudited"]) == 0
    assert "Yoruba" in (tmp_path / "README.md").read_text("utf-8")

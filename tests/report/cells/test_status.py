"""No gap stands without who wrote and read its wording; none without an audit heads a report."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

import xlgo_cli as cli
import xlgo_dataset as xd
from xlgo_cli.cli import main
from xlgo_cli.export.model_index import model_index
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.report.screen import brief

from ..logs import sample, write_run

STATUS = "machine-written"
RIGHT = {"en": 18, "te": 12, "yo": 2, "ha": 17}
"""Correct answers of the 20 questions of a level."""
WRONG = {"dsa": '{"state": "A1000"}', "t_rank": '{"ranking": ["A1000"]}'}
GAP = re.compile(r"[+−-]\d+\.\d")
NAMES = re.compile(r"\bYoruba\b|\byo\b")


def write(folder: Path, model: str, more: int) -> Path:
    for task, wrong in WRONG.items():
        rows = xd.family_of(task).rows(
            task, tuple(RIGHT), split="test", levels=4, per_level=20, c_min=10, c_max=16,
            text="revised",
        )  # fmt: skip
        lines = [
            sample(row, row["answer"] if row["index"] < RIGHT[row["language"]] + more else wrong, n)
            for n, row in enumerate(rows)
        ]
        write_run(folder, model=model, task=task, samples=lines)
    return folder


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


def cells_in(found: Any) -> Iterator[dict[str, Any]]:
    if isinstance(found, dict):
        if "difference" in found and "where" in found:
            yield found
        for value in found.values():
            yield from cells_in(value)
    elif isinstance(found, list):
        for value in found:
            yield from cells_in(value)


def test_no_number_of_a_file_lacks_it(outputs: Path, runs: list[Path], capsys: Any) -> None:
    files = {"scores": outputs / "scores.json", "board": outputs / "board" / "leaderboard.json"}
    found = {name: json.loads(path.read_text("utf-8")) for name, path in files.items()}
    assert main(["compare", *map(str, runs), "--json", "--out", str(outputs / "again.html")]) == 0
    found["compare"] = json.loads(capsys.readouterr().out)
    for name, value in found.items():
        own = [
            cell
            for cell in cells_in(value)
            if "yo" in (cell["other"], cell["where"].get("language"))
        ]
        assert own, name
        assert all(cell["where"]["wording_status"] == STATUS for cell in own), name
    rows = cli.score(runs[0]).rows()
    assert {row["wording_status"] for row in rows if row["language"] == "yo"} == {STATUS}
    assert {row["wording_status"] for row in rows if row["language"] == "te"} == {"edited"}
    index = (outputs / "model-index.yaml").read_text("utf-8")
    assert all(STATUS in one for one in re.findall(r"name: .*Yoruba.*(?:\n {8,}[^:\n]*)*", index))


def test_the_terminal_says_it(runs: list[Path]) -> None:
    screen = brief(score_folder(runs[0]).score, width=200)
    rows = [line for line in screen.splitlines() if "Yoruba" in line]
    assert len(rows) >= 3
    assert all(STATUS in line for line in rows)


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


def test_where_nothing_is_audited_no_language_is_named_first(tmp_path: Path) -> None:
    folder = write(tmp_path, "acme/one", 0)
    for path in folder.rglob("samples_*.jsonl"):
        lines = path.read_text("utf-8").splitlines(keepends=True)
        path.write_text("".join(one for one in lines if '"language": "te"' not in one), "utf-8")
    lead = brief(score_folder(folder).score, width=200).splitlines()[1]
    assert lead.startswith("- No language is called the most affected")

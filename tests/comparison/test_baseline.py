"""Another baseline than English is named in every sentence and heading of a report."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.report.logs import WRONG, response, rows, sample, write_answers, write_run
from xlgo_cli.cli import main
from xlgo_cli.leaderboard.page import site_of
from xlgo_cli.leaderboard.standings import board, choose, read_entries
from xlgo_cli.logs.graded_run import GradedRun, score_folder
from xlgo_cli.report.compare.comparison import as_json, comparison, gap_table
from xlgo_cli.report.screen import sentences
from xlgo_dataset.text.languages import STATUSES
from xlgo_metric.scoring import tables

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
    for wrong in ("behind English", "in English (", "Gaps to English", "gap to English"):
        assert wrong not in screen
    page = (results / "report" / "report.html").read_text("utf-8")
    assert "Gaps to Telugu" in page
    for path in (results / "report").rglob("*.[hmy]*"):  # pages, Markdown and YAML
        assert CLAIMS.findall(path.read_text("utf-8")) == [], path
    assert ">English<" in page  # a row like any other language


def test_models_are_compared_with_the_baseline(
    results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Leaderboard and comparison claim nothing about English, a row like any other language."""
    lines = [
        sample(row, WRONG[0] if row["index"] else response(row), n) for n, row in enumerate(rows())
    ]
    write_run(tmp_path / "weak", model="acme/weak", samples=lines)
    folders = [str(results), str(tmp_path / "weak")]
    board, pair = tmp_path / "board", tmp_path / "pair.html"
    told = ["--baseline", "te"]
    assert main(["leaderboard", *folders, *told, "--out", str(board)]) == 0
    assert main(["compare", *folders, *told, "--out", str(pair)]) == 0
    screen = " ".join(capsys.readouterr().out.split())
    written = [path.read_text("utf-8") for path in (*board.rglob("*.*"), pair)]
    assert CLAIMS.findall(" ".join([screen, *written])) == []
    assert "Telugu minus the language" in (board / "index.html").read_text("utf-8")
    assert ">English<" in written[-1]
    numbers = json.loads((board / "leaderboard.json").read_text("utf-8"))
    assert numbers["baseline"] == "te"
    for model in numbers["models"]:
        assert {gap["other"] for gap in model["gaps"]} == {"en", "ar"}
        assert {gap["baseline"] for gap in model["gaps"]} == {"te"}
        assert model["differences"] == {}
    # No gap over all tasks: the Telugu wording of the only one may cause it.
    assert numbers["uncounted"].keys() == {"slt"}
    assert "the wording in te" in numbers["uncounted"]["slt"]


ALIKE = ("ar", "es", "fr", "hi", "ja", "zh")
LEVELS, PER_LEVEL = 5, 30
TASKS = ("slt", "dsa")
OWN = {"cost", "readings_of"}
"""What is of a language itself: the length of its text."""


def write(folder: Path, lost: int, model: str) -> Path:
    """A run in which English answers more than the others, who answer alike."""

    def is_right(row: dict[str, Any]) -> bool:
        # Each level has its own order of hard questions, the same in every language.
        place = (row["index"] * 7 + row["level"] * 11) % PER_LEVEL
        own = lost if row["language"] != "en" else 0
        return place < PER_LEVEL - 6 * row["level"] - own

    options = {"levels": LEVELS, "per_level": PER_LEVEL, "c_max": 24}
    asked = [row for task in TASKS for row in rows(task, ("en", *ALIKE), **options)]
    return write_answers(folder, asked, is_right, model=model)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    top = tmp_path_factory.mktemp("alike")
    return [
        write(top / "first", 9, model="acme/one"),
        write(top / "second", 3, model="acme/two"),
    ]


@pytest.fixture(scope="module")
def scored(runs: list[Path]) -> list[GradedRun]:
    quick: dict[str, Any] = {"draws": 20, "permutations": 199}
    return [score_folder(run, quiet=True, options=quick) for run in runs]


def by_language(found: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Values that stand by language, with their path."""
    if isinstance(found, dict):
        named = {code: without(code, value) for code, value in found.items() if code in ALIKE}
        if len(named) > 1:
            yield path, named
        for name, value in found.items():
            if name not in OWN and name not in ALIKE:
                yield from by_language(value, f"{path}/{name}")
    elif isinstance(found, list):
        groups: dict[str, dict[str, Any]] = defaultdict(dict)
        for entry in found:
            code = named_in(entry)
            if code is not None:
                rest = without(code, entry)
                names = ("task", "family", "model", "asked_as", "name", "baseline")
                about = {**rest, **rest.get("where", {})}
                groups[str([about.get(name) for name in names])][code] = rest
            else:
                yield from by_language(entry, f"{path}[]")
        for key, group in groups.items():
            yield f"{path}[{key}]", group


def without(code: str, value: Any) -> Any:
    """A value in which the code of a language and the status of its wording stand no more."""
    status = r'"wording_status": "[^"]*"'
    text = re.sub(rf", {status}|{status}(?:, )?", "", json.dumps(value))
    return json.loads(text.replace(f'"{code}"', '"X"'))


def named_in(entry: Any) -> str | None:
    if not isinstance(entry, dict):
        return None
    names = (entry.get("language"), entry.get("other"), (entry.get("where") or {}).get("language"))
    return next((name for name in names if name in ALIKE), None)


def check(found: Any, least: int) -> None:
    """All six are there, and equal, in at least so many places."""
    places = list(by_language(found))
    assert len(places) >= least
    for path, values in places:
        assert set(values) == set(ALIKE), path
        first, *others = values.values()
        assert all(other == first for other in others), path


def test_scores_and_tables(scored: list[GradedRun]) -> None:
    score = scored[0].score
    check(json.loads(json.dumps(score)), least=7)
    flat = {name: value for name, value in score["headline"].items() if name[-2:] in ALIKE}
    stems = {name[:-2] for name in flat}
    assert {"diff_", "p_", "slt_diff_", "slt_smd_", "smd_"} <= stems
    assert all(len({flat[f"{stem}{code}"] for code in ALIKE}) == 1 for stem in stems)
    shown = 0
    for one in tables(score):
        rows: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
        for row in one.rows:
            code = next((value for value in row if value in ALIKE), None)
            if code is not None:
                own = {code, *STATUSES}
                rows[code].append(tuple("X" if value in own else value for value in row))
        assert len({str(of) for of in rows.values()}) <= 1, one.name
        shown += len(rows) == len(ALIKE)
    assert shown >= 5


def test_sentences_name_them_all_or_none(scored: list[GradedRun]) -> None:
    score: Any = {**scored[0].score, "unaudited": True}
    screen = " ".join(sentences(score)).replace(" (machine-written, not audited)", "")
    assert "larger than that of every other" not in screen
    names = "Arabic, Chinese, French, Hindi, Japanese and Spanish"
    assert f"Each of {names} is significantly behind English" in screen


def test_models_side_by_side(scored: list[GradedRun]) -> None:
    found = as_json(comparison(scored[0], scored[1]))
    assert {gap["where"]["language"] for gap in found["gaps"]} == set(ALIKE)
    check({name: found[name] for name in ("pairs", "gaps")}, least=3)
    assert len({row[1:] for row in gap_table(comparison(scored[0], scored[1])).rows}) == 1


def test_a_leaderboard(runs: list[Path], scored: list[GradedRun]) -> None:
    graded = dict(zip(runs, scored))
    entries, failed = read_entries(runs, lambda folder, model: graded[folder])
    assert failed == []
    numbers = site_of(board(choose(entries)), "T").numbers
    check(json.loads(json.dumps(numbers)), least=8)

"""Six languages with identical answers have identical numbers, whatever shows them.

Every file is walked: wherever values stand by language, in a mapping by code or in a list of
entries that name one, those of the six must be equal to the last digit.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd
from tests.report.logs import LATER, sample, write_run
from xlgo_cli.cli import main
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.report.compare.comparison import comparison, gap_table
from xlgo_dataset.text.languages import STATUSES
from xlgo_metric.scoring import tables

ALIKE = ("ar", "es", "fr", "hi", "ja", "zh")
LEVELS, PER_LEVEL = 5, 30
TASKS = ("slt", "dsa")
ANSWERS = {"slt": '{"chain": [0]}', "dsa": '{"state": "A1000"}'}
OWN = {"cost", "readings_of"}
"""What is of a language itself: the length of its text."""


def write(folder: Path, lost: int, **about: Any) -> Path:
    """A run in which English answers more than the others, who answer alike."""
    for task in TASKS:
        options: dict[str, Any] = {"levels": LEVELS, "per_level": PER_LEVEL, "c_min": 4}
        lines = []
        rows = xd.family_of(task).rows(task, ("en", *ALIKE), split="test", c_max=24, **options)
        for number, row in enumerate(rows):
            # Each level has its own order of hard questions, the same in every language.
            place = (row["index"] * 7 + row["level"] * 11) % PER_LEVEL
            right = PER_LEVEL - 6 * row["level"] - (lost if row["language"] != "en" else 0)
            lines.append(sample(row, row["answer"] if place < right else ANSWERS[task], number))
        write_run(folder, task=task, samples=lines, **about)
    return folder


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    top = tmp_path_factory.mktemp("alike")
    return [
        write(top / "first", 9, model="acme/one"),
        write(top / "second", 3, model="acme/two"),
        write(top / "later", 4, model="acme/one", date=LATER),
    ]


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


def test_scores_and_tables(runs: list[Path]) -> None:
    score = score_folder(runs[0]).score
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


def test_sentences_name_them_all_or_none(runs: list[Path], capsys: Any) -> None:
    assert main(["report", str(runs[0]), "--out", str(runs[0] / "page"), "--unaudited"]) == 0
    screen = " ".join(capsys.readouterr().out.split()).replace(
        " (machine-written, not audited)", ""
    )
    assert "larger than that of every other" not in screen
    names = "Arabic, Chinese, French, Hindi, Japanese and Spanish"
    assert f"Each of {names} is significantly behind English" in screen


def test_models_side_by_side(runs: list[Path], tmp_path: Path, capsys: Any) -> None:
    assert main(["compare", *map(str, runs[:2]), "--json", "--out", str(tmp_path / "c.html")]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {gap["where"]["language"] for gap in found["gaps"]} == set(ALIKE)
    check({name: found[name] for name in ("pairs", "gaps")}, least=3)


def test_a_leaderboard(runs: list[Path], tmp_path: Path) -> None:
    assert main(["leaderboard", *map(str, runs[:2]), "--out", str(tmp_path)]) == 0
    check(json.loads((tmp_path / "leaderboard.json").read_text("utf-8")), least=8)


def test_changes_of_gaps(runs: list[Path]) -> None:
    found = comparison(score_folder(runs[0]), score_folder(runs[2]))
    check([gap.as_json() for gap in found.gaps], least=1)
    assert len({row[1:] for row in gap_table(found).rows}) == 1

"""``xlgo audit discordant``: from the gaps of a report to the linguist's verdicts, and back."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable
from math import comb
from pathlib import Path
from typing import Any

import pytest

from xlgo_cli import cli
from xlgo_cli.report.verdicts import cells, load

from ..report.logs import LATER, PER_LEVEL, RIGHT, response, rows, sample, write_run

ONLY_EN = sum(en - te for en, te in zip(RIGHT["en"], RIGHT["te"]))
"""English is right wherever Telugu is, so the pairs are the difference: eight of twenty-four."""

VERDICT, COMMENT, QUESTION = 10, 11, 12
Change = Callable[[list[Any]], object]


def run(*words: object) -> int:
    return cli.main(["audit", *map(str, words)])


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A results folder and its sheet."""
    top = tmp_path_factory.mktemp("once")
    write_run(top / "results")
    assert run("discordant", top / "results", "-o", top / "pairs.csv") == 0
    return top


@pytest.fixture
def sheet(once: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(once, tmp_path, dirs_exist_ok=True)) / "pairs.csv"


@pytest.fixture
def results(sheet: Path) -> Path:
    return sheet.parent / "results"


def table(path: Path) -> list[list[str]]:
    """The rows without the headings."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))[1:]


def fill(path: Path, change: Change) -> Path:
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    for number, row in enumerate(rows[1:], 2):
        change(row)
        row[0] = row[0].format(number)
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def verdict(value: str, comment: str = "") -> Change:
    def change(row: list[Any]) -> None:
        row[VERDICT], row[COMMENT] = value, comment

    return change


def renamed(name: str) -> Change:
    """A verdict on a pair of another name; ``{}`` in it stands for the row's number."""

    def change(row: list[Any]) -> None:
        verdict("model")(row)
        row[0] = name

    return change


def take(path: Path, results: Path, reviewer: str = "A. Rao") -> int:
    return run(
        "import", "te", path, "--reviewer", reviewer, "--date", "2026-03-31", "--results", results
    )


def register(results: Path) -> dict[str, Any]:
    (path,) = results.glob("*/discordant.json")
    return load(path)


def test_the_sheet_has_both_prompts_and_answers_of_what_english_alone_solved(sheet: Path) -> None:
    assert {row[1] for row in table(sheet)} == {"te"}  # Arabic's gap does not hold
    found = {row[QUESTION]: row for row in table(sheet)}
    data = {(row["instance_id"], row["language"]): row for row in rows()}
    wanted = {
        name
        for (name, code), row in data.items()
        if code == "en" and RIGHT["te"][row["level"]] <= row["index"] < RIGHT["en"][row["level"]]
    }
    assert found.keys() == wanted
    assert len(wanted) == ONLY_EN == 8
    for name, row in found.items():
        english, telugu = data[name, "en"], data[name, "te"]
        assert row[3:8] == [
            str(english["complexity"]),
            english["prompt"],
            telugu["prompt"],
            *(
                "'" * text.startswith(("=", "+", "-", "@")) + text
                for text in (response(english), response(telugu))
            ),
        ]
        assert json.loads(row[8]) == json.loads(english["answer"])


def test_a_part_of_many_pairs_is_spread_over_the_complexities(results: Path, tmp_path: Path):
    assert run("discordant", results, "-o", tmp_path / "few.csv", "--most", 4) == 0
    assert [row[3] for row in table(tmp_path / "few.csv")] == ["8", "12", "12", "16"]
    assert register(results)["cells"][0]["only_en"] == ONLY_EN


def test_verdicts_come_back_and_say_whose_the_gap_is(sheet, results, capsys) -> None:
    assert take(fill(sheet, verdict(" Wording", "the gift's verb")), results) == 0
    told = capsys.readouterr().out
    assert "Telugu, Sequential linear transforms: most of the gap is the wording's" in told
    (one,) = cells(register(results))
    assert (one.judged, one.wording, one.low, one.cause, one.p_rest) == (8, 8, 1.0, "wording", 1.0)
    pair = next(iter(register(results)["pairs"].values()))
    assert pair["verdicts"] == {
        "A. Rao": {"verdict": "wording", "comment": "the gift's verb", "date": "2026-03-31"}
    }
    assert run("verdicts", results) == 0
    assert "8 of 8 judged pairs" in capsys.readouterr().out
    assert cli.main(["report", str(results)]) == 0
    page = (results / "report" / "report.html").read_text("utf-8")
    assert "most of the gap is the wording&#39;s" in page


def test_the_interval_is_the_exact_one_and_without_judgement_nothing_is_said(sheet, results):
    seen: list[int] = []

    def two_of_six(row: list[Any]) -> None:
        seen.append(1)
        if len(seen) <= 6:
            row[VERDICT] = "wording" if len(seen) <= 2 else "model"

    assert take(fill(sheet, two_of_six), results) == 0
    (one,) = cells(register(results))
    assert (one.judged, one.wording, one.cause) == (6, 2, "open")
    # Clopper and Pearson: at each end of the interval two or more, or two or fewer, have 2.5%.
    assert one.low is not None
    assert one.high is not None
    above = sum(comb(6, i) * one.low**i * (1 - one.low) ** (6 - i) for i in range(2, 7))
    below = sum(comb(6, i) * one.high**i * (1 - one.high) ** (6 - i) for i in range(3))
    assert (above, below) == (pytest.approx(0.025), pytest.approx(0.025))
    assert one.p_rest == pytest.approx(2 / 2**6)  # six of six without the two
    assert "none of 8 pairs" in cells({**register(results), "pairs": {}})[0].sentence()


def test_reviewers_who_disagree_are_counted_apart(sheet, results) -> None:
    assert take(fill(sheet, verdict("model")), results) == 0
    assert take(fill(sheet, verdict("wording")), results, "B. Devi") == 0
    (one,) = cells(register(results))
    assert (one.judged, one.split, one.cause) == (0, 8, "open")


def test_an_untouched_sheet_records_nothing(sheet, results, capsys) -> None:
    before = register(results)
    assert take(sheet, results) == 0
    assert "no reviewer recorded" in capsys.readouterr().out
    assert register(results) == before
    assert not [pair for pair in before["pairs"].values() if pair["verdicts"]]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (verdict("maybe"), "row 2: 'Verdict' must be model or wording, not 'maybe'"),
        (renamed("x"), "more than once"),
        (renamed("x{}"), "the pair 'x2' was not given out for 'te'"),
    ],
)
def test_a_wrong_value_is_one_clear_line(sheet, results, capsys, change, words) -> None:
    before = register(results)
    assert take(fill(sheet, change), results) == 2
    told = capsys.readouterr().err
    assert words in told
    assert "nothing was imported" in told
    assert told.count("\n") == 1
    assert register(results) == before


def test_what_is_missing_is_said(sheet, results, tmp_path, capsys) -> None:
    assert run("import", "te", sheet, "--reviewer", "A") == 2
    assert "give --results" in capsys.readouterr().err
    assert run("import", "ar", sheet, "--reviewer", "A", "--results", results) == 2
    assert "there are no rows of 'ar', only of te" in capsys.readouterr().err
    assert run("discordant", results, "-o", sheet) == 2
    assert "exists: give --overwrite" in capsys.readouterr().err
    assert run("discordant", results, "-o", tmp_path / "x.xlsx") == 2
    assert "must end in .csv" in capsys.readouterr().err
    write_run(tmp_path / "alike", languages=("en", "ar"))
    assert run("discordant", tmp_path / "alike", "-o", tmp_path / "y.csv") == 2
    assert "no language is behind English" in capsys.readouterr().err
    assert run("verdicts", tmp_path / "alike") == 2
    assert "run `xlgo audit discordant` first" in capsys.readouterr().err
    broken = next((results).glob("*/discordant.json"))
    broken.write_text("{", "utf-8")
    assert cli.main(["report", str(results)]) == 0
    assert "discordant.json: not valid JSON" in (results / "report/report.html").read_text("utf-8")


def test_options_of_the_score_count_and_prices_are_no_option(results, tmp_path, capsys) -> None:
    path = tmp_path / "z.csv"
    assert run("discordant", results, "-o", path, "--options", "baseline=te") == 2
    assert "no language is behind Telugu" in capsys.readouterr().err
    assert run("discordant", results, "-o", path, "--prices", "prices.toml") == 2
    assert "--prices" in capsys.readouterr().err
    assert not path.exists()


def test_verdicts_stay_with_their_answers(sheet, results, tmp_path) -> None:
    assert take(fill(sheet, verdict("model")), results) == 0
    assert run("discordant", results, "-o", tmp_path / "again.csv", "--most", 2) == 0
    assert cells(register(results))[0].judged == ONLY_EN
    # A newer run with other answers: nobody has judged them.
    other = [
        sample(row, response(row) + ("" if row["language"] == "en" else " !"), n)
        for n, row in enumerate(rows())
    ]
    write_run(results, date=LATER, samples=other)
    assert run("discordant", results, "-o", tmp_path / "new.csv") == 0
    assert cells(register(results))[0].judged == 0


def test_hostile_answers_are_text(tmp_path) -> None:
    """Formulas, control characters and answers beyond what a cell holds."""
    bad = ['=HYPERLINK("http://x")', "a\x00b\x07", "x" * 100_000, "\ud800"]
    samples = []
    for n, row in enumerate(rows(languages=("en", "te"))):
        text = row["answer"] if row["language"] == "en" else bad[row["index"] % len(bad)]
        samples.append(sample(row, text, n))
    write_run(tmp_path / "r", samples=samples)
    path = tmp_path / "p.csv"
    assert run("discordant", tmp_path / "r", "-o", path, "--most", 4 * PER_LEVEL) == 0
    texts = {row[7] for row in table(path)}
    assert len(table(path)) == 4 * PER_LEVEL
    assert '\'=HYPERLINK("http://x")' in texts
    assert "a\ufffdb\ufffd" in texts
    assert max(map(len, texts)) < 32_767


def test_pairs_on_which_reviewers_disagree_are_not_judged(sheet, results) -> None:
    """Of eight, four are the wording's, two the model's, and two are open: nothing is settled."""
    for reviewer, last in (("A. Rao", "wording"), ("B. Devi", "model")):
        said = iter(["wording"] * 4 + ["model"] * 2 + [last] * 2)

        def fill_in(row: list[Any], said=said) -> None:
            row[VERDICT] = next(said)

        assert take(fill(sheet, fill_in), results, reviewer) == 0
    (one,) = cells(register(results))
    assert (one.judged, one.wording, one.split, one.cause) == (6, 4, 2, "open")
    assert one.low is not None
    assert one.high is not None
    assert one.low < 0.5 < one.high

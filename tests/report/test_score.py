from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest

import xlgo_dataset as xd
import xlgo_metric as xm
from tests.report.logs import (
    KINDS,
    LEVELS,
    PER_LEVEL,
    RIGHT,
    WRONG,
    response,
    rows,
    sample,
    write_run,
)
from xlgo_cli import cli, workers
from xlgo_cli.cli import main
from xlgo_cli.logs.costs import lengths
from xlgo_cli.logs.graded_run import score_folder, shorten
from xlgo_cli.report.grid import of_conditions, with_gaps
from xlgo_cli.report.write import write_all


def test_counts_are_those_of_the_log(scored):
    languages = scored.score["families"]["xlgobench"]["tasks"]["slt"]["languages"]
    assert scored.count == len(rows()) == LEVELS * PER_LEVEL * len(RIGHT)
    for code, right in RIGHT.items():
        cell = languages[code]
        assert [level["correct"] for level in cell["levels"]] == list(right)
        assert [level["n"] for level in cell["levels"]] == [PER_LEVEL] * LEVELS
        kinds = Counter(KINDS[index % len(WRONG)] for k in right for index in range(k, PER_LEVEL))
        told = {kind: n for kind, n in cell["statuses"].items() if kind != "needs_judge"}
        assert told == {"correct": sum(right)} | {kind: kinds[kind] for kind in KINDS}


def test_same_numbers_and_signature_as_the_metric(scored):
    asked = rows()
    direct = xm.score([response(row) for row in asked], [row["reference"] for row in asked])
    told = json.loads(json.dumps(scored.score))
    assert told.pop("schema") == 2
    assert told.pop("cost")["tasks"].keys() == {"xlgobench"}
    assert told.pop("generation").startswith("backend:hf|template:none|system:none|")
    assert told == json.loads(json.dumps(direct))


def test_the_number_of_processes_changes_nothing(results, scored, monkeypatch):
    monkeypatch.setattr(workers, "available_processors", lambda: 2)
    monkeypatch.setattr(workers, "PATIENCE", 0)
    monkeypatch.setattr(workers, "WORTHWHILE", 0)
    shared = score_folder(results)
    assert shared.score == scored.score
    assert shared.records == scored.records


def test_a_reference_that_cannot_be_graded_is_named(tmp_path, capsys):
    good, bad = rows(languages=("en",))[:2]
    unknown = json.dumps(json.loads(bad["reference"]) | {"task": "sudoku"})
    lines = [sample(good, good["answer"]), sample(bad | {"reference": unknown}, "x")]
    path = write_run(tmp_path, samples=lines)
    assert main(["score", str(tmp_path), "--json"]) == 1
    captured = capsys.readouterr()
    assert f"{path}:2: column doc.reference" in captured.err
    assert "sudoku" in captured.err
    section = json.loads(captured.out)["families"]["xlgobench"]
    assert section["tasks"]["slt"]["languages"]["en"]["n"] == 1


def test_nothing_to_grade_is_one_clear_line(tmp_path, capsys):
    path = write_run(tmp_path, samples=[b"{"])
    assert main(["score", str(tmp_path)]) == 2
    err = capsys.readouterr().err
    assert err.startswith("xlgo: no sample of acme/lingua could be graded")
    assert f"{path}:1" in err


@pytest.mark.parametrize("mode", ["default", "paper"])
def test_outputs_of_polymath(tmp_path, capsys, mode):
    path = tmp_path / "output" / "model" / "low" / "te.jsonl"
    path.parent.mkdir(parents=True)
    lines = [
        {"idx": i, "answer": str(i), "answer_pred": rf"\boxed{{{i if i < 3 else -1}}}"}
        for i in range(8)
    ]
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    command = ["score", str(tmp_path / "output"), "--mode", mode, "--json"]
    assert main(command) == 0
    section = json.loads(capsys.readouterr().out)["families"]["polymath"]
    [cell] = section["measured"]
    assert (cell["level"], cell["language"]) == ("low", "te")
    assert cell["score"] == pytest.approx(3 / 8)
    with path.open("a", encoding="utf-8") as file:
        file.write("\n{")
    assert main(command) == 1
    assert f"{path}:9: not valid JSON" in capsys.readouterr().err


@pytest.mark.parametrize(("length", "cut"), [(7, 0), (8, 1), (1000, 993)])
def test_long_texts_keep_both_ends(length, cut):
    text = "".join(chr(97 + i % 26) for i in range(length))
    short = shorten(text, 4, 3)
    assert short.startswith(text[:4])
    assert short.endswith(text[-3:])
    assert (f"{cut} characters left out" in short) == (cut > 0)


CHANCES = {"plain": (2, 6), "english_rules": (3, 6), "english_lines": (9, 10)}
"""Of the ten questions of each level, those that are right in Telugu (lower and upper level)."""


def asked() -> list[Any]:
    """Rows of two levels in English and Telugu, those in Telugu under conditions too."""
    options: dict[str, Any] = {"levels": 2, "per_level": 20, "c_min": 8, "c_max": 16}
    found = []
    for row in xd.family_of("slt").rows("slt", ("en", "te"), split="test", **options):
        for name in CHANCES if row["language"] == "te" else ("plain",):
            reference = json.loads(row["reference"])
            if name != "plain":
                reference["condition"] = name
            right = row["index"] < (18 if row["language"] == "en" else CHANCES[name][row["level"]])
            found.append((row | {"reference": json.dumps(reference)}, right))
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("why")
    wrong = '{"chain": [1, 2]}'
    samples = [
        sample(row, row["answer"] if right else wrong, number)
        for number, (row, right) in enumerate(asked())
    ]
    write_run(path, samples=samples)
    return path


def test_the_page_shows_what_conditions_change(folder) -> None:
    scored = score_folder(folder)
    page = write_all(scored, folder).read_text("utf-8")
    assert "Sources of the gap in SLT" in page
    (grid,) = of_conditions(with_gaps(scored.score)["xlgobench"])
    solved = {name: (20 * (low + high)) / 800 for name, (low, high) in CHANCES.items()}
    for name in ("english_rules", "english_lines"):
        cell = grid.cells["te", name]
        assert cell.n == 40
        assert cell.difference == pytest.approx(solved[name] - solved["plain"])
    assert list(grid.cells) == [("te", "english_rules"), ("te", "english_lines")]
    assert grid.cells["te", "english_lines"].is_significant
    (row,) = grid.view()
    shown = dict(zip(grid.columns, row["cells"], strict=True))
    assert (shown["english_lines"]["kind"], shown["english_lines"]["mark"]) == ("behind", "●")
    assert grid.behind == "accuracy rises"
    assert "Sources of the gap in SLT" in (folder / "report" / "tables.md").read_text("utf-8")


def test_lengths_of_prompts_and_answers_with_their_spread(results: Path, capsys: Any) -> None:
    """A tokenizer of characters counts what their length is."""
    keys = "task", "language"
    (table,) = lengths(score_folder(results, quiet=True, counter=len).costs.frame, *keys)
    found = {row[1]: row[2:] for row in table.rows}
    for code in ("en", "ar", "te"):
        counts = [len(row["prompt"]) for row in rows() if row["language"] == code]
        n, mean, sd, *_, tokens, tokens_sd, _, _ = found[code]
        assert n == len(counts)
        assert (mean, sd) == pytest.approx((fmean(counts), stdev(counts)))
        assert (tokens, tokens_sd) == (mean, sd)
    (plain,) = lengths(score_folder(results, quiet=True).costs.frame, *keys)
    assert plain.rows[0][-4:] == (None,) * 4  # the log has no tokens
    assert cli.main(["score", str(results), "--table", "--tokenizer", "characters"]) == 0
    assert "Lengths of prompts and answers" in capsys.readouterr().out

from __future__ import annotations

import json
from collections import Counter

import pytest

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
from xlgo_cli import workers
from xlgo_cli.cli import main
from xlgo_cli.logs.graded_run import score_folder


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

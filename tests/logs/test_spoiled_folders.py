"""Score and report of folders spoiled at random, and what longer runs of that once found.

The long form is ``python benchmarks/fuzz_scoring.py``.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from xlgo_cli.cli import main
from xlgo_cli.logs.lines import Problem, printable
from xlgo_metric.core import Grade
from xlgo_metric.families.lit.records import record_of

ROOT = Path(__file__).parents[2]
STORED = Path(__file__).parent / "stored"
sys.path.insert(0, str(ROOT / "benchmarks"))

import fuzz_scoring  # noqa: E402


def test_a_few_spoiled_folders(tmp_path: Path, caplog: Any) -> None:
    bases = [STORED / name for name in ("simple", "polymath", "puzzles")]
    found, _ = fuzz_scoring.fuzz(bases, 3, iter(range(4)), tmp_path)
    assert found["folders"] == 4
    assert found["failed"] == 0
    assert found["rows scored"] > 10
    assert found["score returned 1"] > 0


def test_the_fuzzer_notices_what_it_looks_for(tmp_path: Path, monkeypatch: Any) -> None:
    """With a defect put in, of a report that does not escape, it fails."""
    monkeypatch.setattr(fuzz_scoring, "check_written", lambda out: 1 / 0)
    found, _ = fuzz_scoring.fuzz([STORED / "polymath"], 0, iter(range(2)), tmp_path)
    assert found["failed"] == 2
    page = fuzz_scoring.Page()
    with pytest.raises(fuzz_scoring.FoundError, match="became a tag"):
        page.feed(fuzz_scoring.TAG.join(("<p><", ">")))
    with pytest.raises(fuzz_scoring.FoundError, match="unbalanced"):
        fuzz_scoring.Page().feed("<p><b></p>")


def changed(tmp_path: Path, name: str, **changes: Any) -> Path:
    """A copy of an old folder with entries of the reference changed in every third row."""
    folder = tmp_path / name
    shutil.copytree(STORED / name, folder)
    for path in folder.rglob("samples_*.jsonl"):
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        for row in rows[::3]:
            reference = json.loads(row["doc"]["reference"])
            row["doc"]["reference"] = json.dumps(reference | changes)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return folder


def test_the_name_of_a_model_cannot_steer_a_terminal(tmp_path: Path, capsys: Any) -> None:
    folder = changed(tmp_path, "simple")
    for path in folder.rglob("results_*.json"):
        data = json.loads(path.read_text("utf-8")) | {"model_name": "a\x1b[31m\u202eb\ud800"}
        path.write_text(json.dumps(data | {"total_evaluation_time_seconds": 10**400}), "utf-8")
    assert main(["report", str(folder), "--partial"]) == 0
    told = "".join(capsys.readouterr())
    assert "\x1b" not in told
    assert "\u202e" not in told
    json.loads((folder / "report" / "scores.json").read_text("utf-8"), parse_constant=pytest.fail)


def test_messages_are_one_line() -> None:
    assert printable("a\nb\x1b\u202e\ud800c d") == "a b\ufffd\ufffd\ufffdc d"
    assert str(Problem("f:1", "x\ny")) == "f:1: x y"


@pytest.mark.parametrize("entry", [{"repeat": []}, {"repeat": "x"}, {"at": "x"}])
def test_replies_of_a_judge_with_other_types(
    entry: dict[str, Any], tmp_path: Path, capsys: Any
) -> None:
    folder = changed(tmp_path, "simple")
    (folder / "judgements").mkdir()
    lines = [{"kind": "xlgo-answers"}, {"key": "1", "chain": "a", "text": "b"} | entry]
    kept = folder / "judgements" / "judge.ndjson"
    kept.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    assert main(["score", str(folder), "--judge", "judge"]) == 2
    assert f"xlgo: {kept}: 'repeat' must" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["text_id", "tier", "sequence"])
def test_a_chain_whose_reference_has_no_text_is_left_out(name: str) -> None:
    names = ("text_id", "subcategory", "category", "sequence", "tier", "original")
    reference = dict.fromkeys(names, "x") | {"text_split": "main"}
    record_of(Grade(False, "no_answer"), reference)
    with pytest.raises(ValueError, match=name):
        record_of(Grade(False, "no_answer"), reference | {name: True})


def test_half_characters_do_not_end_a_report(tmp_path: Path) -> None:
    folder = changed(tmp_path, "polymath", answer="\ud800")
    assert main(["report", str(folder), "--quiet"]) in (0, 1)

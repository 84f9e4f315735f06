"""One bad row in a results folder costs that row only, with its file and line."""

import copy
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import xlgo_metric as xm
from tests.looping import looped
from xlgo_cli.cli import main
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.logs.lines import Problem, printable
from xlgo_metric.core import Grade, Record
from xlgo_metric.family import Family
from xlgo_metric.scoring import summarize_or_drop

FOLDER = Path(__file__).parent / "stored"
NAMES = ("puzzles", "simple", "polymath")


def lines_of(name: str) -> list[dict[str, Any]]:
    """A good line of each file, then all others of the first."""
    paths = sorted((FOLDER / name).rglob("samples_*.jsonl"))
    read = [[json.loads(x) for x in path.read_text("utf-8").splitlines()] for path in paths]
    return [part[1] for part in read] + read[0][2:6]


def write(path: Path, lines: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def with_reference(line: dict[str, Any], **changes: Any) -> dict[str, Any]:
    new = copy.deepcopy(line)
    new["doc"]["reference"] = json.dumps(json.loads(line["doc"]["reference"]) | changes)
    return new


BAD: list[dict[str, Any]] = [
    {"covariates": 5.0},
    {"params": "paper"},
    {"split": "a:b"},
    {"split": "a|b"},
    {"language": "x" * 300},
    {"language": ["en"]},
    {"task": "slt\nslt"},
    {"complexity": "many"},
    {"complexity": float("nan")},
    {"complexity": 10**400},
    {"seed": {}},
    {"data": []},
    {"level": []},
    {"family": "no such family"},
    {"instance_id": 3},
    {"language": "te\x1b[31m"},  # it would steer a terminal
    {"language": "te\u202e"},
    {"language": "te\ud800"},
    {"prompt": "\x1b]0;x\x07"},
    {"covariates": {"size": float("-inf")}},
    {"covariates": {"size": 10**400}},
    {"params": {"a\x1b": 1}},
]


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        pytest.param(name, bad, marks=[pytest.mark.slow] if (place + number) % 3 else [])
        for place, name in enumerate(NAMES)
        for number, bad in enumerate(BAD)  # each in one of the folders by default
    ],
)
def test_a_bad_row_costs_that_row(name: str, bad: dict[str, Any], tmp_path: Path) -> None:
    good = lines_of(name)
    path = write(tmp_path / "s.jsonl", [good[0], with_reference(good[1], **bad), *good[2:]])
    scored = score_folder(path)
    # A puzzle is generated again from what names it; what else the log says costs no answer.
    named_by = {"split", "language", "task", "complexity", "seed", "level"}
    regenerated = name == "puzzles" and not bad.keys() & named_by
    assert scored.count == len(good) - (not regenerated)
    [problem] = [one for one in scored.problems.items if one.lost]
    assert problem.where == f"{path}:2"
    xm.tables(scored.score)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
    | st.sampled_from(["en", "test", "a:b", "a|b", "\ud800", "x" * 300, -1, 0, 1e308, 10**400]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner,
                                                                max_size=3),
    max_leaves=5,
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@settings(
    max_examples=3,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
@given(data=st.data())
def test_whatever_stands_in_a_reference(
    name: str, data: st.DataObject, tmp_path: Path, caught: list[str]
) -> None:
    """No value of any entry ends a scoring, its tables, or costs a good row."""
    good = lines_of(name)[:3]  # few of a kind: no curves, which take long
    reference = json.loads(good[0]["doc"]["reference"])
    places: list[tuple[str, ...]] = [(key,) for key in reference]
    places += [
        (key, inner)
        for key, value in reference.items()
        if isinstance(value, dict)
        for inner in value
    ]
    place = data.draw(st.sampled_from(places))
    inner = reference
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = data.draw(JSON)
    path = write(tmp_path / "s.jsonl", [*good, with_reference(good[0], **reference)])
    scored = score_folder(path, quiet=True)
    assert scored.count >= len(good) - 1
    xm.tables(scored.score)
    json.dumps(scored.score)
    lost = [problem for problem in scored.problems.items if problem.lost]
    assert all(problem.where.startswith(str(path)) for problem in lost)


def _summed(records: Any, **options: Any) -> dict[str, Any]:
    values = sorted(record.reference["value"] for record in records)
    return {"signature": "version:1", "warnings": [], "sum": sum(values)}


def fragile(summarize: Callable[..., dict[str, Any]] = _summed) -> Family:
    """A family that sums up numbers, and raises on anything else."""
    return Family(
        name="fragile",
        grade=lambda prediction, reference: Grade(True, "correct"),
        summarize=summarize,
        tables=lambda section: [1 / (section["sum"] + 1)],  # type: ignore[list-item]
    )


def record(value: Any) -> Record:
    return Record(Grade(True, "correct"), {"task": "t", "value": value})


@looped("size", [1, 2, 7, 50])
@looped("bad", [None, "text", {}])
def test_the_failing_record_is_found_wherever_it_stands(size: int, bad: Any) -> None:
    for place in {0, 1, size // 2, size - 1} & set(range(size)):
        records = [record(n) for n in range(size)]
        records.insert(place, record(bad))
        section, kept, faults = summarize_or_drop(fragile(), records, {})
        # Of two that disagree, nobody can say which is the odd one.
        if size > 1:
            assert [fault.record for fault in faults] == [records[place]]
            assert section is not None
            assert section["sum"] == sum(range(size))
            assert len(kept) == size


def _sorting(records: Any, **options: Any) -> dict[str, Any]:
    """Raises only where two records disagree."""
    sorted(record.reference["value"] for record in records)
    return {"signature": "version:1", "warnings": [], "sum": 0}


@pytest.mark.parametrize("place", [0, 1, 20, 39])
def test_of_many_that_disagree_with_one_the_one_is_left_out(place: int) -> None:
    records = [record(n) for n in range(40)]
    records.insert(place, record("text"))
    _, kept, faults = summarize_or_drop(fragile(_sorting), records, {})
    assert [fault.record for fault in faults] == [records[place]]
    assert len(kept) == 40


def test_several_failing_records_and_too_many() -> None:
    few = [record(n if n % 9 else None) for n in range(1, 100)]
    section, kept, faults = summarize_or_drop(fragile(), few, {})
    assert (len(faults), len(kept)) == (11, 88)
    assert section is not None
    with pytest.raises(ValueError, match="more than 20 answers of fragile cannot be summarized"):
        summarize_or_drop(fragile(), [record(n if n % 3 else None) for n in range(1, 100)], {})


ROOT = Path(__file__).parents[2]
STORED = Path(__file__).parent / "stored"
sys.path.insert(0, str(ROOT / "benchmarks"))

import fuzz_scoring  # noqa: E402


def test_a_few_spoiled_folders(tmp_path: Path, caplog: Any) -> None:
    bases = [STORED / name for name in ("simple", "polymath", "puzzles")]
    found, _ = fuzz_scoring.fuzz(bases, 3, iter(range(2)), tmp_path)
    assert found["folders"] == 2
    assert found["failed"] == 0
    assert found["rows scored"] > 10
    assert found["score returned 1"] > 0


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

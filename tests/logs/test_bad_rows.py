"""One bad row in a results folder costs that row only, with its file and line."""

import copy
import json
import shutil
import sys
from collections.abc import Callable, Iterable
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

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import fuzz_scoring

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
    parts = [reference, *(value for value in reference.values() if isinstance(value, dict))]
    places = [(part, key) for part in parts for key in part]
    part, key = data.draw(st.sampled_from(places))
    part[key] = data.draw(JSON)
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


def _sorting(records: Any, **options: Any) -> dict[str, Any]:
    """Raises only where two records disagree."""
    sorted(record.reference["value"] for record in records)
    return {"signature": "version:1", "warnings": []}


def dropped(
    records: list[Record], summarize: Callable[..., dict[str, Any]] = _summed
) -> tuple[Any, list[Record], list[Record]]:
    """The section of a family that sums up numbers and raises on anything else.

    Beside it, the records that were kept, and those that were left out.
    """
    fragile = Family(
        name="fragile",
        grade=lambda prediction, reference: Grade(True, "correct"),
        summarize=summarize,
        tables=lambda section: [1 / (section.get("sum", 0) + 1)],  # type: ignore[list-item]
    )
    section, kept, faults = summarize_or_drop(fragile, records, {})
    return section, list(kept), [fault.record for fault in faults]


def records_of(values: Iterable[Any]) -> list[Record]:
    return [Record(Grade(True, "correct"), {"task": "t", "value": value}) for value in values]


@looped("size", [1, 2, 7, 50])
@looped("bad", [None, "text", {}])
def test_the_failing_record_is_found_wherever_it_stands(size: int, bad: Any) -> None:
    for place in {0, 1, size // 2, size - 1} & set(range(size)):
        records = records_of([*range(place), bad, *range(place, size)])
        section, kept, left_out = dropped(records)
        # Of two that disagree, nobody can say which is the odd one.
        if size > 1:
            assert left_out == [records[place]]
            assert section["sum"] == sum(range(size))
            assert len(kept) == size


@pytest.mark.parametrize("place", [0, 1, 20, 39])
def test_of_many_that_disagree_with_one_the_one_is_left_out(place: int) -> None:
    records = records_of([*range(place), "text", *range(place, 40)])
    _, kept, left_out = dropped(records, _sorting)
    assert left_out == [records[place]]
    assert len(kept) == 40


def test_several_failing_records_and_too_many() -> None:
    section, kept, left_out = dropped(records_of(n if n % 9 else None for n in range(1, 100)))
    assert (len(left_out), len(kept)) == (11, 88)
    assert section is not None
    with pytest.raises(ValueError, match="more than 20 answers of fragile cannot be summarized"):
        dropped(records_of(n if n % 3 else None for n in range(1, 100)))


def test_a_few_spoiled_folders(tmp_path: Path) -> None:
    bases = [FOLDER / name for name in ("simple", "polymath", "puzzles")]
    found, _ = fuzz_scoring.fuzz(bases, 3, iter(range(2)), tmp_path)
    assert (found["folders"], found["failed"]) == (2, 0)
    assert found["rows scored"] > 10
    assert found["score returned 1"] > 0


def test_the_name_of_a_model_cannot_steer_a_terminal(tmp_path: Path, capsys: Any) -> None:
    folder = Path(shutil.copytree(FOLDER / "simple", tmp_path / "simple"))
    hostile = {"model_name": "a\x1b[31m\u202eb\ud800", "total_evaluation_time_seconds": 10**400}
    for path in folder.rglob("results_*.json"):
        path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | hostile), "utf-8")
    assert main(["report", str(folder), "--partial"]) == 0
    assert not set("\x1b\u202e") & set("".join(capsys.readouterr()))
    json.loads((folder / "report" / "scores.json").read_text("utf-8"), parse_constant=pytest.fail)


def test_messages_are_one_line() -> None:
    assert printable("a\nb\x1b\u202e\ud800c d") == "a b\ufffd\ufffd\ufffdc d"
    assert str(Problem("f:1", "x\ny")) == "f:1: x y"


@pytest.mark.parametrize("entry", [{"repeat": []}, {"repeat": "x"}, {"at": "x"}])
def test_replies_of_a_judge_with_other_types(
    entry: dict[str, Any], tmp_path: Path, capsys: Any
) -> None:
    folder = Path(shutil.copytree(FOLDER / "simple", tmp_path / "simple"))
    (folder / "judgements").mkdir()
    lines = [{"kind": "xlgo-answers"}, {"key": "1", "chain": "a", "text": "b"} | entry]
    kept = folder / "judgements" / "judge.ndjson"
    kept.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    assert main(["score", str(folder), "--judge", "judge"]) == 2
    assert f"xlgo: {kept}: 'repeat' must" in capsys.readouterr().err

"""What is read of a results folder; one bad row costs that row only, with its file and line."""

import copy
import json
import random
import shutil
import sys
import tracemalloc
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import xlgo_metric as xm
from tests.report.logs import DATE, LATER, response, rows, sample, write_lines, write_run
from xlgo_cli.cli import main
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.logs.lines import Problem, count_of, object_in, printable, request_text
from xlgo_cli.logs.results import find_run, models_in, read_judgements, read_samples
from xlgo_metric.core import Grade, Record
from xlgo_metric.scoring import summarize_or_drop

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import fuzz_scoring

ROW = rows(languages=("en",))[0]
RIGHT = ROW["answer"]


def read(path: Path, **options):
    run = find_run(path, **options)
    return run, list(read_samples(run))


def messages(run) -> list[str]:
    return [str(problem) for problem in run.problems.items]


def test_reads_what_the_harness_writes(tmp_path):
    path = write_run(tmp_path, languages=("en", "ar"))
    run, samples = read(tmp_path)
    assert [(s.prompt, s.response, s.reference) for s in samples] == [
        (row["prompt"], response(row), json.loads(row["reference"]))
        for row in rows(languages=("en", "ar"))
    ]
    assert samples[2].where == f"{path}:3"
    assert (run.model, run.info["lm_eval_version"]) == ("acme/lingua", "0.4.13")
    assert messages(run) == []


@pytest.mark.parametrize(
    "line",
    [
        sample(ROW, RIGHT, doc={key: ROW[key] for key in ("reference", "prompt")}),
        sample(ROW, RIGHT, doc={"reference": json.loads(ROW["reference"])}),
        sample(ROW, RIGHT, arguments=[[ROW["prompt"], {"until": []}]]),
    ],
    ids=["prompt in doc", "object", "arguments as lists"],
)
def test_reads_other_shapes(tmp_path, line):
    _, [found] = read(write_lines(tmp_path / "old.jsonl", [line]))
    assert (found.response, found.prompt, found.reference["instance_id"]) == (
        RIGHT, ROW["prompt"], ROW["instance_id"],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("resps", "filtered", "expected"),
    [
        ([["a", "b", "c"]], ["a"], ["a"]),
        ([["a", "b", "c"]], [["a", "b", "c"]], ["a", "b", "c"]),
        ([["<think>t</think>a"]], ["a"], ["<think>t</think>a"]),
        (None, ["a"], ["a"]),
        ([["a"]], None, ["a"]),
        ([], [], [None]),
    ],
)
def test_as_many_responses_as_the_filter_kept(tmp_path, resps, filtered, expected):
    line = sample(ROW, "", resps=resps, filtered_resps=filtered)
    line = {key: value for key, value in line.items() if value is not None}
    _, samples = read(write_lines(tmp_path / "s.jsonl", [line]))
    assert [(s.repeat, s.response) for s in samples] == [*enumerate(expected)]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b'{"doc": {"reference"', "not valid JSON"),
        (b"\xff\xfe{}", "not UTF-8"),
        (b"[1, 2]", "not a JSON object"),
        (b"[" * 100_000, "left out"),
        (sample(ROW, RIGHT, doc={"reference": "{oops"}), "column doc.reference: not valid JSON"),
        (sample(ROW, RIGHT, doc={"reference": {"answer": 1}}), "doc.reference: the reference"),
        (sample(ROW, RIGHT, resps=[[{"a": 1}]]), "column resps: not text"),
        ({"doc": {"reference": ROW["reference"]}}, "column resps: missing"),
    ],
)
def test_a_broken_line_is_named_and_the_rest_is_read(tmp_path, line, words):
    other = rows(languages=("en",))[1]
    path = write_lines(tmp_path / "s.jsonl", [sample(ROW, RIGHT), line, sample(other, "x")])
    run, samples = read(path)
    assert [s.line for s in samples] == [1, 3]
    [problem] = run.problems.items
    assert problem.where == f"{path}:2"
    assert words in problem.message
    assert run.problems.lost


def test_many_broken_lines_are_counted(tmp_path):
    run, samples = read(write_lines(tmp_path / "s.jsonl", [b"{"] * 50 + [sample(ROW, RIGHT)]))
    assert (len(samples), len(run.problems.items)) == (1, 4)
    assert "47 more lines" in messages(run)[-1]


def test_samples_of_another_task_are_left_out(tmp_path):
    write_run(tmp_path)
    other = {"doc": {"question": "1 + 1?"}, "target": "#### 2", "resps": [["2"]]}
    path = write_lines(tmp_path / "acme__lingua" / f"samples_gsm8k_{DATE}.jsonl", [other, other])
    run, samples = read(tmp_path)
    assert len(samples) == len(rows())
    assert f"{path}: 2 lines of another task" in messages(run)[0]
    assert not run.problems.lost


def test_a_question_counts_once(tmp_path):
    folder = tmp_path / "acme__lingua"
    write_run(tmp_path, samples=[sample(ROW, "a"), sample(ROW, "b")])
    write_lines(folder / f"samples_xlgo_slt_en_{DATE}.jsonl", [sample(ROW, "c")])
    run, [found] = read(tmp_path)
    assert found.response == "a"
    assert sum("occur more than once" in text for text in messages(run)) == 2


def test_a_language_is_not_mixed_from_two_runs(tmp_path):
    first, second = rows(languages=("en",))[:2]
    write_run(tmp_path, samples=[sample(first, "new")], date=LATER)
    older = tmp_path / "acme__lingua" / f"samples_xlgo_slt_en_{DATE}.jsonl"
    write_lines(older, [sample(second, "old")])
    run, [found] = read(tmp_path)
    assert found.response == "new"
    assert "a newer run answered too" in messages(run)[0]


def test_files_that_cannot_be_read(tmp_path):
    gone = write_run(tmp_path)
    empty = write_lines(tmp_path / "acme__lingua" / f"samples_xlgo_dsa_{DATE}.jsonl", [])
    (gone.parent / f"results_{DATE}.json").write_text("{")
    run = find_run(tmp_path)
    gone.unlink()
    assert list(read_samples(run)) == []
    told = "\n".join(messages(run))
    for words in (
        f"results_{DATE}.json: cannot be read",
        f"{gone}: cannot be read: No such file",
        f"{empty}: the file is empty",
    ):
        assert words in told
    assert f"{gone}: the file is empty" not in told


def test_prompts_are_not_held(tmp_path):
    size = 1 << 20
    line = sample(ROW | {"prompt": "x" * size}, RIGHT)
    named = [json.loads(ROW["reference"]) | {"instance_id": f"slt-{n}"} for n in range(40)]
    lines = [line | {"doc": line["doc"] | {"reference": json.dumps(one)}} for one in named]
    path = write_lines(tmp_path / "s.jsonl", lines)
    tracemalloc.start()
    total = sum(len(s.prompt) for s in read_samples(find_run(path)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert total == 40 * size
    assert peak < 10 * size


def test_a_model_is_chosen_by_its_whole_name(tmp_path):
    for model, date in (("m", DATE), ("m", LATER), ("mm", DATE), ("m2", DATE)):
        write_run(tmp_path, model=model, date=date)
    assert models_in(tmp_path) == ["m", "m2", "mm"]
    for model, date in (("mm", DATE), ("m2", DATE), ("m", LATER)):
        run = find_run(tmp_path, model=model)
        assert ({file.model for file in run.files}, run.date) == ({model}, date)
    with pytest.raises(ValueError, match="no samples of 'mmm': there are m, m2, mm"):
        find_run(tmp_path, model="mmm")
    run = find_run(tmp_path)
    assert (run.model, run.date) == ("m", LATER)
    assert "this is m, the newest. Left out: m2, mm (choose with --model)" in messages(run)[0]


HEAD = json.dumps({"kind": "xlgo-answers", "schema": 1, "run": {"model": "m"}})
JUDGES = ("first", "second", "third", "silent")


@pytest.mark.parametrize("seed", range(12))
def test_the_newest_reply_decides_in_whatever_folder_and_line_it_stands(
    tmp_path: Path, seed: int
) -> None:
    """Files of two runs may be put together, and a clock may be set back: lines have any order."""
    generator = random.Random(seed)
    times = generator.sample(range(1, 1000), 18)
    own = {judge: times[6 * n : 6 * n + 6] for n, judge in enumerate(JUDGES[:3])}
    folders = [tmp_path / "judgements", tmp_path / "model" / "judgements"]
    for folder in folders:
        folder.mkdir(parents=True)
    for judge in JUDGES:
        for half, folder in enumerate(folders):
            replies = [(n, at, "answered") for n, at in enumerate(own.get(judge, ()))][half::2]
            # Requests that failed are no replies, however late they are.
            late = (9, 5000 + half, "missing")
            replies.insert(generator.randrange(len(replies) + 1), late)
            lines = [
                json.dumps({"key": f"{n}", "chain": f"k{n}", "text": "x", "state": state, "at": at})
                for n, at, state in replies
            ]
            (folder / f"{judge}.ndjson").write_text("\n".join([HEAD, *lines]) + "\n")
    samples = [tmp_path / "model" / "samples_a_2026.jsonl", tmp_path / "model" / "samples_b.jsonl"]
    assert read_judgements(samples).judge == max(own, key=lambda judge: max(own[judge]))
    for judge, ats in own.items():
        chosen = read_judgements(samples, judge[:3])
        assert (chosen.judge, chosen.last) == (judge, max(ats))
        assert chosen.repeats.keys() == {(f"k{n}", 0) for n in (*range(6), 9)}
    with pytest.raises(ValueError, match="no judgements by 'silent'"):
        read_judgements(samples, "silent")


FOLDER = Path(__file__).parent / "stored"
NAMES = ("puzzles", "simple", "polymath")


def lines_of(name: str) -> list[dict[str, Any]]:
    """A good line of each file, then all others of the first."""
    paths = sorted((FOLDER / name).rglob("samples_*.jsonl"))
    read = [[json.loads(x) for x in path.read_text("utf-8").splitlines()] for path in paths]
    return [part[1] for part in read] + read[0][2:6]


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
    path = write_lines(tmp_path / "s.jsonl", [good[0], with_reference(good[1], **bad), *good[2:]])
    scored = score_folder(path)
    # A puzzle is generated again from what names it; what else the log says costs no answer.
    named_by = {"split", "language", "task", "complexity", "seed", "level"}
    regenerated = name == "puzzles" and not bad.keys() & named_by
    assert scored.count == len(good) - (not regenerated)
    [problem] = [one for one in scored.problems.items if one.lost]
    assert problem.where == f"{path}:2"


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
    name: str, data: st.DataObject, tmp_path: Path, caught: object
) -> None:
    """No value of any entry ends a scoring, its tables, or costs a good row."""
    good = lines_of(name)[:3]  # few of a kind: no curves, which take long
    reference = json.loads(good[0]["doc"]["reference"])
    parts = [reference, *(value for value in reference.values() if isinstance(value, dict))]
    part, key = data.draw(st.sampled_from([(part, key) for part in parts for key in part]))
    part[key] = data.draw(JSON)
    path = write_lines(tmp_path / "s.jsonl", [*good, with_reference(good[0], **reference)])
    scored = score_folder(path, quiet=True)
    assert scored.count >= len(good) - 1
    xm.tables(scored.score)
    json.dumps(scored.score)
    assert all(one.where.startswith(str(path)) for one in scored.problems.items if one.lost)


@pytest.mark.parametrize("place", [0, 1, 20, 39])
def test_of_many_that_disagree_with_one_the_one_is_left_out(place: int) -> None:
    """Only two records together cannot be sorted."""
    records = [
        Record(Grade(True, "correct"), {"value": value})
        for value in [*range(place), "text", *range(place, 40)]
    ]
    family: Any = SimpleNamespace(
        name="toy",
        summarize=lambda own: {"values": sorted(one.reference["value"] for one in own)},
        tables=lambda section: [],
        gaps=lambda section: None,
    )
    _, kept, rejected = summarize_or_drop(family, records, {})
    assert ([one.record for one in rejected], len(list(kept))) == ([records[place]], 40)


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


def test_what_other_programs_write_is_read_and_impossible_counts_are_not() -> None:
    counts = [count_of({"n": number}, "n") for number in (True, -1, 10**13, "5", None, 7.0)]
    assert counts == [None] * 5 + [7]
    assert object_in('\ufeff{"a": 1}'.encode()) == {"a": 1}
    parts = [{"type": "text", "text": "Read."}, {"type": "image"}, {"text": "What is it?"}]
    turns = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": parts}]
    assert request_text(json.dumps(turns)) == "Be brief.\n\nRead.\nWhat is it?"


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

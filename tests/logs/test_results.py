import errno
import json
import os
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd
from tests.report.logs import DATE, LATER, response, rows, sample, write_lines, write_run
from xlgo_cli.logs.results import find_run, read_samples

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
    asked = rows(languages=("en", "ar"))
    assert [s.prompt for s in samples] == [row["prompt"] for row in asked]
    assert [s.response for s in samples] == [response(row) for row in asked]
    assert [s.reference for s in samples] == [json.loads(row["reference"]) for row in asked]
    assert samples[2].where == f"{path}:3"
    assert run.model == "acme/lingua"
    assert run.info["lm_eval_version"] == "0.4.13"
    assert messages(run) == []


@pytest.mark.parametrize(
    "line",
    [
        sample(ROW, RIGHT, doc={key: ROW[key] for key in ("reference", "prompt")}),
        sample(ROW, RIGHT, doc={"reference": json.loads(ROW["reference"])}),
        sample(ROW, RIGHT, arguments=[[ROW["prompt"], {"until": []}]]),
        sample(ROW, RIGHT, doc={"id": "x"}, target=ROW["reference"]),
        {"prediction": RIGHT, "reference": ROW["reference"], "prompt": ROW["prompt"]},
    ],
    ids=["prompt in doc", "object", "arguments as lists", "reference as target", "plain"],
)
def test_reads_other_shapes(tmp_path, line):
    _, [found] = read(write_lines(tmp_path / "old.jsonl", [line]))
    assert found.response == RIGHT
    assert found.prompt == ROW["prompt"]
    assert found.reference["instance_id"] == ROW["instance_id"]


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
    assert [s.response for s in samples] == expected
    assert [s.repeat for s in samples] == list(range(len(expected)))


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
    assert len(samples) == 1
    assert len(run.problems.items) == 4
    assert "47 more lines" in messages(run)[-1]


def test_samples_of_another_task_are_left_out(tmp_path):
    write_run(tmp_path)
    other = {"doc": {"question": "1 + 1?"}, "target": "#### 2", "resps": [["2"]]}
    path = write_lines(tmp_path / "acme__lingua" / f"samples_gsm8k_{DATE}.jsonl", [other, other])
    run, samples = read(tmp_path)
    assert len(samples) == len(rows())
    assert f"{path}: 2 lines of another task" in messages(run)[0]
    assert not run.problems.lost


def test_null_is_no_answer(tmp_path):
    path = write_lines(tmp_path / "s.jsonl", [sample(ROW, None)])
    run, [found] = read(path)
    assert (found.reply.state, found.reply.error) == ("missing", "no content")
    assert not messages(run)


@pytest.mark.parametrize("text", ["", "  \n"])
def test_an_empty_answer_is_read_and_named(tmp_path, text):
    path = write_lines(tmp_path / "s.jsonl", [sample(ROW, text)])
    run, [found] = read(path)
    assert not (found.response or "").strip()
    assert messages(run) == [f"{path}:1: empty answer; graded as no answer"]


def test_newest_run_of_a_task_unless_told_otherwise(tmp_path):
    write_run(tmp_path, samples=[sample(ROW, "old")])
    write_run(tmp_path, samples=[sample(ROW, "new")], date=LATER)
    run, [found] = read(tmp_path)
    assert found.response == "new"
    assert run.date == LATER
    assert DATE in messages(run)[0]
    _, [found] = read(tmp_path, date="2026-03-01")
    assert found.response == "old"
    with pytest.raises(ValueError, match=f"no run of '2027': there are {DATE}, {LATER}"):
        find_run(tmp_path, date="2027")


def test_newest_model_unless_told_otherwise(tmp_path):
    write_run(tmp_path, model="first", date=LATER)
    write_run(tmp_path, model="second", date=DATE)
    run = find_run(tmp_path)
    assert run.model == "first"
    assert "second" in messages(run)[0]
    assert find_run(tmp_path, model="second").model == "second"
    with pytest.raises(ValueError, match="no samples of 'third': there are first, second"):
        find_run(tmp_path, model="third")


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


def test_levels_with_names_may_come_from_several_runs(tmp_path):
    for level, date in (("low", DATE), ("top", LATER)):
        reference = {"family": "polymath", "task": "polymath", "language": "te", "level": level}
        reference |= {"instance_id": f"polymath-{level}-1", "answer": "1"}
        path = tmp_path / "acme" / f"samples_polymath_te_{level}_{date}.jsonl"
        write_lines(path, [sample(ROW | {"reference": json.dumps(reference)}, "x")])
    _, samples = read(tmp_path)
    assert {s.reference["level"] for s in samples} == {"low", "top"}


def test_nothing_to_read(tmp_path):
    with pytest.raises(ValueError, match="there is no such file or folder"):
        find_run(tmp_path / "missing")
    (tmp_path / "results.txt").write_text("x")
    with pytest.raises(ValueError, match="--log_samples"):
        find_run(tmp_path)
    (tmp_path / "results.json").write_text("{}")
    with pytest.raises(ValueError, match="holds no samples"):
        find_run(tmp_path / "results.json")


def test_files_that_cannot_be_read(tmp_path):
    gone = write_run(tmp_path)
    empty = write_lines(tmp_path / "acme__lingua" / f"samples_xlgo_dsa_{DATE}.jsonl", [])
    (gone.parent / f"results_{DATE}.json").write_text("{")
    run = find_run(tmp_path)
    gone.unlink()
    assert list(read_samples(run)) == []
    told = "\n".join(messages(run))
    assert f"results_{DATE}.json: cannot be read" in told
    assert f"{gone}:1: cannot be read: No such file" in told
    assert f"{empty}: the file is empty" in told
    assert f"{gone}: the file is empty" not in told


def test_a_folder_that_cannot_be_read_is_named(tmp_path, monkeypatch):
    write_run(tmp_path)
    closed = tmp_path / "closed"
    closed.mkdir()
    scandir = os.scandir

    def refused(path):
        if Path(path) == closed:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refused)
    assert messages(find_run(tmp_path)) == [f"{closed}: cannot be read: Permission denied"]
    with pytest.raises(ValueError, match="closed: cannot be read: Permission denied"):
        find_run(closed)


def test_prompts_are_not_held(tmp_path):
    size = 1 << 20
    line = sample(ROW | {"prompt": "x" * size}, RIGHT)
    lines = [line | {"doc": line["doc"] | {"reference": _numbered(n)}} for n in range(40)]
    path = write_lines(tmp_path / "s.jsonl", lines)
    tracemalloc.start()
    total = sum(len(s.prompt) for s in read_samples(find_run(path)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert total == 40 * size
    assert peak < 10 * size


def _numbered(number: int) -> str:
    return json.dumps(json.loads(ROW["reference"]) | {"instance_id": f"slt-{number}"})


def test_questions_of_one_structure_share_a_cluster() -> None:
    """Three matches can be ordered in one way only; 100 transactions repeat never."""
    origin = {"task": "t_rank", "complexity": 3, "seed": 0, "split": "test"}
    one, two = (xd.isomorphism_hash_of({**origin, "index": index}) for index in (0, 1))
    assert one == two is not None
    assert xd.isomorphism_hash_of({**origin, "index": 0, "task": "slt", "complexity": 100}) is None
    wrong: dict[str, Any]
    for wrong in ({"index": []}, {"index": 0, "task": "nothing"}, {"index": 0, "complexity": "3"}):
        assert xd.isomorphism_hash_of({**origin, **wrong}) is None

import json
import random
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd
from tests.report.logs import DATE, LATER, response, rows, sample, write_lines, write_run
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.logs.judgements import read_judgements
from xlgo_cli.logs.results import find_run, models_in, read_samples

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
    assert run.model == "acme/lingua"
    assert run.info["lm_eval_version"] == "0.4.13"
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


def test_nothing_to_read(tmp_path):
    (tmp_path / "without").mkdir()
    (tmp_path / "without" / "results.txt").write_text("x")
    (tmp_path / "results.json").write_text("{}")
    for name, words in (
        ("missing", "there is no such file or folder"),
        ("without", "--log_samples"),
        ("results.json", "holds no samples"),
    ):
        with pytest.raises(ValueError, match=words):
            find_run(tmp_path / name)


def test_files_that_cannot_be_read(tmp_path):
    gone = write_run(tmp_path)
    empty = write_lines(tmp_path / "acme__lingua" / f"samples_xlgo_dsa_{DATE}.jsonl", [])
    (gone.parent / f"results_{DATE}.json").write_text("{")
    run = find_run(tmp_path)
    gone.unlink()
    assert list(read_samples(run)) == []
    told = "\n".join(messages(run))
    assert f"results_{DATE}.json: cannot be read" in told
    assert f"{gone}: cannot be read: No such file" in told
    assert f"{empty}: the file is empty" in told
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


QUICK = {"draws": 10}
COUNTS = {"slt": 12, "t_rank": 20}


def lines(task: str, n: int) -> list[Any]:
    rows = xd.family_of(task).rows(task, ["en", "te"], preset="smoke", levels=2, per_level=9)
    return [sample(row, row["answer"], number) for number, row in enumerate(list(rows)[:n])]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Two tasks of a model on a day, one of them again; names of models that begin alike."""
    folder = tmp_path / "results"
    for task, n in COUNTS.items():
        write_run(folder, model="m", task=task, samples=lines(task, n))
    write_run(folder, model="m", task="slt", date=LATER, samples=lines("slt", 5))
    for model in ("mm", "m2"):
        write_run(folder, model=model, task="slt", samples=lines("slt", 3))
    return folder


def counted(folder: Path, numbers: dict[str, int], date: str = DATE, model: str = "m") -> None:
    """What the harness says it has counted of each task."""
    path = folder / model / f"results_{date}.json"
    about = {"xlgo_family": "xlgobench"}
    info = json.loads(path.read_text())
    info["n-samples"] = {f"xlgo_{task}": {"effective": n} for task, n in numbers.items()}
    info["configs"] = {f"xlgo_{task}": {"metadata": about} for task in numbers}
    path.write_text(json.dumps(info))


def test_a_model_is_chosen_by_its_whole_name(results: Path) -> None:
    assert models_in(results) == ["m", "m2", "mm"]
    for model, date in (("mm", DATE), ("m2", DATE), ("m", LATER)):
        run = find_run(results, model=model)
        assert {file.model for file in run.files} == {model}
        assert run.date == date
    with pytest.raises(ValueError, match="no samples of 'mmm': there are m, m2, mm"):
        find_run(results, model="mmm")
    run = find_run(results)
    assert (run.model, run.date) == ("m", LATER)
    (told,) = [str(one) for one in run.problems.items if "several models" in str(one)]
    assert "this is m, the newest. Left out: m2, mm (choose with --model)" in told


@pytest.mark.parametrize("partial", [False, True])
def test_answers_that_lack_are_counted_over_all_tasks(results: Path, *, partial: bool) -> None:
    """More answers than the harness has counted make up for nothing."""
    counted(results, {"slt": 15, "t_rank": 17})
    (results / "m" / f"samples_xlgo_slt_{LATER}.jsonl").unlink()
    run = score_folder(results, model="m", options=QUICK, partial=partial)
    assert run.lacking == 3
    (lost,) = [one for one in run.problems.items if "as the harness counted them" in str(one)]
    assert "12 of 15 answers of xlgo_slt are there" in str(lost)
    assert bool(run.problems.lost) == (not partial)
    whole = score_folder(results / "mm", options=QUICK)
    assert whole.lacking == 0
    counted(results, {"slt": 3, "dsa": 6}, model="mm")
    whole = score_folder(results / "mm", options=QUICK, partial=partial)
    assert whole.lacking == 6
    assert bool(whole.problems.lost) == (not partial)


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
    newest = read_judgements(samples)
    assert newest is not None
    assert newest.judge == max(own, key=lambda judge: max(own[judge]))
    for judge, ats in own.items():
        chosen = read_judgements(samples, judge[:3])
        assert chosen is not None
        assert (chosen.judge, chosen.last) == (judge, max(ats))
        assert chosen.repeats.keys() == {(f"k{n}", 0) for n in (*range(6), 9)}
    with pytest.raises(ValueError, match="no judgements by 'silent'"):
        read_judgements(samples, "silent")

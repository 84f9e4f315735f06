"""The same answers give the same numbers, whatever tool logged them."""

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

import xlgo_dataset as xd
import xlgo_metric as xm
from tests.doors.logs_of_others import Asked, write_instances, write_traces
from tests.looping import looped
from xlgo_cli.cli import main
from xlgo_cli.logs import formats
from xlgo_cli.logs.formats import EVERY_EVAL_EVER, TABLE, VERIFIERS, episode_line, instance_line
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.page.write import write_files
from xlgo_cli.parallel.comparing import compare_languages
from xlgo_cli.simulate.simulator import Simulator
from xlgo_dataset.family import Row

ASKED = {"languages": "en,te", "preset": "smoke", "levels": "3", "per_level": "4", "text": "paper"}


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What ``xlgo run`` writes."""
    out = tmp_path_factory.mktemp("own")
    assert main([
        "run", "--model", "xlgo-sim", "--text", "paper", "--tasks", "slt,dsa", "--output_path",
        str(out), "--quiet",
        *(word for name, value in ASKED.items() for word in (f"--{name.replace('_', '-')}", value)),
    ]) == 0  # fmt: skip
    return out


def questions() -> Iterator[tuple[Row, str]]:
    """The same questions and the answers of the same model."""
    simulator = Simulator()
    for task in ("slt", "dsa"):
        rows = xd.family_of(task).rows(task, ["en", "te"], preset="smoke", levels=3, per_level=4)
        for row in rows:
            yield row, simulator.answer(row["prompt"])


def test_traces_of_verifiers_give_the_numbers_of_the_run(own: Path, tmp_path: Path) -> None:
    path = write_traces(
        tmp_path,
        [
            Asked(row["id"], row["prompt"], said, {"reference": row["reference"]})
            for row, said in questions()
        ],
    )
    path.write_bytes(
        path.read_bytes() + b'{\n{"task": 3, "traces": [3]}\n[]\n\xff\n'
    )  # cost their lines
    found, wanted = (score_folder(path, quiet=True).score for path in (tmp_path, own))
    assert (found["headline"], found["families"]) == (wanted["headline"], wanted["families"])
    score = xm.score(
        [said for _, said in questions()], [row["reference"] for row, _ in questions()]
    )
    assert found["headline"] == score["headline"]
    assert "Telugu" in write_files(score_folder(tmp_path), tmp_path / "report").read_text("utf-8")
    assert (tmp_path / "report" / "samples.html").is_file()


@pytest.mark.parametrize(
    ("finish", "said", "state"),
    [
        ("stop", "7", "answered"),
        ("stop", "", "answered"),
        ("length", "", "answered"),
        ("content_filter", "7", "refused"),
        ("error", "7", "missing"),
        ("", "", "missing"),
    ],
)
def test_a_finish_reason_means_what_it_means_in_a_run(finish: str, said: str, state: str) -> None:
    nodes = [{"message": {"role": "assistant", "content": said}, "sampled": True}]
    trace = {"nodes": nodes, "ok": True, "calls": [{"finish_reason": finish}]}
    episode = episode_line({"task": {"key": "q"}, "traces": [trace]})
    assert [one["state"] for one in episode["answers"]] == [state]


def test_every_eval_ever_gives_the_numbers_of_the_run(own: Path, tmp_path: Path) -> None:
    """Our questions there: the reference stands in the metadata of each answer."""
    asked = []
    for row, said in questions():
        data = {"language": row["language"], "xlgo_reference": row["reference"]}
        asked.append(Asked(row["id"], row["prompt"], said, data, {"right": 1.0}))
    path = write_instances(tmp_path, asked)
    again, wanted = (score_folder(folder, quiet=True) for folder in (tmp_path, own))
    assert again.score["headline"] == wanted.score["headline"]
    assert again.score["families"] == wanted.score["families"]
    assert not again.problems.lost
    path.write_text(path.read_text("utf-8").partition("\n")[2], "utf-8")
    again = score_folder(tmp_path, quiet=True)
    assert (again.count, again.lacking) == (len(asked) - 1, 1)


def test_a_log_without_languages_is_one_line(tmp_path: Path) -> None:
    write_traces(tmp_path, (Asked(str(n), "?", "1", {"topic": "x"}, {"r": 1.0}) for n in range(3)))
    with pytest.raises(ValueError, match="no field of the questions names their language"):
        compare_languages(tmp_path, ["*"])
    with pytest.raises(ValueError, match=r"tasks outside xlgo.*add --parallel"):
        score_folder(tmp_path, quiet=True)


def written(path: Path, rows: Iterable[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        "".join(
            f"{row if isinstance(row, str) else json.dumps(row, ensure_ascii=False)}\n"
            for row in rows
        )
    )
    return path


def episode(name: str = "q", **more: Any) -> dict[str, Any]:
    """Two traces, of which the last counts, with several calls, nodes, rewards and metrics."""

    def node(role: str, text: str, sampled: bool, thought: str = "") -> dict[str, Any]:
        message = {"role": role, "content": text, "reasoning_content": thought}
        return {"message": message, "sampled": sampled}

    def trace(mark: str) -> dict[str, Any]:
        nodes = [node("user", "asked", False), node("assistant", f"{mark} first", True),
                 node("user", "again", False), node("assistant", f"{mark} last", True, "thought"),
                 node("user", "bye", False)]  # fmt: skip
        usages = [
            {"prompt_tokens": 1, "completion_tokens": 2},
            {"prompt_tokens": 30, "completion_tokens": 4},
        ]
        calls = [
            {"finish_reason": why, "usage": usage} for why, usage in zip(("length", "stop"), usages)
        ]
        config = {
            "model": f"{mark} model",
            "harness": {"id": "h"},
            "sampling": {"temperature": 0.5, "top_p": None},
        }
        return {
            "ok": True, "nodes": nodes, "calls": calls, "agent": {"config": config},
            "rewards": {"reward": {"score": 0.25}, "strict": {"score": 1}, "said": {"score": "no"}},
            "metrics": {"length": 7, "right": True, "note": "x"}, "timing": {"start": 1795394412.8},
        }  # fmt: skip

    prompt = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "What?"}]
    data = {
        "prompt": prompt,
        "answer": "gold",
        "language": "te",
        "number": 3,
        "list": [1],
        "reference": "R",
    }
    return {
        "id": "1",
        "env": {"id": "env"},
        "task": {"key": name, "hash": "0", "data": data},
        "traces": [trace("old"), trace("new") | more],
    }


def instance(**more: Any) -> dict[str, Any]:
    """An instance with several texts of everything."""
    return {
        "schema_version": "0.3.0", "evaluation_id": "sums/lab/1", "model_id": "lab/model",
        "evaluation_name": "sums", "sample_id": "q", "interaction_type": "multi_turn",
        "input": {"raw": "asked", "reference": ["gold", "silver"]},
        "output": {"raw": ["first", "second"], "reasoning_trace": ["one", "two"]},
        "token_usage": {"input_tokens": 9, "output_tokens": 4},
        "evaluation": {"score": 0.75, "is_correct": True, "num_turns": 3},
        "metadata": {"language": "te", "finish": "length", "xlgo_reference": "R", "repeat": "2"},
        **more,
    }  # fmt: skip


def records(path: Path, tool: str, part: tuple[str, str] = ("", "")) -> list[Any]:
    """All of a log, after its form was recognised."""
    assert formats.tool_of(path) == tool
    read = formats.read(path, tool, part)
    names = ("number", "place", "data", "repeat")
    return [SimpleNamespace(**dict(zip(names, record, strict=True))) for record in read]


def test_the_last_trace_of_an_episode_counts_with_its_last_answer(tmp_path: Path) -> None:
    path = written(tmp_path / "run/traces.jsonl", [episode(), episode("r", ok=False), episode("q")])
    first, failed, again = records(path, VERIFIERS)
    assert (first.data["doc_id"], first.repeat, again.repeat, failed.repeat) == ("q", 0, 1, 0)
    line = first.data
    assert (line["resps"], line["arguments"]) == ([["new last"]], [["Be brief.\n\nWhat?"]])
    assert (line["target"], line["doc"]) == (
        "gold",
        {"answer": "gold", "language": "te", "number": 3, "reference": "R"},
    )
    assert line["metrics"] == ["reward", "strict", "length", "right"]
    assert [line[name] for name in line["metrics"]] == [0.25, 1.0, 7.0, 1.0]
    (about,) = line["answers"]
    assert about["state"] == "answered"
    assert (about["usage"]["prompt_tokens"], about["usage"]["completion_tokens"]) == (30, 4)
    assert failed.data["answers"][0]["state"] == "missing"
    task, date, about_run = formats.reader_of(VERIFIERS).describe(path)
    info: Any = about_run
    assert (task, date, info["model_name"]) == ("env", formats.changed(path), "old model")
    assert info["config"]["gen_kwargs"] == {"temperature": 0.5}
    assert info["n-samples"] == {"env": {"effective": 3}}


@looped(
    "stop", ["max_turns", "max_input_tokens", "max_output_tokens", "max_total_tokens", "done", None]
)
def test_an_episode_that_ran_into_a_limit_was_cut(stop: str | None) -> None:
    (about,) = episode_line(episode(stop_condition=stop))["answers"]
    assert about["finish"] == ("length" if stop and stop.startswith("max") else "stop")


def test_of_an_instance_the_first_output_counts_and_all_its_references(tmp_path: Path) -> None:
    path = written(tmp_path / "u_samples.jsonl", [instance(), "{broken", instance(sample_id="r")])
    first, broken, last = records(path, EVERY_EVAL_EVER)
    assert (first.data["doc_id"], first.repeat) == ("sums/q", 2)
    assert isinstance(broken.data, ValueError)
    assert (first.number, broken.number, last.number) == (1, 2, 3)
    line = first.data
    assert (line["resps"], line["target"], line["arguments"]) == (
        [["first"]],
        "gold\nsilver",
        [["asked"]],
    )
    assert (line["metrics"], line["score"], line["is_correct"]) == (
        ["score", "is_correct"],
        0.75,
        1.0,
    )
    assert (line["doc"]["sample_id"], line["doc"]["reference"]) == ("q", "R")
    (about,) = line["answers"]
    assert about["finish"] == "length"
    assert (about["usage"]["prompt_tokens"], about["usage"]["completion_tokens"]) == (9, 4)


@looped(
    ("output", "messages", "error", "said", "state"),
    [
        (["a", "b"], [], None, "a", "answered"),
        ([], [("user", "u"), ("assistant", "a"), ("user", "v"), ("assistant", "b"), ("tool", "t")],
         None, "b", "answered"),
        ([], [("user", "u")], None, "", "missing"), (["a"], [], "it failed", "", "missing"),
        (["a"], [("assistant", "b")], None, "a", "answered"),
    ],
)  # fmt: skip
def test_what_an_instance_says(
    output: Any, messages: Any, error: Any, said: str, state: str
) -> None:
    turns = [{"role": role, "content": text} for role, text in messages]
    found = instance_line(instance(output={"raw": output}, messages=turns, error=error))
    assert found["answers"][0]["state"] == state
    assert state == "missing" or found["resps"] == [[said]]


def test_the_description_beside_instances_is_that_of_the_run(tmp_path: Path) -> None:
    path = written(tmp_path / "u_samples.jsonl", [instance()])
    settings = [{"generation_config": {"generation_args": {"temperature": 0.5, "list": [1]}}}, {}]
    run: dict[str, Any] = {"evaluation_id": "mine/lab/1", "evaluation_results": settings}
    run |= {"eval_library": {"name": "lib"}, "detailed_evaluation_results": {"total_rows": 12}}
    (tmp_path / "u.json").write_text(json.dumps(run))
    task, date, info = formats.reader_of(EVERY_EVAL_EVER).describe(path)
    assert (task, date) == ("mine", formats.changed(path))
    assert info == {
        "model_name": "lab/model", "config": {"model": "lib", "gen_kwargs": {"temperature": 0.5}},
        "n-samples": {"mine": {"effective": 12}},
    }  # fmt: skip


HEAD = "model,task,question,language,correct,response"


def test_dates_of_logs_are_in_universal_time() -> None:
    """inspect writes an offset; two logs of one night must keep their order."""
    written_at = [
        formats.written_at(datetime.fromisoformat(text))
        for text in ("2026-03-01T00:30:00+02:00", "2026-02-28T22:31:00+00:00")
    ]
    assert written_at == ["2026-02-28T22-30-00", "2026-02-28T22-31-00"]


def test_a_sample_of_inspect_is_read_without_inspect() -> None:
    thinking, said = (SimpleNamespace(type=kind, reasoning="why") for kind in ("reasoning", "text"))
    output = SimpleNamespace(
        choices=[1], completion="4", stop_reason="max_tokens",
        message=SimpleNamespace(content=[thinking, said]),
        usage=SimpleNamespace(input_tokens=3, output_tokens=5),
    )  # fmt: skip
    scores = {"match": "C", "other": "I", "odd": "P", "share": 0.5, "both": True}
    sample = SimpleNamespace(
        id=7, epoch=2, input="2 + 2?", target=["4", "four"], metadata={"language": "te"},
        output=output, error=None,
        scores={name: SimpleNamespace(value=value) for name, value in scores.items()},
    )  # fmt: skip
    found = formats.inspect_line(cast("Any", sample))
    assert (found["doc_id"], found["repeat"], found["target"]) == ("7", 1, "4\nfour")
    numbers = {"match": 1.0, "other": 0.0, "share": 0.5, "both": 1.0}
    assert {name: found[name] for name in found["metrics"]} == numbers
    assert found["answers"] == [{
        "state": "answered", "finish": "length", "reasoning": "why",
        "usage": {"prompt_tokens": 3, "completion_tokens": 5},
    }]  # fmt: skip
    sample.error = SimpleNamespace(message="broke")
    assert formats.inspect_line(cast("Any", sample))["answers"][0]["state"] == "missing"


@pytest.mark.parametrize("tool", ["", VERIFIERS, EVERY_EVAL_EVER, TABLE])
def test_every_record_is_found_again_where_it_stands(tool: str, tmp_path: Path) -> None:
    """Between broken and empty lines, with letters of several bytes; numbers are those of lines."""
    blank, broken = "", '{"a": '
    if tool == TABLE:
        path = written(
            tmp_path / "x.csv",
            [
                HEAD,
                *(f"m,t,q{n},{code},{n % 2},é{n}" for n in range(1203) for code in ("en", "te")),
            ],
        )
    elif tool == VERIFIERS:
        path = written(
            tmp_path / "traces.jsonl",
            [blank, broken, episode("é"), blank, episode("b"), broken, episode("é")],
        )
    elif tool == EVERY_EVAL_EVER:
        path = written(
            tmp_path / "u_samples.jsonl",
            [broken, instance(sample_id="é"), blank, instance(sample_id="b")],
        )
    else:
        path = written(
            tmp_path / "samples_t.jsonl",
            [blank, {"doc_id": 1, "é": "é"}, broken, {"doc_id": 2, "resps": []}],
        )
    found = records(path, tool, ("m", "t") if tool == TABLE else ("", ""))
    texts = path.read_text().split("\n")
    good = [n for n, text in enumerate(texts, 1) if text and text not in (broken, HEAD)]
    assert [line.number for line in found if isinstance(line.data, dict)] == good
    bad = [line.number for line in found if not isinstance(line.data, dict)]
    assert bad == [number for number, text in enumerate(texts, 1) if text == broken]
    for line in found if len(found) < 9 else (*found[:3], *found[998:1004], *found[-3:]):
        if isinstance(line.data, dict):
            (again,) = formats.lines_at(path, [line.place], tool)
            given = {"doc_id": line.data.get("doc_id")}  # of records without one, their number
            assert {k: v for k, v in again.items() if k != "repeat"} | given == line.data

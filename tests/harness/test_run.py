"""``xlgo run``: its options, what it hands over, its mistakes, and one task at a time."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd
from xlgo_cli.cli import build_parser, main
from xlgo_cli.harness import run as run_module
from xlgo_cli.harness.lm_eval_call import call, model_kept
from xlgo_cli.harness.options import parse
from xlgo_cli.harness.task_names import expand, one_language_each, prompt_bytes
from xlgo_cli.logs.lines import pairs
from xlgo_cli.simulate.model import NAME, SimulatedModel, register
from xlgo_metric.option import codes

from .commands import SIM


@pytest.fixture
def handed_over(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The command lines that would have gone to the harness."""
    calls: list[list[str]] = []

    def fake(arguments: list[str], *_: Any, **__: Any) -> int:
        calls.append(list(arguments))
        return 1

    import_module("xlgo_cli.harness.blocks")  # it would keep the fake if imported below
    monkeypatch.setattr("xlgo_cli.harness.lm_eval_call.call", fake)
    return calls


def values(arguments: list[str], option: str) -> list[str]:
    start = arguments.index(option) + 1
    ends = [i for i in range(start, len(arguments)) if arguments[i].startswith("--")]
    return arguments[start : ends[0] if ends else None]


def test_every_option_of_the_harness_goes_through(handed_over, folder: Path) -> None:
    code = main([
        "run", "--model", "dummy", "-a", "pretrained=x/y", "dtype=float32", "--tasks",
        "xlgo_slt", "xlgo_dsa_te,xlgo_dsa_en", "--device", "cpu", "--batch_size", "auto:4",
        "--gen_kwargs", "temperature=0.7", "max_gen_toks=64", "--seed", "1,2,3,4", "-o", "out",
        "--apply_chat_template", "--write_out", "--system_instruction", "Be brief.", "--limit", "5",
        "--use_cache", "cache", "--cache_requests", "--predict_only", "--quiet",
        "--yes",
    ])  # fmt: skip
    assert code == 1
    (arguments,) = handed_over
    assert values(arguments, "--model") == ["dummy"]
    assert values(arguments, "--model_args") == ["pretrained=x/y", "dtype=float32"]
    assert values(arguments, "--tasks") == ["xlgo_slt,xlgo_dsa_te,xlgo_dsa_en"]
    assert values(arguments, "--gen_kwargs") == ["temperature=0.7", "max_gen_toks=64"]
    assert values(arguments, "--output_path") == ["out"]
    assert values(arguments, "--use_cache") == ["cache"]
    assert values(arguments, "--limit") == ["5"]
    assert values(arguments, "--cache_requests") == ["refresh"]  # its cache ignores our options
    assert values(arguments, "--system_instruction") == ["Be brief."]
    for option in ("--device", "--batch_size", "--seed", "--apply_chat_template", "--write_out",
                   "--predict_only", "--log_samples"):  # fmt: skip
        assert arguments.count(option) == 1
    assert "--metadata" not in arguments
    assert "--quiet" not in arguments


def test_own_options_become_metadata(handed_over, folder: Path) -> None:
    main(["run", "--model", "dummy", "--preset", "lite", "--levels", "4", "--per-level", "3",
          "--c-min", "30", "--c-max", "60", "--xlgo-seed", "9", "--text", "revised",
          "--metadata", "a=1,b=[2,3]", "c=x", "--limit", "1", "--yes"])  # fmt: skip
    (arguments,) = handed_over
    assert values(arguments, "--tasks") == ["xlgo"]
    assert json.loads(values(arguments, "--metadata")[0]) == {
        "a": 1, "b": [2, 3], "c": "x", "preset": "lite", "levels": 4, "per_level": 3,
        "c_min": 30, "c_max": 60, "xlgo_seed": 9, "text": "revised",
    }  # fmt: skip


def test_languages_are_separated_by_spaces_or_commas() -> None:
    for given in (["en", "te"], ["en,te"], ["en,", "te"]):
        request = parse(["--model", "dummy", "--languages", *given, "--limit", "1"])
        assert codes(request.metadata["languages"]) == ["en", "te"]


def test_a_config_file_sets_what_the_command_line_does_not(handed_over, folder: Path) -> None:
    (folder / "run.yaml").write_text(
        "model: dummy\ntasks: [xlgo_slt]\noutput_path: there\nmetadata: {levels: 3, x: 1}\n"
        "batch_size: 8\n"
    )
    main(["run", "--config", "run.yaml", "--levels", "5", "--yes"])
    (arguments,) = handed_over
    assert values(arguments, "--config") == ["run.yaml"]
    assert values(arguments, "--tasks") == ["xlgo_slt"]
    assert values(arguments, "--output_path") == ["there"]
    assert json.loads(values(arguments, "--metadata")[0]) == {"levels": 5, "x": 1}
    assert "--batch_size" not in arguments  # the harness reads it from the file


def test_the_parser_leaves_options_alone_whoever_calls_it() -> None:
    parser = build_parser("run")
    line = ["run", "--model", "x", "--unknown", "-v", "--version", "--", "-h"]
    assert parser.parse_args(line).arguments[:6] == line[1:7]


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        (None, {}),
        (["a=1,b=x"], {"a": 1, "b": "x"}),
        (["a=[1,2],b={'c': 3}"], {"a": [1, 2], "b": {"c": 3}}),
        (["url=http://h:1/v1?x=2", "t=True"], {"url": "http://h:1/v1?x=2", "t": True}),
        (['{"a": {"b": [1]}}'], {"a": {"b": [1]}}),
    ],
)
def test_pairs(tokens, expected) -> None:
    assert pairs("--x", tokens) == expected


def test_names_are_expanded() -> None:
    assert list(expand(["xlgo"])[0]) == [f"xlgo_{task}" for task in xd.TASKS]
    puzzles = xd.family("xlgobench")
    in_telugu = [task for task in puzzles.TASKS if "te" in puzzles.languages(task)]
    assert set(in_telugu) >= {*xd.TASKS, "dsa_perm"}
    assert list(expand(["xlgo_*_te"])[0]) == [f"xlgo_{task}_te" for task in in_telugu]
    assert expand(["hellaswag", "xlgo_slt", "hellaswag"])[1] == ["hellaswag"]
    assert expand(["xlgo_mine"], strict=False) == ({}, ["xlgo_mine"])
    steps = one_language_each(expand(["xlgo_slt", "xlgo_slt_en"])[0], {"languages": "en,bn"})
    assert list(steps) == ["xlgo_slt_en", "xlgo_slt_bn"]


def test_the_size_of_the_prompts_is_estimated() -> None:
    options: dict[str, Any] = {"levels": 5, "per_level": 2, "preset": "smoke"}
    steps = one_language_each(expand(["xlgo"])[0], options)
    true = sum(
        len(row["prompt"].encode())
        for task in xd.TASKS
        for row in xd.family_of(task).rows(task, xd.LANGUAGES, **options)
    )
    assert prompt_bytes(steps, options) == pytest.approx(true, rel=0.1)


def test_large_runs_go_one_by_one(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    def alone(*given: str) -> bool:
        return run_module._is_one_by_one(parse(["--model", "dummy", *given]), run_module.LARGE + 1)

    assert alone()
    assert not alone("--limit", "10")
    assert not alone("--no-one-by-one")
    assert alone("--limit", "10", "--one-by-one")
    steps = one_language_each(expand(["xlgo"])[0], {})
    assert prompt_bytes(steps, {}) > run_module.LARGE > prompt_bytes(steps, {"preset": "smoke"})


def test_from_the_command_line_to_the_report(folder: Path, capsys) -> None:
    assert main([*SIM, "--tasks", "xlgo_slt", "xlgo_t_rank"]) == 0
    printed = capsys.readouterr().out
    assert "Summary" in printed
    report = Path(printed.splitlines()[-1].removeprefix("report: "))
    assert report.is_file()
    assert folder / report.parts[0] == folder / "xlgo_results"
    (samples,) = folder.rglob("samples_xlgo_slt_2*.jsonl")
    lines = [json.loads(line) for line in samples.read_text("utf-8").splitlines()]
    assert len(lines) == 4
    assert {json.loads(line["doc"]["reference"])["task"] for line in lines} == {"slt"}


def test_without_success_there_is_no_report(folder: Path, capfd) -> None:
    assert main([*SIM, "--tasks", "xlgo_slt", "--samples", '{"xlgo_slt": [99]}']) == 1
    assert "AssertionError" in capfd.readouterr().err
    assert main([*SIM, "--frobnicate", "3"]) == 2
    assert "frobnicate" in capfd.readouterr().err
    assert not list(folder.rglob("report.html"))


@pytest.mark.slow  # the harness reads ten thousand task files of its own
def test_tasks_of_the_user_are_found_besides_ours(folder: Path) -> None:
    mine = folder / "mine"
    mine.mkdir()
    (mine / "utils.py").write_text(
        "import datasets\n\ndef load(**_):\n"
        "    return {'test': datasets.Dataset.from_list([{'q': 'Hello', 'a': 'no'}])}\n"
    )
    (mine / "mine.yaml").write_text(
        "task: xlgo_mine\ncustom_dataset: !function utils.load\ntest_split: test\n"
        "output_type: generate_until\ndoc_to_text: q\ndoc_to_target: a\n"
        "generation_kwargs: {until: ['@']}\n"
        "metric_list: [{metric: exact_match, aggregation: mean, higher_is_better: true}]\n"
    )
    assert main([*SIM[:-2], "--tasks", "xlgo_slt_te", "xlgo_mine", "--include_path", "mine"]) == 0
    assert len(list(folder.rglob("samples_xlgo_*.jsonl"))) == 2


def test_one_by_one_does_each_step_once(folder: Path, capsys) -> None:
    command = [*SIM, "--tasks", "xlgo_slt", "--one-by-one", "--output_path", "out"]
    assert main(command) == 0
    first = capsys.readouterr().out
    assert "[1/2] xlgo_slt_en\n" in first
    state = folder / "out" / "one_by_one"
    assert {p.name for p in state.glob("*.json")} == {"xlgo_slt_en.json", "xlgo_slt_te.json"}
    assert "xlgo_slt_te" in (state / "xlgo_slt_te.log").read_text("utf-8")
    assert len(list(state.glob("*.db"))) == 2
    scores = json.loads(next((folder / "out").rglob("scores.json")).read_text("utf-8"))
    assert '"smd"' in json.dumps(scores)  # one report over both languages

    next(folder.rglob("samples_xlgo_slt_te_2*.jsonl")).unlink()
    assert main(command) == 0
    second = capsys.readouterr().out
    assert "[1/2] xlgo_slt_en: done\n" in second
    assert "[2/2] xlgo_slt_te\n" in second
    assert len(list(folder.rglob("samples_*.jsonl"))) == 2

    assert main([*command, "--xlgo-seed", "1"]) == 0  # other questions: nothing is done yet
    assert ": done" not in capsys.readouterr().out


def test_a_step_that_fails_stops_the_run_and_can_be_resumed(
    folder: Path, monkeypatch, capfd
) -> None:
    command = [*SIM, "--tasks", "xlgo_slt", "--one-by-one", "--output_path", "out"]
    whole = SimulatedModel.generate_until

    def fails_in_telugu(self, requests, **options):
        if json.loads(requests[0].doc["reference"])["language"] == "te":
            raise MemoryError("no room")
        return whole(self, requests, **options)

    monkeypatch.setattr(SimulatedModel, "generate_until", fails_in_telugu)
    assert main(command) == 1
    printed = capfd.readouterr()
    assert "no room" in printed.err
    assert "rerun the same command to resume" in printed.err
    assert "report:" not in printed.out
    monkeypatch.setattr(SimulatedModel, "generate_until", whole)
    assert main(command) == 0
    assert "[1/2] xlgo_slt_en: done" in capfd.readouterr().out


def test_a_model_is_loaded_once_for_all_steps(folder: Path, made) -> None:
    register()
    assert main([*SIM, "--tasks", "xlgo_slt", "--one-by-one"]) == 0
    assert len(made) == 1
    with model_kept(NAME):
        pass
    assert SimulatedModel.create_from_arg_obj({}) is not SimulatedModel.create_from_arg_obj({})


def test_the_harness_is_left_as_it_was(folder: Path) -> None:
    from lm_eval import tasks

    before = tasks.TaskManager
    arguments = ["--tasks", "nothing_like_it", "--model", NAME]
    assert call(arguments, [folder], only_these=True, noted_in=(NAME, folder)) == 1
    assert tasks.TaskManager is before

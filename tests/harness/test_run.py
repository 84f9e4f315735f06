"""``xlgo run``: its options, what it hands over, its mistakes, and one task at a time."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd
from xlgo_cli.arguments import pairs
from xlgo_cli.cli import build_parser, main
from xlgo_cli.harness import running as run_module
from xlgo_cli.harness.options import parse
from xlgo_cli.harness.preflight.harness_options import harness_config
from xlgo_cli.harness.preflight.size import agree, size_of
from xlgo_cli.harness.prepared import prepared
from xlgo_cli.harness.task_names import expand, one_language_each
from xlgo_cli.simulate.model import SimulatedModel
from xlgo_metric.option import codes

from .commands import SIM


def config_of(*arguments: str) -> Any:
    return harness_config(parse(arguments))


def test_every_option_of_the_harness_goes_through(folder: Path) -> None:
    config = config_of(
        "--model", "dummy", "-a", "pretrained=x/y", "dtype=float32", "--tasks",
        "xlgo_slt", "xlgo_dsa_te,xlgo_dsa_en", "--device", "cpu", "--batch_size", "auto:4",
        "--gen_kwargs", "temperature=0.7", "max_gen_toks=64", "--seed", "1,2,3,4", "-o", "out",
        "--apply_chat_template", "--write_out", "--system_instruction", "Be brief.", "--limit", "5",
        "--use_cache", "cache", "--cache_requests", "--predict_only", "--quiet", "--yes",
    )  # fmt: skip
    assert (config.model, config.model_args) == ("dummy", {"pretrained": "x/y", "dtype": "float32"})
    assert config.tasks == ["xlgo_slt", "xlgo_dsa_te", "xlgo_dsa_en"]
    assert config.gen_kwargs == {"temperature": 0.7, "max_gen_toks": 64}
    assert (config.limit, config.seed, config.device) == (5, [1, 2, 3, 4], "cpu")
    assert (config.output_path, config.system_instruction) == ("out", "Be brief.")
    assert config.batch_size == "auto:4"
    assert config.apply_chat_template is config.write_out is config.predict_only is True
    assert config.use_cache is None  # the file of answers takes its place
    assert config.metadata == {**config.model_args, "text": "revised"}


def test_own_options_become_metadata(folder: Path) -> None:
    request = parse([
        "--model", "dummy", "--preset", "lite", "--levels", "4", "--per-level", "3",
        "--c-min", "30", "--c-max", "60", "--xlgo-seed", "9", "--text", "revised",
        "--metadata", "a=1,b=[2,3]", "c=x", "--limit", "1", "--yes",
    ])  # fmt: skip
    assert request.tasks == ["xlgo"]
    assert request.metadata == {
        "a": 1, "b": [2, 3], "c": "x", "preset": "lite", "levels": 4, "per_level": 3,
        "c_min": 30, "c_max": 60, "xlgo_seed": 9, "text": "revised",
    }  # fmt: skip


def test_languages_are_separated_by_spaces_or_commas() -> None:
    for given in (["en", "te"], ["en,te"], ["en,", "te"]):
        request = parse(["--model", "dummy", "--languages", *given, "--limit", "1"])
        assert codes(request.metadata["languages"]) == ["en", "te"]


def test_a_config_file_sets_what_the_command_line_does_not(folder: Path) -> None:
    (folder / "run.yaml").write_text(
        "model: dummy\ntasks: [xlgo_slt]\noutput_path: there\nmetadata: {levels: 3, x: 1}\n"
        "batch_size: 8\n"
    )
    request = parse(["--config", "run.yaml", "--levels", "5", "--yes"])
    assert (request.model, request.tasks, request.output) == ("dummy", ["xlgo_slt"], Path("there"))
    assert request.metadata == {"levels": 5, "x": 1, "text": "revised"}
    assert harness_config(request).batch_size == "8"  # as the command line gives it


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
    assert set(in_telugu) >= {*xd.TASKS}
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
    assert size_of(steps, options, None).bytes == pytest.approx(true, rel=0.1)


def test_large_runs_go_one_by_one(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    def parts(*given: str) -> int:
        asked = ["--model", "dummy", "--tasks", "xlgo_slt", "--preset", "smoke", "--yes", *given]
        run = prepared(asked)
        return len(run_module._parts(run, agree(run)))

    assert parts() == 1
    monkeypatch.setattr(run_module, "LARGE", 10**5)
    assert parts() == 7
    assert parts("--limit", "10") == parts("--no-one-by-one") == 1
    assert parts("--limit", "10", "--one-by-one") == 7
    monkeypatch.undo()
    steps = one_language_each(expand(["xlgo"])[0], {})
    lite, quick = (size_of(steps, more, None).bytes for more in ({"preset": "lite"}, {}))
    assert lite > run_module.LARGE > quick


def test_another_run_has_another_folder_and_the_same_run_its_own() -> None:
    def folder_of(*more: str) -> Path:
        return prepared([*SIM[1:], "--tasks", "xlgo_slt", *more]).request.folder

    usual = folder_of()
    others = [
        folder_of(*more.split())
        for more in (
            "--gen_kwargs temperature=0.5", "--gen_kwargs temperature=0.7", "--seed 3",
            "--system_instruction Think", "--apply_chat_template", "--limit 3",
            "--model_args seed=2", "--xlgo-seed 4", "--per-level 3",
        )
    ]  # fmt: skip
    assert len({usual, *others}) == len(others) + 1
    assert folder_of("--batch_size", "8") == folder_of("--yes") == usual
    adaptive = [
        prepared(["--model", "xlgo-sim", "--tasks", "slt", "--design", "adaptive", *more])
        for more in ([], ["--budget", "99"])
    ]
    assert len({run.request.folder for run in adaptive}) == 1
    assert prepared([*SIM[1:], "--out", "mine"]).request.folder == Path("mine")


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
    scores = json.loads(next((folder / "out").rglob("scores.json")).read_text("utf-8"))
    assert '"smd"' in json.dumps(scores)  # one report over both languages

    next(folder.rglob("samples_xlgo_slt_te_2*.jsonl")).unlink()
    assert main(["score", "out"]) == 1
    assert "samples_xlgo_slt_te_2" in capsys.readouterr().err
    assert main(command) == 0
    second = capsys.readouterr().out
    assert "[1/2] xlgo_slt_en: done\n" in second
    assert "[2/2] xlgo_slt_te\n" in second
    assert len(list(folder.rglob("samples_*.jsonl"))) == 2


def test_a_folder_with_another_model_or_design_is_refused(folder: Path, capfd) -> None:
    command = [*SIM, "--tasks", "xlgo_slt", "--output_path", "out"]
    assert main(command) == 0
    for more, words in (
        (["--xlgo-seed", "1"], "design.xlgo_seed was null and is 1"),
        (
            ["--model_args", "profile=glm-5-1"],
            'model was "xlgo-sim-demo" and is "xlgo-sim-g',
        ),
        (["--gen_kwargs", "max_gen_toks=9"], "generation.gen_kwargs.max_gen_toks was null and is"),
    ):
        assert main([*command, *more]) == 2
        assert words in capfd.readouterr().err
    assert main([*command, "--languages", "hi"]) == 0  # extends it
    assert main([*command, "--xlgo-seed", "1", "--fresh"]) == 0
    assert len(list(folder.rglob("samples_*.jsonl"))) == 1
    for path in Path("out").glob("xlgo_answers*"):  # the log of a plain lm-eval run has none
        path.unlink()
    assert main([*command, "--model_args", "profile=glm-5-1"]) == 2
    assert "out holds results of xlgo-sim-demo: choose another --out" in capfd.readouterr().err


def test_a_step_that_fails_stops_the_run_and_can_be_resumed(
    folder: Path, monkeypatch, capfd
) -> None:
    command = [*SIM, "--tasks", "xlgo_slt", "--one-by-one", "--output_path", "out"]
    whole = SimulatedModel.generate_until

    def fails_in_telugu(self, requests, **options):
        if not requests[0].args[0].isascii():
            raise MemoryError("no room")
        return whole(self, requests, **options)

    monkeypatch.setattr(SimulatedModel, "generate_until", fails_in_telugu)
    assert main(command) == 1
    printed = capfd.readouterr()
    assert "no room" in printed.err
    assert "answers are kept in out: the same command resumes" in printed.err
    assert "report:" not in printed.out
    monkeypatch.setattr(SimulatedModel, "generate_until", whole)
    assert main(command) == 0
    assert "[1/2] xlgo_slt_en: done" in capfd.readouterr().out


def test_a_model_is_loaded_once_for_all_steps(folder: Path, made) -> None:
    assert main([*SIM, "--tasks", "xlgo_slt", "--one-by-one"]) == 0
    assert len(made) == 1


def test_an_interruption_says_what_is_kept(folder: Path, monkeypatch, capfd) -> None:
    command = [*SIM, "--tasks", "xlgo_slt", "--output_path", "out"]
    whole = SimulatedModel.generate_until

    def interrupted(self, requests, **options):
        whole(self, requests[:3], **options)
        raise KeyboardInterrupt

    monkeypatch.setattr(SimulatedModel, "generate_until", interrupted)
    assert main(command) == 130
    said = capfd.readouterr().err.splitlines()[-1]
    assert said == "xlgo: stopped; 3 answers are kept in out: the same command resumes"
    sent = []

    def counted(self, requests, **options):
        sent.extend(requests)
        return whole(self, requests, **options)

    monkeypatch.setattr(SimulatedModel, "generate_until", counted)
    assert main(command) == 0
    assert len(sent) == 1


def test_the_harness_is_left_as_it_was(folder: Path) -> None:
    import tqdm
    from lm_eval import evaluator, tasks

    def state() -> list[Any]:
        bar = vars(tqdm.tqdm)["__init__"]
        of_harness = [tasks.TaskManager, evaluator.get_git_commit_hash, bar]
        return [*of_harness, SimulatedModel.generate_until, sys.argv, sys.stdout]

    before = state()
    assert main([*SIM, "--tasks", "xlgo_slt"]) == 0
    assert state() == before

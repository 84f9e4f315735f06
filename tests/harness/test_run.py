"""``xlgo run``: its options, what it hands over, its mistakes, and one task at a time."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.harness.commands import SIM
from xlgo_cli.arguments import pairs
from xlgo_cli.cli import main
from xlgo_cli.harness import running as run_module
from xlgo_cli.harness.models import harness_config
from xlgo_cli.harness.options import parse
from xlgo_cli.harness.preflight.size import announce, size_of
from xlgo_cli.harness.prepared import prepared
from xlgo_cli.harness.progress import LINE_SECONDS, Progress
from xlgo_cli.harness.task_names import expand, one_language_each
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.simulate.model import SimulatedModel
from xlgo_lm_eval.patches import patched


def config_of(*arguments: str) -> Any:
    return harness_config(parse(arguments))


def test_every_option_of_the_harness_goes_through(folder: Path) -> None:
    config = config_of(
        "--model", "dummy", "-a", "pretrained=x/y", "dtype=float32", "--tasks",
        "xlgo_slt", "xlgo_dsa_te,xlgo_dsa_en", "--device", "cpu", "--batch_size", "auto:4",
        "--gen_kwargs", "temperature=0.7", "max_gen_toks=64", "--seed", "1,2,3,4", "-o", "out",
        "--apply_chat_template", "--write_out", "--system_instruction", "Be brief.", "--limit", "5",
        "--use_cache", "cache", "--cache_requests", "--predict_only", "--quiet",
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


def test_large_runs_go_one_by_one(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    def parts(*given: str) -> int:
        asked = ["--model", "dummy", "--tasks", "xlgo_slt", "--preset", "smoke", *given]
        run = prepared(asked)
        return len(run_module._parts(run, announce(run)))

    assert parts() == 1
    monkeypatch.setattr(run_module, "LARGE", 10**5)
    assert parts() == 7
    assert parts("--limit", "10") == parts("--no-one-by-one") == 1
    assert parts("--limit", "10", "--one-by-one") == 7
    monkeypatch.undo()
    steps = one_language_each(expand(["xlgo"])[0], {})
    lite, quick = (size_of(steps, more, None).bytes for more in ({"preset": "lite"}, {}))
    assert lite > run_module.LARGE > quick


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


def test_one_by_one_does_each_step_once(folder: Path, made, capsys) -> None:
    command = [*SIM, "--tasks", "xlgo_slt", "--one-by-one", "--output_path", "out"]
    assert main(command) == 0
    assert len(made) == 1  # loaded once
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


class Base:
    """Has what it has itself."""

    value = 1


class Heir(Base):
    """Has what it inherits."""


@pytest.mark.parametrize("owner", [Base, Heir, Heir()])
def test_own_and_inherited_attributes_come_back(owner: object) -> None:
    before = dict(vars(owner))
    with pytest.raises(ZeroDivisionError), patched(owner, "value", 2), patched(owner, "value", 0):
        print(1 / owner.value)  # type: ignore[attr-defined]
    assert dict(vars(owner)) == before
    assert owner.value == 1  # type: ignore[attr-defined]


def test_a_log_gets_a_line_a_minute(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [0.0]
    shown = Progress(300)
    monkeypatch.setattr(shown.bar, "_time", lambda: now[0])
    shown.bar.start_t = shown.bar.last_print_t = 0.0
    for _ in range(241):
        now[0] += 0.5
        shown.arrived(object())
    lines = [line.strip() for line in capsys.readouterr().err.splitlines() if line.strip()]
    assert lines == [
        "120 of 300 answers, 2.00 answers/s, 01:30 left",
        "240 of 300 answers, 2.00 answers/s, 00:30 left",
    ]
    assert LINE_SECONDS == 60


def test_a_part_is_done_only_if_the_same_was_asked_and_its_samples_are_there(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [
        "run", "--model", "xlgo-sim", "--tasks", "slt,dsa", "--languages", "en", "--preset",
        "smoke", "--levels", "1", "--one-by-one", "--out", "out", "--per-level",
    ]  # fmt: skip
    done = []
    for per_level in ("1", "1", "2"):
        assert main([*command, per_level]) == 0
        done.append(capsys.readouterr().out.count(": done"))
        assert score_folder(Path("out"), quiet=True).count == 2 * int(per_level)
    assert done == [0, 2, 0]
    max(Path("out").rglob("samples_xlgo_slt_*")).unlink()
    assert main([*command, "2"]) == 0
    assert capsys.readouterr().out.count(": done") == 1
    assert score_folder(Path("out"), quiet=True).count == 4

"""``xlgo run``: its options, what it hands over, its mistakes, and one task at a time."""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

from tests.harness.commands import SIM
from xlgo_cli import cli
from xlgo_cli.cli import main
from xlgo_cli.harness import evaluation, running as run_module
from xlgo_cli.harness.evaluation import Evaluator
from xlgo_cli.harness.make_tasks import expand, one_language_each
from xlgo_cli.harness.options import harness_config, is_first_process, parse
from xlgo_cli.harness.prepared import announce, prepared, size_of
from xlgo_cli.harness.progress import LINE_SECONDS, Progress
from xlgo_cli.harness.running import read_models
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.logs.lines import Problems
from xlgo_cli.simulate.model import SimulatedModel
from xlgo_lm_eval.arguments import pairs
from xlgo_metric.version import STATISTICS_VERSION


def test_every_option_of_the_harness_goes_through(folder: Path) -> None:
    config = harness_config(parse([
        "--model", "dummy", "-a", "pretrained=x/y", "dtype=float32", "--tasks",
        "xlgo_slt", "xlgo_dsa_te,xlgo_dsa_en", "--device", "cpu", "--batch_size", "auto:4",
        "--gen_kwargs", "temperature=0.7", "max_gen_toks=64", "--seed", "1,2,3,4", "-o", "out",
        "--apply_chat_template", "--write_out", "--system_instruction", "Be brief.", "--limit", "5",
        "--use_cache", "cache", "--cache_requests", "--predict_only", "--quiet",
    ]))  # fmt: skip
    model_args = {"pretrained": "x/y", "dtype": "float32"}
    wanted = {
        "model": "dummy", "model_args": model_args, "metadata": {**model_args, "text": "revised"},
        "tasks": ["xlgo_slt", "xlgo_dsa_te", "xlgo_dsa_en"], "limit": 5, "seed": [1, 2, 3, 4],
        "gen_kwargs": {"temperature": 0.7, "max_gen_toks": 64}, "device": "cpu",
        "batch_size": "auto:4", "output_path": "out", "system_instruction": "Be brief.",
        "use_cache": None,  # the file of answers takes its place
    }  # fmt: skip
    assert {name: getattr(config, name) for name in wanted} == wanted
    assert config.apply_chat_template is config.write_out is config.predict_only is True


def test_an_evaluation_has_every_option_and_says_what_made_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = prepared([
        "--model", "xlgo-sim", "--tasks", "slt_te", "--gen_kwargs", "temperature=0.7",
        "--limit", "5", "--seed", "1,2,3,4", "-o", "out", "--apply_chat_template", "--write_out",
        "--device", "cpu", "--system_instruction", "Be brief.", "--predict_only",
        "--batch_size", "7", "--hf_hub_log_args", "hub_results_org=acme",
    ])  # fmt: skip
    monkeypatch.setenv("HF_TOKEN", "hf_mine")
    monkeypatch.setattr(evaluation, "READER_VERSION", "r")
    monkeypatch.setattr(evaluation, "EvaluationTracker", lambda **given: SimpleNamespace(
        hub=given, general_config_tracker=SimpleNamespace(model_source="inner"),
    ))  # fmt: skip

    simple_evaluate = Mock(return_value={"config": {}})
    monkeypatch.setattr(evaluation, "simple_evaluate", simple_evaluate)
    session: Any = SimpleNamespace(run=run, model="wrapped", _manager="tasks")
    results = Evaluator.evaluate(session, ["xlgo_slt_te"], {"levels": 2, "xlgo_seed": 9}) or {}
    simple_evaluate.assert_called_once()
    given: Any = simple_evaluate.call_args.kwargs
    (task,) = given.pop("tasks")
    assert task.config.task == "xlgo_slt_te"
    assert task.config.metadata.items() > {"levels": 2, "xlgo_seed": 9, "profile": "demo"}.items()
    tracker = given.pop("evaluation_tracker")
    assert given == {
        "model_args": {"profile": "demo", "model": "xlgo-sim-demo"}, "num_fewshot": None,
        "batch_size": "7", "max_batch_size": None, "device": "cpu", "limit": 5.0, "samples": None,
        "write_out": True, "log_samples": True, "system_instruction": "Be brief.",
        "apply_chat_template": True, "fewshot_as_multiturn": run.config.fewshot_as_multiturn,
        "gen_kwargs": {"temperature": 0.7}, "task_manager": "tasks", "predict_only": True,
        "confirm_run_unsafe_code": False, "random_seed": 1, "numpy_random_seed": 2,
        "torch_random_seed": 3, "fewshot_random_seed": 4,
    }  # fmt: skip
    assert tracker.hub == {"hub_results_org": "acme", "output_path": "out", "token": "hf_mine"}
    assert tracker.general_config_tracker.model_source == "xlgo-sim"
    versions = {"reader": "r", "statistics": STATISTICS_VERSION}
    versions |= {name: version(name) for name in ("xlgo", "lm_eval")}
    assert results == {
        "config": {"model": "xlgo-sim"}, "xlgo": {"versions": versions}, "tracker": tracker,
    }  # fmt: skip


def test_the_end_of_a_run_says_what_lacks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The exit code is 1 where requests or a judge failed, unless --partial allows it."""
    outcome: Any = SimpleNamespace(judge="critic", read=3, code=0)
    scored = SimpleNamespace(absent=0, waiting=4, score={}, problems=Problems())
    scored.problems.add("s.jsonl:3", "lost")
    scored.problems.add("s.jsonl", "noted", lost=False)

    score = Mock(return_value=scored)
    for name, value in (
        ("judge_run", lambda *_, **__: outcome), ("find_run", lambda path: None),
        ("tell", lambda *_, **__: None), ("score_folder", score),
        ("write_files", lambda *_: "page.html"), ("brief", lambda score: "B"),
    ):  # fmt: skip
        monkeypatch.setattr(run_module, name, value)
    for absent, partial, code, wanted in (
        (0, False, 0, 0), (2, False, 0, 1), (2, True, 0, 0), (0, True, 1, 1),
    ):  # fmt: skip
        scored.absent, outcome.code = absent, code
        request = SimpleNamespace(folder=Path("out"), quiet=False, partial=partial)
        assert run_module._finish(SimpleNamespace(request=request, judge="x"))[0] == wanted  # type: ignore[arg-type]
    assert score.call_args_list[0].kwargs == {"judge": "critic", "quiet": False, "partial": False}
    said = capsys.readouterr()
    assert "B\n\nreport: page.html\n4 answers wait for a judge: xlgo judge out --model" in said.out
    assert "s.jsonl:3: lost" in said.err
    assert "noted" not in said.err + said.out
    outcome.read = 0  # nothing that it said could be read
    run_module._finish(SimpleNamespace(request=request, judge="x"))  # type: ignore[arg-type]
    assert score.call_args.kwargs["judge"] is None


def test_what_the_harness_may_not_know_is_passed_on_with_a_warning(
    folder: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = prepared([
        "--model", "xlgo-sim", "--tasks", "slt", "--gen_kwargs", "temperature=1,zap=2",
        "--metadata", "trees=1", "--include_path", ".",
    ])  # fmt: skip
    assert run.config.gen_kwargs == {"temperature": 1, "zap": 2}
    assert [record.getMessage().partition(" (")[0] for record in caplog.records] == [
        "no task that is asked has the option 'trees'",
        "--gen_kwargs: 'zap' is not known here and passed on as it is",
    ]
    for name in ("RANK", "LOCAL_RANK"):
        assert is_first_process()
        monkeypatch.setenv(name, "1")
        assert not is_first_process()
        monkeypatch.setenv(name, "0")


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
        run = prepared(["--model", "dummy", "--tasks", "xlgo_slt", "--preset", "smoke", *given])
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
    assert capfd.readouterr().err.splitlines()[-1] == (
        "xlgo: stopped; 3 answers are kept in out: the same command resumes"
    )
    sent = []

    def counted(self, requests, **options):
        sent.extend(requests)
        return whole(self, requests, **options)

    monkeypatch.setattr(SimulatedModel, "generate_until", counted)
    assert main(command) == 0
    assert len(sent) == 1


def test_the_harness_is_left_as_it_was(folder: Path, capfd: Any) -> None:
    import tqdm
    from lm_eval import evaluator, tasks

    def state() -> list[Any]:
        of_harness = [tasks.TaskManager, evaluator.get_git_commit_hash, vars(tqdm.tqdm)["__init__"]]
        return [*of_harness, SimulatedModel.generate_until, sys.argv, sys.stdout]

    before = state()
    assert main([*SIM, "--tasks", "xlgo_slt", "-v", "--show_config"]) == 0
    assert state() == before
    said = capfd.readouterr().out  # its own table and settings
    assert "|xlgo_slt|" in said.replace(" ", "")
    assert '"xlgo": {' in said


def test_a_log_gets_a_line_a_minute(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [0.0]
    shown = Progress(300)
    monkeypatch.setattr(shown.bar, "_time", lambda: now[0])
    shown.bar.start_t = shown.bar.last_print_t = 0.0
    shown.arrived(object(), True)  # an answer that was there says nothing of the speed
    for _ in range(241):
        now[0] += 0.5
        shown.arrived(object())
    assert [line.strip() for line in capsys.readouterr().err.splitlines() if line.strip()] == [
        "121 of 300 answers, 2.00 answers/s, 01:29 left",
        "242 of 300 answers, 2.00 answers/s, 00:29 left",
    ]
    assert (LINE_SECONDS, shown.bar.n, shown.bar.initial) == (60, 242, 1)
    few = Progress(2)
    for _ in range(5):  # chains may take more than were foreseen
        few.arrived(object())
    assert (few.bar.n, few.bar.total) == (5, 5)


def test_a_part_is_done_only_if_the_same_was_asked_and_its_samples_are_there(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [
        "run", "--model", "xlgo-sim", "--tasks", "slt,dsa", "--languages", "en", "--preset",
        "smoke", "--levels", "1", "--one-by-one", "--out", "out", "--per-level",
    ]  # fmt: skip
    for per_level, done in ((1, 0), (1, 2), (2, 0), (2, 1)):
        if done == 1:
            max(Path("out").rglob("samples_xlgo_slt_*")).unlink()
        assert main([*command, str(per_level)]) == 0
        assert capsys.readouterr().out.count(": done") == done
        assert score_folder(Path("out"), quiet=True).count == 2 * per_level


GOOD = """
[[models]]
name = "first"
type = "xlgo-sim"
arguments = { profile = "demo", seed = 1 }

[[models]]
name = "second / thinking"
type = "xlgo-sim"
arguments = "profile=demo,seed=2"
settings = { batch_size = "auto", apply_chat_template = true, gen_kwargs = { temperature = 0.5 } }

[[models]]
name = "third"
type = "xlgo-sim"
"""
PLAN = ["--preset", "smoke", "--tasks", "xlgo_slt", "--levels", "2", "--per-level", "1",
        "--languages", "en,te"]  # fmt: skip


@pytest.fixture
def models(tmp_path: Path) -> Path:
    path = tmp_path / "models.toml"
    path.write_text(GOOD)
    return path


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The command lines of models, which run in this process; one whose folder is given a file
    ``fault`` fails with its text."""
    seen: list[list[str]] = []

    def run(words: list[str], stdout: Any, **_: Any) -> subprocess.CompletedProcess[bytes]:
        arguments = words[len(run_module.PROGRAM) :]
        seen.append(arguments)
        fault = Path(arguments[arguments.index("--output_path") + 1]) / "fault"
        if fault.exists():
            stdout.write(fault.read_bytes())
            return subprocess.CompletedProcess(
                words, 130 if b"stopped" in fault.read_bytes() else 1
            )
        return subprocess.CompletedProcess(words, cli.main(["run", *arguments]))

    own = SimpleNamespace(run=run, DEVNULL=subprocess.DEVNULL, STDOUT=subprocess.STDOUT)
    monkeypatch.setattr(run_module, "subprocess", own)
    return seen


def run(models: Path, out: Path, *more: str) -> int:
    return cli.main(["run", "--models", str(models), "--out", str(out), *PLAN, *more])


def folders(started: list[list[str]]) -> list[str]:
    return [Path(words[words.index("--output_path") + 1]).name for words in started]


def test_every_model_is_run_with_the_plan_and_its_own_and_resumed(
    models: Path, tmp_path: Path, started: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    (out / "second_thinking").mkdir(parents=True)
    fault = out / "second_thinking" / "fault"
    fault.write_text("loading\nxlgo: the server is dead\n")
    assert run(models, out) == 1
    shown = capsys.readouterr()
    assert folders(started) == ["first", "second_thinking", "third"]
    assert all(words[: len(PLAN)] == PLAN for words in started)
    assert started[0][len(PLAN) :][:2] == ["--model", "xlgo-sim"]
    assert "--apply_chat_template" in started[1]
    for words in (
        "the server is dead",
        "2 of 3 models are done",
        "[3/3] third\n",
        f"compare them: xlgo leaderboard {out}/first {out}/third\n",
    ):
        assert words in shown.out
    assert shown.err == (
        f"xlgo: 1 of 3 models did not end (see {out}/*/run.log): the same command resumes them\n"
    )

    # Only what is not done is run again.
    fault.write_text("xlgo: stopped")
    assert run(models, out) == 130
    fault.unlink()
    assert run(models, out) == 0
    assert folders(started)[3:] == ["second_thinking"] * 2
    log = (fault.parent / "run.log").read_text("utf-8")
    assert log.startswith("loading\nxlgo: the server is dead\nxlgo: stopped")
    assert run(models, out) == 0
    assert len(started) == 5

    # Others settings are another run, which its folder refuses; how it is run is not.
    capsys.readouterr()
    models.write_text(GOOD.replace("seed = 1", "seed = 5").replace('"auto"', "8"), "utf-8")
    assert run(models, out, "--status") == 0
    shown = capsys.readouterr()
    assert "2 of 3 models are done" in shown.out
    assert "changed" in shown.out
    assert len(started) == 5
    assert run(models, out) == 1
    assert run(models, out, "--fresh") == 0


def test_fresh_asks_models_that_are_done_again(
    models: Path, tmp_path: Path, started: list[list[str]]
) -> None:
    fault = tmp_path / "out" / "first" / "fault"
    fault.parent.mkdir(parents=True)
    fault.write_text("stopped")
    assert run(models, tmp_path / "out") == 130
    assert folders(started) == ["first"]  # an interruption is one of all models
    fault.unlink()
    started.clear()
    assert run(models, tmp_path / "out") == 0
    first = folders(started)
    assert run(models, tmp_path / "out", "--fresh") == 0
    assert folders(started) == 2 * first


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "must hold a list `models`"),
        ("models = []", "must hold a list `models`"),
        ("models = [", "not valid TOML"),
        ("[[models]]\nname = 'a'", "model 1: type is missing"),
        ("[[models]]\ntype = 'hf'", "model 1: name is missing"),
        (
            "[[models]]\nname = 'a'\ntype = 'hf'\nbatch_size = 3",
            "model 1: unknown 'batch_size': allowed are arguments, name",
        ),
        (
            "[[models]]\nname = 'a'\ntype = 'hf'\nsettings = {preset = 'lite'}",
            "all models are asked the same",
        ),
        (
            "[[models]]\nname = 'a'\ntype = 'hf'\nsettings = {model_args = 'x=1'}",
            "use the entry 'arguments'",
        ),
        (
            "[[models]]\nname = 'a b'\ntype = 'hf'\n[[models]]\nname = 'A/b'\ntype = 'hf'",
            "would share the folder",
        ),
        ("preset = 'lite'\n[[models]]\nname = 'a'\ntype = 'hf'", "nothing else; give options"),
    ],
)
def test_mistakes_in_the_file_are_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "models.toml"
    path.write_text(text)
    with pytest.raises(ValueError, match="--models") as error:
        read_models(path)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


ASKED_OF_ALL = (
    "tasks preset levels per-level c_min c_max complexities plan xlgo_seed text languages limit "
    "metadata design budget include_path config challenge model model_args output_path "
    "out models status"
)


@pytest.mark.parametrize("name", ASKED_OF_ALL.split())
def test_what_all_models_are_asked_is_no_setting_of_the_last_one(name: str, models: Path) -> None:
    models.write_text(f"{GOOD}settings = {{ batch_size = 1, {name} = 3 }}\n")
    with pytest.raises(ValueError, match=f"model 3: setting '{name.replace('-', '_')}': "):
        read_models(models)

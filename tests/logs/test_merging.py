"""Several runs of one task in one folder: put together where they were made alike."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.verification.edits import rewrite, rewrite_json
from xlgo_cli.cli import main
from xlgo_cli.logs.graded_run import GradedRun, score_folder
from xlgo_cli.logs.results import find_run

DEMO = ["--model", "xlgo-sim", "--tasks", "xlgo_slt", "--languages", "en,te", "--per_level", "2"]


@pytest.fixture(scope="module")
def two_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four questions a level, two of them in each run."""
    folder = tmp_path_factory.mktemp("two")
    run = ["run", *DEMO, "--complexities", "3,5", "--output_path", str(folder)]
    assert main([*run, "--per_level", "4"]) == 0
    (older,), (described,) = folder.rglob("samples_*"), folder.rglob("results_*.json")
    rewrite(older, lambda lines: [line for line in lines if reference_of(line)["index"] >= 2])
    counted = {"effective": len(older.read_text("utf-8").splitlines())}
    rewrite_json(described, lambda data: data["n-samples"]["xlgo_slt"].update(counted))
    assert main(run) == 0
    return folder


@pytest.fixture
def copy(two_runs: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(two_runs, tmp_path / "copy"))


def reference_of(line: dict[str, Any]) -> Any:
    return json.loads(line["doc"]["reference"])


def complexities(scored: GradedRun) -> dict[str, list[tuple[int, int]]]:
    return {
        code: [(level["complexity"], level["n"]) for level in cell["levels"]]
        for code, cell in scored.score["families"]["xlgobench"]["tasks"]["slt"]["languages"].items()
    }


def fields(scored: GradedRun) -> dict[str, str]:
    return dict(part.split(":", 1) for part in scored.score["signature"].split("|"))


def messages(run: Any) -> str:
    return "\n".join(map(str, run.problems.items))


def runs_of(folder: Path, pattern: str) -> list[Path]:
    """The files of both runs, the older one first."""
    return sorted(folder.rglob(pattern), key=lambda path: path.stem[-26:])


def metadata(described: dict[str, Any]) -> Any:
    return next(iter(described["configs"].values()))["metadata"]


def test_all_answers_count_and_the_signature_says_so(two_runs: Path) -> None:
    scored = score_folder(two_runs)
    assert scored.count == 2 * 2 * 2 * 2
    assert complexities(scored) == {code: [(3, 4), (5, 4)] for code in ("en", "te")}
    assert fields(scored)["runs"] == "2"
    assert list(fields(scored))[-1] == "version"
    assert messages(scored) == ""
    only = score_folder(scored.run.files[0].path)
    assert complexities(only)["te"] == [(3, 2), (5, 2)]
    assert "runs" not in fields(only)


def test_of_a_repeated_question_the_newest_answer_counts(copy: Path) -> None:
    """The newer run gets the questions of the older one, answered wrongly."""
    older, newer = runs_of(copy, "samples_*.jsonl")
    shutil.copy(older, newer)
    wrong = ['{"chain": [99]}']
    rewrite(newer, lambda lines: [x | {"resps": [wrong], "filtered_resps": wrong} for x in lines])
    rewrite_json(runs_of(copy, "results_*.json")[1], lambda d: metadata(d).update(per_level=4))
    scored = score_folder(copy)
    assert scored.count == 8
    assert not any(scored.table.frame["correct"])
    assert "runs" not in fields(scored)
    assert "8 answers of questions that a newer run answered too: left out" in messages(scored)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d["config"]["model_args"].update(profile="other"), "model arguments"),
        (lambda d: d["config"].update(gen_kwargs={"temperature": 0.6, "do_sample": True}),
         "sampling (temperature=0.6 and greedy)"),
        (lambda d: d["configs"]["xlgo_slt"]["generation_kwargs"].update(max_gen_toks=64),
         "max_tokens (64 and 16384)"),
        (lambda d: d.update(chat_template_sha="abcdef0123456"), "template (abcdef01 and none)"),
        (lambda d: d.update(system_instruction_sha="0123456789"), "system (01234567 and none)"),
        (lambda d: d.update({"n-shot": {"xlgo_slt": 2}}), "shots (2 and default)"),
        *((lambda d, name=name: d["config"].update({name: "a1"}), "model arguments")
          for name in ("model_sha", "peft_sha")),
        (lambda d: d["config"]["model_args"].update(enable_thinking=False),
         "thinking (off and default)"),
        (lambda d: d["config"]["model_args"].update(load_in_4bit=True),
         "precision (default,load_in_4bit=True and default)"),
        (lambda d: metadata(d).update(complexities="3,7"),
         "with other settings: complexities (3,7 and 3,5): left out (give this"),
        # A fixed run after an adaptive one, or the other way round.
        (lambda d: metadata(d).update(plan={"tasks": {}}),
         "with other settings: plan (adaptive and default): left out"),
        (lambda d: metadata(d).update(xlgo_seed=5), "with other settings: seed (5 and"),
        (lambda d: metadata(d).update(xlgo_split="validation"),
         "with other settings: split (validation and"),
        (lambda d: metadata(d).update(text="paper"), "with other settings: text (paper and"),
    ],
    ids=["arguments", "sampling", "tokens", "template", "system", "shots", "revision", "adapter",
         "thinking", "precision",
         "complexities", "design", "seed", "split", "text"],
)  # fmt: skip
def test_other_settings_are_not_mixed_in(
    copy: Path, change: Callable[[Any], None], words: str
) -> None:
    rewrite_json(runs_of(copy, "results_*.json")[0], change)
    run = find_run(copy)
    assert [file.path for file in run.files] == runs_of(copy, "samples_*.jsonl")[1:]
    assert "an older run of the same task " in messages(run)
    assert words in messages(run)


def test_nor_are_those_of_a_task_file_of_another_name(copy: Path) -> None:
    """The questions of one language have a task file of their own in the harness."""
    older = runs_of(copy, "samples_*.jsonl")[0]
    older.rename(older.with_name(older.name.replace("xlgo_slt_", "xlgo_slt_te_")))

    def rename(data: dict[str, Any]) -> None:
        data["configs"]["xlgo_slt_te"] = data["configs"].pop("xlgo_slt")
        data["configs"]["xlgo_slt_te"]["generation_kwargs"]["max_gen_toks"] = 64

    rewrite_json(runs_of(copy, "results_*.json")[0], rename)
    scored = score_folder(copy)
    assert complexities(scored)["te"] == [(3, 2), (5, 2)]
    assert "runs" not in fields(scored)
    assert "warnings" not in scored.score
    assert "with other settings: max_tokens (64 and 16384): left out" in messages(scored)


def test_how_fast_a_model_was_asked_is_no_setting(copy: Path) -> None:
    faster = {
        "batch_size": 8, "timeout": 3, "base_url": "x", "num_concurrent": 4, "max_retries": 9,
        "device": "cuda", "tensor_parallel_size": 2, "gpu_memory_utilization": 0.5, "api_key": "k",
    }  # fmt: skip
    described = runs_of(copy, "results_*.json")[0]
    rewrite_json(described, lambda data: data["config"]["model_args"].update(faster))
    rewrite_json(described, lambda data: metadata(data).update(repeats=3, n=9, languages="en"))
    assert len(find_run(copy).files) == 2


def test_more_answers_than_were_counted_make_up_for_nothing(copy: Path) -> None:
    """Eight of each run are there."""
    older, newer = runs_of(copy, "results_*.json")
    rewrite_json(older, lambda data: data["n-samples"]["xlgo_slt"].update(effective=10))
    rewrite_json(newer, lambda data: data["n-samples"]["xlgo_slt"].update(effective=3))
    twice = {"resps": [["x", "y"]], "filtered_resps": [["x", "y"]]}
    for _ in range(2):  # the harness counts questions, not the answers to each
        scored = score_folder(copy, quiet=True)
        assert scored.lacking == 2
        assert "8 of 10 answers of xlgo_slt are there" in messages(scored)
        rewrite(runs_of(copy, "samples_*.jsonl")[0], lambda lines: [x | twice for x in lines])


def test_mixtures_within_a_run_are_told_at_the_top(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def mixed(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
        for line in lines:
            if (reference := reference_of(line))["index"]:
                other = reference | {"seed": 4, "data": 9, "split": "train"}
                line["doc"]["reference"] = json.dumps(other)
        return lines

    for path in copy.rglob("samples_*.jsonl"):
        rewrite(path, mixed)
    capsys.readouterr()
    assert main(["score", str(copy), "--table"]) == 0
    first = capsys.readouterr().out.splitlines()[:3]
    for line, words in zip(sorted(first), ("data versions (1, 9)", "seeds (0, 4)", "splits")):
        assert line.startswith(("warning: slt: the", "warning: slt (en): the"))
        assert f"the answers come from several {words}" in line
    assert main(["report", str(copy)]) == 0
    page = (copy / "report" / "report.html").read_text("utf-8")
    assert page.index("<h1>") < page.index("several seeds (0, 4)") < page.index('id="gaps"')

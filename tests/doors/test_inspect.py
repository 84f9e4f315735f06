"""xlgo in inspect, with its mock model: the same grades and numbers as ``xlgo run`` gives."""

import ast
import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml

import xlgo_dataset as xd
import xlgo_metric as xm
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.page.write import write_files
from xlgo_cli.simulate.simulator import Simulator

inspect_ai = pytest.importorskip("inspect_ai")
model = pytest.importorskip("inspect_ai.model")

ASKED: dict[str, Any] = {"languages": "en,te", "preset": "smoke"}


def evaluate(task: str, folder: Path, given: dict[str, Any], broken: int = 0, **more: Any) -> Any:
    """The log of a run in which the simulated model answers; the first requests fail."""
    simulator, left = Simulator(), [broken]

    def answer(messages: Any, *_: Any) -> Any:
        if left[0] > 0:
            left[0] -= 1
            raise RuntimeError("the server is gone")
        output = model.ModelOutput.from_content("mockllm", simulator.answer(messages[-1].text))
        output.usage = model.ModelUsage(input_tokens=7, output_tokens=3, total_tokens=10)
        return output

    chosen = model.get_model("mockllm/model", custom_outputs=answer, memoize=False)
    asked = import_module("xlgo.inspect_tasks").TASKS[task](**given)
    (log,) = inspect_ai.eval(asked, model=chosen, log_dir=str(folder), display="none", **more)
    return log


def metrics(log: Any) -> dict[str, Any]:
    return {name: one.value for name, one in log.results.scores[0].metrics.items()}


@pytest.mark.parametrize("task", ["slt", "dsa"])
def test_numbers_are_those_of_the_score_of_the_same_answers(tmp_path: Path, task: str) -> None:
    log = evaluate(task, tmp_path, ASKED)
    assert log.status == "success"
    rows = list(xd.family_of(task).rows(task, ["en", "te"], preset="smoke"))
    simulator = Simulator()
    answers = [simulator.answer(row["prompt"]) for row in rows]
    score = xm.score(answers, [row["reference"] for row in rows])
    shown = metrics(log)
    assert {name: shown[name] for name in score["headline"]} == score["headline"]
    assert shown["mean"] == score["headline"]["accuracy"]
    grades = [xm.grade(answer, row["reference"]) for answer, row in zip(answers, rows)]
    logged = {sample.id: sample.scores["xlgo"] for sample in log.samples}
    for row, grade in zip(rows, grades):
        assert logged[row["id"]].metadata["grade"] == json.loads(json.dumps(grade.to_json()))
    # And once more out of the log.
    scored = score_folder(tmp_path, quiet=True)
    assert scored.score["headline"] == score["headline"]
    (own,), (logs,) = (s["families"]["xlgobench"]["tasks"].values() for s in (score, scored.score))
    for code, cell in own["languages"].items():
        assert {**logs["languages"][code], "faults": None} == {**cell, "faults": None}
    assert not scored.problems.lost
    assert "Telugu" in write_files(score_folder(tmp_path), tmp_path / "report").read_text("utf-8")


def test_a_request_that_failed_is_missing_and_not_wrong(tmp_path: Path) -> None:
    log = evaluate("t_rank", tmp_path, ASKED | {"per_level": 3}, broken=5, fail_on_error=False)
    assert sum(sample.error is not None for sample in log.samples) == 5
    scored = score_folder(tmp_path, quiet=True)
    assert scored.count == len(log.samples) - 5
    (problem,) = [problem for problem in scored.problems.items if problem.lost]
    assert "5 answers are in no rate" in str(problem)
    assert not score_folder(tmp_path, quiet=True, partial=True).problems.lost


def test_questions_of_two_epochs_are_the_questions_of_one(tmp_path: Path) -> None:
    cells = []
    for epochs in (1, 2):
        folder = tmp_path / str(epochs)
        evaluate("slt", folder, ASKED | {"levels": 4, "per_level": 6}, epochs=epochs)
        section = score_folder(folder, quiet=True).score["families"]["xlgobench"]
        cells.append(section["tasks"]["slt"]["languages"]["te"])
    once, twice = cells
    assert (once["n"], twice["n"], once["difference"]["n"]) == (24, 48, 24)
    assert once["difference"]["p_value"] is not None
    assert twice["difference"] == once["difference"]  # the simulated model answers alike


def test_a_file_that_is_no_log_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "broken.eval").write_bytes(b"PK\x03\x04 nothing")
    with pytest.raises(ValueError, match=r"broken\.eval: is not a readable log of inspect"):
        score_folder(tmp_path, quiet=True)


REGISTER = Path("docs/inspect_evals/xlgo/eval.yaml")


def test_the_register_file_names_a_task_that_the_register_finds() -> None:
    """The register reads the source: it takes a function with ``@task`` above it, by its name."""
    entry = yaml.safe_load(REGISTER.read_text("utf-8"))
    assert set(entry) == {
        "full_title", "common_title", "description", "contributors", "tasks", "arxiv", "source",
        "tags",
    }  # fmt: skip
    (asked,) = entry["tasks"]
    found = [
        function.name
        for function in ast.walk(ast.parse(Path(asked["task_path"]).read_text("utf-8")))
        if isinstance(function, ast.FunctionDef)
        and any(isinstance(by, ast.Name) and by.id == "task" for by in function.decorator_list)
    ]
    assert found == [asked["name"]]

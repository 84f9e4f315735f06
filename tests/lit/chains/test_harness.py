"""Chains through the harness: the request type, the task class, the real command line."""

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lm_eval")

from lm_eval import simple_evaluate
from lm_eval.tasks import TaskManager

from tests.looping import looped
from xlgo_dataset.families.lit.translator import Translator
from xlgo_lm_eval.replies import MISSING, read

from .test_engine import Plain

LOSSY = Translator({"default": 0.1}, seed=5)

UTILS = """
import json
import xlgo_dataset as xd
from xlgo_lm_eval.task import Task

class Docs(list):
    @property
    def features(self):
        return dict.fromkeys(self[0])

def load(**metadata):
    rows = list(xd.family("lit").rows(metadata["xlgo_task"], ["en"]))[: metadata["count"]]
    return {"test": Docs({key: row[key] for key in ("id", "prompt", "reference")} for row in rows)}

def process_results(doc, results):
    outcome = json.loads(results[0])
    reference = json.loads(doc["reference"])
    kept, given = outcome["final"].split(), reference["original"].split()
    same = sum(a == b for a, b in zip(kept, given)) if len(kept) == len(given) else 0
    return {"kept": same / len(given),
            "finished": outcome["status"] == "ok"}
"""

TASK = """
task: scratch_{task}
class: !function utils.Task
custom_dataset: !function utils.load
output_type: generate_until
test_split: test
doc_to_text: prompt
doc_to_target: id
process_results: !function utils.process_results
repeats: {repeats}
generation_kwargs: {{until: [], max_gen_toks: 4096, do_sample: true, temperature: 1.0}}
metric_list:
  - {{metric: kept, aggregation: mean, higher_is_better: true}}
  - {{metric: finished, aggregation: mean, higher_is_better: true}}
metadata: {{version: 1, chain_step: translation, xlgo_family: lit, xlgo_task: {task}, count: 12}}
"""


@pytest.fixture
def tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of task files, in a working directory that is empty."""
    folder = tmp_path / "tasks"
    folder.mkdir()
    (folder / "utils.py").write_text(UTILS)
    for task, repeats in (("lit_e_asia", 1), ("lit_pairwise", 2)):
        (folder / f"{task}.yaml").write_text(TASK.format(task=task, repeats=repeats))
    monkeypatch.chdir(tmp_path)
    return folder


def evaluated(lm: Any, tasks: Path, *names: str, **metadata: Any) -> Any:
    manager = TaskManager(include_path=str(tasks), include_defaults=False, metadata=metadata)
    found = simple_evaluate(
        lm, tasks=list(names), task_manager=manager, bootstrap_iters=0, log_samples=True
    )
    assert found is not None
    return found


def test_tasks_of_one_run_and_repetitions(tasks: Path) -> None:
    count = iter(range(10**6))
    lm = Plain(lambda prompt: f"{LOSSY.answer(prompt)} {next(count)}")
    names = ("scratch_lit_e_asia", "scratch_lit_pairwise")
    first = evaluated(lm, tasks, *names, xlgo_answers="mine", model="m")
    assert len(lm.sent) == 12 * 5 + 12 * 2 * 2
    again = evaluated(lm, tasks, *names, xlgo_answers="mine", model="m")
    assert len(lm.sent) == 12 * 5 + 12 * 2 * 2
    for name in names:
        responses = [sample["resps"] for sample in first["samples"][name]]
        assert responses == [sample["resps"] for sample in again["samples"][name]]
    assert {len(r[0]) for r in responses} == {2}
    assert all(r[0][0] != r[0][1] for r in responses)
    with pytest.raises(ValueError, match="mine holds another run"):
        evaluated(lm, tasks, names[0], xlgo_answers="mine", model="other")


def test_mistakes_in_a_task_file_are_said(tasks: Path) -> None:
    file = tasks / "lit_e_asia.yaml"
    file.write_text(file.read_text().replace("chain_step: translation,", "chain_step: mine,"))
    with pytest.raises(ValueError, match=r"metadata needs chain_step, one of .*translation"):
        evaluated(Plain(str), tasks, "scratch_lit_e_asia")
    file.write_text(TASK.format(task="lit_e_asia", repeats=1) + "num_fewshot: 2\n")
    with pytest.raises(ValueError, match="has no examples"):
        evaluated(Plain(str), tasks, "scratch_lit_e_asia")


@looped(
    "outputs",
    [
        None, [], {}, "text", 3, {"choices": None}, {"choices": [None]}, {"choices": {}},
        {"choices": [{"index": None, "message": []}]}, {"choices": [{"message": {"refusal": 3}}]},
        {"choices": [{"finish_reason": ["x"]}], "usage": [1]}, [[]],
        {"choices": [{"index": "x"}], "usage": {"total_tokens": "many"}},
    ],
)  # fmt: skip
def test_strange_replies_are_missing_or_say_nothing_beside_the_text(outputs: Any) -> None:
    def fails() -> list[str]:
        return [outputs["choices"][0]["message"]["content"]]

    assert read(outputs, fails).state == MISSING
    answer = read(outputs, lambda: ["text"])
    assert answer.state == MISSING or (answer, answer.finish, answer.usage) == ("text", None, None)

"""Tries the installed package from an empty folder: data, metric and task files are all there."""

from pathlib import Path

import evaluate
from datasets import load_dataset
from lm_eval.tasks import TaskManager

import xlgo_dataset as xd
import xlgo_lm_eval
import xlgo_metric as xm

rows = load_dataset("xlgo", "slt_te", split="test", preset="smoke", levels=2, per_level=2)
assert len(rows) == 4, rows
for task in xd.TASKS:
    instance = xd.generate(task, complexity=12)
    for language in xd.available():
        assert xd.read(task, xd.render(instance, language), language) == instance
metric = evaluate.load(xm.path())
scores = metric.compute(predictions=rows["answer"][:], references=rows["reference"][:])
assert scores["families"]["xlgobench"]["tasks"]["slt"]["languages"]["te"]["accuracy"] == 1.0
folder = Path(xlgo_lm_eval.__file__).parent / "tasks"
tasks = TaskManager(include_path=str(folder), include_defaults=False).all_tasks
missing = {f"xlgo_{task}_{language}" for task in xd.TASKS for language in xd.available()} - {*tasks}
assert not missing, f"no task files in the wheel: {sorted(missing)[:5]}"
print("the installed wheel works:", scores["signature"])

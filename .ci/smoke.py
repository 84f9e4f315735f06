"""Tries the installed package from an empty folder: data, metric and task files are all there."""

from pathlib import Path

import evaluate
from datasets import load_dataset

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
assert list(Path(xlgo_lm_eval.__file__).parent.glob("tasks/*/xlgo_*.yaml")), (
    "no task files in the wheel"
)
print("the installed wheel works:", scores["signature"])

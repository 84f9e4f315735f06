"""Results in the form that the Hub shows on the page of a model, for ``xlgo publish results``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from xlgo_metric.table import half_up

from ..display import labels
from ..logs.graded_run import GradedRun
from ..report.grid import with_gaps


def model_index(scored: GradedRun, dataset_id: str) -> dict[str, Any]:
    """Accuracy and SMD per task and language, as the metadata of a model card; percentages.

    Args:
        scored: the run.
        dataset_id: name of the dataset on the Hub.

    Raises:
        ValueError: no answer is right or wrong.
    """
    from huggingface_hub import EvalResult
    from huggingface_hub.repocard_data import eval_results_to_model_index

    results = []
    base = labels.language(scored.baseline).name
    sizes = {
        (name, code): cell.get("smd")
        for section in with_gaps(scored.score).values()
        for name, task in section["tasks"].items()
        for code, cell in task["languages"].items()
    }
    for (_, task, code), part in scored.table.frame.groupby(["family", "task", "language"]):
        wording = "; ".join(filter(None, map(labels.WORDINGS.get, part["wording_status"].unique())))
        name = replace(labels.language(str(code)), note=wording).named
        measures = {
            ("accuracy", "Accuracy (%)"): part["correct"].mean(),
            ("smd", f"Signed max divergence from {base} (points)"): sizes.get((task, code)),
        }
        results += [
            EvalResult(
                task_type="text-generation",
                dataset_type=dataset_id,
                dataset_name=f"{labels.task(str(task)).title}, {name}",
                dataset_config=f"{task}_{code}",
                dataset_split="test",
                metric_type=kind,
                metric_name=title,
                metric_value=half_up(100 * float(share), 1),
            )
            for (kind, title), share in measures.items()
            if share is not None
        ]
    if not results:
        raise ValueError("no answers that are right or wrong: nothing to publish")
    return {"model-index": eval_results_to_model_index(scored.run.model, results)}

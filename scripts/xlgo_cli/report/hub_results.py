"""Results in the form that the Hub shows on the page of a model, and their bibliography.

``model_index`` is what ``xlgo publish results`` writes into the card of a model. ``bibtex`` gives
the entries of everything that a score was made with.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import xlgo_dataset as xd
from xlgo_metric.table import half_up

from ..display import labels
from ..logs.graded_run import GradedRun
from .gap_marks import with_gaps

_TOOLS = Path(__file__).with_name("tools.bib")


def model_index(scored: GradedRun, dataset_id: str) -> dict[str, Any]:
    """Accuracy and SMD per task and language, as the metadata of a model card; percentages.

    Args:
        scored: the run.
        dataset_id: name of the dataset on the Hub.
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
    return {"model-index": eval_results_to_model_index(scored.run.model, results)}


def bibtex(families: Iterable[str]) -> str:
    """The entries to cite for a score of these families of tasks, with the tools it stands on."""
    texts = [xd.family(name).citation for name in families if name in xd.FAMILIES]
    entries = {
        key: entry
        for text in [*texts, _TOOLS.read_text("utf-8")]
        for entry in text.strip().split("\n\n")
        for key in re.findall(r"@\w+\{(\w+),", entry)
    }
    return "\n\n".join(entries.values()) + "\n"

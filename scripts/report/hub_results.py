"""Results in the forms that the Hub shows on the page of a model, and their bibliography.

``hub/.eval_results/xlgo.yaml`` belongs into the model's repository as it is;
``hub/model-index.yaml`` is the older form, for the head of the model's ``README.md``. Values are
percentages.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..display import labels
from ..folders import write_text
from ..logs.graded_run import GradedRun
from .cells import with_gaps
from .citations import bibtex

EVAL_RESULTS = Path("hub", ".eval_results", "xlgo.yaml")
MODEL_INDEX = Path("hub", "model-index.yaml")


def write_hub_files(scored: GradedRun, out: Path, dataset_id: str) -> None:
    """Write ``.eval_results`` and model-index YAML and ``citations.bib`` below ``out``."""
    write_text(out / "citations.bib", bibtex(scored.score["families"]))
    if not scored.outcomes:  # nothing was right or wrong
        for path in (EVAL_RESULTS, MODEL_INDEX):
            (out / path).unlink(missing_ok=True)
        return
    try:
        write_text(out / EVAL_RESULTS, eval_results(scored, dataset_id))
    except ImportError:
        print(f"{EVAL_RESULTS} was not written: this huggingface-hub does not know that form yet")
    write_text(out / MODEL_INDEX, model_index(scored, dataset_id))


def eval_results(scored: GradedRun, dataset_id: str) -> str:
    """One accuracy per task and language, as ``.eval_results/*.yaml`` of a model's repository.

    Args:
        dataset_id: name of the data set on the Hub.
    """
    from huggingface_hub import EvalResultEntry, eval_result_entries_to_yaml

    entries = [
        EvalResultEntry(
            dataset_id=dataset_id,
            task_id=f"{task}_{language}",
            value=_percent(right, total),
            date=scored.run.date.partition("T")[0],
            notes=f"accuracy, percent; {scored.score['signature']}",
        )
        for task, language, right, total in _cells(scored)
    ]
    return _yaml(eval_result_entries_to_yaml(entries))


def model_index(scored: GradedRun, dataset_id: str) -> str:
    """Accuracy and SMD per task and language, as ``model-index`` of a model card."""
    from huggingface_hub import EvalResult
    from huggingface_hub.repocard_data import eval_results_to_model_index

    results = []
    gaps = _gaps(scored)
    for task, language, right, total in _cells(scored):
        where: dict[str, Any] = {
            "task_type": "text-generation",
            "dataset_type": dataset_id,
            "dataset_name": f"{labels.task(task).title}, {labels.language(language).name}",
            "dataset_config": f"{task}_{language}",
            "dataset_split": "test",
        }
        results.append(
            EvalResult(
                metric_type="accuracy", metric_name="Accuracy (%)",
                metric_value=_percent(right, total), **where,
            )
        )  # fmt: skip
        if (task, language) in gaps:
            results.append(
                EvalResult(
                    metric_type="smd", metric_name="Signed max divergence from English (points)",
                    metric_value=round(100 * gaps[task, language], 2), **where,
                )
            )  # fmt: skip
    return _yaml({"model-index": eval_results_to_model_index(scored.run.model, results)})


def _cells(scored: GradedRun) -> Iterator[tuple[str, str, int, int]]:
    for (_, task, language), outcomes in sorted(scored.outcomes.items()):
        yield task, language, sum(outcomes.values()), len(outcomes)


def _gaps(scored: GradedRun) -> dict[tuple[str, str], float]:
    return {
        (name, code): cell["smd"]
        for section in with_gaps(scored.score).values()
        for name, task in section["tasks"].items()
        for code, cell in task["languages"].items()
        if cell.get("smd") is not None
    }


def _percent(right: int, total: int) -> float:
    return round(100 * right / total, 2)


def _yaml(data: Any) -> str:
    import yaml

    text: str = yaml.safe_dump(data, allow_unicode=True, sort_keys=False)
    return text

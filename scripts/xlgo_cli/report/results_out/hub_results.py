"""Results in the forms that the Hub shows on the page of a model, and their bibliography.

``hub/.eval_results/xlgo.yaml`` belongs into the model's repository as it is;
``hub/model-index.yaml`` is the older form, for the head of the model's ``README.md``. Values are
percentages. ``bibtex`` gives the entries of everything that a score was made with.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import xlgo_dataset as xd
from xlgo_metric.core import PLAIN, condition
from xlgo_metric.table import half_up

from ...display import labels
from ...folders import write_text
from ...logs.graded_run import GradedRun
from ..gap_marks import with_gaps

EVAL_RESULTS = Path("hub", ".eval_results", "xlgo.yaml")
MODEL_INDEX = Path("hub", "model-index.yaml")
MANIFEST = "export.json"
"""The manifest that ``xlgo export`` writes and ``xlgo publish`` uploads with the rows."""

_OPTIONS = ("seed", "text")
"""Those that a reference names, too; others show in the complexities and the number of rows."""


def write_hub_files(scored: GradedRun, out: Path, dataset_id: str) -> None:
    """Write ``.eval_results`` and model-index YAML below ``out``.

    Entries of ``.eval_results`` claim a task of a dataset on the Hub, so they are written only
    where ``export.json``, which ``xlgo publish`` put there, shows that it has just these questions.
    """
    (out / EVAL_RESULTS).unlink(missing_ok=True)
    if not len(scored.table):  # nothing was right or wrong
        (out / MODEL_INDEX).unlink(missing_ok=True)
        return
    write_text(out / MODEL_INDEX, model_index(scored, dataset_id))
    if "/" not in dataset_id:
        return
    try:
        prove(scored, dataset_id)
        write_text(out / EVAL_RESULTS, eval_results(scored, dataset_id))
    except ValueError as error:
        print(f"note: {EVAL_RESULTS} is not written: {error}", file=sys.stderr)
    except ImportError:
        print(f"{EVAL_RESULTS} was not written: this huggingface-hub does not know that form yet")


def prove(scored: GradedRun, dataset_id: str) -> None:
    """Check that a run answered the whole test split of each task and language that it names.

    Raises:
        ValueError: the dataset on the Hub cannot be read, or what the run asked is something else:
            chosen while asking, a part of the questions, or made with other options.
    """
    if scored.there is not None and scored.there[0] < scored.there[1]:
        raise ValueError(f"{scored.there[0]} of {scored.there[1]} answers are there")
    published = _published(dataset_id)
    cells: dict[tuple[str, str], list[Mapping[str, object]]] = {}
    for key, record in scored.records:
        if condition(record.reference) == PLAIN:
            cells.setdefault(key[1:3], []).append(record.reference)
    if not cells:
        raise ValueError("no question was asked as the dataset has it")
    for (task, language), references in cells.items():
        where = f"{task}_{language}"
        if where not in published.rows:
            raise ValueError(f"{dataset_id} has no test split of {where}")
        wanted = published.options[task] | {"design": "fixed", "split": "test"}
        for name, value in wanted.items():
            asked = {_plain(reference[name]) for reference in references if name in reference}
            if asked - {_plain(value)}:
                told = ", ".join(sorted(asked))
                raise ValueError(f"{where} was asked with {name} {told}, {dataset_id} has {value}")
        if levels := published.levels[task]:
            if not {reference.get("complexity") for reference in references} <= set(levels):
                raise ValueError(f"{where} was asked at other complexities than {dataset_id} has")
            first_indexes = range(published.rows[where] // len(levels))
            if not all(reference.get("index") in first_indexes for reference in references):
                raise ValueError(
                    f"{where} asks others than the first {len(first_indexes)} questions of a "
                    f"level, which {dataset_id} has"
                )
        questions = {(str(r.get("level")), str(r.get("instance_id"))) for r in references}
        if len(questions) != published.rows[where]:
            raise ValueError(
                f"{where} has {len(questions):,} of the {published.rows[where]:,} questions of "
                f"{dataset_id}"
            )


@dataclass(frozen=True)
class _Published:
    """What the manifest of a published dataset says.

    Attributes:
        rows: of the test split, by configuration.
        options, levels: of each task; its complexities, if it has such.
    """

    rows: Mapping[str, int]
    options: Mapping[str, dict[str, object]]
    levels: Mapping[str, Sequence[object]]


def _published(dataset_id: str) -> _Published:
    from huggingface_hub import hf_hub_download

    try:
        path = hf_hub_download(dataset_id, MANIFEST, repo_type="dataset")
        manifest = json.loads(Path(path).read_text("utf-8"))
        tasks, rows = manifest["recipe"]["tasks"], Counter[str]()
        for shard in manifest["shards"]:
            if shard["split"] == "test":
                rows[shard["path"].partition("/")[0]] += shard["rows"]
        return _Published(
            rows,
            {
                name: {"data": task["data"]}
                | {one: task["options"][one] for one in _OPTIONS if one in task["options"]}
                for name, task in tasks.items()
            },
            {name: task["levels"] or () for name, task in tasks.items()},
        )
    except Exception as error:  # of huggingface_hub, or in a file of somebody else
        told = str(error).partition("\n")[0]
        raise ValueError(
            f"{MANIFEST} of the dataset {dataset_id} cannot be read on the Hub "
            f"({type(error).__name__}: {told}): publish the questions with xlgo publish dataset"
        ) from error


def _plain(value: object) -> str:
    """A value of an option; the revision of a wording is each language's own."""
    text = str(value)
    return "revised" if text.startswith("revised.") else text


def eval_results(scored: GradedRun, dataset_id: str) -> str:
    """One accuracy per task and language, as ``.eval_results/*.yaml`` of a model's repository.

    Args:
        dataset_id: name of the dataset on the Hub.
    """
    from huggingface_hub import EvalResultEntry, eval_result_entries_to_yaml

    entries = [
        EvalResultEntry(
            dataset_id=dataset_id,
            task_id=f"{task}_{language}",
            value=_percent(right, total),
            date=scored.run.date.partition("T")[0],
            notes=f"accuracy, percent; {wording and f'wording {wording}; '}"
            f"{scored.score['signature']}",
        )
        for task, language, wording, right, total in _cells(scored)
    ]
    return _yaml(eval_result_entries_to_yaml(entries))


def model_index(scored: GradedRun, dataset_id: str) -> str:
    """Accuracy and SMD per task and language, as ``model-index`` of a model card."""
    from huggingface_hub import EvalResult
    from huggingface_hub.repocard_data import eval_results_to_model_index

    results = []
    gaps, base = _gaps(scored), labels.language(scored.baseline).name
    for task, language, wording, right, total in _cells(scored):
        where: dict[str, Any] = {
            "task_type": "text-generation",
            "dataset_type": dataset_id,
            "dataset_name": f"{labels.task(task).title}, "
            f"{replace(labels.language(language), note=wording).named}",
            "dataset_config": f"{task}_{language}",
            "dataset_split": "test",
        }
        results.append(
            EvalResult(
                metric_type="accuracy",
                metric_name="Accuracy (%)",
                metric_value=_percent(right, total),
                **where,
            )
        )
        if (task, language) in gaps:
            results.append(
                EvalResult(
                    metric_type="smd",
                    metric_name=f"Signed max divergence from {base} (points)",
                    metric_value=half_up(100 * gaps[task, language], 1),
                    **where,
                )
            )
    return _yaml({"model-index": eval_results_to_model_index(scored.run.model, results)})


def _cells(scored: GradedRun) -> Iterator[tuple[str, str, str, int, int]]:
    """Task, language, who wrote and read its wordings, correct answers, and answers."""
    for (_, task, language), part in scored.table.frame.groupby(["family", "task", "language"]):
        told = "; ".join(filter(None, map(labels.WORDINGS.get, part["wording_status"].unique())))
        yield str(task), str(language), told, int(part["correct"].sum()), len(part)


def _gaps(scored: GradedRun) -> dict[tuple[str, str], float]:
    return {
        (name, code): smd
        for section in with_gaps(scored.score).values()
        for name, task in section["tasks"].items()
        for code, cell in task["languages"].items()
        if (smd := cell.get("smd")) is not None
    }


def _percent(right: int, total: int) -> float:
    return half_up(100 * right / total, 1)


def _yaml(data: Any) -> str:
    import yaml

    text: str = yaml.safe_dump(data, allow_unicode=True, sort_keys=False)
    return text


_TOOLS = Path(__file__).with_name("tools.bib")


def bibtex(families: Iterable[str]) -> str:
    """The entries to cite for a score of these families of tasks, with the tools it stands on."""
    texts = [xd.family(name).citation for name in families if name in xd.FAMILIES] + [
        _TOOLS.read_text("utf-8")
    ]
    entries = {
        key: entry
        for text in texts
        for entry in text.strip().split("\n\n")
        for key in re.findall(r"@\w+\{(\w+),", entry)
    }
    return "\n\n".join(entries.values()) + "\n"

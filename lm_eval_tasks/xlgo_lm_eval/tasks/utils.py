"""What the task files of this folder call: questions, prompts, grades and their aggregation.

A question (``doc``) with a long prompt holds none, only its reference, from which the instance is
drawn again and rendered when the harness asks for it; so there is one copy of a prompt in memory,
that of the request. The reference is also all that grading needs: the samples that the harness
logs can be graded again by themselves.

The harness loads this file by its path, so it imports the installed packages, nothing relative.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import xlgo_dataset as xd
from xlgo_lm_eval.answers import ANSWERED, ASKED, LENGTH, Answer
from xlgo_lm_eval.arguments import ANSWERS, REPEATS, TABLE, Settings, check_names
from xlgo_metric.core import values_of
from xlgo_metric.family import (
    family as grading_family,
    family_of as grading_family_of,
    grade_safely,
)
from xlgo_metric.option import codes
from xlgo_metric.reading.thinking import join_thinking
from xlgo_metric.scoring import cut_off

OF_MODELS = ("seed", "revision")
"""Options that models have too; in ``--metadata`` they begin with ``xlgo_``."""

Doc = dict[str, Any]
"""A question as the harness keeps it."""

Options = dict[str, Any]
"""Options of a task, by their names in the dataset."""

Metrics = dict[str, Any]
"""Metrics of an answer by name: numbers, or what ``aggregate`` takes."""


def __getattr__(name: str) -> Any:
    """The class of tasks that task files name: it needs the harness, which takes long to load."""
    if name == "Task":
        from xlgo_lm_eval.chains import Task

        return Task
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class Docs(list[dict[str, object]]):
    """Questions as the harness wants them: a sequence that names its columns."""

    @property
    def features(self) -> dict[str, None]:
        """The columns of a question, as keys."""
        return dict.fromkeys(self[0]) if self else {}


def load(**metadata: Any) -> dict[str, Docs]:
    """The questions of a task as the harness takes them; see :func:`docs`."""
    return {"test": Docs(docs(**metadata))}


def docs(
    *,
    xlgo_family: str,
    xlgo_task: str,
    xlgo_options: str,
    xlgo_language: str = "",
    languages: str | Sequence[str] = "",
    xlgo_seed: int = 0,
    xlgo_revision: str | None = None,
    xlgo_split: str = "test",
    **metadata: Any,
) -> Iterator[dict[str, object]]:
    """Yield the questions of a task; every argument can be set with ``--metadata``.

    Args:
        xlgo_family, xlgo_task: the names of the task and its family in the dataset.
        xlgo_options: names of the task's own options, joined by commas.
        xlgo_language: its language, if it has one only.
        languages: codes, joined by commas or as a list, if it has several.
        xlgo_seed, xlgo_revision: seed and revision of the data. (``seed`` and ``revision`` would
            collide with arguments of models.)
        xlgo_split: ``test``, ``validation`` or ``train``.
        metadata: the task's own options. Everything else is ignored, because the harness also
            passes the arguments of the model.

    Raises:
        ValueError: a value that is not allowed, or a misspelt option.
    """
    metadata |= {
        "xlgo_options": xlgo_options,
        "xlgo_seed": xlgo_seed,
        "xlgo_revision": xlgo_revision,
    }
    options = task_options(metadata)
    check_names("--metadata", metadata.keys() - TABLE.keys(), known_options(metadata), is_open=True)
    language_codes = [xlgo_language] if xlgo_language else codes(languages)
    if not language_codes:
        raise ValueError("languages: give at least one code, as in 'en,te'")
    family = xd.family(xlgo_family)
    family.check_asked(xlgo_task, language_codes)
    rows = family.questions(xlgo_task, language_codes, split=xlgo_split, **options)
    together = {"languages": ",".join(language_codes)} if len(language_codes) > 1 else {}
    wording = {"family": xlgo_family, "text": options.get("text", "paper")}
    for row in rows:
        doc = {"id": row["id"], "language": row["language"], "reference": row["reference"]}
        # Without its prompt, what the prompt is made of.
        yield doc | ({"prompt": row["prompt"]} if "prompt" in row else wording) | together


def task_options(metadata: Settings) -> Options:
    """Of everything in ``--metadata``, the options of the task by their names in the dataset."""
    renamed = {k: v for k, v in metadata.items() if k not in OF_MODELS}
    renamed |= {name: metadata.get(f"xlgo_{name}") for name in OF_MODELS}
    names = metadata["xlgo_options"].split(",")
    return {k: v for k, v in renamed.items() if k in names and v is not None}


def doc_to_text(doc: Doc) -> str:
    """The prompt of a question."""
    if "prompt" in doc:
        return str(doc["prompt"])
    return xd.family(doc["family"]).prompt(json.loads(doc["reference"]), doc["text"])


def doc_to_target(doc: Doc) -> str:
    """The right answer, as JSON."""
    return json.dumps(json.loads(doc["reference"])["answer"], ensure_ascii=False)


def process_results(doc: Doc, results: Sequence[str | list[str | None] | None]) -> Metrics:
    """The metrics of one question: the response to it, graded; with several, their means.

    The values of a metric that is no mean, one a response, follow the names of family and metric,
    for ``aggregate``. A request that failed or was refused has no
    response: it has no metrics, and the harness leaves it out.
    """
    responses = results[0] if isinstance(results[0], list) else [results[0]]
    answered = [text for text in responses if getattr(text, "state", ANSWERED) == ANSWERED]
    if not answered:
        return {}
    first, *further = [_graded(doc, response) for response in answered]
    return {
        name: (*value, *(metrics[name][2] for metrics in further))
        if isinstance(value, tuple)
        else _mean([value, *(metrics[name] for metrics in further)])
        for name, value in first.items()
        if all(name in metrics for metrics in further)
    }


def _mean(values: Sequence[float]) -> float:
    return values[0] if len(values) == 1 else sum(values) / len(values)


def _graded(doc: Doc, text: str | None) -> Metrics:
    """The metrics of one response."""
    reference = json.loads(doc["reference"])
    language_codes = codes(doc["languages"]) if "languages" in doc else [doc["language"]]
    reference["languages"] = language_codes
    if len(language_codes) > 1:  # for the standard errors of differences
        reference["structure"] = xd.isomorphism_hash_of(reference)
    if ASKED in doc:
        reference[ASKED] = doc[ASKED]
    family = grading_family_of(reference)
    is_cut = False
    if isinstance(text, Answer):  # a server that said why it stopped, and gave thinking apart
        is_cut = text.finish == LENGTH
        text = join_thinking(text, text.reasoning, is_cut=is_cut)
    grade = grade_safely(family.grade, text, reference, where=str(doc.get("id", "a question")))
    grade = cut_off(grade) if is_cut else grade
    measures = family.measures(reference["task"], language_codes)
    values = values_of(measures, grade, reference)
    return {
        measure.name: values[measure.name]
        if measure.is_number
        else (family.name, measure.name, values[measure.name])
        for measure in measures
        if measure.name in values
    }


def aggregate(values: Sequence[tuple[Any, ...]]) -> float:
    """The number in the harness's table for a metric that is no mean; NaN if not identified."""
    family, metric, *_ = values[0]
    of_answers = [value for item in values for value in item[2:]]
    return grading_family(family).measure(metric).aggregated(of_answers)


def known_options(metadata: Settings) -> list[str]:
    """What ``--metadata`` may set in a task, from the task's own metadata."""
    names = [name for name in metadata["xlgo_options"].split(",") if name not in OF_MODELS]
    return [*names, "languages", REPEATS, *(f"xlgo_{name}" for name in OF_MODELS), "xlgo_split"]


def options_of(metadata: Settings) -> Options:
    """Of the metadata of a task, which hold arguments of the model too, the options of the data."""
    names = known_options(metadata) if "xlgo_options" in metadata else []
    return {
        name: value
        for name, value in metadata.items()
        if name in names or (name.startswith("xlgo_") and name != ANSWERS)
    }

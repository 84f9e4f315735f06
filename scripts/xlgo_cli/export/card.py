"""The dataset card of an exported folder, for people and the Hub."""

from __future__ import annotations

from typing import Any

import xlgo_dataset as xd

from ..display import labels
from ..folders import CHECKSUMS, MANIFEST

Recipe = dict[str, Any]
"""What an export is made from: see ``Manifest``; or what it says of one task."""
Manifest = dict[str, Any]
"""The content of ``export.json``: ``schema``, ``command``, ``signature``, ``recipe``, ``shards``
(see ``command.Shard``). The recipe has ``tasks`` (family, data version, languages, configurations,
levels and options of each), ``splits``, ``options``, ``code``, ``pyarrow`` and ``version``."""

LICENCE = "apache-2.0"

_SIZES = ("n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "10M<n<100M", "100M<n<1B")

_COLUMNS = {
    "id": "names the row",
    "instance_id": "names the question; all languages of a question share it",
    "task": "the puzzle",
    "language": "of the prompt",
    "complexity": "size of the puzzle, in the unit of its task",
    "level": "place of the complexity among the levels, from 0",
    "index": "number of the question at its level, from 0",
    "seed": "of the generator",
    "prompt": "what the model is asked",
    "answer": "the right answer as JSON, in the form that the prompt asks for",
    "reference": "JSON with all that the metric needs; pass it on as it is",
}

_TEXT = """\
# xlgo: the same puzzle in many languages

A language model may solve a puzzle in English and fail the very same puzzle in Telugu. Every
question here is one abstract instance, rendered in {n_languages}, with one answer for all of
them{levels}. A gap between two languages may still come from a wording: see its state below.

```python
from datasets import load_dataset

rows = load_dataset("xlgo", "{example}", split="{split}")
```

## Configurations

`<task>_<language>` holds one language, `<task>` all of them: the same files, one language after
the other. Within a language, rows are ordered by index first, then level, so that any head of them
is balanced over the levels. Sort by `index`, `level` and `language` to have the languages of a
question side by side; `instance_id` names the question.

| task | what it asks (unit of complexity) | levels | prompts |
|---|---|---|---|
{task_table}

| language | name | state of the wording |
|---|---|---|
{language_table}

## Columns

| column | meaning |
|---|---|
{column_table}

Answers are graded with the metric `xlgo_metric` of the package `xlgo`, which also measures the gap
(SMD) with its uncertainty:

```python
import xlgo_metric as xm

xm.grade(model_output, row["reference"]).correct
```

## How it was made

```
{command}
```

Signature: `{signature}`

All randomness comes from SHA-256 over the data version, task, complexity, split, seed and index:
the same command makes the same rows anywhere. `{checksums}` holds a checksum of every file
(`sha256sum --check {checksums}`), `{manifest}` the whole recipe, and `xlgo verify` makes every row
again from it and compares.

## Use and limits

Made to compare languages within one model, and models with each other. The prompts are synthetic:
a model that serves two languages equally here may not do so in free conversation. Wordings marked
as not audited have not been confirmed by people who speak the language. There are no personal data.

## Citation

{sources}"""


def configs(manifest: Manifest) -> dict[str, dict[str, list[dict[str, Any]]]]:
    """The shards of every configuration, as the manifest has them, by split."""
    return {
        config: {
            split: [
                shard
                for folder in folders
                for shard in manifest["shards"]
                if shard["path"].startswith(f"{folder}/") and shard["split"] == split
            ]
            for split in manifest["recipe"]["splits"]
        }
        for task in manifest["recipe"]["tasks"].values()
        for config, folders in task["configs"].items()
    }


def count_prompts(manifest: Manifest, task: str = "") -> int:
    """Prompts of the export, or of one of its tasks."""
    folders = [
        folder
        for name, entry in manifest["recipe"]["tasks"].items()
        for folder in entry["configs"][name]
        if task in ("", name)
    ]
    return sum(s["rows"] for s in manifest["shards"] if s["path"].split("/")[0] in folders)


def readme(manifest: Manifest) -> str:
    """The card: YAML for the Hub and ``datasets``, then prose."""
    import yaml

    # As huggingface_hub lays it out, whose import takes longer than writing small data.
    head = yaml.dump(metadata(manifest), sort_keys=False, allow_unicode=True)
    return f"---\n{head}---\n\n{_prose(manifest)}"


def metadata(manifest: Manifest) -> dict[str, Any]:
    """What the YAML of the card says."""
    recipe = manifest["recipe"]
    languages = _languages(manifest)
    by_config = configs(manifest)
    return {
        "annotations_creators": ["machine-generated"],
        "language_creators": ["expert-generated", "machine-generated"],
        "language": languages,
        "license": LICENCE,
        "multilinguality": ["multilingual" if len(languages) > 1 else "monolingual"],
        "size_categories": [_SIZES[max(0, len(str(count_prompts(manifest))) - 3)]],
        "source_datasets": ["original"],
        "task_categories": ["question-answering", "text-generation"],
        "pretty_name": "xlgo",
        "tags": ["benchmark", "reasoning", "algorithmic", "synthetic", "cross-lingual"],
        "configs": [
            {"config_name": config}
            | ({"default": True} if config == next(iter(by_config)) else {})
            | {
                "data_files": [
                    {"split": split, "path": _patterns(recipe, config, split)} for split in splits
                ]
            }
            for config, splits in by_config.items()
        ],
        "dataset_info": [_info(config, splits) for config, splits in by_config.items()],
    }


def _info(config: str, splits: dict[str, list[dict[str, Any]]]) -> dict[str, object]:
    """What ``datasets`` checks a download against."""
    return {
        "config_name": config,
        "splits": [
            {"name": split, "num_examples": sum(shard["rows"] for shard in shards)}
            for split, shards in splits.items()
        ],
        "download_size": sum(shard["size"] for shards in splits.values() for shard in shards),
    }


def _prose(manifest: Manifest) -> str:
    recipe = manifest["recipe"]
    languages = _languages(manifest)
    tasks = recipe["tasks"]
    counts = {task: len(entry["levels"] or []) for task, entry in tasks.items()}
    levels = sorted({n for n in counts.values() if n})
    used = dict.fromkeys(xd.family_of(task) for task in tasks)
    values = {
        "n_languages": _plural(len(languages), "language"),
        "levels": f", at {_plural(levels[-1], 'level')} of complexity" if levels else "",
        "example": f"{next(iter(tasks))}_{languages[-1]}",
        "split": recipe["splits"][0],
        "task_table": "\n".join(
            f"| `{task}` | {label.title}: {label.about} ({label.unit}) | {_levels(entry)} "
            f"| {count_prompts(manifest, task):,} |"
            for task, entry in tasks.items()
            for label in [xd.family_of(task).labels[task]]
        ),
        "language_table": "\n".join(_language_row(code, manifest) for code in languages),
        "column_table": "\n".join(f"| `{name}` | {text} |" for name, text in _COLUMNS.items()),
        "command": manifest["command"],
        "signature": manifest["signature"],
        "sources": "\n".join(_source(family, tasks) for family in used).strip() + "\n",
        "checksums": CHECKSUMS,
        "manifest": MANIFEST,
    }
    text = _TEXT
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def _source(family: xd.Family, tasks: dict[str, Recipe]) -> str:
    names = [f"`{task}`" for task, entry in tasks.items() if entry["family"] == family.name]
    return family.source.replace("{tasks}", ", ".join(names))


def _language_row(code: str, manifest: Manifest) -> str:
    language = labels.language(code)
    by_status: dict[str, list[str]] = {}
    for task, entry in manifest["recipe"]["tasks"].items():
        if code in entry["languages"]:
            text = entry["options"].get("text", "paper")
            status = labels.WORDINGS.get(xd.wording_status(task, code, text), "unknown")
            by_status.setdefault(status, []).append(f"`{task}`")
    states = "; ".join(f"{status}: {', '.join(tasks)}" for status, tasks in by_status.items())
    name = f"{language.name} ({language.native_name})"
    return f"| `{code}` | {name} | {states if len(by_status) > 1 else ''.join(by_status)} |"


def _levels(entry: Recipe) -> str:
    levels = entry["levels"]
    return f"{levels[0]} to {levels[-1]} in {_plural(len(levels), 'step')}" if levels else ""


def _languages(manifest: Manifest) -> list[str]:
    tasks = manifest["recipe"]["tasks"].values()
    return list(dict.fromkeys(code for task in tasks for code in task["languages"]))


def _patterns(recipe: Recipe, config: str, split: str) -> str | list[str]:
    (entry,) = (task for task in recipe["tasks"].values() if config in task["configs"])
    patterns = [f"{folder}/{split}-*.parquet" for folder in entry["configs"][config]]
    return patterns if len(patterns) > 1 else patterns[0]


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"

"""Every prompt of a shard read back from its text and solved, with nothing from the generator."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import xlgo_dataset as xd
from xlgo_dataset.declared import Row
from xlgo_dataset.family import generated_family_of

from . import card
from .plan import Part
from .work import Problem, Work

_BATCH_ROWS = 64


def check(work: Work) -> None:
    """Read every prompt of a block, solve it, and compare the languages of each question.

    Raises:
        Problem: naming the first row whose prompt does not have the answer of its row, or is of
            another instance than the same question in the first language.
    """
    part = work.block.part
    first: Row = {}
    paths = [work.folder / work.block.file(f"{part.task}_{code}") for code in part.languages]
    text = part.options.get("text", "paper")
    for number, row in enumerate(interleaved(paths)):
        try:
            instance = xd.read(row["task"], row["prompt"], row["language"], text)
            problem = wrong_answer(row, instance)
        except (LookupError, TypeError, ValueError) as error:
            problem = str(error)
        else:
            name = row["instance_id"]
            if name not in first:
                first = {name: instance}  # the languages of a question follow each other
            elif instance != first[name]:
                problem = "is not the instance that the first language has under this instance_id"
        if problem:
            place = number // len(paths)
            path = work.block.file(f"{part.task}_{row['language']}")
            raise Problem(f"{path}, row {place}: ({row['id']}) {problem}")


def wrong_answer(row: Row, instance: Any) -> str | None:
    """Describe an error in a row's answer, checked against the instance in its prompt."""
    answer, reference = json.loads(row["answer"]), json.loads(row["reference"])
    found = generated_family_of(instance.task).answer(instance, row["language"])
    if found != answer:
        return f"the prompt's answer is {_short(found)}, the row says {_short(answer)}"
    if reference.get("answer") != answer:
        return f"the reference has the answer {_short(reference.get('answer'))}"
    # In other families complexity is a parameter of the draw, which a prompt need not show.
    if isinstance(instance, xd.Instance) and instance.complexity != row["complexity"]:
        return f"the prompt has complexity {instance.complexity}"
    return None


def rows(folder: Path, task: str, split: str = "test") -> Iterator[Row]:
    """The rows of a task in an exported folder of any layout, in the order index, level, language.

    Raises:
        ValueError: the folder has no such task or split.
    """
    manifest = json.loads((folder / "export.json").read_text(encoding="utf-8"))
    entry = manifest["recipe"]["tasks"].get(task)
    if entry is None or split not in manifest["recipe"]["splits"]:
        raise ValueError(f"{folder} has no task {task!r} with a split {split!r}")
    part = Part(task, tuple(entry["languages"]), {})
    found = card.configs(manifest)
    shards = [found[f"{task}_{code}"][split] for code in part.languages]
    for together in zip(*shards):
        yield from interleaved([folder / shard["path"] for shard in together])


def interleaved(paths: list[Path]) -> Iterator[Row]:
    """The rows of shards that hold the same questions: the first of each, the second of each …"""
    files = [pq.ParquetFile(path) for path in paths]
    try:
        for together in zip(*(_rows(file) for file in files), strict=True):
            yield from together
    finally:
        for file in files:
            file.close()


def _rows(file: pq.ParquetFile) -> Iterator[Row]:
    for batch in file.iter_batches(batch_size=_BATCH_ROWS):
        yield from pa.Table.from_batches([batch]).to_pylist()


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else f"{text[:77]}..."

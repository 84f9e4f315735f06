"""Every reference answer of a copy of the data, as a response: see ``Family.gold_answers``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from ...declared import GoldAnswer
from ...sources import folder_of, is_folder
from . import released
from .loading import CATEGORIES, SETTINGS, Data

_OPTIONS = {"shots": 0}


def gold_answers(source: Path) -> Iterator[GoldAnswer]:
    """Questions and solved examples of the five categories, steps of ciphers, mixed questions.

    Raises:
        ValueError: ``source`` is no folder, or lacks a file or a column.
    """
    if not is_folder(str(source)):
        raise ValueError(f"{source} is not a directory: pass a local copy of the data")
    data = Data(folder_of(str(source)))
    for task, category in released.CATEGORY_TASKS.items():
        for row in released.rows(task, data, _OPTIONS):
            reference = json.loads(row["reference"])
            name = f"{category} {reference['idx']}"
            yield GoldAnswer("questions", name, _response(reference["answer"]), reference)
    for category in CATEGORIES:
        yield from _examples(data, category)
    for row in released.rows(released.STEPS, data, _OPTIONS):
        reference = json.loads(row["reference"])
        name = f"cipher {reference['idx']}, step {reference['step']}"
        yield GoldAnswer("steps", name, _response(reference["answer"]), reference)
    for task in SETTINGS:
        for row in released.rows(task, data, _OPTIONS):
            reference = json.loads(row["reference"])
            answers = {f"question{n}": said for n, said in enumerate(reference["answer"], 1)}
            response = f"Here they are:\n```json\n{json.dumps(answers)}\n```"
            yield GoldAnswer("mixed rows", f"{task} {reference['idx']}", response, reference)


def _examples(data: Data, category: str) -> Iterator[GoldAnswer]:
    number = 0
    for rule_id, found in data.examples(category).items():
        for row in found:
            number += 1
            idx, answer = str(row.get("idx", number)), str(row["answer"])
            reference = {
                "family": released.NAME, "task": f"kor_{category}", "category": category,
                "rule_id": rule_id, "idx": idx, "answer": answer, "question": str(row["question"]),
            }  # fmt: skip
            yield GoldAnswer("examples", f"{category} {idx}", _response(answer), reference)


def _response(answer: str) -> str:
    return f"I considered it step by step.\n\nThe answer is {answer}"

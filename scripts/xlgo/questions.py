"""The questions of a task for tools that ask each of them once, and the grade of an answer."""

from collections.abc import Iterator, Sequence
from typing import Any

import xlgo_dataset as xd
import xlgo_metric as xm
from xlgo_dataset.core import Row
from xlgo_metric.core import Grade
from xlgo_metric.option import codes
from xlgo_metric.scoring import cut_off


def task_names() -> tuple[str, ...]:
    """The tasks whose questions are asked once each: those that are no chains of prompts."""
    chains = {spec.task for f in xd.FAMILIES.values() for spec in f.harness_tasks() if spec.step}
    names = (task for family in xd.FAMILIES.values() for task in family.TASKS)
    return tuple(name for name in names if name not in chains)


def questions(
    name: str, languages: str | Sequence[str] = "", *, split: str = "test", **options: Any
) -> Iterator[Row]:
    """The rows of a task, level by level in all languages, so that the first N keep pairs.

    Args:
        name: of the task.
        languages: codes, joined by commas or as a list; by default those of the dataset.
        split: ``test``, ``validation`` or ``train``.
        options: of the task's family, such as ``preset`` and ``seed``.

    Raises:
        ValueError: an unknown task, language or option, or a value that is not allowed.
    """
    if name not in (allowed := task_names()):
        raise ValueError(f"unknown task {name!r}: allowed are {', '.join(allowed)}")
    family = xd.family_of(name)
    language_codes = codes(languages) or family.default_languages(name)
    family.check_asked(name, language_codes)
    return family.rows(name, language_codes, split=split, **options)


def grade_answer(text: str, reference: str, *, cut: bool) -> Grade:
    """The grade of a response; one that was cut off is ``truncated`` unless it can be read."""
    grade = xm.grade(text, reference)
    return cut_off(grade) if cut else grade

"""Where wrong answers first go wrong, held against the puzzle, which is drawn again."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from xlgo_dataset.family import generated_family_of
from xlgo_metric.core import Grade
from xlgo_metric.extras import Steps
from xlgo_metric.family import family_of

_ORIGIN = ("task", "complexity", "seed", "index", "split")
_CACHED = 8


def with_fault(grade: Grade, reference: Mapping[str, object], text: str, where: str) -> Grade:
    """The grade with ``fault`` in its details, if its family can tell where it first goes wrong.

    Args:
        grade: of the response; only a wrong answer has a fault.
        reference: of the question.
        text: the response.
        where: what a message calls it.
    """
    if grade.status != "wrong":
        return grade

    def draw() -> Mapping[str, object] | None:
        return drawn(
            *(reference.get(name) for name in _ORIGIN), answer=json.dumps(reference["answer"])
        )

    try:
        steps = family_of(reference).extra(Steps)
        found = None if steps is None else steps.first_error(grade, reference, draw, text)
    except Exception as error:  # a diagnosis must not cost the grade, whatever a model wrote
        logging.getLogger("xlgo").warning(
            "%s: not known where it goes wrong (%s: %s)", where, type(error).__name__, error
        )
        return grade
    return grade if found is None else replace(grade, details={**grade.details, "fault": found})


@lru_cache(maxsize=_CACHED)
def drawn(
    task: Any, complexity: Any, seed: Any, index: Any, split: Any, *, answer: str
) -> Mapping[str, object] | None:
    """The instance of a question in its JSON form; the languages of one follow each other.

    Args:
        task, complexity, seed, index, split: of the reference.
        answer: of the reference, as JSON. An instance with another answer is that of another
            version of the data.

    Returns:
        ``None`` where it cannot be drawn again, or has another answer.
    """
    if not all(isinstance(value, int) for value in (complexity, seed, index)):
        return None
    try:
        family = generated_family_of(task)
        instance = family.generate(task, complexity=complexity, seed=seed, index=index, split=split)
    except ValueError:
        return None
    if json.dumps(family.solve(instance)) != answer:
        return None
    content: Mapping[str, object] = instance.to_json()
    return content

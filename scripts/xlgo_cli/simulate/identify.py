"""What a prompt asks: by the reference of its question, or found from its text alone."""

import itertools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from typing import Any, NamedTuple

import xlgo_dataset as xd
from xlgo_dataset.family import known_texts

_EXAMPLE = 40
"""Steps above the least complexity of an example: enough for every kind of line to be there."""

_ENGLISH = frozenset({"length_matched"})
"""Conditions under which a prompt is in English, whatever its language."""

_Candidate = tuple[str, str, str]
"""Task, language and wording."""


class _Example(NamedTuple):
    candidate: _Candidate
    head: str = ""
    letters: frozenset[str] | None = None


@dataclass(frozen=True)
class Identified:
    """What a prompt asks.

    Attributes:
        task: of the dataset.
        language: in which it is asked.
        complexity: of the question; 0 where it shows none.
        answer: the correct one, as in references.
        question: the same in all languages.
    """

    task: str
    language: str
    complexity: int
    answer: Any
    question: str


def identify(prompt: str) -> Identified | None:
    """Read a plain prompt of any task that is simulated, in any language, if it is one."""
    letters = _letters(prompt)
    fitting = (
        example.candidate
        for example in _examples()
        if prompt.startswith(example.head)
        and (example.letters is None or letters <= example.letters)
    )
    return next(filter(None, (_read(prompt, candidate) for candidate in fitting)), None)


def from_reference(reference: Mapping[str, Any]) -> Identified | None:
    """The question of a reference, if its task is simulated."""
    task, language = reference.get("task"), reference["language"]
    if task not in simulated():
        return None
    if reference.get("condition") in _ENGLISH:
        language = xd.LANGUAGES[0]
    return Identified(
        task,
        language,
        int(reference.get("complexity", 1)),
        reference["answer"],
        str(reference["instance_id"]),
    )


@lru_cache(maxsize=1)
def simulated() -> dict[str, float]:
    """The tasks that are simulated, as their families say (``Family.half_right``)."""
    return {
        task: half
        for family in xd.FAMILIES.values()
        for task in family.TASKS
        if (half := family.half_right(task)) is not None
    }


def _read(prompt: str, candidate: _Candidate) -> Identified | None:
    task, language, text = candidate
    try:
        instance = xd.read(task, prompt, language, text)
    except ValueError:
        return None
    return Identified(
        task,
        language,
        instance.complexity,
        xd.solve(instance),
        json.dumps(instance.to_json(), sort_keys=True),
    )


@lru_cache(maxsize=1)
def _examples() -> list[_Example]:
    """How the prompts of every task, language and wording begin, and the letters in them.

    There are hundreds of them, and to read a prompt takes time, so most must be left out by what
    can be seen at once. Tasks without complexities, where nothing can be seen, come last.
    """
    examples = []
    for task, text in itertools.product(simulated(), known_texts()):
        family = xd.family_of(task)
        languages = family.languages(task) if family.reads_prompts and text in family.texts else ()
        ends = family.complexity_range(task)
        for candidate in ((task, language, text) for language in languages):
            example = _Example(candidate)
            if ends is not None:
                low, high = ends
                instance = xd.generate(task, complexity=min(low + _EXAMPLE, high))
                prompt = xd.render(instance, candidate[1], text)
                head = "".join(takewhile(lambda c: not c.isdecimal(), prompt))[:-1]
                example = _Example(candidate, head, _letters(prompt))
            examples.append(example)
    return sorted(examples, key=lambda example: not example.head)


def _letters(prompt: str) -> frozenset[str]:
    """Characters outside ASCII, which few languages share."""
    return frozenset(c for c in set(prompt) if not c.isascii())

"""What a prompt asks: by the reference of its question, or found from its text alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from typing import Any

import xlgo_dataset as xd
from xlgo_dataset.family import known_texts

_EXAMPLE = 40
"""Steps above the least complexity of an example: enough for every kind of line to be there."""

_ENGLISH = frozenset({"length_matched"})
"""Conditions under which a prompt is in English, whatever its language."""

_Candidate = tuple[str, str, str]
"""Task, language and wording."""


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
    for text in known_texts():
        for head, alphabet, candidate in _examples(text):
            fits = prompt.startswith(head) and letters <= alphabet
            if fits and (recognised := _read(prompt, candidate)) is not None:
                return recognised
    return next(filter(None, (_read(prompt, pair) for pair in _without_example())), None)


def from_reference(reference: Mapping[str, Any]) -> Identified | None:
    """The question of a reference, if its task is simulated."""
    task, language = reference.get("task"), reference["language"]
    if task not in simulated():
        return None
    if reference.get("condition") in _ENGLISH:
        language = xd.LANGUAGES[0]
    complexity, question = int(reference.get("complexity", 1)), str(reference["instance_id"])
    return Identified(task, language, complexity, reference["answer"], question)


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
    question = json.dumps(instance.to_json(), sort_keys=True)
    return Identified(task, language, instance.complexity, xd.solve(instance), question)


def _candidates(text: str, *, with_range: bool) -> list[_Candidate]:
    """Tasks that read prompts, with their languages; those with complexities or without."""
    families = {task: xd.family_of(task) for task in simulated()}
    return [
        (task, language, text)
        for task, family in families.items()
        if family.reads_prompts
        and text in family.texts
        and (family.complexity_range(task) is not None) == with_range
        for language in family.languages(task)
    ]


@lru_cache(maxsize=1)
def _without_example() -> list[_Candidate]:
    return [
        candidate for text in known_texts() for candidate in _candidates(text, with_range=False)
    ]


@lru_cache(maxsize=8)
def _examples(text: str) -> list[tuple[str, frozenset[str], _Candidate]]:
    """Candidates with complexities, with how their prompts begin and the letters in them.

    There are hundreds of them, and to read a prompt takes time, so most must be left out by what
    can be seen at once.
    """
    examples = []
    for candidate in _candidates(text, with_range=True):
        task, language, _ = candidate
        low, high = xd.family_of(task).complexity_range(task) or (1, 1 + _EXAMPLE)
        instance = xd.generate(task, complexity=min(low + _EXAMPLE, high))
        prompt = xd.render(instance, language, text)
        head = "".join(takewhile(lambda c: not c.isdecimal(), prompt))[:-1]
        examples.append((head, _letters(prompt), candidate))
    return examples


def _letters(prompt: str) -> frozenset[str]:
    """Characters outside ASCII, which few languages share."""
    return frozenset(c for c in set(prompt) if not c.isascii())

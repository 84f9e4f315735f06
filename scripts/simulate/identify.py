"""What a prompt is: its task, language, wording and condition, found from its text alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product, takewhile
from typing import Any

import xlgo_dataset as xd
from xlgo_dataset.family import generated_family_of, known_texts

from .causes import PLAIN

_EXAMPLE = 40
"""Steps above the least complexity of an example: enough for every kind of line to be there."""

_Candidate = tuple[str, str, str, str]
"""Task, language, wording and condition."""


@dataclass(frozen=True)
class Identified:
    """What a prompt turned out to be, from its text alone."""

    task: str
    language: str
    text: str
    instance: Any
    condition: str = PLAIN


def identify(prompt: str, *, wording: str | None = None) -> Identified | None:
    """Read a prompt of any task that is simulated, in any language and wording, if it is one.

    A prompt that is both plain and one under a condition is taken for a plain one.

    Args:
        prompt: the text.
        wording: path of a TOML file with a wording of its own, tried besides the built-in ones.
    """
    letters = _letters(prompt)
    for plain in (True, False):
        for text in known_texts():
            for head, known, candidate in _examples(text, plain):
                fits = prompt.startswith(head) and letters <= known
                if fits and (found := _read(prompt, candidate)) is not None:
                    return found
        for candidate in _unexampled(wording) if plain else ():
            if (found := _read(prompt, candidate)) is not None:
                return found
    return None


def simulated() -> dict[str, float]:
    """The tasks that are simulated, as their families say (``GeneratedFamily.simulated``)."""
    found: dict[str, float] = {}
    for family in xd.FAMILIES.values():
        if isinstance(family, xd.GeneratedFamily):
            found |= family.simulated
    return found


def _read(prompt: str, candidate: _Candidate) -> Identified | None:
    task, language, text, condition = candidate
    try:
        instance = xd.read(task, prompt, language, text, condition)
    except ValueError:
        return None
    return Identified(task, language, text, instance, condition)


@lru_cache(maxsize=16)
def _unexampled(wording: str | None) -> tuple[_Candidate, ...]:
    """Plain candidates of which no example is known: of tasks without complexities, and of a
    wording that does not come with the package."""
    families = {task: generated_family_of(task) for task in simulated()}
    return tuple(
        (task, language, text, PLAIN)
        for text in (*known_texts(), *([wording] if wording else []))
        for task, family in families.items()
        if text == wording or (text in family.texts and family.complexity_range(task) is None)
        for language in family.languages(task)
    )


@lru_cache(maxsize=16)
def _examples(text: str, plain: bool) -> tuple[tuple[str, frozenset[str], _Candidate], ...]:
    """Candidates, plain or under conditions, with how their prompts begin and the letters in them.

    There are a thousand of them, and to read a prompt takes time, so most must be left out by what
    can be seen at once.
    """
    found = []
    for task in simulated():
        family = generated_family_of(task)
        ends = family.complexity_range(task)
        if ends is None or text not in family.texts:
            continue
        instance = xd.generate(task, complexity=ends[0] + _EXAMPLE)
        conditions = (name for name in family.conditions(task) if (name == PLAIN) == plain)
        for condition, language in product(conditions, family.languages(task)):
            try:
                prompt = xd.render(instance, language, text, condition)
            except ValueError:  # the language has no such condition
                continue
            head = "".join(takewhile(lambda c: not c.isdecimal(), prompt))[:-1]
            found.append((head, _letters(prompt), (task, language, text, condition)))
    return tuple(found)


def _letters(prompt: str) -> frozenset[str]:
    """Characters outside ASCII, which few languages share."""
    return frozenset(c for c in prompt if not c.isascii())

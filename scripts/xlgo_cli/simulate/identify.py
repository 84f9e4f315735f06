"""What a prompt is: its task, language, wording and condition, found from its text alone."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product, takewhile
from typing import Any

import xlgo_dataset as xd
from xlgo_dataset.family import family_of, known_texts
from xlgo_metric.core import PLAIN

from .causes import LENGTH_MATCHED

_EXAMPLE = 40
"""Steps above the least complexity of an example: enough for every kind of line to be there."""

_LATIN = frozenset({LENGTH_MATCHED, "romanised"})
"""Conditions under which a prompt has Latin letters alone, whatever its language."""

_Candidate = tuple[str, str, str, str]
"""Task, language, wording and condition."""


@dataclass(frozen=True)
class Referenced:
    """A question of a task whose prompts are not read: what its reference says of it."""

    reference: Mapping[str, Any]

    @property
    def complexity(self) -> int:
        """As in the reference; 1 where it has none."""
        return int(self.reference.get("complexity", 1))

    def to_json(self) -> dict[str, object]:
        """What its languages have in common."""
        return {"instance_id": self.reference["instance_id"]}


@dataclass(frozen=True)
class Identified:
    """What a prompt turned out to be: from its text alone, or from its reference."""

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
    for text in known_texts():
        for head, known, candidate in _examples(text):
            fits = prompt.startswith(head) and letters <= known
            if fits and (recognised := _read(prompt, candidate)) is not None:
                return recognised
    # Only puzzles are asked under conditions, and no prompt of theirs is without digits: there are
    # over a thousand ways to read one, too many to try on a text that cannot be one.
    more = _conditioned(_scripts(letters)) if any(map(str.isdecimal, prompt)) else ()
    for candidate in (*_unexampled(wording), *more):
        if (recognised := _read(prompt, candidate)) is not None:
            return recognised
    return None


def from_reference(reference: Mapping[str, Any]) -> Identified | None:
    """The question of a reference, if its task is simulated and its prompts are not read."""
    task = reference.get("task")
    if task not in simulated() or family_of(task).reads_prompts:
        return None
    return Identified(task, reference["language"], "paper", Referenced(reference))


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
    found = {task: family_of(task) for task in simulated()}
    families = {task: family for task, family in found.items() if family.reads_prompts}
    return tuple(
        (task, language, text, PLAIN)
        for text in (*known_texts(), *([wording] if wording else []))
        for task, family in families.items()
        if text == wording or (text in family.texts and family.complexity_range(task) is None)
        for language in family.languages(task)
    )


@lru_cache(maxsize=8)
def _examples(text: str) -> tuple[tuple[str, frozenset[str], _Candidate], ...]:
    """Plain candidates, with how their prompts begin and the letters in them.

    There are hundreds of them, and to read a prompt takes time, so most must be left out by what
    can be seen at once.
    """
    examples = []
    for task in _with_complexities():
        family = family_of(task)
        if text not in family.texts:
            continue
        low, high = family.complexity_range(task) or (1, 1 + _EXAMPLE)
        instance = xd.generate(task, complexity=min(low + _EXAMPLE, high))
        for language in family.languages(task):
            prompt = xd.render(instance, language, text)
            head = "".join(takewhile(lambda c: not c.isdecimal(), prompt))[:-1]
            examples.append((head, _letters(prompt), (task, language, text, PLAIN)))
    return tuple(examples)


@lru_cache(maxsize=64)
def _conditioned(scripts: frozenset[str]) -> tuple[_Candidate, ...]:
    """Candidates under conditions for prompts with these scripts beside Latin.

    A prompt has no script that its language has not; and one in a language with another script
    than Latin has that too, unless all of it is in Latin letters.
    """
    own: dict[str, frozenset[str]] = {}
    for _, letters, (_, language, _, _) in _examples(known_texts()[0]):
        own[language] = own.get(language, frozenset()) | _scripts(letters)
    recognised = []
    for text, task in product(known_texts(), _with_complexities()):
        family = family_of(task)
        conditions = [name for name in family.conditions(task) if name != PLAIN]
        languages = family.languages(task)
        for name, language in product(conditions, languages if text in family.texts else ()):
            if name == LENGTH_MATCHED and language != languages[-1]:
                continue  # it is in English, and alike for all languages
            of = own.get(language, frozenset())
            latin = name in _LATIN or not of
            if scripts <= of and (scripts or latin):
                recognised.append((task, language, text, name))
    return tuple(recognised)


def _with_complexities() -> list[str]:
    families = {task: family_of(task) for task in simulated()}
    return [
        task
        for task, family in families.items()
        if family.reads_prompts and family.complexity_range(task) is not None
    ]


def _scripts(letters: frozenset[str]) -> frozenset[str]:
    """Scripts of characters, by the first word of their names, Latin left out."""
    named = (unicodedata.name(c, "") for c in letters if c.isalpha())
    return frozenset(name.partition(" ")[0] for name in named) - {"LATIN", ""}


def _letters(prompt: str) -> frozenset[str]:
    """Characters outside ASCII, which few languages share."""
    return frozenset(c for c in set(prompt) if not c.isascii())

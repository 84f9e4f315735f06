"""Which prompts are asked: the conditions of each language, checked before anything is made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xlgo_metric.core import PLAIN

from ....text.languages import TEXTS, format_blocks, load_language
from ..base import Puzzle
from .condition import CONDITIONS, ENGLISH, Condition, condition


@dataclass(frozen=True)
class PromptVariant:
    """A prompt of every instance: in which language, under which condition."""

    language: str
    condition: Condition

    @property
    def ending(self) -> str:
        """What the id of its rows ends in."""
        return "" if self.condition.name == PLAIN else f":{self.condition.name}"


def asked(
    task: str,
    puzzle: Puzzle,
    held: str,
    languages: Iterable[str],
    *,
    names: Sequence[str],
    text: str = "paper",
) -> list[PromptVariant]:
    """The prompts of every instance, language by language.

    English under a condition that leaves an English prompt as it is, is asked as ``plain``, once.

    Args:
        task: one of the puzzles.
        puzzle, held: see ``blocks.block_of``.
        languages: codes.
        names: of conditions.
        text: the wording.

    Raises:
        ValueError: a condition does not go with a puzzle, a language or the wording.
    """
    variants: dict[PromptVariant, None] = {}
    for language in languages:
        for name in names:
            applied = condition(name)
            _check_puzzle(task, puzzle, held, applied, text)
            if language == ENGLISH and not applied.in_english:
                applied = CONDITIONS[PLAIN]
            _check_language(task, held, language, applied)
            variants[PromptVariant(language, applied)] = None
    return list(variants)


def _check_puzzle(task: str, puzzle: Puzzle, held: str, chosen: Condition, text: str) -> None:
    """Refuse a condition that means nothing to a puzzle or to a wording."""
    if chosen.name == PLAIN:
        return
    if chosen.name == "english_names" and not puzzle.NAMES:
        raise ValueError(
            f"{task}: the condition {chosen.name} changes nothing, because its lines name no rooms "
            "or keys: leave it out for this task"
        )
    if chosen.format == "own" and held not in format_blocks():
        raise ValueError(
            f"{task}: the condition {chosen.name} changes nothing, because its format stands in "
            "each language already: leave it out for this task"
        )
    if text not in TEXTS:
        raise ValueError(
            f"{task}: the condition {chosen.name} mixes the wordings of two languages: give text "
            f"{' or '.join(TEXTS)}, or the condition {PLAIN}"
        )


def _check_language(task: str, held: str, language: str, chosen: Condition) -> None:
    """Refuse a condition that a language cannot be asked under."""
    where = f"{task} {language}: the condition {chosen.name}"
    strings = load_language(language)
    if chosen.native_ids and strings.script == "Latin":
        raise ValueError(
            f"{where} changes nothing, because {strings.name} is written in the letters that "
            "identifiers have: leave out the language or the condition"
        )
    if chosen.romanised:
        from .romanised import LANGUAGES, check

        if language not in LANGUAGES:
            raise ValueError(
                f"{where} is for {', '.join(LANGUAGES)} alone: leave out the language or the "
                "condition"
            )
        check(language)
    for table, key in _needed(held, chosen):
        if key not in strings.conditions.get(table, {}):
            raise ValueError(
                f"{where} needs [conditions.{table}.{key}] in the language file of {strings.name}: "
                "add it (docs/adding_a_language.md), or leave out the language or the condition"
            )


def _needed(held: str, chosen: Condition) -> list[tuple[str, str]]:
    """The strings of ``[conditions]`` that a condition needs, as table and key."""
    needed = []
    if chosen.asks:
        needed.append(("thinking", chosen.asks))
    if chosen.native_ids:
        needed += [("native_ids", "letters"), ("native_ids", "digits")]
    if chosen.format == "own":
        needed += [(held, key) for key in format_blocks()[held]]
    return needed

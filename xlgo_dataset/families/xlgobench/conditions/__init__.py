"""Conditions of experiments: the same instance asked with one thing changed.

A prompt is made of four blocks: the ``lines`` that hold the data of the puzzle, the ``names`` of
rooms and keys that stand in them, the ``rules`` around them and the ``format`` of the answer. The
condition ``plain`` is the prompt as it always was: lines, names and rules in the language, the
format in English.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from xlgo_metric.core import PLAIN, allowed_name, refuse

from ....text.languages import TEXTS, format_blocks, load_language
from ..base import Puzzle
from . import romanised

Source = Literal["own", "english"]
"""Where a block comes from: the language of the row, or English."""

ENGLISH = "en"

_SAMPLE = "example"
"""The string with a sample answer: its words belong to the rules, its rooms to the names."""


@dataclass(frozen=True)
class Condition:
    """One way to ask a puzzle.

    Attributes:
        name: as options, ids and references have it.
        lines, names, rules, format: where each block comes from.
        filled: neutral sentences among the lines make the prompt as long as that of the language.
        romanised: the language is written in Latin letters.
    """

    name: str
    lines: Source = "own"
    names: Source = "own"
    rules: Source = "own"
    format: Source = "english"
    filled: bool = False
    romanised: bool = False


CONDITIONS: dict[str, Condition] = {
    condition.name: condition
    for condition in (
        Condition(PLAIN),
        Condition("english_rules", rules="english"),
        Condition("english_lines", lines="english", names="english"),
        Condition("english_names", names="english"),
        Condition("english_format"),  # as in plain
        Condition("native_format", format="own"),
        Condition("length_matched", lines="english", names="english", rules="english", filled=True),
        Condition("romanised", romanised=True),
    )
}
"""Every condition by name, in display order."""


def condition(name: str) -> Condition:
    """The condition ``name``.

    Raises:
        ValueError: there is no such condition.
    """
    return CONDITIONS[allowed_name(name, "condition", CONDITIONS)]


@dataclass(frozen=True)
class PromptVariant:
    """A prompt of every instance: in which language, under which condition."""

    language: str
    condition: Condition

    @property
    def ending(self) -> str:
        """What the id of its rows ends in."""
        return "" if self.condition.name == PLAIN else f":{self.condition.name}"


def prompt_variants(
    puzzle: Puzzle, languages: Iterable[str], names: Sequence[str], text: str = "paper"
) -> list[PromptVariant]:
    """The prompts of every instance, language by language.

    No condition changes an English prompt: English is asked as ``plain``, once.

    Args:
        puzzle: says which strings are lines and names.
        languages: codes.
        names: of conditions.
        text: the wording.

    Raises:
        ValueError: a condition does not go with a puzzle, a language or the wording.
    """
    variants: dict[PromptVariant, None] = {}
    for language in languages:
        for options in map(condition, names):
            if options.name != PLAIN:
                _check_puzzle(puzzle, options, text)
            applied = CONDITIONS[PLAIN] if language == ENGLISH else options
            _check_language(puzzle.NAME, language, applied)
            variants[PromptVariant(language, applied)] = None
    return list(variants)


def _check_puzzle(puzzle: Puzzle, options: Condition, text: str) -> None:
    """Refuse a condition that means nothing to a puzzle or to a wording."""
    where = f"{puzzle.NAME}: the condition {options.name}"
    refuse(
        where,
        (
            options.name == "english_names" and not getattr(puzzle, "NAMES", ()),
            " changes nothing, because its lines name no rooms or keys: leave it out for this task",
        ),
        (
            options.format == "own" and puzzle.NAME not in format_blocks(),
            " changes nothing, because its format stands in each language already: leave it out "
            "for this task",
        ),
        (
            text not in TEXTS,
            f" mixes the wordings of two languages: give text {' or '.join(TEXTS)}, or the "
            f"condition {PLAIN}",
        ),
    )


def _check_language(task: str, language: str, options: Condition) -> None:
    """Refuse a condition that a language cannot be asked under."""
    where = f"{task} {language}: the condition {options.name}"
    strings = load_language(language)
    if options.romanised:
        romanised.check(language, where)
    for key in format_blocks().get(task, {}) if options.format == "own" else ():
        if key not in strings.conditions.get(task, {}):
            raise ValueError(
                f"{where} needs [conditions.{task}.{key}] in the language file of {strings.name}: "
                "add it (docs/adding_a_language.md), or leave out the language or the condition"
            )


def strings_of(puzzle: Puzzle, language: str, text: str, condition: Condition) -> dict[str, str]:
    """Every string of a puzzle by key, as a condition has it.

    Args:
        puzzle: see ``prompt_variants``.
        language: a code; the languages of the blocks follow from it.
        text: the wording.
        condition: one that ``prompt_variants`` allows.
    """
    language_file, task = load_language(language), puzzle.NAME
    own = language_file.strings(task, text)
    if condition.name == PLAIN:
        return own
    english, blocks = load_language(ENGLISH).strings(task, text), format_blocks().get(task, {})
    block_of = {
        **dict.fromkeys(own, condition.rules),
        **dict.fromkeys(blocks, condition.format),
        **dict.fromkeys(getattr(puzzle, "NAMES", ()), condition.names),
        **dict.fromkeys(puzzle.LINES, condition.lines),
    }
    native = {k: s.wording(text) for k, s in language_file.conditions.get(task, {}).items()}
    own |= {key: native[key] for key in blocks if key in native}
    texts = {key: mine if block_of[key] == "own" else english[key] for key, mine in own.items()}
    # Where a language inflects its names, a mixed prompt has strings of its own.
    mixed = language_file.conditions.get(condition.name, {})
    texts |= {key: mixed[f"{task}_{key}"].text for key in texts if f"{task}_{key}" in mixed}
    if _SAMPLE in texts and condition.rules != condition.names:
        rules, names = (own, english) if condition.rules == "own" else (english, own)
        texts[_SAMPLE] = _sample(rules[_SAMPLE], names[_SAMPLE])
    if condition.romanised:
        texts |= {k: romanised.romanised(v, language) for k, v in texts.items() if k not in blocks}
    return texts


def corrected(language: str, condition: Condition) -> bool:
    """Whether a prompt under a condition holds strings of ``[conditions]`` of its language."""
    return condition.format == "own" or condition.name in load_language(language).conditions


def _sample(words: str, rooms: str) -> str:
    """The words around one sample answer and the answer out of another."""
    before, _, rest = words.partition("{")
    after = rest.rpartition("}")[2]
    return f"{before}{{{rooms.partition('{')[2].rpartition('}')[0]}}}{after}"

"""The strings of a prompt under a condition: each block from the language that it is asked in."""

from __future__ import annotations

from collections.abc import Mapping

from xlgo_metric.core import PLAIN

from ....text.document import Template
from ....text.languages import format_blocks, load_language
from ..base import Puzzle
from .condition import ENGLISH, Condition

_SAMPLE = "example"
"""The string with a sample answer: its words belong to the rules, its rooms to the names."""


def block_of(puzzle: Puzzle, held: str, key: str) -> str:
    """The block that a string belongs to.

    Args:
        puzzle: says which strings are lines and names.
        held: the task whose strings it uses.
        key: of the string.
    """
    if key in puzzle.LINES:
        return "lines"
    if key in puzzle.NAMES:
        return "names"
    return "format" if key in format_blocks().get(held, {}) else "rules"


def strings(
    puzzle: Puzzle, held: str, language: str, text: str, condition: Condition
) -> dict[str, str]:
    """Every string of a puzzle by key, as a condition has it.

    Args:
        puzzle, held: see ``block_of``.
        language: a code; the languages of the blocks follow from it.
        text: the wording.
        condition: one that ``check`` allows.
    """
    own = load_language(language).strings(held, text)
    if condition.name == PLAIN:
        return own
    english = load_language(ENGLISH).strings(held, text)
    texts = {}
    for key, string in own.items():
        block = block_of(puzzle, held, key)
        source = getattr(condition, block)
        if block == "format":
            texts[key] = native_format(language, held, text).get(key, string) \
                if source == "own" else string  # fmt: skip
        else:
            texts[key] = string if source == "own" else english[key]
    texts |= _inflected(held, language, text, condition)
    if _SAMPLE in texts and condition.rules != condition.names:
        rules, names = (own, english) if condition.rules == "own" else (english, own)
        texts[_SAMPLE] = _sample(rules[_SAMPLE], names[_SAMPLE])
    if condition.romanised:
        from .romanised import romanised

        blocks = format_blocks().get(held, {})
        texts |= {k: romanised(v, language) for k, v in texts.items() if k not in blocks}
    return texts


def _inflected(held: str, language: str, text: str, condition: Condition) -> dict[str, str]:
    """Strings that a mixed prompt has otherwise, where a language inflects its names.

    English rules name a room whole, as the sample answer does, where the sentences of the language
    carry its noun. English names stand in sentences without that noun and without endings.
    """
    own = load_language(language).conditions
    if condition.rules != condition.names and condition.names == "own":
        room = own.get("english_rules", {}).get("room")
        start = load_language(ENGLISH).strings(held, text).get("start")
        if room and start:
            return {"start": start.replace("{room}", room.text.replace("{id}", "{room}"))}
    if condition.names != condition.lines and condition.lines == "own":
        mixed = own.get("english_names", {})
        return {
            key: mixed[f"{held}_{key}"].text
            for key in ("start", "transition")
            if f"{held}_{key}" in mixed
        }
    return {}


def corrected(language: str, condition: Condition) -> bool:
    """Whether a prompt under a condition holds strings of ``[conditions]`` of its language."""
    own = load_language(language).conditions
    return (
        bool(condition.asks)
        or condition.native_ids
        or condition.format == "own"
        or condition.name in own
    )


def native_format(language: str, held: str, text: str) -> dict[str, str]:
    """The explanation of the answer's format in a language, by key; English has the paper's."""
    table = load_language(language).conditions.get(held, {})
    return {key: string.wording(text) for key, string in table.items()}


def _sample(words: str, rooms: str) -> str:
    """The words around one sample answer and the answer out of another."""
    before, _, rest = words.partition("{")
    after = rest.rpartition("}")[2]
    return f"{before}{{{rooms.partition('{')[2].rpartition('}')[0]}}}{after}"


def thinking(language: str, key: str) -> str:
    """The sentence that asks for the language of the reasoning."""
    return load_language(language).conditions["thinking"][key].text


def with_last_paragraph(template: Template, paragraph: str) -> Template:
    """The template with one more paragraph at its end."""
    texts: Mapping[str, str] = template.texts
    *_, last = texts
    return Template(
        {**texts, last: f"{texts[last]}\n\n{paragraph}"}, template.lines, template.numbers
    )

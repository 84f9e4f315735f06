"""Reading the letter of an option: a tag first, then other forms, then sentences."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from ...reading.grammar import Stated, Words, words_for
from ...reading.identifiers import LATIN
from ...reading.machine import machine_forms
from ...reading.normalise import latin_letter
from ...reading.settling import Form, settle
from ...reading.tables import LETTER
from .amounts import plain, status_without
from .responses import box_forms, lowered, places

_LETTERS = "ABCD"
_TAG = re.compile(r"<answer>\s{0,20}([^<]{0,200}?)\s{0,20}(?:</answer>|\Z)", re.IGNORECASE)
_OPENED = re.compile(r"<answer>\s{0,20}\Z", re.IGNORECASE)
_LETTER = re.compile(rf"(?<![{LATIN}0-9_])[A-D](?![{LATIN}0-9_(])")
# In a sentence: a capital alone, or a small letter in brackets or at the end.
_IN_SENTENCE = re.compile(
    rf"(?<![{LATIN}0-9_])(?<!N/)[A-D](?![{LATIN}0-9_(]|'(?:s|est|était|a|ai)\b)|(?<=\()[a-d](?=\))"
    rf"|(?<!{LETTER})[b-d](?=\W{{0,3}}\Z)|(?<=[*`\"'])[a-d](?=[*`\"'])"
)
_LEAD = re.compile(
    rf"[\s*_`\"'(\[]{{0,8}}(?:{LETTER}{{2,15}}\s{{0,2}})?[\s*_`\"'(\[:]{{0,8}}([A-Da-d])[*_`\"'\])]{{0,8}}"
    r"(?:\s{0,3}[:.,)]|\s{0,8}\Z)",
)
_ALONE = re.compile(r"[\s*_`\"'()\[\].]{0,8}([^\W\d_])[\s*_`\"'()\[\].]{0,8}")
_AT_END = re.compile(
    r"(.*[\s*_`\"'(\[:：]|)([^\W\d_])([\s*_`\"'\])]{0,8}[.。।]?\s{0,3})\Z", re.DOTALL
)
_LINE = 60
_LINE_ANSWER = re.compile(
    rf"(?:[^\W\d_][^:：.]{{0,40}}[:：]\s{{0,3}})?[\s*_`\"'(\[#]{{0,8}}(?:{LETTER}{{2,15}}\s)?[A-D]"
    r"[\s*_`\"'\])]{0,8}[.。।]?\s{0,3}"
)
_ONLY_LINE = re.compile(r"\W{0,5}[A-D]\s?[:)]\s[^\n]{1,400}")


@dataclass(frozen=True)
class Choice:
    """The chosen letter, or why there is none; ``asked``: it is in the requested tag."""

    letter: str | None
    status: Literal["no_answer", "bad_format", "truncated"] = "no_answer"
    asked: bool = False


def choice(text: str, language: str | None) -> Choice:
    """The option that a response chooses."""
    text = plain(text)
    stated = sorted(
        Form(*match.span(), match[1])
        for start in places(lowered(text), "<answer>")
        if (match := _TAG.match(text, start))
    )
    if stated and not stated[-1].content and _OPENED.search(text):
        return Choice(None, "truncated")
    tags = [tag for tag in stated if not _is_echo(tag.content)]
    for start, end, *_ in (tag for tag in stated if tag not in tags):
        text = text[:start] + " " * (end - start) + text[end:]
    forms = tags or sorted([*box_forms(text)[0], *machine_forms(text)])
    settled = settle(text, forms, language, _IN_SENTENCE, _same)
    words = settled.words
    if settled.kind == "form":
        letter = _letter(settled.content, words)
        return Choice(letter, "bad_format", asked=bool(tags))
    if settled.kind == "stated":
        named = {value.upper() for value in settled.values}
        return Choice(named.pop() if len(named) == 1 else None, "bad_format")
    if settled.kind in ("hedged", "withdrawn"):
        return Choice(None, status_without(settled))
    letter = _letter(_last_line(text), words)
    return Choice(letter, "bad_format" if forms else status_without(settled))


def _is_echo(content: str) -> bool:
    """Whether a tag repeats the words of the prompt: with all four letters."""
    return not content or set(_LETTER.findall(content)) == set(_LETTERS)


def _same(content: str, stated: Stated) -> bool:
    letters = {value.upper() for value in stated.values}
    return letters == {_letter(content, words_for(None, content))}


def _last_line(text: str) -> str:
    """What the last line says if it is an answer alone: ``B``, ``(B)``, ``Answer: B``.

    So does the only option with its text, at the beginning or the end: ``B: (a and b)``.
    """
    text = text.strip()
    options = [line for line in text.split("\n") if _ONLY_LINE.fullmatch(line.strip())]
    if len(options) == 1 and (text.startswith(options[0]) or text.endswith(options[0])):
        return options[0]
    line = text.rpartition("\n")[2][-_LINE:]
    line = _AT_END.sub(lambda m: m[1] + latin_letter(m[2], text) + m[3], line)
    return line if _LINE_ANSWER.fullmatch(line) else ""


def _letter(text: str, words: Words) -> str | None:
    r"""The one letter from A to D that a short text names: ``C``, ``**C**``, ``Option C: ...``."""
    text = plain(text).replace("\\boxed", " ").replace("{", " ").replace("}", " ")
    if alone := _ALONE.fullmatch(text):
        text = latin_letter(alone[1], text)
        if len(text) == 1 and text.upper() in _LETTERS:
            return text.upper()
    first = _LETTER.search(text)
    if first and words.passed_over(text[: first.start()], text[first.end() :]):
        return None
    if first and words.denies(text[: first.start()]):
        return None
    lead = _LEAD.match(text)
    if lead:
        others = set(_LETTER.findall(text)) - {lead[1].upper()}
        behind = text[lead.end() - 1 : lead.end()]
        if not others or behind == ":":
            return lead[1].upper()
    letters = set(_LETTER.findall(text))
    if len(letters) > 1 and first:
        rest = [m for m in _LETTER.finditer(text) if m[0] != first[0]]
        if not any(words.joined(text[first.end() : m.start()]) for m in rest):
            denied = [m for m in rest if words.passed_over(text[: m.start()], text[m.end() :])]
            return first[0] if len(denied) == len(rest) else None
    return letters.pop() if len(letters) == 1 else None

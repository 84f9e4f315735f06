r"""Find the answer in a response: ``[[…]]``, else a box, else single brackets.

A chat ends with its answer, so the last one counts. A completion begins with it and runs on into
questions of its own, so the first one counts. Examples that the prompt shows are no answers. All of
this takes time linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ...reading.grammar import Stated, Words, words_for
from ...reading.identifiers import LATIN
from ...reading.run_on import ends_refusing, question_starts
from ...reading.settling import Form, left_over, settle, words_around
from ...reading.thinking import standing
from .templates import is_template

_PLACES = 200  # how many marks are tried
_WINDOW = 20_000  # no answer is longer
_LONGEST = 2_000
_AROUND = 600  # characters on either side of an answer that may say something of it
_PROSE = 300  # how much may stand between the two brackets that close an answer
_BOX = re.compile(r"\\?(?:boxed|fbox)\s{0,4}\{")
# What an answer looks like where it stands without brackets.
_VALUE = re.compile(
    r"(?<![A-Za-z0-9_.])-?\d{1,20}(?:[.,/]\d{1,20})?(?![A-Za-z0-9_])"
    rf"|(?<![{LATIN}0-9])(?:[A-Z](?![{LATIN}0-9'])(?! [a-z])|[A-Z]{{2,20}}(?![{LATIN}0-9]))"
)
_BRACKET = re.compile(r"[\[\]]")
_BESIDE = re.compile(r"[\s*_`$\"']{0,9}(?:[,;/&|+、，]|and|und|\s)[\s*_`$\"']{0,9}", re.IGNORECASE)


@dataclass(frozen=True)
class Found:
    """An answer that was found.

    Attributes:
        content: what stands between the marks, trimmed; of several answers side by side all of
            them, with "or" between.
        kind: ``double`` (what was asked for), ``loose`` (double brackets that do not close as they
            should), ``box`` or ``single``.
        parts: the answers that stand side by side; empty where there is one.
    """

    content: str
    kind: Literal["double", "loose", "box", "single"]
    parts: tuple[str, ...] = ()

    def readings(self) -> tuple[str, ...]:
        """What the answer may be read as: parts may be alternatives, or the parts of one answer."""
        return (self.content, "];[".join(self.parts)) if self.parts else (self.content,)


@dataclass(frozen=True)
class _Mark:
    start: int
    end: int
    content: str
    closed: bool


def find_answer(
    text: str, *, first: bool = False, examples: frozenset[str] = frozenset()
) -> Found | None:
    """The answer that counts.

    Only 20,000 characters are read: the first of a completion, the last of a chat.

    Args:
        text: a response without thinking.
        first: the first answer counts, not the last.
        examples: what the question shows in double brackets, with single spaces; such is an answer
            only where no other stands.
    """
    text = standing(text[:_WINDOW] if first else text[-_WINDOW:])
    text = text.replace(r"\[\[", "[[").replace(r"\]\]", "]]")
    every = [mark for mark in _marks(text) if not is_template(mark.content)]
    every = [m for m in every if " ".join(m.content.split()) not in examples] or every
    asked = next(question_starts(text, "en"), -1)
    if (
        asked >= 0
        and all(mark.start > asked for mark in every)
        and ends_refusing(text[:asked], "en")
    ):
        return None
    if every:
        stop = next(question_starts(text, "en", every[0].end), -1)
        marks = [mark for mark in every if stop < 0 or mark.start < stop]
        marks = marks[:_PLACES] if first else marks[-_PLACES:]
        forms = [Form(mark.start, mark.end, mark.content) for mark in marks]
        said = text if stop < 0 else text[:stop]
        if first and (left := left_over(said, forms, "en")):
            form = _runs(said, left, words_around(said, left[0], "en"))[0]
            return _found(form, form.parts, marks)
        if not first:
            settled = settle(said, forms, "en", _VALUE, _same, runs=_runs)
            if settled.form:
                stands = settled.kind in ("form", "list")
                return _found(settled.form, settled.values, marks) if stands else None
        for mark in marks:  # none of them is an answer in single brackets either
            text = text[: mark.start] + " " * (mark.end - mark.start) + text[mark.end :]
    head = text if asked < 0 else text[:asked]
    return _marked_otherwise(head, first) or (
        _marked_otherwise(text, first) if asked >= 0 else None
    )


def _found(form: Form, answers: Sequence[str], marks: Sequence[_Mark]) -> Found:
    """What a form gives that stands: one answer, or several side by side."""
    closed = next(mark.closed for mark in marks if mark.end == form.end)
    parts = tuple(dict.fromkeys(answers))
    kind: Literal["double", "loose"] = "double" if closed else "loose"
    return Found(" or ".join(parts), kind, parts) if len(parts) > 1 else Found(form.content, kind)


def _runs(text: str, forms: Sequence[Form], words: Words) -> list[Form]:
    """The answers that stand side by side, each such run as one."""
    found: list[Form] = []
    for form in forms:
        if found and _beside(text, found[-1], form, words):
            before = found.pop()
            parts = (*(before.parts or (before.content,)), form.content)
            form = Form(before.start, form.end, form.content, parts)  # noqa: PLW2901
        found.append(form)
    return found


def _beside(text: str, one: Form, other: Form, words: Words) -> bool:
    """Whether two answers are given side by side: in one line, or with "or" or a comma between."""
    between = text[one.end : other.start]
    if len(between) > 100 or words.undecided(text[: one.start], between, text[other.end :]):
        return False
    if not between.strip():
        return "\n" not in between
    if _BESIDE.fullmatch(between):
        return True
    return words.one_of_two(between, text[other.end :], text[: one.start])


def _same(content: str, stated: Stated) -> bool:
    """Whether a sentence gives an answer; one of several parts is not compared with sentences."""
    return not _VALUE.fullmatch(content) or content in stated.values


def holds_content(text: str) -> bool:
    """Whether a response without a valid answer has text that may be one."""
    left = standing(text[-_WINDOW:])
    if left != text[-_WINDOW:]:
        return True
    text = left
    for mark in list(_marks(text)):
        if not is_template(mark.content):
            return True
        text = text[: mark.start] + " " * (mark.end - mark.start) + text[mark.end :]
    return bool(text.strip()) and words_for("en", text[-2 * _AROUND :]).names(text, _VALUE)


def object_stands(text: str) -> bool:
    """Whether the object of a response to several questions is not denied, supposed, taken back."""
    text = standing(text)
    start, end = text.find("{"), text.rfind("}") + 1
    if not 0 <= start < end:
        return True
    before, behind = text[max(0, start - _AROUND) : start], text[end:]
    words = words_for("en", f"{before} {behind[:_AROUND]}")
    return not (words.passed_over(before, behind) or words.aftermath(behind).withdrawn)


# Marks


def _marks(text: str) -> Iterator[_Mark]:
    """The contents of double brackets, in order; inner brackets may nest or be left open."""
    partners = _partners(text)
    place = 0
    while True:
        start = text.find("[[", place)
        if start < 0:
            return
        if text.startswith("[[[", start) and (
            start not in partners or text[start - 1 : start] == "\\"
        ):
            start += 1
        mark = _mark(text, start, partners)
        place = mark.end if mark else start + 2
        if mark:
            yield mark


def _mark(text: str, start: int, partners: dict[int, int]) -> _Mark | None:
    """The answer that begins with the double bracket at ``start``."""
    outer, inner = partners.get(start, -1), partners.get(start + 1, -1)
    for closing in (outer, inner):  # a half-open interval is left open inside
        if closing > 0 and text[closing - 1] == "]":
            return _cut_out(text, start, closing - 1, closing + 1)
    if inner > 0:
        return _loose(text, start, inner, outer)
    end = text.find("]]", start + 2, start + _LONGEST)
    if end < 0 or text.find("[[", start + 2, end) >= 0:
        return None
    return _cut_out(text, start, end, end + 2)


def _loose(text: str, start: int, inner: int, outer: int) -> _Mark:
    """``[[C] some text]``, ``[[C]``, or rows whose last two brackets are separated."""
    rest = text[inner + 1 : min(outer, inner + _PROSE + 2)] if outer > 0 else ""
    if len(rest) > _PROSE or "\n\n" in rest:
        return _cut_out(text, start, inner, inner + 1, closed=False)
    if "[" not in rest:
        return _cut_out(text, start, inner, max(inner, outer) + 1, closed=False)
    content = text[start + 2 : outer].rstrip().removesuffix("]")
    return _Mark(start, outer + 1, content.strip(), False)


def _cut_out(text: str, start: int, stop: int, end: int, closed: bool = True) -> _Mark:
    content = text[start + 2 : stop].strip()
    if content.endswith("\\") and not content.endswith("\\\\"):  # \]] closes, too
        content = content[:-1].rstrip()
    return _Mark(start, end, content, closed)


def _partners(text: str) -> dict[int, int]:
    """The place of the ``]`` that closes each ``[``."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for match in _BRACKET.finditer(text):
        if match[0] == "[":
            opened.append(match.start())
        elif opened:
            found[opened.pop()] = match.start()
    return found


# Other marks


def _marked_otherwise(text: str, first: bool) -> Found | None:
    content = _box(text, first)
    if content is not None:
        return Found(content, "box")
    content = _single(text, first)
    return None if content is None else Found(content, "single")


def _box(text: str, first: bool) -> str | None:
    """The content of the last box, or the first, with balanced braces."""
    boxes = list(_BOX.finditer(text))
    for match in boxes[:_PLACES] if first else reversed(boxes[-_PLACES:]):
        depth, begin = 1, match.end()
        for brace in re.finditer(r"\\.|[{}]", text[begin : begin + _LONGEST], re.DOTALL):
            depth += {"{": 1, "}": -1}.get(brace[0], 0)
            if not depth:
                content = text[begin : begin + brace.start()].strip()
                if not is_template(content):
                    return content
                break
    return None


def _single(text: str, first: bool) -> str | None:
    r"""The last run in single brackets, or the first; ``\[`` opens display mathematics."""
    runs = [
        match[1].strip()
        for match in _SINGLE.finditer(text)
        if match[1].strip() and not is_template(match[1].strip())
    ]
    return None if not runs else runs[0] if first else runs[-1]


_SINGLE = re.compile(r"(?<!\\)\[([^\[\]]{1,2000})(?<!\\)\]")


def unboxed(content: str) -> str:
    r"""An answer without a box around all of it: ``\boxed{5}`` as ``5``."""
    match = _BOX.match(content)
    if match and content.endswith("}"):
        return content[match.end() : -1].strip()
    return content

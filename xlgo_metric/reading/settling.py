"""Which of the answers in a response stands: those in the asked form first, then its sentences.

The same for every family that reads text: a family finds its forms (boxes, tags, lists) and says
what a value looks like; here is decided which of them counts. Puzzles, whose forms are JSON
objects, ask the grammar themselves (`extract`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, Protocol

from xlgo_metric.reading.grammar import Stated, Words, words_for

_AROUND = 600
_FORMS = 40  # the last ones are looked at
_END = 10_000  # of a text of which no form stands so much is read


class Form(NamedTuple):
    """An answer in a form that can be found without words: ``text[start:end]``."""

    start: int
    end: int
    content: str


@dataclass(frozen=True)
class Settled:
    """What stands as the answer of a response.

    Attributes:
        kind: ``form`` (one of the forms); ``list`` (several of them, see `settle`); ``stated`` (a
            sentence); ``hedged`` (one of several); ``withdrawn`` (it was taken back); ``content``
            (a value stands at the end, but nothing says that it is the answer); ``none``.
        content: of the form, or the words of the sentence.
        words: to read it by.
        form: the number of the form.
        values: that the sentence names.
    """

    kind: Literal["form", "list", "stated", "hedged", "withdrawn", "content", "none"]
    content: str
    words: Words
    form: int = -1
    values: tuple[str, ...] = ()


Same = Callable[[str, Stated], bool]


def settle(  # noqa: PLR0911
    text: str,
    forms: Sequence[Form],
    language: str | None,
    value: re.Pattern[str],
    same: Same,
    *,
    count: bool = False,
    lists: bool = False,
) -> Settled:
    """Find the answer that stands.

    Args:
        text: a response without thinking.
        forms: its answers in the asked form, in order.
        language: of the prompt.
        value: what an answer looks like in a sentence, in the form of `tables.seen`.
        same: whether a form's content and a sentence give the same answer.
        count: a number of times is an answer without a label.
        lists: answers joined by "or" are one answer with all of them.
    """
    refused: set[str] = set()  # forms that are denied: an equal one before is taken back
    # The last answer decides; only one that is passed over, as an example, gives way to the one
    # before it. So many are looked at, that a response of nothing but answers takes bounded time.
    for number in range(len(forms) - 1, max(-1, len(forms) - 1 - _FORMS), -1):
        form = forms[number]
        before, behind = text[max(0, form.start - _AROUND) : form.start], text[form.end :]
        words = words_for(language, f"{before} {behind[:_AROUND]}")
        if words.passed_over(before, behind[:_AROUND]) or _as_before(text, forms, number, words):
            text = _struck(text, form)
            if words.refused(before, behind[:_AROUND]):
                refused.add(form.content.strip())
            if number and _undecided(text, forms[number - 1], form, words):
                return Settled("hedged", form.content, words, number)
            continue
        if form.content.strip() in refused:
            return Settled("withdrawn", "", words)
        if count and words.bounded(before):
            return Settled("hedged", form.content, words, number)
        if listed(text, forms, number, words):
            return Settled("hedged", form.content, words, number)
        found = Settled("form", form.content, words, number)
        if number and _hedged(text, forms[number - 1], form, words, lists):
            if not lists:
                return Settled("hedged", form.content, words, number)
            found = replace(
                found, kind="list", content=f"{forms[number - 1].content}, {form.content}"
            )
        return _after(found, behind, value, same)
    text = text[-_END:]
    words = words_for(language, text[-3 * _AROUND :])
    stated = words.stated(text, value) or (words.counted(text, value) if count else None)
    if stated is None:
        named = forms or words.names(text, value)
        return Settled("content" if named else "none", "", words)
    if stated.hedged:
        return Settled("hedged", stated.words, words)
    if words.aftermath(stated.behind, stated.words).withdrawn:
        return Settled("withdrawn", stated.words, words)
    return Settled("stated", stated.words, words, values=stated.values)


class Marked(Protocol):
    """What is read of a form: where it stands, and what it holds."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def content(self) -> str: ...


def listed(text: str, forms: Sequence[Marked], number: int, words: Words) -> bool:
    """Whether a form ends a list of different ones that a sentence before calls possible."""
    first = number
    while first:
        between = text[forms[first - 1].end : forms[first].start]
        if not (words.bare(between) or words.both(between)):
            break
        first -= 1
    if len({form.content.strip() for form in forms[first : number + 1]}) < 2:
        return False
    return words.offers(text[max(0, forms[first].start - _AROUND) : forms[first].start])


def _struck(text: str, form: Form) -> str:
    """A text without a form that is passed over; positions stay."""
    return text[: form.start] + "□" * (form.end - form.start) + text[form.end :]


def _as_before(text: str, forms: Sequence[Form], number: int, words: Words) -> bool:
    """Whether a form is denied as the one before it is: "Why not 28? Who gets 28"."""
    form, other = forms[number], forms[number - 1]
    if not number:
        return False
    before = text[max(0, other.start - _AROUND) : other.start]
    between = text[other.end : form.start]
    if form.content.strip() != other.content.strip():
        return words.both_denied(before, between)
    return words.explains(between) and words.passed_over(before, text[other.end :][:_AROUND])


def _undecided(text: str, first: Form, second: Form, words: Words) -> bool:
    before = text[max(0, first.start - _AROUND) : first.start]
    return words.undecided(before, text[first.end : second.start], text[second.end :])


def _hedged(text: str, first: Form, second: Form, words: Words, lists: bool) -> bool:
    if first.content.strip() == second.content.strip():
        return False
    between, behind = text[first.end : second.start], text[second.end :]
    if words.joined(between) or (not lists and words.both(between)):
        return True
    before = text[max(0, first.start - _AROUND) : first.start]
    if _undecided(text, first, second, words):
        return True
    return words.one_of_two(between, behind, before) and not words.passed_over(before, between)


def _after(found: Settled, behind: str, value: re.Pattern[str], same: Same) -> Settled:
    """What stands after the text behind a form."""
    words = found.words
    after = words.aftermath(behind, found.content)
    stated = words.restated(after, value)
    if stated is None or same(found.content, stated):
        lost = after.withdrawn and stated is None
        return Settled("withdrawn", "", words) if lost else found
    if stated.hedged:
        return Settled("hedged", stated.words, words)
    return Settled("stated", stated.words, words, values=stated.values)

"""Which of the answers in a response stands: those in the asked form first, then its sentences.

The same for every family that reads text: a family finds its forms (boxes, tags, lists) and says
what a value looks like; here is decided which of them counts. Puzzles, whose forms are JSON
objects, ask the grammar themselves (`extract`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from xlgo_metric.reading.grammar import Stated, Words, words_for

_AROUND = 600
_FORMS = 40  # the last ones are looked at
_END = 10_000  # of a text of which no form stands so much is read


class Form(NamedTuple):
    """An answer in a form that can be found without words: ``text[start:end]``.

    ``parts`` are the answers of several forms that are given as one.
    """

    start: int
    end: int
    content: str
    parts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Settled:
    """What stands as the answer of a response.

    Attributes:
        kind: ``form`` (one of the forms); ``list`` (several of them, see `settle`); ``stated`` (a
            sentence); ``hedged`` (one of several); ``withdrawn`` (it was taken back); ``content``
            (a value stands at the end, but nothing says that it is the answer); ``none``.
        content: of the form, or the words of the sentence.
        words: to read it by.
        form: the form that is passed over no more, if there is one.
        values: that the sentence names, or the answers of a list.
    """

    kind: Literal["form", "list", "stated", "hedged", "withdrawn", "content", "none"]
    content: str
    words: Words
    form: Form | None = None
    values: tuple[str, ...] = ()


Same = Callable[[str, Stated], bool]
Runs = Callable[[str, Sequence[Form], Words], list[Form]]


def settle(  # noqa: PLR0911
    text: str,
    forms: Sequence[Form],
    language: str | None,
    value: re.Pattern[str],
    same: Same,
    *,
    count: bool = False,
    runs: Runs | None = None,
) -> Settled:
    """Find the answer that stands.

    Args:
        text: a response without thinking.
        forms: its answers in the asked form, in order.
        language: of the prompt.
        value: what an answer looks like in a sentence, in the form of `tables.seen`.
        same: whether a form's content and a sentence give the same answer.
        count: a number of times is an answer without a label.
        runs: makes one form of those that are one answer together; answers joined by "or" are
            then one answer with all of them.
    """
    refused: set[str] = set()  # forms that are denied: an equal one before is taken back
    # The last answer decides; only one that is passed over, as an example, gives way to the one
    # before it. So many are looked at, that a response of nothing but answers takes bounded time.
    forms = forms[-_FORMS:]
    for number in range(len(forms) - 1, -1, -1):
        form = forms[number]
        words = words_around(text, form, language)
        if passed_over(text, forms, number, words):
            before, behind = text[: form.start], text[form.end :]
            text = f"{before}{'□' * (form.end - form.start)}{behind}"
            if words.refused(before, behind):
                refused.add(form.content.strip())
            if undecided(text, forms, number, words):
                return Settled("hedged", form.content, words, form)
            continue
        if form.content.strip() in refused:
            return Settled("withdrawn", "", words, form)
        if count and words.bounded(text[: form.start]):
            return Settled("hedged", form.content, words, form)
        differs = number > 0 and form.content.strip() != forms[number - 1].content.strip()
        if differs and undecided(text, forms, number, words):
            return Settled("hedged", form.content, words, form)
        every: Sequence[Form] = forms[: number + 1]
        if runs:
            left = left_over(text, every, language)
            every = runs(text, left, words)
        return _standing(text, every, words, value, same, together=runs is not None)
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


def words_around(text: str, form: Form, language: str | None) -> Words:
    """The words to read what stands around a form by."""
    before, behind = text[max(0, form.start - _AROUND) : form.start], text[form.end :][:_AROUND]
    return words_for(language, f"{before} {behind}")


def left_over(text: str, forms: Sequence[Form], language: str | None) -> list[Form]:
    """The forms that are not passed over."""
    return [
        form
        for number, form in enumerate(forms)
        if not passed_over(text, forms, number, words_around(text, form, language))
    ]


def passed_over(text: str, forms: Sequence[Form], number: int, words: Words) -> bool:
    """Whether a form is none, by its sentence, or denied as the one before it is.

    That is "not 28 or 24", or "Why not 28? Who gets 28".
    """
    form, other = forms[number], forms[number - 1]
    if words.passed_over(text[: form.start], text[form.end :]):
        return True
    if not number:
        return False
    before, between = text[: other.start], text[other.end : form.start]
    if form.content.strip() != other.content.strip():
        return words.both_denied(before, between)
    return words.explains(between) and words.passed_over(before, text[other.end :])


def undecided(text: str, forms: Sequence[Form], number: int, words: Words) -> bool:
    """Whether the sentence of a form and the one before it does not choose between the two."""
    first, second = forms[number - 1], forms[number]
    between, behind = text[first.end : second.start], text[second.end :]
    return number > 0 and words.undecided(text[: first.start], between, behind)


def listed(text: str, forms: Sequence[Form], number: int, words: Words) -> bool:
    """Whether a form ends a list of different ones that a sentence before calls possible."""
    first = number
    while first:
        between = text[forms[first - 1].end : forms[first].start]
        if not (words.bare(between) or words.both(between)):
            break
        first -= 1
    if len({form.content.strip() for form in forms[first : number + 1]}) < 2:
        return False
    return words.offers(text[: forms[first].start])


def beside(
    text: str, forms: Sequence[Form], number: int, words: Words, enumerated: bool = True
) -> bool:
    """Whether a form is given with the one before it, joined by "or", or by "and" or a comma."""
    first, second = forms[number - 1], forms[number]
    before, between, behind = (
        text[: first.start], text[first.end : second.start], text[second.end :],
    )  # fmt: skip
    if words.joined(between) or (enumerated and words.both(between)):
        return True
    return words.one_of_two(between, behind, before) and not words.passed_over(before, between)


def _standing(
    text: str,
    forms: Sequence[Form],
    words: Words,
    value: re.Pattern[str],
    same: Same,
    *,
    together: bool,
) -> Settled:
    """What stands of a last form that is not passed over."""
    form, last = forms[-1], len(forms) - 1
    found = Settled("form", form.content, words, form, form.parts)
    differs = last > 0 and form.content.strip() != forms[-2].content.strip()
    if listed(text, forms, last, words):
        return replace(found, kind="hedged")
    if differs and beside(text, forms, last, words, enumerated=not together):
        if not together:
            return replace(found, kind="hedged")
        both = (*(forms[-2].parts or (forms[-2].content,)), *(form.parts or (form.content,)))
        found = replace(found, kind="list", content=", ".join(both), values=both)
    return _after(found, text[form.end :], value, same)


def _after(found: Settled, behind: str, value: re.Pattern[str], same: Same) -> Settled:
    """What stands after the text behind a form."""
    words = found.words
    after = words.aftermath(behind, found.content)
    stated = words.restated(after, value)
    if stated is None or same(found.content, stated):
        lost = after.withdrawn and stated is None
        return Settled("withdrawn", "", words, found.form) if lost else found
    if stated.hedged:
        return Settled("hedged", stated.words, words, found.form)
    return Settled("stated", stated.words, words, found.form, stated.values)

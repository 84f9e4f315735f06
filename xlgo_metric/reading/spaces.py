"""Where a space ends a sentence or a clause, in scripts that have no mark for it: Thai.

A space stands in Thai between clauses, and beside numbers and names as well. It ends a sentence
where a word follows that opens one (``opens``: a subject, a connective), or where one stands before
it that closes one. It is made the mark that other languages write there, so that the grammar is
the same for all.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from xlgo_metric.reading.tables import alternatives, codes, plain, table

_WORD = 24  # characters before a space in which one word stands
_REACH = 200  # characters before a space in which a condition begins
_THEN = 120  # characters behind it in which its consequence stands
_GAP = re.compile(r"[\n!?…]|\.(?=\s)|(?<!\s)\s(?=\S)")
_MARKED = re.compile(r"[,،;:.(\[{\"'-][\s*_`]{0,4}\Z")


class _Openings(NamedTuple):
    """What opens, joins and closes the clauses of a language."""

    letters: re.Pattern[str]
    joins: re.Pattern[str]
    condition: re.Pattern[str]
    would: re.Pattern[str]
    leads: re.Pattern[str]
    closes: re.Pattern[str]
    replies: re.Pattern[str]
    others: re.Pattern[str]
    any: re.Pattern[str]


@cache
def _openings() -> tuple[_Openings, ...]:
    """The patterns of every language whose table says what opens a sentence."""
    return tuple(_of(code) for code in codes() if table(code).words["opens"])


def _of(code: str) -> _Openings:
    words = table(code).words

    def one_of(*places: str) -> str:
        return alternatives([word for place in places for word in words[place]])

    joining = one_of("but", "and", "joins")
    pointing = {word for place in ("this", "right", "yes") for word in words[place]}
    links = alternatives([word for word in words["copula"] if word not in pointing])
    leads = one_of("but", "if", "and", "or", "joins", "like", "not_before")
    letters = sorted({mark for word in words["opens"] for mark in word})
    opens = rf"{one_of('opens')}|(?:{joining})?{one_of('why')}"
    joins = rf"{one_of('but', 'joins')}|{one_of('and')}{one_of('opens')}"
    condition = rf"(?:{joining})?{one_of('if')}"
    return _Openings(
        letters=re.compile(f"[{letters[0]}-{letters[-1]}]"),
        any=re.compile(rf"{condition}|{joins}|{opens}"),
        joins=re.compile(joins),
        condition=re.compile(condition),
        would=re.compile(one_of("would")),
        leads=re.compile(rf"(?:{leads}|{links}|(?<!\S){one_of('so', 'opens')})\Z"),
        closes=re.compile(rf"{one_of('closing', 'asks')}\Z"),
        replies=re.compile(rf"\W*{one_of('no', 'yes', 'wait')}"),
        others=re.compile(one_of("or")),
    )


def seen(text: str) -> str:
    """The form in which texts are read: plain, with a mark for every space that ends a clause."""
    text = plain(text)
    if text.isascii():
        return text
    for openings in _openings():
        if openings.letters.search(text):
            text = _marked(text, openings)
    return text


def _marked(text: str, openings: _Openings) -> str:
    """A text with a line break or a comma for every space that ends a sentence or a clause."""
    parts: list[str] = []
    done = begin = 0  # where the rest of the text begins, and where its clause does
    for gap in _GAP.finditer(text):
        at = gap.start()
        mark = gap[0] if gap[0] != " " else _mark(text, max(begin, at - _REACH), at, openings)
        if mark:
            parts += [text[done:at], mark]
            begin = done = at + 1
    return "".join([*parts, text[done:]])


def _mark(text: str, begin: int, at: int, openings: _Openings) -> str:
    """The mark for a space behind a clause; none if the clause goes on."""
    behind, word = at + 1, max(begin, at - _WORD)
    closed = openings.closes.search(text, word, at)
    replied = word == begin and openings.replies.fullmatch(text, begin, at)
    opens = openings.any.match(text, behind)
    if not openings.letters.match(text, behind) or not (closed or replied or opens):
        return ""
    leads = not replied and openings.leads.search(text, word, at)
    if leads or _MARKED.search(text, word, at) or begin == at > 0:
        return ""
    would = openings.would.search(text, begin, at)
    condition = openings.condition.search(text, begin, at)
    if openings.condition.match(text, behind):
        own = condition or not would
        return "\n" if own and openings.would.search(text, behind, behind + _THEN) else ""
    if replied or openings.joins.match(text, behind):
        return ","
    if not opens and openings.others.match(text, behind):
        return ""
    return "," if condition and not would else "\n"

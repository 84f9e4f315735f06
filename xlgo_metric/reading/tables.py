"""The words that the reader knows: one table a language, a file each in ``languages``.

A table says in which place a word stands, not which sentences it makes; ``grammar`` puts the places
together. ``docs/grading.md`` tells what a table owes. Words are held in the form that texts are
read in (`plain`), so that a pattern meets a text as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import chain, groupby

from xlgo_metric.reading.normalise import fold

PLACES: dict[str, str] = {
    "label": "names the answer, before or behind it: the final answer",
    "noun": "names what an answer is, and may stand between another word and it: room, option",
    "copula": "links a label and an answer, in any order, particles included: is, est, は",
    "closing": "may end a sentence behind an answer: है, です",
    "not_before": "denies what stands right behind it: not, rather than",
    "not_behind": "denies what stands right before it: is not, ではなく",
    "none": "makes a sentence say that there is nothing: no, none, any",
    "but": "puts what follows in the place of what was denied: but, sondern",
    "or": "joins two answers: or",
    "and": "joins two answers of which both are given: and",
    "maybe": "says that an answer is one of several that are possible: could also be",
    "so": "concludes, in the last sentence, with the answer: therefore, we get",
    "fault": "makes a sentence one about mistakes, not about the answer: a common mistake",
    "others": "tells what others may answer: a careless reader, some would say",
    "doubt": "denies the answer of its sentence: I do not think, I doubt",
    "why": "asks for a reason, and so supposes the answer: why",
    "if": "begins or ends a condition: if",
    "careful": "makes a condition one of careful reading, which supposes nothing: properly",
    "suppose": "makes a supposition of the answer of its sentence: suppose, let us assume",
    "would": "tells what holds under a condition only: would be",
    "this": "points back to an answer: this, that, it, my",
    "like": "makes an example of what stands beside it: such as",
    "interim": "says of an answer that it is none yet: an intermediate value, a placeholder",
    "two": "points to two answers together: both, which of the two",
    "question": "heads a question: Question, Problem",
    "other": "points to something else than the answer: other, any",
    "right": "says of an answer that it is right: correct",
    "wrong": "says of an answer that it is wrong: wrong, not correct",
    "wait": "begins a correction, with or without a mark behind it: wait, correction",
    "yes": "answers a question with it: yes, exactly",
    "asks": "makes a question of its sentence at the end, where no mark does: 吗, か",
    "draft": "tells of an earlier try, which a sentence may call wrong: at first, initially",
    "no": "is one, where a mark or nothing follows: no",
    "should": "links a label and the answer that it ought to have: should be",
    "admit": "takes an answer back in itself: I made a mistake, I was wrong",
    "withdraw": "takes back what the sentence points to: I reject, ignore",
    "decline": "says that there is no answer: I cannot determine, I do not know",
    "bound_before": "before a number, makes it a bound and no answer: at least",
    "bound_behind": "the same behind a number: or more",
    "times": "behind a number, says how often: times",
    "opens": "opens a sentence behind a space, where no mark ends the one before",
    "joins": "opens a further clause behind a space in the same way: because",
}
"""Every place of a table, with what a word there does; ``docs/grading.md`` has them in full."""

_BESIDE = frozenset({"code", "name", "note", "spaced", "prefixes", "suffixes", "shadows"})
MAY_BE_EMPTY = frozenset(
    {"closing", "not_before", "not_behind", "none", "would", "bound_behind", "bound_before"}
    | {"copula", "should", "asks", "opens", "joins", "careful"}
)
_QUOTES = dict(zip("‘’ʼ“”−–—၊፣፤፦៖", "'''\"\"---،،;::", strict=True))
_ODD_QUOTE = re.compile(f"[{''.join(_QUOTES)}]")
# Letters, and the marks that belong to letters, of every script: none may touch a whole word.
BLANK = r"\s{1,3}"
_FEW = r"(?:[^\s.!?,;:]{1,20}\s{1,3}){0,4}"
# Marks that belong to letters, with the letters between them.
_MARKS = (
    r"\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0900-\u0963\u0980-\u0983\u09bc-\u09d7\u0a01-\u0a03"
    r"\u0a3c-\u0a51\u0a81-\u0a83\u0abc-\u0acd\u0b01-\u0b03\u0b3c-\u0b57\u0b82\u0bbe-\u0bd7\u0c00-\u0c04"
    r"\u0c3c-\u0c56\u0c81-\u0c83\u0cbc-\u0cd6\u0d00-\u0d03\u0d3b-\u0d57\u0e31-\u0e3a\u0e47-\u0e4e"
    r"\u0eb1-\u0ebc\u0ec8-\u0ecd\u1000-\u109f\u17b4-\u17d3"
)
# The marks as themselves and outside of IGNORECASE: a class compiles in half of the time.
LETTER = rf"(?-i:[^\W\d_]|[{_MARKS.encode('ascii').decode('unicode_escape')}])"


class TableError(ValueError):
    """A table that does not hold what a table owes."""


@dataclass(frozen=True)
class Table:
    """The words of one language.

    Attributes:
        code: of the language.
        name: in English.
        spaced: words are parted by spaces, so that a word must not touch other letters.
        prefixes: what may be written together with a word, before it: the Arabic ``و``.
        suffixes: what may be written together with a word, behind it: the Bengali ``ই``.
        shadows: words of the English table that mean something else in this language.
        words: for every one of ``PLACES``, in the form of `plain`. Where a word has a ``*`` at an
            end, other letters may touch it there.
    """

    code: str
    name: str
    spaced: bool
    prefixes: tuple[str, ...]
    suffixes: tuple[str, ...]
    shadows: frozenset[str]
    words: Mapping[str, tuple[str, ...]]

    def pattern(self, place: str, without: frozenset[str] = frozenset()) -> str:
        """A regular expression for the words of a place; none matches where there are none."""
        return self.matching([word for word in self.words[place] if word not in without])

    def matching(self, words: list[str]) -> str:
        """The same for any words of this language."""
        return joined(self.groups(words).items())

    def groups(self, words: list[str]) -> dict[tuple[str, str], list[str]]:
        """Words by the patterns of what may stand before and behind them."""
        if not self.spaced:
            return {("", ""): words} if words else {}
        groups: dict[tuple[bool, bool], list[str]] = {}
        for word in words:
            bare = word.strip("*")
            start = word[0] != "*" and _is_letter(bare[0])
            end = word[-1] != "*" and _is_letter(bare[-1])
            groups.setdefault((start, end), []).append(bare)
        before = f"(?<!{LETTER}){_optional(self.prefixes)}"
        behind = _optional(self.suffixes)
        return {
            (before if start else "", behind * end + _ending(end, group)): group
            for (start, end), group in groups.items()
        }


def joined(groups: Iterable[tuple[tuple[str, str], list[str]]]) -> str:
    """A pattern for groups of words in their order, with what may stand before and behind them.

    The classes of letters around words take most time to compile: neighbours share the one before.
    """
    patterns = (
        f"{before}(?:{'|'.join(alternatives(words) + behind for (_, behind), words in alike)})"
        for before, alike in groupby(groups, key=lambda group: group[0][0])
    )
    return "|".join(patterns)


def alternatives(words: list[str]) -> str:
    """The words, longest first, with any white space between their parts."""
    ordered = sorted(words, key=len, reverse=True)
    return f"(?:{_tree(list(dict.fromkeys(map(_phrase, ordered))))})" if words else ""


def _tree(phrases: list[tuple[str, ...]]) -> str:
    """Phrases in their order; those with the same first word share it."""
    begun: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for phrase in phrases:
        begun.setdefault(phrase[:1], []).append(phrase[1:])
    return "|".join(
        "".join(first) + (f"(?:{_tree(rests)})" if len(rests) > 1 else "".join(rests[0]))
        for first, rests in begun.items()
    )


@cache
def _phrase(word: str) -> tuple[str, ...]:
    """The patterns of the parts of a phrase; "..." in it stands for up to four words."""
    *parts, last = (_FEW if part == "..." else re.escape(part) + BLANK for part in word.split())
    return (*parts, last.removesuffix(BLANK))


def _ending(whole: bool, group: list[str]) -> str:
    """What may follow the words of a group: no letter, or the rest of the word."""
    if whole:
        return f"(?!{LETTER})"
    return f"{LETTER}{{0,24}}" if any(_is_letter(word[-1]) for word in group) else ""


def _optional(prefixes: tuple[str, ...]) -> str:
    return f"(?:{'|'.join(prefixes)})?" if prefixes else ""


@cache
def _is_letter(mark: str) -> bool:
    return bool(re.fullmatch(LETTER, mark))


def plain(text: str) -> str:
    """The form in which words and texts are compared: folded, with plain quotes, dashes, commas."""
    return text if text.isascii() else _ODD_QUOTE.sub(lambda mark: _QUOTES[mark[0]], fold(text))


@cache
def codes() -> tuple[str, ...]:
    """The languages that have a table, English first."""
    names = (entry.name for entry in _FOLDER.iterdir() if entry.name.endswith(".json"))
    found = sorted(name.removesuffix(".json") for name in names)
    return tuple(sorted(found, key=lambda code: code != "en"))


_FOLDER = resources.files(__package__).joinpath("languages")


@cache
def table(code: str) -> Table:
    """The table of a language.

    Raises:
        TableError: there is none, or it lacks something; the message says what.
    """
    if code not in codes():
        raise TableError(
            f"the reader has no table of words for the language {code!r}: write "
            f"xlgo_metric/reading/languages/{code}.json (docs/grading.md says what it owes)"
        )
    return read_table(_FOLDER.joinpath(f"{code}.json").read_text(encoding="utf-8"), code)


def read_table(text: str, code: str) -> Table:
    """A table out of its file.

    Raises:
        TableError: the file is not what a table owes.
    """
    try:
        given = json.loads(text, object_pairs_hook=_members)
    except ValueError as error:
        raise TableError(f"the table of {code!r} is no JSON: {error}") from None
    if not isinstance(given, dict) or given.get("code") != code or "name" not in given:
        raise TableError(f"the table of {code!r} needs a code, {code!r}, and a name")
    if unknown := set(given) - set(PLACES) - _BESIDE:
        raise TableError(
            f"the table of {code!r} has unknown places {sorted(unknown)}: allowed are {[*PLACES]}"
        )
    words = {place: _words(given, place, code) for place in PLACES}
    if not (words["not_before"] or words["not_behind"]):
        raise TableError(f"the table of {code!r} needs a word in not_before or not_behind")
    return Table(
        code=code,
        name=str(given["name"]),
        spaced=given.get("spaced", True) is True,
        prefixes=_words(given, "prefixes", code, needed=False),
        suffixes=_words(given, "suffixes", code, needed=False),
        shadows=frozenset(_words(given, "shadows", code, needed=False)),
        words=words,
    )


def _members(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """What a table holds: each place once, or the words of the first would be lost."""
    twice = sorted({name for at, (name, _) in enumerate(pairs) if name in dict(pairs[:at])})
    if twice:
        raise ValueError(f"{twice} stand in it twice")
    return dict(pairs)


def _words(
    given: Mapping[str, object], place: str, code: str, needed: bool = True
) -> tuple[str, ...]:
    listed = given.get(place, [])
    if not isinstance(listed, list) or not all(isinstance(word, str) for word in listed):
        raise TableError(f"{place!r} in the table of {code!r} must be a list of strings")
    folded = plain("\n".join(listed)).split("\n") if listed else []
    words = tuple(dict.fromkeys(map(str.strip, folded)))
    if any(not word.strip("*") for word in words):
        raise TableError(f"{place!r} in the table of {code!r} holds an empty word")
    if needed and not words and place not in MAY_BE_EMPTY:
        raise TableError(f"the table of {code!r} has no words in {place!r}: {PLACES[place]}")
    return words


_SCRIPTS = {"ja": "\u3040-\u30ff", "zh": "\u3400-\u9fff"}


@cache
def script(code: str) -> str:
    """The letters of a language, from the first to the last of its words, as a class holds them."""
    letters = {mark for mark in "".join(chain(*table(code).words.values())) if ord(mark) > 0x370}
    return _SCRIPTS.get(code) or f"{min(letters)}-{max(letters)}"


@cache
def unspaced() -> str:
    """The same of all languages in which no space stands between words."""
    return "".join(script(code) for code in codes() if not table(code).spaced)

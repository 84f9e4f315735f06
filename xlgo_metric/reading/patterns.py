"""The patterns of the grammar: where the words of some languages stand beside each other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, cached_property, lru_cache
from sys import maxsize
from typing import TypeVar

from xlgo_metric.reading.tables import LETTER, Table, joined, table, unspaced

MARKS = r"[\s`*_\"'«»「」『』()\[\]【】$\\<>{#]{0,12}"
CLOSING_MARKS = r"[ \t`*_\"'»」』)\]】$\\}>/|]{0,12}"
_VALUE = r"(?:[□{$\\<\[(\d#\"'*`-]|[A-Z]\d|[A-D](?![^\W\d_]))"

P = TypeVar("P", bound="Patterns")


class Rare:
    """A pattern that matches only where one of some words stands; compiled once one does.

    Compiling such patterns takes longer than most runs search with them: few answers speak of
    mistakes or doubts.
    """

    def __init__(
        self, languages: tuple[str, ...], places: tuple[str, ...], pattern: Callable[[], str]
    ) -> None:
        self.places = places
        words = (word for c in languages for place in places for word in table(c).words[place])
        # The parts of a phrase by the beginning of its longest part: white space between varies.
        self._phrases: dict[str, set[tuple[str, ...]]] = {}
        for parts in map(_parts, words):
            self._phrases.setdefault(max(parts, key=len)[:_GRAM], set()).add(parts)
        self._begun = frozenset(self._phrases)
        self._pattern = pattern

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The pattern itself."""
        return re.compile(self._pattern(), re.IGNORECASE)

    def _may(self, text: str) -> bool:
        folded = _folded(text)
        begun = (
            self._begun & _grams(folded)
            if len(folded) <= _SHORT
            else filter(folded.__contains__, self._begun)
        )
        return any(
            all(map(folded.__contains__, parts))
            for beginning in begun
            for parts in self._phrases[beginning]
        )

    def search(self, text: str, start: int = 0, end: int = maxsize) -> re.Match[str] | None:
        """As a pattern does."""
        return self.compiled.search(text, start, end) if self._may(text) else None

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        """As a pattern does."""
        return self.compiled.match(text, start) if self._may(text) else None

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """As a pattern does."""
        return self.compiled.fullmatch(text) if self._may(text) else None

    def finditer(self, text: str, start: int = 0) -> Iterator[re.Match[str]]:
        """As a pattern does."""
        return self.compiled.finditer(text, start) if self._may(text) else iter(())

    def split(self, text: str) -> list[str]:
        """As a pattern does."""
        return [str(part) for part in self.compiled.split(text)] if self._may(text) else [text]

    def sub(self, new: str, text: str) -> str:
        """As a pattern does."""
        return self.compiled.sub(new, text) if self._may(text) else text


@cache
def _parts(word: str) -> tuple[str, ...]:
    """What a folded text holds where a word or phrase stands in it."""
    return tuple(_folded(word.replace("...", " ").strip("*")).split()) or ("",)


_GRAM = 3  # characters by which a phrase is looked up
_SHORT = 500  # of a text of which all such runs are made


@lru_cache(maxsize=256)
def _grams(text: str) -> frozenset[str]:
    """Every run of one to three characters of a text."""
    return frozenset(
        text[at : at + length] for length in range(_GRAM + 1) for at in range(len(text))
    )


@lru_cache(maxsize=256)
def _folded(text: str) -> str:
    """A text such that letters are equal where ``re.IGNORECASE`` takes them for equal."""
    return text.replace("İ", "i").casefold().replace("ı", "i")


def rare(*places: str) -> Callable[[Callable[[P], str]], cached_property[Rare]]:
    """Make a method's pattern a `Rare` one: every match of it has a word of one of the places."""

    def made(method: Callable[[P], str]) -> cached_property[Rare]:
        return cached_property(lambda self: Rare(self.languages, places, lambda: method(self)))

    return made


def word_of(*places: str) -> cached_property[Rare]:
    """A pattern for a word of any of the places."""
    return rare(*places)(lambda self: self._either(*places))


class Patterns:
    """The words of some languages as patterns, compiled when they are first asked for."""

    _doubt = word_of("doubt")
    _why = word_of("why")
    _draft = word_of("draft")
    _interim = word_of("interim")
    _two = word_of("two")
    _and = word_of("and")
    _onward = word_of("so", "but")  # an earlier negation does not reach beyond it
    _so = word_of("so")
    _if = word_of("if")
    _careful = word_of("careful")
    _would = word_of("would")
    _withdraw = word_of("withdraw")
    _admit = word_of("admit")
    _points = word_of("this", "label")
    _not_near = word_of("not_before", "not_behind", "none")
    _decline = word_of("decline")
    _but = word_of("but")
    names_answer = word_of("label", "noun")
    _fault = word_of("fault", "others")
    _others = word_of("others")
    _other = word_of("other")
    _not_after = word_of("not_behind", "none")
    _wrong_word = word_of("wrong")
    _none = word_of("none")
    _maybe = word_of("maybe")
    _right_word = word_of("right")

    def __init__(self, languages: tuple[str, ...]) -> None:
        self.languages = languages

    def _either(self, *places: str) -> str:
        """A pattern for a word of any of the places; one that never matches without words.

        The classes of letters around a word take most time to compile, so there are few of them.
        """
        together: dict[tuple[str, str], list[str]] = {}
        for found, words in self._words(places):
            for around, group in found.groups(words).items():
                together.setdefault(around, []).extend(group)
        return f"(?:{joined(together.items()) or '(?!)'})"

    def _words(self, places: tuple[str, ...]) -> list[tuple[Table, list[str]]]:
        """The words of the places by language, without English ones that mean something else."""
        return [
            (one, [w for w in one.words[place] if one.code != "en" or w not in self._shadows])
            for one in map(table, self.languages)
            for place in places
        ]

    @cached_property
    def _shadows(self) -> frozenset[str]:
        """English words that mean something else in another of the languages."""
        return frozenset().union(*(table(c).shadows for c in self.languages if c != "en"))

    @cached_property
    def _long_or(self) -> str:
        """The other words that do."""
        patterns = [
            found.matching([word for word in found.words["or"] if found.spaced or len(word) > 1])
            for found in map(table, self.languages)
        ]
        return f"(?:{'|'.join(p for p in patterns if p) or '(?!)'})"

    @cached_property
    def _short_or(self) -> str:
        """Words of one letter that join two answers, where words are not parted by spaces."""
        words = [
            re.escape(word)
            for code in self.languages
            if not table(code).spaced
            for word in table(code).words["or"]
            if len(word) == 1
        ]
        return f"(?:{'|'.join(words) or '(?!)'})"

    def _compiled(self, pattern: str) -> re.Pattern[str]:
        return re.compile(pattern, re.IGNORECASE)

    @rare("not_before", "not_behind")
    def _denied_before(self) -> str:
        between = self._either("noun", "copula", "right", "this")
        return (
            rf"{self._either('not_before')}(?:{MARKS}{between}){{0,3}}{MARKS}\Z"
            rf"|{self._either('label')}[^.。।!?\n:{{}}\d]{{0,40}}"
            rf"{self._either('not_before', 'not_behind')}\s?:{MARKS}\Z"
            rf"|{self._either('not_before', 'not_behind')}(?:[^\S\n]{{0,2}}{between}){{0,3}}"
            rf"[^\S\n]{{0,2}}{self._either('label')}(?:\s{{0,2}}{self._either('closing')})?\s?:{MARKS}\Z"
        )

    @rare("wrong", "fault")
    def _wrong_label(self) -> str:
        """A label that is said to be wrong: "wrong answer", "respuesta incorrecta", "incorrect"."""
        named, wrong = self._either("label", "noun"), self._either("wrong")
        link = rf"{MARKS}(?:[:=-]|{self._either('copula')})"
        remark = rf"(?:\s?\([^()\n:]{{1,40}}\))?{MARKS}:"
        ahead = rf"{LETTER}{{0,3}}(?:(?<=[^\s{unspaced()}])\s{{1,2}})?{named}{link}"
        return (
            rf"(?:(?P<named>{named}\s{{0,2}})?{wrong}(?:(?(named){link}|(?!))|{ahead}|{remark})"
            rf"|{self._either('fault')}{remark}){MARKS}\Z"
        )

    @rare("suppose")
    def _suppose(self) -> str:
        return rf"{self._either('suppose')},?"

    @cached_property
    def _question(self) -> re.Pattern[str]:
        """The rest of a question, with its mark or the word that makes it one.

        Right before another answer か does not ask, but means "or".
        """
        end = rf"(?! ?[$\\\[<#{{])[\s.。]{{0,3}}(?:(?<=[\s.。])|\Z|(?={self._either('yes', 'no')}))"
        mark = rf"(?:[?؟]|{self._either('asks')}{end})"
        return self._compiled(rf"[^.!?؟。।॥۔።။។\n{{}}<\\]{{0,30}}?{mark}")

    @rare("asks")
    def _question_end(self) -> str:
        return rf"{self._either('asks')}\s{{0,3}}\Z"

    @rare("yes")
    def _yes(self) -> str:
        return rf"\W{{0,12}}{self._either('yes')}"

    @rare("fault")
    def _mistake_behind(self) -> str:
        """That what stands before is a mistake, at the end of its sentence."""
        end = rf"(?:\s{{0,2}}{self._either('closing')}){{0,2}}[\s*_`]{{0,4}}\Z"
        return rf"(?<!{LETTER})(?:{self._either('fault')}){end}"

    @cached_property
    def _open_end(self) -> re.Pattern[str]:
        """Where a text breaks off behind a correction: "wait", "the answer is", "it should be:"."""
        label = rf"{self._either('label')}(?:\s{{1,2}}{self._either('copula')}){{1,2}}"
        wait = rf"(?:\A|[.。।!?…\n]\s{{0,3}}){self._either('wait')}[,…. ]{{0,4}}"
        return self._compiled(rf"(?::|{label}|{wait})[\s*_]{{0,4}}\Z")

    @cached_property
    def _label_first(self) -> re.Pattern[str]:
        return self._compiled(rf"\A\s{{0,2}}{self._either('label')}")

    @cached_property
    def _shift(self) -> re.Pattern[str]:
        """What parts an earlier try from what replaces it, where a value follows."""
        return self._compiled(rf"[;؛]|{self._either('wait')}")

    @rare("like")
    def _example_before(self) -> str:
        """That what follows is one of others: "other candidates such as"."""
        other = rf"{self._either('other')}[^.。!?\n]{{0,40}}?"
        return rf"{other}{self._either('like')}[\s,:]{{0,3}}{MARKS}\Z"

    @rare("like")
    def _example_behind(self) -> str:
        """The same of what stands before: "のような他の候補"."""
        like = rf"{CLOSING_MARKS}-?{self._either('like')}"
        return rf"{like}[^.。!?,、\n]{{0,12}}?{self._either('other')}"

    @cached_property
    def _turn(self) -> re.Pattern[str]:
        """What ends the reach of a doubt: a value, "but", "so", or that something is right."""
        words = self._either("but", "so", "right", "wait")
        return self._compiled(rf"[\d{{}}<>\[\];]|(?<![^\W_])(?-i:[A-D])(?![^\W_'])|{words}")

    @cached_property
    def _both(self) -> re.Pattern[str]:
        """What joins two answers of which both are given."""
        return self._compiled(
            rf"{CLOSING_MARKS}(?:[,،、;/&+]|[,،、]?\s{{0,3}}{self._either('and')}(?:\s{{0,3}}{self._either('noun')})?){MARKS}"
        )

    @rare("not_behind", "wrong")
    def _denied_behind(self) -> str:
        link = self._either("closing", "copula", "noun", "label", "this")
        negated = rf"(?![^.。।!?\n]{{0,8}}{self._either('not_behind', 'none')})"
        both = "|".join(filter(None, map(_either_side, self.languages)))
        onward = rf"(?:{both})\s{{0,3}}(?:{self._either('noun')}\s{{0,3}})?{_VALUE}"
        onward = rf"(?!{onward})" if both else ""
        return (
            rf"{CLOSING_MARKS}(?:{link}\s{{0,3}}){{0,3}}{onward}"
            rf"(?!{self._either('or')})"
            rf"(?P<not>{self._either('not_behind')}|{self._either('wrong')}{negated})"
        )

    @cached_property
    def _or_before(self) -> re.Pattern[str]:
        link = rf"(?:\s{{0,2}}{self._either('copula')})?"
        return self._compiled(rf"{self._either('or')}{link}{MARKS}\Z")

    @cached_property
    def _or(self) -> re.Pattern[str]:
        return self._compiled(self._long_or)

    @rare("or")
    def _or_begins(self) -> str:
        return rf"\W{{0,6}}{self._either('or')}"

    def _negates(self, text: str) -> bool:
        """Whether a word of negation stands in a text; compiled once a language, not a mixture."""
        shadows = self._shadows
        return any(
            _negation(code, shadows if code == "en" else frozenset()).search(text)
            for code in self.languages
        )

    @cached_property
    def _inverted(self) -> re.Pattern[str]:
        """A condition that begins with its verb: "wäre das anders, hätte"."""
        would = self._either("would")
        return self._compiled(rf"(?:\A|:)\W{{0,6}}{would}[^,،、]{{1,120}}[,،、]\s?{would}")

    @cached_property
    def _joint(self) -> re.Pattern[str]:
        link = self._either("closing", "copula", "noun", "label", "this", "would")
        noun = self._either("noun")
        return self._compiled(
            rf"{CLOSING_MARKS}[,.،、;]?\s{{0,3}}(?:{link}[\s,،、]{{0,3}}){{0,3}}{MARKS}"
            rf"(?:{self._long_or}[^.!?。।\d{{}}<\n]{{0,25}}|{self._short_or}(?:{noun})?){MARKS}"
        )

    @rare("wrong", "not_before", "not_behind")
    def _wrong(self) -> str:
        """That an answer is wrong: what points to it, and the words for wrong right behind.

        They may be several: "cannot possibly be right".
        """
        denied = rf"{self._either('not_before', 'not_behind')}\s?"
        right = rf"(?:{LETTER}{{1,24}}\s){{0,2}}{self._either('right')}"
        label = rf"(?:{self._either('noun', 'copula', 'this')}\s?){{0,3}}{self._either('label')}"
        end = rf"(?=\W{{0,3}}(?:{self._either('closing')}\W{{0,3}}){{0,2}}\Z)"
        return self._pointed(rf"{self._either('wrong')}|{denied}(?:{right}|{label}{end})")

    @rare("right")
    def _confirmed(self) -> str:
        """That an answer is right, in the same way; "the right answer" says no such thing."""
        return self._pointed(
            rf"{self._either('right')}(?!\s{{0,3}}{self._either('label', 'noun')})"
        )

    def _pointed(self, wrong: str) -> str:
        link = self._either("copula", "closing", "would")
        word = rf"(?:{LETTER}{{1,24}}\s){{0,3}}"
        negated = rf"(?![^.。।!?\n,،、]{{0,8}}{self._either('not_behind', 'none')})"
        return (
            rf"{self._either('this', 'label')}\W{{0,3}}(?:{self._either('noun')}\W{{0,3}}){{0,3}}"
            rf"(?P<middle>(?:{link}\s{{0,3}}){{0,3}}{word}(?:{link}\s{{0,3}}){{0,2}})"
            rf"(?P<wrong>{wrong}){negated}"
        )

    @cached_property
    def _only_wrong(self) -> re.Pattern[str]:
        """A sentence with a word for wrong that says no more than that."""
        every = self._either("wait", "but", "so", "closing", "copula", "this", "wrong")
        return self._compiled(rf"\W*(?:{every}\W{{0,3}}){{1,6}}\W*")

    @rare("wait", "no")
    def _opens_correction(self) -> str:
        lead = rf"\W{{0,6}}(?:{self._either('but', 'wait')}\W{{0,3}}){{0,2}}"
        mark = r"(?:[,،.!:;؛]|-(?!\d)|\Z)"
        wait = rf"(?!{self._either('not_before')}){self._either('wait')}"
        return rf"{lead}(?:{wait}|{self._either('no')}\s{{0,2}}{mark})"

    @rare("no")
    def _only_no(self) -> str:
        return rf"[^\w□]*(?:{self._either('wait')}[^\w□]*){{0,2}}{self._either('no')}[^\w□]*"

    @rare("should", "right")
    def _should(self) -> str:
        right = self._either("right")
        label = self._either("label", "noun")
        return rf"{self._either('should')}|{right}\s{{0,2}}{label}|{label}\s{{0,2}}{right}"

    @rare("label", "right")
    def _label(self) -> str:
        right, noun = self._either("right"), self._either("noun")
        return rf"{self._either('label')}|{right}\s{{0,2}}{noun}|{noun}\s{{0,2}}{right}"

    @cached_property
    def _pointer(self) -> re.Pattern[str]:
        return self._compiled(rf"\W*(?:{self._either('this', 'should', 'copula')}\W{{0,3}}){{1,4}}")

    @rare("should")
    def _put_right(self) -> str:
        """What puts an answer right, before it: "it should be"."""
        return rf"{self._either('this')}\s{{0,3}}{self._either('should')}{MARKS}\Z"

    @rare("no", "wrong")
    def _marked_wrong(self) -> str:
        """A verdict on what stands before, in a list: "– no"."""
        verdict = self._either("no", "wrong")
        return rf"{CLOSING_MARKS}[-:=]{{1,2}}{MARKS}{verdict}[ \t*_`)]{{0,4}}(?:\Z|[\n.;,|])"

    @cached_property
    def _tight(self) -> re.Pattern[str]:
        """What may stand between a label and its answer."""
        link = self._either(
            *("copula", "closing", "noun", "right", "should", "but", "this", "wait", "or"),
            *("would", "maybe"),
        )
        return self._compiled(rf"(?:[\W_]{{0,6}}{link}){{0,5}}[\W_]{{0,9}}")

    @cached_property
    def _saying(self) -> re.Pattern[str]:
        """How a sentence begins that says no more than an answer: "So, it is"."""
        link = self._either(
            *("this", "copula", "so", "closing", "noun", "right", "should", "would", "yes")
        )
        return self._compiled(rf"(?:[\W_]{{0,6}}{link}){{0,6}}[\W_]{{0,9}}")

    @cached_property
    def _begins_linked(self) -> re.Pattern[str]:
        return self._compiled(rf"[\W_]{{0,6}}(?:{self._either('copula', 'should')})")

    @cached_property
    def _copula(self) -> re.Pattern[str]:
        link = self._either("copula", "should")
        noun = self._either("noun")
        return self._compiled(rf"(?:{link}|[:=])[\W_]{{0,6}}(?:{noun}[\W_]{{0,3}}){{0,2}}\Z")

    @cached_property
    def _bound(self) -> re.Pattern[str]:
        before, behind = self._either("bound_before"), self._either("bound_behind")
        return self._compiled(
            rf"[≤≥≦≧⩽⩾±]|(?<![-=])>|<(?![-=])|{before}[\s#$*:({{\\]{{0,6}}[-+]?\d"
            rf"|\d[\d,.]{{0,30}}[\s#$*)}}]{{0,4}}{behind}|\d\s?%|\d\s?\\%"
        )

    @cached_property
    def _scale(self) -> re.Pattern[str]:
        behind = self._either("bound_behind")
        return self._compiled(rf"(?<=\d)[\s#*)}}]{{0,4}}(?:{behind}|%)\W*\Z")

    @cached_property
    def times(self) -> re.Pattern[str]:
        """A number of times."""
        return self._compiled(
            rf"\d[\d,.]{{0,20}}(?:\s?\([^()\d]{{1,30}}\))?[\s#*)\]}}$\"']{{0,8}}{self._either('times')}"
        )

    @cached_property
    def glued(self) -> re.Pattern[str]:
        """A word for what an answer is, written together with an identifier."""
        nouns = {
            re.escape(word)
            for code in self.languages
            for word in table(code).words["noun"]
            if len(word) > 2 and " " not in word
        }
        words = "|".join(sorted(nouns, key=len, reverse=True))
        return self._compiled(rf"(?<!{LETTER})(?:No|{words})(?=[A-Z]\d{{4}}(?!\d))")


@cache
def _negation(code: str, without: frozenset[str]) -> re.Pattern[str]:
    found = table(code)
    places = ("not_before", "not_behind", "wrong", "no")
    every = [found.pattern(place, without) for place in places]
    return re.compile("|".join(filter(None, every)), re.IGNORECASE)


def _either_side(code: str) -> str:
    """A pattern for the words that deny what stands on either side of them."""
    found = table(code)
    before = found.words["not_before"]
    return found.matching([word for word in found.words["not_behind"] if word in before])

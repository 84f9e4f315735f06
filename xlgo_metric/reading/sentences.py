"""Answers in words: labels, conclusions, lines and bold text, for numbers and letters of options.

A rule gives values with their offsets. One value, or the same one several times, is the answer; of
different ones none is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from .numbers import decimal_text, find_numbers, read_number
from .options import Options
from .words import labels, pattern, touches

_TAIL = 20_000  # labels and conclusions are read in the last characters only
_GAP = 60  # so far behind a label or a conclusion the letter of an option may stand
_LINE = 400  # a longer line is no answer
_PLACES = 200
HEADING = re.compile(
    r"[^\n:：。।.\d]{0,40}[:：]?[\s*_]{0,9}\n\s{0,9}|[^\n:：。।.\d]{0,60}[:：][\s*_]{0,9}"
)
_LINK = re.compile(r"[^\d\n.,:;!?，、。；।：]{0,24}(?=\d)")
_SENTENCE = re.compile(r"(?<!\d)[.!?](?=\s)|(?<=\d)\.(?=\s|\Z)|[。।！？።။\n]")
_CLAUSE = re.compile(r"[.!?](?!\w)|[。।！？።။]|\n\s{0,9}\n\s{0,9}\n")
_PART = re.compile(r"[,;，、；،؛፣፤၊](?!\d)|\s[(（—–\u0e00-\u0eff\u1780-\u17ff]")
_DIRECT = re.compile(r"[\s*_:：$€£\\({¥￥=]{0,12}[-−]?[$€£]?(?=\d)")
_WORKED = re.compile(r"\s{0,3}(?:[-+*/×÷x]|\\times|\\div)\s{0,3}[\d$]")
_BULLET = re.compile(r"\n\s{0,9}[-*•]\s[^\n]*\Z")
_LIST_MARK = re.compile(r"\A(?:[#>*•\s]|-\s){1,9}")
_BOLD = re.compile(r"\*\*([^*\n]{1,400})\*\*|<b>([^<\n]{1,400})</b>")
_ALONE = re.compile(r"[\s*_$\\({€£~≈=]{0,9}[-−]?[$€£]?[\d.,'’ ]{1,60}[\s*_$\\)}€£%°.。!]{0,9}")
_ONE_SENTENCE = re.compile(r"(?:[^\n.!。।]|\.(?=\d)){0,160}[.!。।]?\W{0,9}")


class Value(NamedTuple):
    """A value in a text.

    Attributes:
        value: a letter, or a number as a plain decimal string.
        start: it is ``text[start:end]``.
        end: see ``start``.
    """

    value: str
    start: int
    end: int


@dataclass(frozen=True)
class Sentences:
    """A text whose answer is read in words.

    Attributes:
        text: the response behind its thinking.
        language: of the question.
        options: the letters of a choice; ``None`` for a number.
        denied: whether what stands around an offset and another denies a value between them.
    """

    text: str
    language: str
    options: Options | None
    denied: Callable[[int, int], bool]

    def heading(self) -> list[Value]:
        """The same, behind labels with a colon or a line of their own: "Answer: 20"."""
        return self.label(headings=True)

    def label(self, headings: bool = False) -> list[Value]:
        """What stands directly behind the last label that has a value: "The answer is 20"."""
        text, opening = self.text, len(self.text) - len(self.text.lstrip("\n *#"))
        for label in self._marks(labels(self.text[self._tail() :])):
            heading = HEADING.match(text, label.end(), label.end() + 200)
            if headings and not heading:
                continue
            if self.options:
                values = self._letter_behind(label.end())
            else:
                start = heading.end() if heading else label.end()
                values = self._number_behind(start, linked=heading is None)
                if len(values) > 1 and len(text) - start > 200:
                    continue
                begins = heading and label.start() <= opening and values
                if (
                    begins
                    and values[0].start > start + 8
                    and not _ONE_SENTENCE.fullmatch(text[start:].strip()[:999])
                ):
                    continue
            if values := self._claimed(values):
                return values
        return []

    def conclusion(self) -> list[Value]:
        """What stands directly behind the last word that concludes: "so Cedric has 22"."""
        for mark in self._marks(pattern("so", self.language)):
            letters = self._letter_behind(mark.end(), alone=True)
            values = self._claimed(letters if self.options else self._number_behind(mark.end()))
            if values:
                return values
        return []

    def bold(self) -> list[Value]:
        """The values that stand in bold alone."""
        return self._alone(
            (m.span(1 if m[1] else 2) for m in _BOLD.finditer(self.text, self._tail())),
            lambda body: read_number(body, self.language),
        )

    def line(self) -> list[Value]:
        """The lines that are a value alone, or begin with the letter of an option."""

        def number(body: str) -> Any:
            return read_number(body, self.language) if _ALONE.fullmatch(body) else None

        spans = (m.span() for m in re.finditer(r"[^\n]+", self.text))
        return self._alone((s for s in spans if s[1] - s[0] <= _LINE or self.options), number)

    def ends(self) -> list[Value]:
        """The letters in the first line; where they differ or there are none, in the last line."""
        if not self.options:
            return []
        text = self.text.rstrip()
        first = len(text) - len(text.lstrip())
        cut = text.find("\n", first)
        spans = [(first, cut if cut >= 0 else len(text)), (text.rfind("\n") + 1, len(text))]
        lines = [
            self._claimed(self._letters(start, min(end, start + 2_000))) for start, end in spans
        ]
        return lines[0] if len({value.value for value in lines[0]}) == 1 else lines[1]

    def _tail(self) -> int:
        return max(0, len(self.text) - _TAIL)

    def _marks(self, phrases: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """Where phrases stand, last first."""
        marks = list(phrases.finditer(self.text, self._tail()))
        return iter(marks[: -_PLACES - 1 : -1])

    def _claimed(self, values: list[Value]) -> list[Value]:
        """The values that are neither denied nor bounds."""
        return [v for v in values if not self.denied(v.start, v.end) and not self._bound(v)]

    def _bound(self, value: Value) -> bool:
        return self.options is None and touches(
            "bounded", self.text, value.start, value.end, self.language
        )

    def _alone(self, spans: Any, number: Callable[[str], Any]) -> list[Value]:
        """The values of parts that are one alone."""
        values = []
        for start, end in spans:
            body = self.text[start : min(end, start + 2_000)].strip()
            read = self.options.first(body) if self.options else number(_LIST_MARK.sub("", body))
            if read is not None:
                value = read if isinstance(read, str) else decimal_text(read)
                values.append(Value(value, start, end))
        return self._claimed(values)

    # What stands directly behind a mark

    def _letters(self, start: int, end: int) -> list[Value]:
        found = self.options.find(self.text, start, end) if self.options else []
        return [Value(*letter) for letter in found]

    def _letter_behind(self, start: int, alone: bool = False) -> list[Value]:
        """The first letter in the clause, and the one that is joined to it.

        ``alone``: every letter of the clause.
        """
        stop = min(len(self.text), start + _GAP + 2)
        end = _CLAUSE.search(self.text, start, stop)
        letters = self._letters(start, end.start() if end else stop)
        if not letters or _BULLET.search(self.text, start, letters[0].start):
            return []
        if alone:
            rest = _CLAUSE.search(self.text, letters[0].end)
            return self._letters(letters[0].start, rest.start() if rest else letters[0].end + _LINE)
        join = pattern("join", self.language)
        return letters[:1] + [
            other
            for other in self._letters(letters[0].end, letters[0].end + 20)[:1]
            if join.fullmatch(gap := self.text[letters[0].end : other.start])
            and gap.strip(" *_(\n")
        ]

    def _number_behind(self, start: int, linked: bool = True) -> list[Value]:
        """The number that follows at once, else the numbers of the sentence.

        ``linked``: a few words may stand before the first one, if its part of the sentence has no
        other.
        """
        end = _SENTENCE.search(self.text, start, start + _LINE)
        stop = end.start() if end else min(len(self.text), start + _LINE)
        numbers = self._claimed(self._numbers(start, stop))
        if not numbers:
            return []
        first = numbers[0]
        if len(numbers) > 1 and self._joined(first.end, numbers[1].start):
            return numbers[:2]
        direct = _DIRECT.match(self.text, start)
        if direct and direct.end() >= first.start and not _WORKED.match(self.text, first.end):
            return [first]
        link = _LINK.match(self.text, start) if linked else None
        if link and link.end() == first.start:
            part = _PART.search(self.text, first.end, stop)
            values = self._numbers(start, part.start() if part else stop)
            if len({v.value for v in values}) == 1:
                return values
        return self._singled_out(numbers, start, stop)

    def _singled_out(self, numbers: list[Value], start: int, stop: int) -> list[Value]:
        """Of the numbers of a sentence those behind an equals sign, else the one in bold."""
        if (equals := self.text.rfind("=", start, stop)) >= 0:
            return [number for number in numbers if number.start > equals]
        bold = [m for m in _BOLD.finditer(self.text, start, stop) if any(map(str.isdigit, m[0]))]
        value = read_number(bold[0][1] or bold[0][2], self.language) if len(bold) == 1 else None
        return numbers if value is None else [Value(decimal_text(value), *bold[0].span())]

    def _joined(self, start: int, end: int) -> bool:
        """Whether a word such as "or" stands between two values."""
        gap = self.text[start:end]
        return len(gap) <= _GAP and bool(pattern("joined", self.language).fullmatch(gap))

    def _numbers(self, start: int, end: int) -> list[Value]:
        found = find_numbers(self.text[start:end], self.language)
        return [Value(decimal_text(n.value), start + n.start, start + n.end) for n in found]

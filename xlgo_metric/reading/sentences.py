"""Answers in words: letters of options, and labels, conclusions, lines and bold text.

A rule gives values with their offsets. One value, or the same one several times, is the answer; of
different ones none is.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

from .forms import unboxed
from .values import (
    CYRILLIC,
    GREEK,
    INDIC,
    decimal_text,
    find_numbers,
    labels,
    latin_letter,
    pattern,
    read_number,
    table,
    touches,
)

_GROUPS = re.compile(r"\\(?:text|mathrm|textbf|mathbf|mbox)\s{0,3}\{([^{}]{0,400})\}")
_OPENS = re.compile(r"^[\s*_({\[\"'“「『#>-]+")
_CLOSES = re.compile(r"[\s*_)}\].\"'”」』。:]+$")
_BEHIND = re.compile(r"[\s*_]{0,4}(?:[.):：,;。、，\]）]|[—–-]\s|\()")
_LATIN = "A-Za-z0-9À-ɏ\u1e00-\u1eff"


class Options:
    """The letters that name the options of a question.

    Attributes:
        language: of the question.
        means: what each mark means: a letter of ``choices``, full width or of the alphabet of the
            language too.
        letter: a pattern of one mark that stands alone.
        more: a pattern of what makes one of several options of the letter before it.
        beside: a pattern of what makes one of several options of the letter before it, whose text
            follows it: ``. its text and D. its text``, or a line of its own.
        article: a pattern of what makes the English article of the letter A before it.
    """

    def __init__(self, language: str, choices: Mapping[str, str] | None, text: str = "") -> None:
        self.language = language
        keys = list(choices) if choices else list("ABCDE")
        letters = dict(zip(table(language).get("letters", []), keys))
        letters |= {  # nobody can tell the two apart
            mark: latin
            for mark in {*letters, *CYRILLIC, *GREEK}
            if (latin := latin_letter(mark, text[-20_000:])) in keys
        }
        wide = {chr(ord(key) + 0xFEE0): key for key in keys if re.fullmatch("[A-Za-z]", key)}
        self.means = {**letters, **wide, **{key: key for key in keys}}
        single = "|".join(
            re.escape(mark)
            if mark in keys or mark in wide
            else rf"(?<![\w{INDIC}]){mark}(?=[.):।）*]|\s*\Z)"
            for mark in self.means
        )
        suffix = "" if language == "tr" else "'’"  # Turkish: B'dir
        self.letter = re.compile(
            rf"(?<![A-Za-z]\.)(?<![{_LATIN}\\])(?<![{_LATIN}]['’])(?:{single})(?![{_LATIN}{suffix}+/^°]|-[A-Za-z0-9]"
            r"|\.[A-Za-z](?![A-Za-z]))"
        )
        self.more = re.compile(rf"(?i:{pattern('join', language).pattern}){self.letter.pattern}")
        joins = pattern("joins", language).pattern
        self.beside = re.compile(
            r"[\s*_]{0,4}[.):：、）](?!\))[^\n。！？।]{1,90}?"
            r"(?:\n[ \t*•-]{0,6}|[*_」』”)）]{0,4}"
            rf"\s{{0,3}}(?i:[,、，;&/]|{joins})\s{{0,3}}[*_「『“(（]{{0,4}})"
            rf"({self.letter.pattern})(?=[.):：、）][ \t*]{{0,3}}\S)"
        )
        self.article = re.compile(rf"[ \t]+(?!{self.more.pattern})[A-Za-zÀ-ɏ]")

    def first(self, text: str) -> str | None:
        r"""The option that a short text is or begins with: ``B``, ``(B) text``, ``\text{B}``."""
        bare = _CLOSES.sub("", _OPENS.sub("", _GROUPS.sub(r"\1", text)[:2_000]))
        mark = self.letter.match(bare)
        if (
            mark is None
            or self.more.match(bare, mark.end())
            or not (mark.end() == len(bare) or _BEHIND.match(bare, mark.end()))
        ):
            return None
        return self.means[mark[0]]

    def of_form(self, content: str) -> str | None:
        """The option that the content of a form names: ``c``, ``Option C``, ``C: its text``."""
        text = unboxed(content.strip())
        if len(text) == 1:
            return self.means.get(text) or self.means.get(text.upper())
        letters = self.find(text, 0, len(text)) if len(text) < 60 else []
        if letters and touches("denied", text, letters[0][1], letters[-1][2], self.language):
            return None
        options = {letter for letter, *_ in letters}
        return self.first(text) or (options.pop() if len(options) == 1 else None)

    def find(self, text: str, start: int, end: int) -> list[tuple[str, int, int]]:
        """Every letter in a part of a text with its offsets; the article "A" is none."""
        return [
            (self.means[mark[0]], mark.start(), mark.end())
            for mark in self.letter.finditer(text, start, end + 2)  # what follows one is seen, too
            if mark.end() <= end
            and not (
                mark[0] == "A"
                and self.article.match(text, mark.end())
                and not re.search(r"\w[ \t]\Z", text[max(0, mark.start() - 2) : mark.start()])
            )
        ]


GAP = 60  # so far behind a label or a conclusion the letter of an option may stand
_DIRECTLY = 20  # so far behind a heading
_LINE = 400  # a longer line is no answer
_PLACES = 200
HEADING = re.compile(
    r"[^\n:：。।.\d]{0,40}[:：]?[\s*_]{0,9}\n\s{0,9}|[^\n:：。।.\d]{0,60}[:：][\s*_]{0,9}"
)
_LINK = re.compile(r"[^\d\n.,:;!?，、。；।：]{0,24}(?=\d)")
_SENTENCE = re.compile(r"(?<!\d)[.!?](?=\s)|(?<=\d)\.(?=\s|\Z)|[。।！？።။\n]")
_STOP = re.compile(r"(?<!\b[A-Z])[.!?](?!\w)|[。！？।။]")
_CLAUSE = re.compile(r"[.!?](?!\w)|[。।！？።။]|\n\s{0,9}\n\s{0,9}\n")
_PART = re.compile(r"[,;，、；،؛፣፤၊](?!\d)|(?<!\d)、|\s[(（—–\u0e00-\u0eff\u1780-\u17ff]")
_DIRECT = re.compile(r"[\s*_:：$€£\\({¥￥=]{0,12}[-−]?[$€£]?(?=\d)")
_WORKED = re.compile(r"\s{0,3}(?:[-+*/×÷x]|\\times|\\div)\s{0,3}[\d$]")
_BULLET = re.compile(r"\n\s{0,9}[-*•]\s[^\n]*\Z")
_LINES = re.compile(r"[^\n]+")
_TEXT = re.compile(r"[*_」”\"')）]{0,3}(?:[.:：)）、。]| ?[-–—])[ *_]{0,3}\S")
_IN_ASIDE = re.compile(r"[(（][^()（）]*\w[^()（）]*\Z")
_ASIDE = re.compile(r"[(（][^)）]*\Z|\A[^(（]*[)）]")
_LIST_MARK = re.compile(r"\A(?:[#>*•\s]|-\s){1,9}")
_BOLD = re.compile(r"\*\*([^*\n]{1,400})\*\*|<b>([^<\n]{1,400})</b>")
_ALONE = re.compile(r"[\s*_$\\({€£~≈=]{0,9}[-−]?[$€£]?[\d.,'’/ ]{1,60}[\s*_$\\)}€£%°.。!]{0,9}")
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
    """

    text: str
    language: str
    options: Options | None

    def heading(self) -> list[Value]:
        """The same, behind labels with a colon or a line of their own: "Answer: 20"."""
        return self.label(headings=True)

    def label(self, headings: bool = False) -> list[Value]:
        """What stands directly behind the last label that has a value: "The answer is 20"."""
        text, opening = self.text, len(self.text) - len(self.text.lstrip("\n *#"))
        mentioned: list[Value] = []
        for label in self._marks(labels(text)):
            heading = HEADING.match(text, label.end(), label.end() + 200)
            if headings and not heading:
                continue
            start = heading.end() if heading else label.end()
            if self.options:
                values = self._letter_behind(label.end())
                if values and (
                    (heading and values[0].start > start + _DIRECTLY)
                    or _IN_ASIDE.search(text, label.end(), values[0].start)
                ):
                    continue
            else:
                values = self._number_behind(start, linked=heading is None)
                if len(values) > 1 and len(text) - start > 200:
                    continue
                if (
                    values
                    and heading
                    and label.start() <= opening
                    and values[0].start > start + 8
                    and not _ONE_SENTENCE.fullmatch(text[start:].strip()[:999])
                ):
                    continue
            if values := self._claimed(values):
                if not self._mentions(label.end(), values[0]):
                    return values
                mentioned = mentioned or values
        return mentioned

    def _mentions(self, start: int, value: Value) -> bool:
        """Whether a label only mentions an option: "answer D says", "the wrong answer (B)"."""
        gap = self.text[start : value.start]
        touching = not gap.strip(" ") and not _TEXT.match(self.text, value.end)
        return bool(self.options) and (touching or bool(_ASIDE.search(gap)))

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
            (m.span(1 if m[1] else 2) for m in _BOLD.finditer(self.text)),
            lambda body: read_number(body, self.language),
        )

    def line(self) -> list[Value]:
        """The lines that are a value alone, or begin with the letter of an option."""

        def number(body: str) -> Any:
            return read_number(body, self.language) if _ALONE.fullmatch(body) else None

        spans = (line.span() for line in _LINES.finditer(self.text))
        return self._alone(
            (
                (start, end)
                for start, end in spans
                if (end - start <= _LINE or self.options)
                and self.text[end - 1] not in ":："
                and not self._is_listed(start)
            ),
            number,
        )

    @cached_property
    def _listed(self) -> set[int]:
        """Where the lines begin that list options: of lines side by side that name different ones.

        A line that ends with a colon is none.
        """
        lines = [
            (line.start(), self.options.first(line[0]))
            if self.options and line[0][-1] not in ":："
            else (line.start(), None)
            for line in _LINES.finditer(self.text)
            if line[0].strip()
        ]
        runs = (list(run) for _, run in groupby(lines, lambda line: line[1] is None))
        return {line for run in runs if len({letter for _, letter in run}) > 1 for line, _ in run}

    def _is_listed(self, offset: int) -> bool:
        """Whether a line that holds an offset lists options."""
        return self.text.rfind("\n", 0, offset) + 1 in self._listed

    def ends(self) -> list[Value]:
        """The one option in the first line, else in its first sentence, else in the last line."""
        if not self.options:
            return []
        text = self.text.rstrip()
        first = len(text) - len(text.lstrip())
        cut = text.find("\n", first)
        line = cut if cut >= 0 else len(text)
        sentence = _STOP.search(text, first, line)
        last = text.rfind("\n") + 1
        spans = ((first, line), (first, sentence.end() if sentence else line), (last, len(text)))
        letters = (
            self._claimed(self._letters(start, min(end, start + 2_000)))
            for start, end in spans
            if not self._is_listed(start)
        )
        return next((values for values in letters if len({v.value for v in values}) == 1), [])

    def _marks(self, phrases: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """Where phrases stand, last first."""
        marks = list(phrases.finditer(self.text))
        return iter(marks[: -_PLACES - 1 : -1])

    def _claimed(self, values: list[Value]) -> list[Value]:
        """The values that are neither denied nor bounds."""
        names = ["denied"] if self.options else ["denied", "bounded"]
        return [
            value
            for value in values
            if not any(touches(name, self.text, *value[1:], self.language) for name in names)
        ]

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
        return [Value(*v) for v in self.options.find(self.text, start, end)] if self.options else []

    def _letter_behind(self, start: int, alone: bool = False) -> list[Value]:
        """The first letter in the clause, and the one that is joined to it.

        ``alone``: every letter of the clause.
        """
        stop = min(len(self.text), start + GAP + 2)
        end = _CLAUSE.search(self.text, start, stop)
        letters = self._letters(start, end.start() if end else stop)
        if (
            not letters
            or self._is_listed(letters[0].start)
            or _BULLET.search(self.text, start, letters[0].start)
        ):
            return []
        if alone:
            stop = letters[0].end + _LINE
            rest = _STOP.search(self.text, letters[0].end + 1, stop)
            return self._letters(letters[0].start, rest.start() if rest else stop)
        join = pattern("beside", self.language)
        return (
            letters[:1]
            + [
                second
                for second in self._letters(letters[0].end, letters[0].end + 20)[:1]
                if join.fullmatch(gap := self.text[letters[0].end : second.start])
                and gap.strip(" *_(\n")
            ]
            + (
                self._letters(*listed.span(1))
                if self.options and (listed := self.options.beside.match(self.text, letters[0].end))
                else []
            )
        )

    def _number_behind(self, start: int, linked: bool = True, next_: bool = True) -> list[Value]:
        """The number that follows at once, else the numbers of the sentence.

        ``linked``: a few words may stand before the first one, if its part of the sentence has no
        other. ``next_``: where the sentence denies its number, the next one is read.
        """
        end = _SENTENCE.search(self.text, start, start + _LINE)
        stop = end.start() if end else min(len(self.text), start + _LINE)
        every = self._numbers(start, stop)
        numbers = self._claimed(every)
        if not numbers:
            denied = every and touches("denied", self.text, *every[0][1:], self.language)
            return self._number_behind(stop + 1, next_=False) if denied and next_ else []
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
        return len(gap) <= GAP and bool(pattern("joined", self.language).fullmatch(gap))

    def _numbers(self, start: int, end: int) -> list[Value]:
        numbers = find_numbers(self.text[start:end], self.language)
        return [Value(decimal_text(n.value), start + n.start, start + n.end) for n in numbers]

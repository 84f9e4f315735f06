"""Read the letter of an option: one place for every family."""

from __future__ import annotations

import re
from collections.abc import Mapping

from .boxes import unboxed
from .normalise import CYRILLIC, GREEK, latin_letter
from .words import INDIC, pattern, table, touches

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

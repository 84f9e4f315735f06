"""Reading numbers and lists of numbers as answers: the asked form first, then sentences."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import partial
from typing import Literal, NamedTuple

from ...reading.grammar import Stated, Words, words_for
from ...reading.machine import machine_forms
from ...reading.objects.lenient import loosened
from ...reading.settling import Form, Settled, settle
from .responses import box_forms, places

_LENGTH = 200
_TAGS = re.compile(
    r"</?(?:b|strong|i|em|u|code|p|pre|span|mark|br|div|h[1-6]|font)(?:\s[^<>]{0,100})?/?>",
    re.IGNORECASE,
)
_FRACTION = re.compile(r"\\[dtc]?frac\s{0,3}\{([^{}]{0,40})\}\s{0,3}\{([^{}]{0,40})\}")
_BOX = re.compile(r"\\?f?boxed\s{0,3}|\\fbox\s{0,3}")
_GROUPS = re.compile(r"(?<![\d.])(\d{1,3})((?:[ ,]\d{3})+)(?![\d])")
# Letters of other scripts may touch a number, Latin ones may not.
_ALONE = r"(?<![A-Za-z0-9_.^])"
_LITERAL = re.compile(
    rf"{_ALONE}([-+]?\s?)(\d{{1,100}})(?:\.(\d{{0,100}}))?(?:\s?/\s?(\d{{1,100}}))?"
)
_SHARE = re.compile(rf"{_ALONE}([-+]?)(\.\d{{1,100}})(?!\d)")
_NUMBER = re.compile(
    rf"{_ALONE}[-+]?(?:\d{{1,100}}(?:[ ,]\d{{3}}(?!\d))*(?:\.\d{{1,50}})?(?:\s?/\s?\d{{1,20}})?"
    r"|\.\d{1,50})"
)
_NUMBERS = re.compile(rf"{_NUMBER.pattern}(?:\s?[,،、;]\s?{_NUMBER.pattern}){{0,200}}")
_AFTER = re.compile(r"\s{0,3}(?:%|\^|!(?!\s|\Z))")
_COMPARED = re.compile(r"\s{0,9}[<>]=?\s{0,9}[-+]?\d")  # before a quoted line's mark is taken off
_FACTORIAL = re.compile(r"\d\s?!")
_MARKED = re.compile(r"#\s{0,3}([^#\n]{1,40}?)\s{0,3}#")
_LIST = re.compile(r"\[([^\[\]{}]{1,2000})\]")
_CUT_LIST = re.compile(r"\[[\d\s,，、،#]{0,2000}\Z")
_COMMA = re.compile(r"[,，、،;]")
_BARE = re.compile(r"[\W_]{0,9}(?:\d|[^\W\d_]{2,20} \(\d)")
_BARE_LENGTH = 60
_ECHO = re.compile(r"your\s{1,3}answer|\W*N\W*\Z", re.IGNORECASE)


class Found(NamedTuple):
    """The words of the answer, or why there are none.

    ``asked`` says that they stand in the form that the prompt asks for, ``sentence`` that they are
    part of a sentence; ``words`` are those to read them by.
    """

    text: str
    status: Literal["found", "no_answer", "bad_format", "truncated"]
    words: Words
    asked: bool = False
    sentence: bool = False

    def amount(self) -> Fraction | None:
        """The number that the words name."""
        return amount(self.text, self.words, sentence=self.sentence)


def plain(text: str) -> str:
    """The text without marks of LaTeX, Markdown and HTML; boxes stay."""
    return loosened(_TAGS.sub("", text)).replace("__", " ")


def amount(text: str, words: Words, *, sentence: bool = False) -> Fraction | None:
    r"""The one number that a short text names, exactly; ``None`` if it names none or several.

    Words may stand around it and an equation before it: ``x = 13``, ``eighteen (18) times``,
    ``\textbf{1,234}``, ``\frac{3}{4}``. What denies, bounds or multiplies the number is not read.

    Args:
        text: the content of a form, or a part of a sentence.
        words: to read it by.
        sentence: whether it is denied is known already.
    """
    if len(text) > _LENGTH or _COMPARED.match(text):
        return None
    text = _BOX.sub("", plain(text))
    text = _FRACTION.sub(r" (\1/\2) ", text).replace("{", " ").replace("}", " ")
    if "\\" in text or (not sentence and words.denies(text)) or words.bounds(text):
        return None
    text = _GROUPS.sub(lambda m: m[1] + re.sub("[ ,]", "", m[2]), text)
    sides = [part for part in text.split("=") if any(map(str.isdigit, part))]
    single = [part for part in sides if len(_LITERAL.findall(part)) == 1]
    text = (single or sides or [text])[-1]
    literals = list(_LITERAL.finditer(text))
    if not literals and (share := _SHARE.search(text)):
        return Fraction(share[1] + share[2]) if text.count(".") == 1 else None
    if len(literals) != 1 or sum(map(str.isdigit, text)) != sum(map(str.isdigit, literals[0][0])):
        return None
    sign, integer_part, decimals, under = literals[0].groups()
    if _AFTER.match(text, literals[0].end()) or (under and (decimals or not int(under))):
        return None
    value = Fraction(f"{integer_part}.{decimals or 0}") / int(under or 1)
    return -value if "-" in sign else value


def count(text: str, language: str | None) -> Found:
    """The words of a count: ``#…#`` or a box, else a sentence, or the bare answer."""
    text = plain(text)
    marked = [
        Form(*match.span(), match[1])
        for start in places(text, "#")
        if (match := _MARKED.match(text, start)) and any(map(str.isdigit, match[1]))
    ]
    boxes, unclosed = box_forms(text)
    return _found(text, sorted([*marked, *boxes]), unclosed, language, count=True)


def number_words(text: str, language: str | None) -> Found:
    """The words of a number: a box, else a sentence, or the bare answer."""
    text = plain(text)
    boxes, unclosed = box_forms(text)
    return _found(text, boxes, unclosed, language)


def _found(
    text: str, forms: list[Form], unclosed: bool, language: str | None, count: bool = False
) -> Found:
    meant = [form for form in forms if not _ECHO.search(form.content)]
    asked = bool(meant)
    meant = meant or machine_forms(text)
    same = partial(_same, words_for(language, ""))
    settled = settle(text, meant, language, _NUMBER, same, count=count)
    words = settled.words
    if unclosed:
        return Found("", "truncated", words)
    if settled.kind == "form":
        none = _FACTORIAL.search(settled.content)
        return Found(f"not {settled.content}" if none else settled.content, "found", words, asked)
    if settled.kind == "stated":
        return Found(settled.content, "found", words, sentence=True)
    bare = text.strip()
    if settled.kind == "content" and len(bare) <= _BARE_LENGTH and _bare(bare, words):
        return Found(bare, "found", words)
    return Found("", status_without(settled), words)


def _bare(text: str, words: Words) -> bool:
    """Whether a short text begins with a number that it does not deny."""
    begun = _NUMBER.search(text) if _BARE.match(text) else None
    return begun is not None and not words.passed_over("", text[begun.end() :])


def _same(words: Words, content: str, stated: Stated) -> bool:
    """Whether a form and a sentence give the same number."""
    value = amount(stated.words, words, sentence=True)
    return value is not None and value == amount(content, words)


def status_without(settled: Settled) -> Literal["no_answer", "bad_format"]:
    """The status of a response without a valid answer."""
    return "no_answer" if settled.kind == "none" else "bad_format"


def number_list(text: str, language: str | None) -> Found:
    """The content of the last list of numbers in brackets."""
    text = plain(text)
    if (cut := _CUT_LIST.search(text, max(0, len(text) - 2000))) and any(map(str.isdigit, cut[0])):
        return Found("", "truncated", words_for(language, ""))
    forms = sorted(
        Form(*match.span(), match[1])
        for start in places(text, "[")
        if (match := _LIST.match(text, start)) and _is_list(match[1])
    )
    asked = bool(forms)
    forms = forms or [form for form in box_forms(text)[0] if _is_list(form.content)]
    settled = settle(text, forms, language, _NUMBERS, _says_no_other)
    if settled.kind == "form":
        return Found(settled.content, "found", settled.words, asked=asked)
    if settled.kind == "stated" and len(settled.values) == 1:
        return Found(settled.values[0], "found", settled.words)
    if settled.kind == "stated":
        return Found("", "bad_format", settled.words)
    return Found("", status_without(settled), settled.words)


def _is_list(content: str) -> bool:
    return all(any(map(str.isdigit, part)) for part in _COMMA.split(content.strip(" ,，、،;\n")))


def _says_no_other(content: str, stated: Stated) -> bool:
    """Whether a sentence names entries of a list only."""
    named, held = _NUMBER.findall(" ; ".join(stated.values)), _NUMBER.findall(content)
    return named == held if len(named) >= len(held) > 1 else {*named} <= {*held}


def entries(inner: str, words: Words) -> list[Fraction | None]:
    """The numbers of a list; a comma at the end counts for nothing."""
    return [amount(part, words) for part in _COMMA.split(inner.strip().rstrip(",，、،; "))]

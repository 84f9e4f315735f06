r"""The forms that prompts ask for, and those that models write unasked.

Each finder returns the forms of a text in order and the offset of one that is opened last and never
closed, or -1; each takes time linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from .boxes import Form, find_boxes

Finder = Callable[[str], tuple[list[Form], int]]

_LONGEST = 2_000
_TAG = re.compile(r"<(/?)(?:final[_-]?answer|answer|result)>", re.IGNORECASE)
_HASH = re.compile(r"#\s{0,3}([^#\n]{1,40}?)\s{0,3}#")
_LIST = re.compile(r"\[([^\[\]{}]{1,2000})\]")
_MEMBER = re.compile(
    r"\{\s{0,9}[\"'](?:final[_ ]?)?(?:answer|result|choice|option|letter|value|number|count)[\"']"
    r"\s{0,9}:\s{0,9}(\"[^\"{}]{1,200}\"|'[^'{}]{1,200}'|[^\s\"'{}\[\],]{1,40})\s{0,9}\}",
    re.IGNORECASE,
)
_HASHES = re.compile(r"^[ \t>*]{0,6}####(?!#)[ \t]{0,3}([^\n#]{1,200})$", re.MULTILINE)
_BRACKETS = re.compile(r"(?P<open>\\?\[\\?\[)|\\?\](?:\s?\\?\]){1,9}")
_CLOSING = re.compile(r"\\?\]")
_LOOSE = re.compile(r"([^\[\]\n]{1,300})\\?\]")


def find_brackets(text: str) -> tuple[list[Form], int]:
    r"""``[[…]]``, with or without backslashes, as in ``\[[…]\]``; the innermost of several.

    Brackets of the content may stand at its end (``[[[1, 2], [3]]]``), and one bracket may be all
    that closes it (``[[C]``).
    """
    forms: list[Form] = []
    opened: re.Match[str] | None = None
    for mark in _BRACKETS.finditer(text):
        if mark["open"]:
            if opened and (loose := _LOOSE.match(text, opened.end(), mark.start())):
                forms.append(Form(opened.start(), loose.end(), loose[1].strip()))
            opened = mark
        elif opened:
            closing = list(_CLOSING.finditer(text, *mark.span()))
            last = 1  # the bracket that closes the answer; the one before it closes it as well
            while last + 1 < len(closing) and (
                (inner := text[opened.end() : closing[last - 1].start()]).count("[")
                > inner.count("]")
            ):
                last += 1
            stop, end = closing[last - 1].start(), closing[last].end()
            content = text[opened.end() : stop]
            if content.count("]") > content.count("["):  # [[C] its text]]
                content = content.partition("]")[0]
            forms.append(Form(opened.start(), end, content.strip()))
            opened = None
    if opened and (loose := _LOOSE.match(text, opened.end())):
        return [*forms, Form(opened.start(), loose.end(), loose[1].strip())], -1
    return forms, opened.start() if opened else -1


def find_tags(text: str) -> tuple[list[Form], int]:
    """``<answer>…</answer>``; the text may end in the place of the closing tag."""
    forms, opened = [], None
    for tag in _TAG.finditer(text):
        if not tag[1]:
            opened = tag
        elif opened and tag.start() - opened.end() <= _LONGEST:
            content = text[opened.end() : tag.start()].strip()
            forms.append(Form(opened.start(), tag.end(), content))
            opened = None
    if opened and (rest := text[opened.end() :].strip()) and len(rest) < 200:
        return [*forms, Form(opened.start(), len(text), rest)], -1
    return forms, opened.start() if opened else -1


def find_hashes(text: str) -> tuple[list[Form], int]:
    """``#20#`` and boxes."""
    marks = [Form(*m.span(), m[1]) for m in _HASH.finditer(text) if any(map(str.isdigit, m[1]))]
    boxes, unclosed = find_boxes(text)
    return sorted([*marks, *boxes]), unclosed


def find_lists(text: str) -> tuple[list[Form], int]:
    """``[3, 4]``: lists of which every entry has a digit."""
    lists = [
        Form(*m.span(), m[1])
        for m in _LIST.finditer(text)
        if all(re.search(r"\d", entry) for entry in entries(m[1]))
    ]
    opened = re.search(r"\[[\d\s,，、،#]{1,2000}\Z", text[-_LONGEST:])
    return lists, max(0, len(text) - _LONGEST) + opened.start() if opened else -1


def entries(content: str) -> list[str]:
    """The entries of a list of numbers; a comma at its end counts for nothing."""
    return re.split("[,，、،;]", content.strip().rstrip(",，、،; "))


def find_unasked(text: str) -> list[Form]:
    """Forms that need no words: tags, ``{"answer": 20}`` and ``#### 20``, in order."""
    members = [Form(*m.span(), m[1].strip("\"' ")) for m in _MEMBER.finditer(text)]
    hashes = [Form(*m.span(), m[1].strip()) for m in _HASHES.finditer(text)]
    return sorted([*find_tags(text)[0], *members, *hashes])

r"""The forms that prompts ask for, boxes first, and those that models write unasked or strike out.

Each finder returns the forms of a text in order and the offset of one that is opened last and never
closed, or -1; each takes time linear in the text.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

_SCAN = re.compile(
    r"(?P<box>(?:\\+(?:boxed|fbox)|(?<![A-Za-z\\])boxed)\s{0,4}\{|<\|begin_of_box\|>)"
    r"|(?P<end><\|end_of_box\|>)|\\.|[{}]",
    re.DOTALL,
)


class Form(NamedTuple):
    """Something in a response that has the form that a prompt asks for.

    Attributes:
        start: the form is ``text[start:end]``.
        end: see ``start``.
        content: what stands in it, trimmed.
    """

    start: int
    end: int
    content: str


def find_boxes(text: str) -> tuple[list[Form], int]:
    r"""The boxes of a text and where the last box that is never closed begins.

    Found are ``\boxed{…}``, ``\fbox{…}``, ``boxed{…}`` and the tokens ``<|begin_of_box|>`` and
    ``<|end_of_box|>``. Of boxes in each other the outermost counts. One pass: a million open
    braces cost no more than a million letters.

    Returns:
        The boxes in order, and the offset of a box that is opened behind the last of them and never
        closed (the text breaks off in it), or -1.

    >>> find_boxes(r"so $\boxed{\frac{1}{2}}$")[0]
    [Form(start=4, end=23, content='\\frac{1}{2}')]
    """
    spans: list[tuple[int, int, int, int]] = []
    opened: list[tuple[int, int]] = []  # box and its content; a brace of no box is (-1, -1)
    brace = (-1, -1)
    for match in _SCAN.finditer(text, max(0, text.find("box") - 12)) if "box" in text else ():
        mark = match[0]
        if match["box"]:
            opened.append(match.span())
        elif mark == "{":
            opened.append(brace)
        elif opened and (mark == "}" or match["end"]):
            start, begin = opened.pop()
            if start >= 0:
                while spans and spans[-1][0] > start:  # boxes inside of this one
                    spans.pop()
                spans.append((start, match.end(), begin, match.start()))
    forms = [Form(start, end, text[begin:stop].strip()) for start, end, begin, stop in spans]
    cut = max((start for start, _ in opened), default=-1)
    return forms, cut if not forms or cut > forms[-1].end else -1


def unboxed(content: str) -> str:
    r"""A content without the box around all of it: ``\boxed{5}`` as ``5``."""
    forms, _ = find_boxes(content)
    return forms[0].content if forms and forms[0][:2] == (0, len(content)) else content


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


_OPENING = re.compile(
    r"(?<!~)~~(?=[^\s~])|<(s|del|strike)>|\\(?:[bx]?cancel|sout)\s?\{", re.IGNORECASE
)
_LONGEST_STRUCK = 4_000
_DIFF = re.compile(r"```diff\n[^`]*")
_REMOVED = re.compile(r"^-.*", re.MULTILINE)


def without_struck(text: str) -> str:
    r"""The text with spaces for what is struck out: ``~~…~~``, ``<del>…</del>``, ``\cancel{…}``,
    and lines that a diff removes.

    Offsets stay. A mark without its partner strikes nothing.

    >>> without_struck("~~A~~ B")
    '      B'
    """
    text = _DIFF.sub(lambda m: _REMOVED.sub(lambda line: " " * len(line[0]), m[0]), text)
    parts, done, folded = [], 0, text.lower() if text.isascii() else text
    last = {
        closing: folded.rfind(closing) for closing in ("</s>", "</del>", "</strike>", "~~", "}")
    }
    for mark in _OPENING.finditer(text):
        closing = f"</{mark[1].lower()}>" if mark[1] else "~~" if mark[0] == "~~" else "}"
        if mark.start() < done or last[closing] < mark.end():
            continue
        end = folded.find(closing, mark.end(), mark.end() + _LONGEST_STRUCK)
        if end >= 0:
            standing, done = text[done : mark.start()], end + len(closing)
            parts += [standing, " " * (done - mark.start())]
    return "".join([*parts, text[done:]])

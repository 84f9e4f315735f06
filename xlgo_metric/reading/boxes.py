r"""Find ``\boxed{…}`` in a text, for every family."""

from __future__ import annotations

import re
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

"""Text that a response strikes out."""

from __future__ import annotations

import re

_OPENING = re.compile(
    r"(?<!~)~~(?=[^\s~])|<(s|del|strike)>|\\(?:[bx]?cancel|sout)\s?\{", re.IGNORECASE
)
_LONGEST = 4_000
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
        end = folded.find(closing, mark.end(), mark.end() + _LONGEST)
        if end >= 0:
            standing, done = text[done : mark.start()], end + len(closing)
            parts += [standing, " " * (done - mark.start())]
    return "".join([*parts, text[done:]])

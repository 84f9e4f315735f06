"""What a response strikes out: ``~~…~~``, ``<del>``, ``\\cancel{}``, lines that a diff removes.

Everything here takes time linear in the text.
"""

from __future__ import annotations

import re

_STRUCK_LENGTH = 4_000
_STRIKES = re.compile(r"(?<!~)~~(?!~)")
_OPEN_TAG = re.compile(r"<(del|s|strike)>", re.IGNORECASE)
_BRACES = re.compile(r"\\(?:[bx]?cancel|sout|st)\s?\{|[{}]")
_CANCEL_LENGTH = 300
_DIFF = re.compile(r"```diff\n(.{0,20000}?)(?:```|\Z)", re.DOTALL)
_REMOVED = re.compile(r"^-(?!\d).*$", re.MULTILINE)


def standing(text: str) -> str:
    r"""The text with spaces for what is struck out: ``~~…~~``, ``<del>``, ``\cancel{}``, a diff.

    Positions stay. A mark without its partner strikes nothing.

    >>> standing("~~A~~ B")
    '      B'
    """
    if "~~" in text:
        text = _blanked(text, _pairs(text))
    if "<" in text and _OPEN_TAG.search(text):
        lower = text.lower() if len(text.lower()) == len(text) else text
        spans = []
        at = 0
        while opened := _OPEN_TAG.search(text, at):
            end = lower.find(f"</{opened[1].lower()}>", opened.end(), opened.end() + _STRUCK_LENGTH)
            at = opened.end()
            if end >= 0:
                at = end + len(opened[1]) + 3
                spans.append((opened.start(), at))
        text = _blanked(text, spans)
    if "\\" in text:
        text = _blanked(text, _cancelled(text))
    if "```diff" in text:
        for block in list(_DIFF.finditer(text)):
            removed = [m.span() for m in _REMOVED.finditer(text, *block.span(1))]
            text = _blanked(text, removed)
    return text


def _pairs(text: str) -> list[tuple[int, int]]:
    """Spans between two tildes and the next two, where nothing but an edge of a word touches."""
    spans: list[tuple[int, int]] = []
    opened = -1
    for mark in _STRIKES.finditer(text):
        if opened >= 0 and mark.start() - opened <= _STRUCK_LENGTH and not _blank(text, mark, -1):
            spans.append((opened, mark.end()))
            opened = -1
        elif not _blank(text, mark, 1):
            opened = mark.start()
    return spans


def _blank(text: str, mark: re.Match[str], side: int) -> bool:
    """Whether white space or nothing stands on a side of a mark."""
    near = text[mark.end() : mark.end() + 1] if side > 0 else text[mark.start() - 1 : mark.start()]
    return not near.strip()


def _cancelled(text: str) -> list[tuple[int, int]]:
    """Spans from a command that strikes out to the brace that closes its group, in order."""
    spans: list[tuple[int, int]] = []
    opened: list[re.Match[str]] = []
    for brace in _BRACES.finditer(text):
        if brace[0] != "}":
            opened.append(brace)
        elif opened:
            start = opened.pop()
            if len(start[0]) > 1 and brace.end() - start.end() <= _CANCEL_LENGTH:
                spans.append((start.start(), brace.end()))
    return sorted(spans)


def _blanked(text: str, spans: list[tuple[int, int]]) -> str:
    parts, at = [], 0
    for start, end in spans:
        if start >= at:
            parts += [text[at:start], " " * (end - start)]
            at = end
    return "".join([*parts, text[at:]])

r"""Find the boxed answer in a response: ``\boxed{…}`` and its usual misspellings.

One pass over the text, so that a million open braces cost no more than a million letters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .vocabulary import CONNECTIVES

# A box, an escaped character (an escaped brace does not nest), or a brace.
_SCAN = re.compile(r"\\(?:boxed|fbox)|(?<![A-Za-z\\])boxed(?=\{)|\\.|[{}]", re.S)
_BARE = re.compile(r"\s*([^\s$\\{}，。；、,;]+)")
_EMPTY = re.compile(r"(?:\s|\$|[{}~]|\\(?:text|mathrm|quad|qquad|[ ,;:!]))*")
# What may stand between two boxes that give one answer together: "x = 2 or x = 3".
_GLUE = re.compile(
    r"\\[()\[\]]|[$\s*]|\\(?:quad|qquad|text|mathrm|[,;: ])|[{}]|[A-Za-z](?:_\{?\w\}?)?\s*="
)
_GLUE_LENGTH = 60
_AROUND = 320  # characters around two boxes that may say that they are two answers
_ESCAPED_LENGTH = 500  # of what \\boxed\\{…\\} may hold


@dataclass(frozen=True)
class Boxes:
    """The boxes of one response.

    Attributes:
        contents: what stands in each outermost box, in order; empty boxes are left out.
        joined: the last run of boxes that are linked only by a comma or an "and"/"or", as one
            list; the same as the last of ``contents`` where only one box stands there.
        unclosed: a box was opened and never closed (the output was cut).
        spans: of every box: start, end, content.
    """

    contents: tuple[str, ...]
    joined: str
    unclosed: bool
    spans: tuple[tuple[int, int, str], ...] = ()


def find_boxes(text: str) -> Boxes:
    r"""All boxes of ``text`` (``\boxed{…}``, ``\fbox{…}``, ``\boxed\{…\}``, ``\boxed 5``).

    Linear in the length of the text. A box inside a box is part of the outer one.
    """
    spans: list[tuple[int, int, str]] = []
    opened: list[
        tuple[int, int, int]
    ] = []  # depth before the brace, start of box, start of content
    depth = 0
    skip_to = 0
    for match in _SCAN.finditer(text):
        start, end = match.span()
        if start < skip_to:
            continue
        token = match.group()
        if token == "{":
            depth += 1
        elif token == "}":
            depth -= 1
            if opened and opened[-1][0] == depth:
                _, box, content = opened.pop()
                if not opened:
                    spans.append((box, end, text[content:start]))
            depth = max(depth, 0)
        elif token.endswith(("box", "boxed")):
            kind, content, stop = _opening(text, end)
            if kind == "brace":
                opened.append((depth, start, content))
                depth += 1
                skip_to = content
            elif kind == "span" and not opened:
                spans.append((start, stop, text[content:stop].removesuffix("\\}")))
                skip_to = stop
    kept = [span for span in spans if not _EMPTY.fullmatch(span[2])]
    joined = runs(text, kept)[-1][2] if kept else ""
    return Boxes(tuple(span[2] for span in kept), joined, bool(opened), tuple(kept))


def _opening(text: str, position: int) -> tuple[str, int, int]:
    """How the box goes on whose command ends at ``position``: kind, start and end of content."""
    after = position
    while after < len(text) and text[after].isspace() and after - position < 8:
        after += 1
    if text.startswith("{", after):
        return "brace", after + 1, after + 1
    if text.startswith("\\{", after):
        stop = text.find("\\}", after, after + _ESCAPED_LENGTH)
        return ("span", after + 2, stop + 2) if stop >= 0 else ("none", after, after)
    bare = _BARE.match(text, position)
    return ("span", bare.start(1), bare.end(1)) if bare else ("none", after, after)


def runs(
    text: str,
    spans: Sequence[tuple[int, int, str]],
    apart: Callable[[str, str, str], bool] | None = None,
) -> list[tuple[int, int, str]]:
    """The runs of boxes that belong to one answer, each with its different boxes as a list.

    ``apart`` tells from what stands between, behind and before two boxes that they are two answers.
    """
    runs_found: list[tuple[int, int, list[str]]] = []
    for start, end, content in spans:
        gap = text[runs_found[-1][1] : start] if runs_found else ""
        joined = (
            bool(runs_found) and len(gap) <= _GLUE_LENGTH and _is_connective(_GLUE.sub(" ", gap))
        )
        first, _, parts = runs_found[-1] if runs_found else (start, end, [])
        before, behind = text[max(0, first - _AROUND) : first], text[end : end + _AROUND]
        if joined and not (apart and apart(gap, behind, before)):
            runs_found[-1] = (first, end, [part for part in parts if part != content] + [content])
        else:
            runs_found.append((start, end, [content]))
    return [(start, end, ", ".join(parts)) for start, end, parts in runs_found]


def _is_connective(gap: str) -> bool:
    word = gap.strip().strip(",;،、，；").strip().casefold()
    return word in CONNECTIVES if word else any(mark in gap for mark in ",;،、，；")

"""Answers that are no JSON text, made into one: LaTeX, HTML entities, JSON inside of a string."""

from __future__ import annotations

import html
import re

from xlgo_metric.reading.normalise import INVISIBLE

# Braces that LaTeX escapes stand aside until its groups are gone.
_OPEN, _CLOSE = "\x01", "\x02"
_UNICODE = re.compile(r"(?<!\\)\\+u([0-9a-fA-F]{4})")
_QUOTE = re.compile(r"(?<!\\)\\+([\"'`])")
_LONG_ESCAPE = re.compile(r"\\{2,}")
_WHITE = re.compile(r"\\[nrt](?![A-Za-z])")
_SIZES = re.compile(r"\\(?:left|right|[bB]igg?[lrm]?)(?![A-Za-z])")
_BRACES = ((re.compile(r"\\\{|\\lbrace(?![A-Za-z])\s?"), _OPEN),
           (re.compile(r"\\\}|\\rbrace(?![A-Za-z])\s?"), _CLOSE))  # fmt: skip
_BRACKETS = re.compile(r"\\([\[\]()_#%&$])|\\[lr]brack(?![A-Za-z])")
_SPACES = re.compile(
    r"\\(?:q?quad|displaystyle|normalsize|large|Large|colon)(?![A-Za-z])|\\[,;:! ]|~"
)
_GROUP = re.compile(
    r"\\(?:text[a-z]{0,10}|math[a-z]{1,10}|operatorname|mbox|hbox|emph|boldsymbol|bm)\*?\s{0,3}"
    r"\{([^{}]*)\}"
)
_DECORATION = re.compile(
    r"(?<![\w/)*])\*+(?!/)|(?<!/)\*+(?![\w/(*])|(?<!\w)[$`]|[$`](?!\w)"
)  # at the edge of a word: within one it is no decoration
_BLOCK_QUOTE = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_SUBSCRIPT = re.compile(r"_\{(\w{1,8})\}")
_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_LONG_ENTITY = re.compile(r"&#[xX]?[0-9a-fA-F]{9,}")  # their conversion could take too long
_CUT_ENTITY = re.compile(r"(?:&[#A-Za-z0-9]{0,8}|(?<!\\)\\+(?:u[0-9a-fA-F]{0,3})?)\Z")
_NESTING = 4


def loosened(text: str) -> str:
    """The text without the escapes and the markup that an object may be wrapped in.

    The order of what stands in the text stays; positions do not. An entity or escape that the text
    breaks off in is left out. Takes time linear in the text.

    >>> loosened(r'$\\boxed{\\{\\text{"state"}: \\mathrm{E2679}\\}}$')
    '\\\\boxed{{"state": E2679}}'
    """
    text = _CUT_ENTITY.sub("", text)
    if "&" in text:
        for _ in range(2):
            text = html.unescape(_LONG_ENTITY.sub("", text))
    if "\\" in text:
        text = _without_escapes(text)
    text = text.replace("```", " ")
    if "``" in text:
        text = text.replace("``", '"').replace("''", '"')
    text = _DECORATION.sub("", _BLOCK_QUOTE.sub("", text))
    return _INVISIBLE.sub("", _SUBSCRIPT.sub(r"_\1", text))


def _without_escapes(text: str) -> str:
    text = _UNICODE.sub(_character, text)
    text = _QUOTE.sub(r"\1", text)
    text = _LONG_ESCAPE.sub(r"\\", text)
    text = _SIZES.sub("", _WHITE.sub(" ", text))
    for pattern, mark in _BRACES:
        text = pattern.sub(mark, text)
    text = _BRACKETS.sub(lambda m: m[1] or ("[" if m[0][1] == "l" else "]"), text)
    text = _SPACES.sub(" ", text)
    for _ in range(_NESTING):
        text, changed = _GROUP.subn(r"\1", text)
        if not changed:
            break
    return text.replace(_OPEN, "{").replace(_CLOSE, "}")


def _character(escape: re.Match[str]) -> str:
    code = int(escape[1], 16)
    return escape[0] if 0xD800 <= code < 0xE000 or code < 0x20 else chr(code)

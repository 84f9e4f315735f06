"""Reading what is no JSON but people would read as an object, and telling it from a format block.

LaTeX, HTML entities and JSON within a string are loosened into JSON. Beyond that count tuples,
identifiers without quotes, arrows between entries and a closing bracket too many.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from xlgo_metric.reading.grammar import Context
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


_LENGTH = 300
_HINTS = re.compile(
    r"\.\.|…|⋯|<|X{2,}|x{2,}|\byour\b|[a-zX]_|\b[a-zX]\d{0,2}\b|[a-z]\d{1,2}\b|_id\b|\bID\b"
)
_ENTRY = re.compile(
    r"\.{2,}|…|⋯|etc\.?"
    r"|<[^<>]{0,60}>|\{[A-Za-z_ ]{0,30}\}"
    r"|[a-zX]_?\{?(?:\d{1,2}|[a-zTN]|max|end|last|final)?\}?(?:[-+]\d)?"
    r"|[^\d<>]{0,30}(?:<[^<>]{0,60}>|X{2,}\d{0,2}|x{2,}|\.{3}|…)[^\d<>]{0,10}"
    r"|(?:\d?(?:best|worst|1st|2nd|3rd|last|first|final)_)?(?:id|node|room|player|person|value|state)"
    r"(?:_?(?:id|name|number|[a-zN\d]))"
    r"|(?:best|worst|1st|2nd|3rd|second|last|first)_?(?:id|player|room|node)"
    r"|(?:room|node|player|person) (?:id|name|number|n|[a-z]\d?)"
    r"|your[ _](?:final )?(?:answer|value|room|list|path|ranking|state|result)(?: here)?",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(r"[A-Za-zＡ-Ｚ]\d{4}")
_BETWEEN = re.compile(r"[,，、،;]|[-=]>|→")
_AROUND = " \t\r\n\"'“”‘’«»「」`*()[]"


def is_placeholder(written: str) -> bool:
    """Whether a value, as it is written, consists of placeholders: ``[v0, v1, ...]``, ``"<id>"``.

    Ordinary words are none, nor is a value of which one entry is an answer.
    """
    if len(written) > _LENGTH or not _HINTS.search(written) or _IDENTIFIER.search(written):
        return False
    entries = [entry.strip(_AROUND) for entry in _BETWEEN.split(written.strip(_AROUND))]
    return all(map(_ENTRY.fullmatch, entries))


LENGTH = 30_000
_OBJECTS = 20  # so many placeholders are passed over
_QUOTES = "\"'“”„‟‘’‚‛«»‹›「」『』｢｣＂＇"
_OPENING = {"[": "]", "(": ")", "［": "］", "（": "）"}
_CLOSING = frozenset(_OPENING.values())
_SPACE = re.compile(r"\s*")
_SEPARATOR = re.compile(r"[,，﹐、﹑،;；]|[-=–—]{1,2}>|[→⇒➜➔⟶>]")
_SCALAR_END = re.compile(r"[}｝\n]")
_MEMBER = re.compile(rf"[,，،]\s*[{_QUOTES}]?[^\W\d]\w{{0,60}}[{_QUOTES}]?\s*[:：=]")
_END = re.compile(r"\s*[\])）］]?\s*[,，]?\s*[}｝]")
_AT_END = re.compile(r"\s*[\])）］]?\s*[,，]?\s*\Z")
_DEPTH = 3
_PAIRS = [re.compile(f"[{marks}]") for marks in ('"＂“”„‟', "'＇‘’‚‛", "«»‹›", "「」『』｢｣")]
_ENDS = {mark: pair for pair in _PAIRS for mark in pair.pattern[1:-1]}


@dataclass(frozen=True)
class Loose:
    """What the last object with the key says.

    Attributes:
        kind: ``value``; ``cut`` (the text breaks off in it); ``unreadable``; ``placeholder``
            (nothing but placeholders stands there).
        value: a string, or a list of strings and such lists.
    """

    kind: Literal["value", "cut", "unreadable", "placeholder"]
    value: Any = None


@lru_cache(maxsize=32)
def _key_patterns(key: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Where a key stands with its colon, and where the text ends at one or within one."""
    quoted = rf"[{_QUOTES}]\s*{key}\s*[{_QUOTES}]"
    begun = "".join(f"(?:{c}" for c in key) + ")?" * len(key)
    return (
        re.compile(
            rf"(?:[{{｛]\s*(?:{quoted}|{key})|[,，]\s*{quoted})\s*(?:=>|->|[:：=])", re.IGNORECASE
        ),
        re.compile(
            rf"[{{｛]\s*(?:[{_QUOTES}]?\s*{begun}|{quoted})\s*\Z|[,，]\s*{quoted}\s*\Z",
            re.IGNORECASE,
        ),
    )


def read_last(text: str, key: str, context: Context) -> Loose | None:
    """Read the last object with the key; ``None`` if no object has it.

    Objects of placeholders alone are passed over for an earlier one. Takes time linear in the
    length of the text, of which only the end is read, and never raises.
    """
    text = loosened(text[-LENGTH:])
    whole, begun = _key_patterns(key)
    if begun.search(text, max(0, len(text) - 200)):
        return Loose("cut")
    found = None
    for match in list(whole.finditer(text))[: -_OBJECTS - 1 : -1]:
        if context.words.passed_over(text[: match.start()], ""):
            continue
        found = _read(text, match.end())
        if found.kind != "placeholder":
            break
    return found


def read_list(text: str) -> list[Any] | None:
    """The entries of a list that a string writes, as strings; ``None`` if it is none."""
    text = text.strip()
    if len(text) > LENGTH or text[:1] not in _OPENING:
        return None
    end = _list_end(text, 0)
    return _entries(text[1 : end - 1]) if end == len(text) else None


def _read(text: str, start: int) -> Loose:  # noqa: PLR0911
    start = _skip(text, start)
    if start == len(text):
        return Loose("cut")
    value: Any
    if text[start] in _OPENING:
        end = _list_end(text, start)
        if end < 0:
            return Loose("unreadable" if end == -2 else "cut")
        value = _entries(text[start + 1 : end - 1])
        raw = text[start:end]
    elif text[start] in _QUOTES:
        closing = _quote_end(text, start)
        if closing < 0:
            return Loose("cut")
        end = closing + 1
        value = raw = text[start + 1 : closing]
    else:
        stop = _SCALAR_END.search(text, start)
        if stop is None:
            return Loose("cut")
        member = _MEMBER.search(text, start, stop.start())
        end = member.start() if member else stop.start()
        value = raw = text[start:end].strip().rstrip("])")
    if not _END.match(text, end):
        more = _MEMBER.match(text, _skip(text, end))
        if not more or "}" not in text[end:]:
            return Loose("cut" if more or _AT_END.match(text, end) else "unreadable")
    if is_placeholder(raw):
        return Loose("placeholder")
    return Loose("value", value)


def _list_end(text: str, start: int) -> int:
    """Behind the bracket that closes the one at ``start``; -1 at the end, -2 at another one."""
    stack: list[str] = []
    at = start
    while at < len(text):
        mark = text[at]
        if mark in _OPENING:
            stack.append(_OPENING[mark])
            if len(stack) > _DEPTH:
                return -2
        elif mark in _CLOSING:
            if stack.pop() != mark:
                return -2
            if not stack:
                return at + 1
        elif mark in "{}｛｝":
            return -2
        elif mark in _QUOTES and _begins(text, at):
            at = _quote_end(text, at)
            if at < 0:
                return -1
        at += 1
    return -1


def _begins(text: str, at: int) -> bool:
    """Whether a quote opens a string: an apostrophe inside of a word does not."""
    return not text[at - 1].isalnum()


def _quote_end(text: str, start: int) -> int:
    """Where the string that opens at ``start`` closes, or -1."""
    end = _ENDS[text[start]].search(text, start + 1)
    return end.start() if end else -1


def _entries(inner: str) -> list[Any]:
    """The entries between the brackets of a list."""
    entries: list[Any] = []
    at = 0
    while True:
        at = _skip(inner, at)
        if at == len(inner):
            return entries
        begin = at
        while at < len(inner) and not (separator := _SEPARATOR.match(inner, at)):
            end = -1
            if inner[at] in _OPENING:
                end = _list_end(inner, at)
            elif inner[at] in _QUOTES and (at == begin or _begins(inner, at)):
                end = _quote_end(inner, at) + 1
            at = end if end > at else at + 1
        entries.append(_entry(inner[begin:at].strip()))
        at = separator.end() if at < len(inner) and separator else at


def _entry(text: str) -> Any:
    if not text:
        return ""
    if text[0] in _OPENING and _list_end(text, 0) == len(text):
        return _entries(text[1:-1])
    if text[0] in _QUOTES and len(text) > 1 and _quote_end(text, 0) == len(text) - 1:
        return text[1:-1]
    return text


def _skip(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return space.end() if space else at

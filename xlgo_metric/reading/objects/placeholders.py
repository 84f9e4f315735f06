"""Telling an answer from the words of a format that a response repeats."""

from __future__ import annotations

import re

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
_SEPARATOR = re.compile(r"[,，、،;]|[-=]>|→")
_AROUND = " \t\r\n\"'“”‘’«»「」`*()[]"


def is_placeholder(written: str) -> bool:
    """Whether a value, as it is written, consists of placeholders: ``[v0, v1, ...]``, ``"<id>"``.

    Ordinary words are none, nor is a value of which one entry is an answer.
    """
    if len(written) > _LENGTH or not _HINTS.search(written) or _IDENTIFIER.search(written):
        return False
    entries = [entry.strip(_AROUND) for entry in _SEPARATOR.split(written.strip(_AROUND))]
    return all(map(_ENTRY.fullmatch, entries))

"""Cells of CSV files that a spreadsheet program would take for formulas."""

from __future__ import annotations

import re

_MARK = "'"
_FORMULA = re.compile("(?:[\\s\\0\ufeff\u200b]*[=+\\-@\uff1d\uff0b\uff0d\uff20]|[\\t\\r\\n])")
_NUMBER = re.compile(r"[+-]?[0-9][0-9.,eE%±*? −-]*(?:to [+-]?[0-9.]+)?")


def escape_formula(text: str) -> str:
    """``text`` with an apostrophe before it if a spreadsheet program would run it.

    That is what begins with ``= + - @``, blanks before them or not, or with a tab or a line's end.
    Numbers, such as ``-1.5`` and ``-10.1 ± 9.7``, stay as they are.
    """
    bare = text.lstrip(_MARK)
    if _FORMULA.match(bare) and not _NUMBER.fullmatch(text):
        return _MARK + text
    return text


def unescape_formula(text: str) -> str:
    """The text that ``escape_formula`` was given."""
    if text.startswith(_MARK) and escape_formula(text[1:]) == text:
        return text[1:]
    return text

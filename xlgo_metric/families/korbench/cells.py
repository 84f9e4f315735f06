"""Compare lists of cells: the grids of the stepwise cipher questions."""

from __future__ import annotations

import re

_INNERMOST = re.compile(r"\[([^\[\]]*)\]")
_ESCAPE = re.compile(r"\\([#_&%$])")
_TEXT = re.compile(r"\\(?:text|mathrm|texttt)\s?\{([^{}]{0,2000})\}")
_NOT_TEXT = str.maketrans("", "", "\"“”'$`\n\t []")


def is_grid(gold: str) -> bool:
    """Whether a reference answer is a list of cells: quoted, or several rows."""
    return "'" in gold or "], [" in gold


def rows(content: str) -> list[list[str]]:
    """The rows of a list of lists whose outer brackets may be missing; quotes do not matter."""
    return [
        [cell.strip().strip("'\"‘’“”").strip() for cell in row.split(",")]
        for row in _INNERMOST.findall(f"[[{content}]]")
    ]


def same_cells(found: str, gold: str) -> bool:
    """Whether an answer has the same cells in the same rows."""
    return rows(found) == rows(gold)


def same_text(found: str, gold: str) -> bool:
    """Whether two texts are the same but for white space, quotes, brackets and LaTeX's escapes."""
    return _letters(found) == _letters(gold)


def _letters(text: str) -> str:
    return _ESCAPE.sub(r"\1", _TEXT.sub(r"\1", text)).translate(_NOT_TEXT)

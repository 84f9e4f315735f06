"""Compare lists of cells: the grids of the stepwise cipher questions."""

from __future__ import annotations

import re

_INNERMOST = re.compile(r"\[([^\[\]]*)\]")
_ESCAPE = re.compile(r"\\([#_&%$])")
_TEXT = re.compile(r"\\(?:text|mathrm|texttt)\s?\{([^{}]{0,2000})\}")
_SPACES = str.maketrans("", "", "\n\t []")
_MARKS = "\"“”'$`"


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
    """Whether two texts are the same but for white space, brackets and LaTeX's escapes.

    Quotes and dollar signs do not count either, unless the reference has them.
    """
    marks = str.maketrans("", "", "".join(mark for mark in _MARKS if mark not in gold))
    text = _TEXT.sub(r"\1", found).translate(_SPACES).translate(marks)
    expected = gold.translate(_SPACES)
    return expected in (text, _ESCAPE.sub(r"\1", text))

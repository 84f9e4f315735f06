"""BibTeX entries for whatever a score was made with."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

_FILE = Path(__file__).parent / "html" / "citations.txt"
_ALWAYS = ("lmeval", "numpy")
_USED_BY = {
    "xlgobench": ("xlgobench", "raju2026errors", "holm1979", "scipy"),
    "polymath": ("polymath",),
    "easy": ("easy",),
}


def bibtex(families: Iterable[str]) -> str:
    """The entries to cite for a score of these families of tasks, with the tools it stands on."""
    wanted = [key for family in families for key in _USED_BY.get(family, ())]
    wanted += _ALWAYS
    entries = {
        key: entry
        for entry in _FILE.read_text("utf-8").strip().split("\n\n")
        for key in re.findall(r"@\w+\{(\w+),", entry)
    }
    return "\n\n".join(entries[key] for key in wanted) + "\n"

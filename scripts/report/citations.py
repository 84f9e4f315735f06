"""BibTeX entries for whatever a score was made with."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import xlgo_dataset as xd

_TOOLS = Path(__file__).with_name("tools.bib")


def bibtex(families: Iterable[str]) -> str:
    """The entries to cite for a score of these families of tasks, with the tools it stands on.

    Raises:
        ValueError: an unknown family.
    """
    texts = [xd.family(name).citation for name in families] + [_TOOLS.read_text("utf-8")]
    entries = {
        key: entry
        for text in texts
        for entry in text.strip().split("\n\n")
        for key in re.findall(r"@\w+\{(\w+),", entry)
    }
    return "\n\n".join(entries.values()) + "\n"

"""The strings of the prompts: one TOML file per language, and templates filled by name."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FOLDER = Path(__file__).parent
Words = Mapping[str, Any]
"""The strings of one language: tables as they stand in its file."""

_PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}")


@cache
def load(language: str) -> Words:
    """The strings of ``language``.

    Raises:
        ValueError: there is no file for it.
    """
    path = FOLDER / "languages" / f"{language}.toml"
    if not re.fullmatch("[a-z]{2,3}", language) or not path.is_file():
        known = sorted(p.stem for p in path.parent.glob("*.toml"))
        raise ValueError(f"no prompts in language {language!r}: there are {', '.join(known)}")
    return tomllib.loads(path.read_text(encoding="utf-8"))


@cache
def data_file(name: str) -> Mapping[str, Any]:
    """A TOML file of the folder ``data``, which holds what no language changes."""
    return tomllib.loads((FOLDER / "data" / name).read_text(encoding="utf-8"))


class Template:
    """A text with ``{placeholders}`` that can be filled and, backwards, read.

    Values are put in by name and in one pass: braces in a value or elsewhere in the text (the
    prompts hold LaTeX) mean nothing.
    """

    def __init__(self, text: str) -> None:
        parts = _PLACEHOLDER.split(text)
        self.literals = parts[0::2]
        self.names = parts[1::2]

    def fill(self, **values: object) -> str:
        """The text with each placeholder replaced by its value."""
        pieces = [self.literals[0]]
        for name, literal in zip(self.names, self.literals[1:]):
            pieces.append(str(values[name]))
            pieces.append(literal)
        return "".join(pieces)

    def match(self, text: str) -> dict[str, str] | None:
        """The values with which ``fill`` gives ``text``, each as short as can be; else ``None``."""
        if not text.startswith(self.literals[0]):
            return None
        at = len(self.literals[0])
        values: dict[str, str] = {}
        last = len(self.names) - 1
        for i, (name, literal) in enumerate(zip(self.names, self.literals[1:])):
            if i < last:
                end = text.find(literal, at)
            else:
                end = len(text) - len(literal)
                if end < at or not text.endswith(literal):
                    return None
            if end < 0:
                return None
            values[name] = text[at:end]
            at = end + len(literal)
        return values if at == len(text) else None


@lru_cache(maxsize=4096)
def template(text: str) -> Template:
    """The compiled form of a template text."""
    return Template(text)

"""The strings of the prompts: one TOML file per language, and templates filled by name.

There are two wordings. ``paper`` has a whole file per language in ``languages``: the paper's
English, and what was written after it. ``parallel`` differs in nothing but the language:
``parallel/frame.toml`` holds all that is common, a file beside it the strings of a language. The
counting tasks have a folder of the same form, with a text for each language (see ``counting``).

``first`` is no wording of its own: it is the other two as they were before they were corrected.
``first/<code>.toml`` holds the strings that a correction replaced.
"""

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
PARALLEL = FOLDER / "parallel"
FIRST = FOLDER / "first"
TEXTS = ("paper", "parallel", "first")
Words = Mapping[str, Any]
"""The strings of one language: tables as they stand in its file."""

_PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}")


def load(language: str, text: str = "paper", *, first: bool = False) -> Words:
    """The strings of ``language`` in the wording ``paper`` or ``parallel``.

    Args:
        language: a code.
        text: the wording.
        first: as it was before it was corrected.

    Raises:
        ValueError: there is no file for it.
    """
    if text == "parallel":
        return _parallel(PARALLEL, language, first)
    words = table(FOLDER / "languages", language)
    return merged(words, first_strings(language, text)) if first else words


def data_version(words: Words) -> int:
    """How often the strings of a language were corrected, plus one."""
    found: int = words.get("about", {}).get("data_version", 1)
    return found


@cache
def first_strings(language: str, part: str) -> Words:
    """What ``paper``, ``parallel`` or ``counting`` of a language were before; empty if the same."""
    path = FIRST / f"{language}.toml"
    found: Words = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found.get(part, {})


def merged(words: Words, other: Words) -> Words:
    """``words`` with the entries of ``other``, table by table."""
    found = dict(words)
    for name, value in other.items():
        inner = found.get(name)
        both = isinstance(value, Mapping) and isinstance(inner, Mapping)
        found[name] = merged(inner, value) if both and inner is not None else value
    return found


@cache
def table(folder: Path, language: str) -> Words:
    """The file of a language in a folder, as it stands.

    Raises:
        ValueError: there is none.
    """
    path = folder / f"{language}.toml"
    if not re.fullmatch("[a-z]{2,3}", language) or not path.is_file():
        known = sorted(p.stem for p in folder.glob("*.toml") if p.stem != "frame")
        raise ValueError(f"no prompts in language {language!r}: there are {', '.join(known)}")
    return tomllib.loads(path.read_text(encoding="utf-8"))


def parallel_languages() -> tuple[str, ...]:
    """The languages that have a file of the parallel wording, English first."""
    return _files(PARALLEL)


@cache
def _files(folder: Path) -> tuple[str, ...]:
    found = {path.stem for path in folder.glob("*.toml")} - {"frame", "en"}
    return ("en", *sorted(found))


@cache
def frame(folder: Path) -> Words:
    """What the parallel prompts of all languages have in common."""
    return tomllib.loads((folder / "frame.toml").read_text(encoding="utf-8"))


@cache
def _parallel(folder: Path, language: str, first: bool = False) -> Words:
    """The frame filled with the strings of a language; ``isolate`` holds the marks for names.

    A language may have, beside the strings of English: ``colon``, ``semicolon`` and ``stop``, where
    its punctuation is another; ``parts``, where something else parts two equations; ``counted``,
    the form of ``items`` in ``{counted}``, where things that are handed over are inflected
    otherwise than things that are counted.
    """
    own = table(folder, language)
    if first:
        own = merged(own, first_strings(language, "parallel"))
    marks = ISOLATE if own.get("isolate") else NO_MARKS
    fixed = {**PUNCTUATION, "parts": own.get("semicolon", ";"), **own}
    strings = {f"t_{name}": text for name, text in fixed.items() if isinstance(text, str)}
    strings |= {
        f"has_{who}": own["has"].replace("{name}", f"{{{who}}}") for who in ("agent", *"wxyz")
    }
    example = {"isolate": marks if own.get("example_isolated", True) else NO_MARKS}
    strings |= {f"mode_{i}": marked(mode, example) for i, mode in enumerate(own["modes"])}
    words: dict[str, Any] = put(frame(folder), strings)
    words["logic"]["movies"] = own["movies"]
    words["travel"]["modes"] = own["modes"]
    words["proof_tree"]["items"] = [[item, item] for item in own["items"]]
    words["proof_tree"]["counted"] = own.get("counted", own["items"])
    words["isolate"] = marks
    words["about"] = own["about"]
    return words


def put(part: Any, strings: Mapping[str, str]) -> Any:
    """A table, list or text with the strings of a language; other placeholders stay."""
    if isinstance(part, Mapping):
        return {name: put(inner, strings) for name, inner in part.items()}
    if isinstance(part, list):
        return [put(inner, strings) for inner in part]
    return _PLACEHOLDER.sub(lambda found: strings.get(found[1], found[0]), part)


PUNCTUATION = {"colon": ":", "semicolon": ";", "stop": ". "}
"""The default separators between fields of the parallel prompts."""

ISOLATE = ("\u2068", "\u2069")
"""Around a name in languages that are written from right to left (U+2068, U+2069): so it is drawn
by itself, and what stands beside it is not."""

NO_MARKS = ("", "")


def marked(name: str, words: Words) -> str:
    """A name as written in a prompt."""
    before, after = words.get("isolate", NO_MARKS)
    return f"{before}{name}{after}"


def unmarked(prompt: str, words: Words) -> tuple[str, Words]:
    """A prompt without the marks around its names, and words that set none."""
    for mark in filter(None, words.get("isolate", NO_MARKS)):
        prompt, words = prompt.replace(mark, ""), _without(mark, words)
    return prompt, {**words, "isolate": NO_MARKS}


def _without(mark: str, part: Any) -> Any:
    """A table, list or text without a mark."""
    if isinstance(part, Mapping):
        return {name: _without(mark, inner) for name, inner in part.items()}
    if isinstance(part, (list, tuple)):
        return [_without(mark, inner) for inner in part]
    return part.replace(mark, "") if isinstance(part, str) else part


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

"""The strings of the prompts: one TOML file per language, and templates filled by name.

There are two wordings. ``paper`` has a whole file per language in ``languages``: the paper's
English, and what was written after it. ``parallel`` differs in nothing but the language:
``parallel/frame.toml`` holds all that is common, a file beside it the strings of a language. The
counting tasks have a folder of the same form, with a text for each language (see ``counting``).
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ...core.toml import read_toml
from ...declared import Json, Row
from ...text.document import PLACEHOLDER

FOLDER = Path(__file__).parent
PARALLEL = FOLDER / "parallel"
TEXTS = ("paper", "parallel")
Words = Json
"""The strings of one language: tables as they stand in its file."""


def load(language: str, text: str = "paper") -> Words:
    """The strings of ``language`` in the wording ``paper`` or ``parallel``.

    Raises:
        ValueError: there is no file for it.
    """
    if text == "parallel":
        return _parallel(PARALLEL, language)
    return table(FOLDER / "languages", language)


def data_version(words: Words) -> int:
    """How often the strings of a language were corrected, plus one."""
    return int(words.get("about", {}).get("data_version", 1))


toml = cache(read_toml)
"""A TOML file as it stands."""


def table(folder: Path, language: str) -> Words:
    """The file of a language in a folder, as it stands.

    Raises:
        ValueError: there is none.
    """
    if not re.fullmatch("[a-z]{2,3}", language) or language not in codes(folder):
        allowed = ", ".join(sorted(codes(folder)))
        raise ValueError(f"no prompts in language {language!r}: there are {allowed}")
    return toml(folder / f"{language}.toml")


@cache
def codes(folder: Path) -> tuple[str, ...]:
    """The languages that have a file in a folder, English first."""
    result = {path.stem for path in folder.glob("*.toml")} - {"frame", "en"}
    return ("en", *sorted(result))


def frame(folder: Path) -> Words:
    """What the parallel prompts of all languages have in common."""
    return toml(folder / "frame.toml")


@cache
def _parallel(folder: Path, language: str) -> Words:
    """The frame filled with the strings of a language; ``isolate`` holds the marks for names.

    A language may have, beside the strings of English: ``colon``, ``semicolon`` and ``stop``, where
    its punctuation is another; ``parts``, where something else parts two equations; ``counted``,
    the form of ``items`` in ``{counted}``, where things that are handed over are inflected
    otherwise than things that are counted.
    """
    own = table(folder, language)
    marks = ISOLATE if own.get("isolate") else NO_MARKS
    fixed = {**PUNCTUATION, "parts": own.get("semicolon", ";"), **own}
    strings = {f"t_{name}": text for name, text in fixed.items() if isinstance(text, str)}
    strings |= {
        f"has_{who}": own["has"].replace("{name}", f"{{{who}}}") for who in ("agent", *"wxyz")
    }
    example = {"isolate": marks if own.get("example_isolated", True) else NO_MARKS}
    strings |= {f"mode_{i}": isolated(mode, example) for i, mode in enumerate(own["modes"])}
    words: Row = put(frame(folder), strings)
    words["logic"]["movies"] = own["movies"]
    words["travel"]["modes"] = own["modes"]
    words["proof_tree"]["items"] = [[item, item] for item in own["items"]]
    words["proof_tree"]["counted"] = own.get("counted", own["items"])
    return words | {"isolate": marks, "about": own["about"]}


def put(part: Any, strings: Mapping[str, str]) -> Any:
    """A table, list or text with the strings of a language; other placeholders stay."""
    if isinstance(part, Mapping):
        return {name: put(inner, strings) for name, inner in part.items()}
    if isinstance(part, list):
        return [put(inner, strings) for inner in part]
    return PLACEHOLDER.sub(lambda match: strings.get(match[1], match[0]), part)


PUNCTUATION = {"colon": ":", "semicolon": ";", "stop": ". "}
"""The default separators between fields of the parallel prompts."""

ISOLATE = ("\u2068", "\u2069")
"""Around a name or a value in languages that are written from right to left (U+2068, U+2069): it is
drawn by itself, so that a line with signs and other names keeps the order in which it is read."""

NO_MARKS = ("", "")


def isolated(name: str, words: Words) -> str:
    """A name or a value as written in a prompt."""
    before, after = words.get("isolate", NO_MARKS)
    return f"{before}{name}{after}"

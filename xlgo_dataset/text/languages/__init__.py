"""The languages: one TOML file each, with every string, its origin and its reviewer.

A code is found by what people write, too: a name, a code of three letters, a script, a region.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path

from xlgo_metric.core import allowed_name, read_toml

from ...core import Json

FOLDER = Path(__file__).parent
FORMAT_BLOCKS = FOLDER / "format_blocks.toml"

LANGUAGES: tuple[str, ...] = ("en", "ar", "hi", "ja", "ta", "te", "zh")
"""The default set: the paper's languages, English first."""

TEXTS: tuple[str, ...] = ("paper", "revised")
"""``paper`` is the wording of the paper; ``revised`` applies the proposed corrections."""


STATUSES: tuple[str, ...] = ("native-written", "audited", "edited", "machine-written")
"""Who wrote and read a wording, best first.

``native-written``: by people who speak the language. ``audited``: two people who speak it agreed on
every string; of the paper's printed wordings, its annotators. ``edited``: changed since, and not
read again by a speaker. ``machine-written``: at least one string is, and no audit covers it.
"""

ATTRIBUTIONS: tuple[str, ...] = ("yes", "limited", "no")
"""Whether a gap can be attributed to the model.

``yes``: annotators read the wording, and nothing known sets it apart from the English. ``limited``:
nothing known changes what is asked, but no native speaker has confirmed the wording or a lesser
difference is known, so that a gap is a sign and no proof. ``no``: what is asked is changed or
hidden, or a text was lost, or nobody has judged.
"""


_HEAD = ("code", "name", "native_name", "script", "direction", "default", "review")
_RULES = (
    "register", "letters", "other_register", "bound", "after_number", "not_before_number", "nouns",
    "words", "false_and_wrong",
)  # fmt: skip


@dataclass(frozen=True)
class Attribution:
    """Whether a gap on a puzzle can be attributed to the model, by wording, and why."""

    paper: str = "no"
    revised: str = "no"
    reason: str = "nobody has judged it yet"


@dataclass(frozen=True)
class String:
    """One string of a language: its wording, where it came from and its proposed revision.

    Attributes:
        second_reader: the verdict of a second reader: agreed, changed, taken (a proposed
            correction) or refused, with what it was before and why.
        back_translation: the newest wording turned back into English by the second reader.
    """

    text: str
    source: str
    note: str = ""
    revised: str | None = None
    revised_note: str = ""
    second_reader: str = ""
    back_translation: str = ""

    def wording(self, text: str) -> str:
        """The string in the wording ``paper`` or ``revised``."""
        return self.revised if text == "revised" and self.revised is not None else self.text


@dataclass(frozen=True)
class Language:
    """A language file: who reviewed it and its strings by task and key.

    Attributes:
        revised_revision: raised whenever a ``revised`` wording is corrected.
        data_version: raised whenever any other string changes: the version of the data of this
            language alone.
        attribution: by task, whether a gap can be put down to the model.
        conditions: what conditions of experiments need beside the tasks (docs/why.md), by
            table and key; empty where the file has none.
        conditions_status: who has read that, one of the values of ``status`` under ``[review]``.
        conditions_revision: raised whenever one of these strings is corrected.
        rules: what is particular to the language, for those who check its strings: ``register``
            (how the reader is addressed; ``other_register`` are words that would break it),
            ``letters`` (characters that the orthography has beside those of the script),
            ``bound`` (endings that must not stand apart from their word), ``after_number`` (the
            only words that may follow a number, where nouns agree with one),
            ``not_before_number`` (words that change before some numbers, Italian ``i``, ``gli``),
            ``nouns`` (by English noun, stems of the one translation that it has), ``words`` (by
            English word that makes the puzzle, what says it) and ``false_and_wrong`` (words that
            say both).
        doubts: what a reader of the text is unsure of; the audit sheet asks it first. One that
            begins with a task ("slt: ...") is about what the task asks: no gap there can be
            attributed to the model.
    """

    code: str
    name: str
    native_name: str
    script: str
    direction: str
    default: bool
    review: dict[str, str]
    tasks: dict[str, dict[str, String]]
    revised_revision: int
    data_version: int
    attribution: dict[str, Attribution]
    conditions: dict[str, dict[str, String]]
    conditions_status: str
    conditions_revision: int
    rules: Json = field(default_factory=dict)
    doubts: tuple[str, ...] = ()

    def status(self, task: str, text: str = "paper") -> str:
        """Who wrote and read the strings of a task in a wording, one of ``STATUSES``."""
        strings = self.tasks[task].values()
        sources = {string.source for string in strings}
        revised = text != "paper" and any(string.revised is not None for string in strings)
        if self.review.get("status") == "audited":
            return "audited"
        if sources & {"machine-written", "rebuilt"}:
            return "machine-written"
        if revised or text not in TEXTS or sources & {"repaired", "edited"}:
            return "edited"
        return "native-written" if self.code == "en" or "translated" in sources else "audited"

    def strings(self, task: str, text: str = "paper") -> dict[str, str]:
        """The strings of ``task`` by key, the English format blocks included.

        Args:
            task: one of the puzzles.
            text: ``paper``, ``revised``, or the path of a TOML file whose ``[task]`` tables
                replace strings of the paper's wording.
        """
        strings = self.tasks[task] | format_blocks().get(task, {})
        result = {key: string.wording(text) for key, string in strings.items()}
        if text not in TEXTS:
            result |= _overrides(text).get(task, {})
        return result


def available(folder: Path = FOLDER) -> tuple[str, ...]:
    """Codes of every language that has a file: the default set first, then the others."""
    return _available(folder, folder.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _available(folder: Path, changed: int) -> tuple[str, ...]:
    # Asked at every prompt that is read; a file that is added changes the time of its folder.
    files = {path.stem for path in folder.glob("*.toml")} - {FORMAT_BLOCKS.stem}
    return (*(code for code in LANGUAGES if code in files), *sorted(files - set(LANGUAGES)))


def check_readable(codes: Iterable[str]) -> None:
    """Refuse default languages whose answers the grader cannot read.

    Raises:
        ValueError: the reader has no table for one of the languages.
    """
    tables = resources.files("xlgo_metric") / "reading" / "languages"
    for code in codes:
        if not (tables / f"{code}.json").is_file():
            raise ValueError(
                f"{code!r} cannot be a default language: the reader has no table of its words, so "
                f"write languages/{code}.json in xlgo_metric/reading (docs/grading.md says how)"
            )


@cache
def load_language(code: str, folder: Path = FOLDER) -> Language:
    """Read the file of one language.

    Raises:
        ValueError: there is no such language, or its file is malformed.
    """
    allowed_name(code, "language", available(folder))
    data = read_toml(folder / f"{code}.toml")
    try:
        more = data.pop("conditions", {})
        judged = {task: Attribution(**table) for task, table in data.pop("attribution", {}).items()}
        head = {
            **{key: data.pop(key) for key in _HEAD},
            "revised_revision": data.pop("revised_revision", 1),
            "data_version": data.pop("data_version", 1),
            "conditions_status": more.pop("status", ""),
            "conditions_revision": more.pop("revision", 1),
            "conditions": {name: _strings(table) for name, table in more.items()},
            "rules": {key: data.pop(key) for key in _RULES if key in data},
        }
        doubts = tuple(head["review"].pop("doubts", ()))
        tasks = {task: _strings(table) for task, table in data.items()}
        judged |= {
            task: Attribution(reason=f"a doubt of its writer: {about}")
            for doubt in doubts
            for task, _, about in [doubt.partition(": ")]
            if task in tasks
        }
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{folder / code}.toml: missing or wrong entry {error}") from error
    attribution = {task: judged.pop(task, Attribution()) for task in tasks} | judged
    return Language(**head, doubts=doubts, tasks=tasks, attribution=attribution)


@cache
def format_blocks() -> dict[str, dict[str, String]]:
    """The output-format blocks, English in every language, by task and key."""
    return {task: _strings(table) for task, table in read_toml(FORMAT_BLOCKS).items()}


def checked_text(text: str) -> str:
    """The name of a wording, if it is built in or a TOML file.

    Raises:
        ValueError: with the allowed values.
    """
    if text in TEXTS:
        return text
    if isinstance(text, str) and text.endswith(".toml") and Path(text).is_file():
        _overrides(text)
        return text
    raise ValueError(
        f"unknown text {text!r}: allowed are {', '.join(TEXTS)} or the path of a TOML file"
    )


@lru_cache(maxsize=16)
def _overrides(path: str) -> dict[str, dict[str, str]]:
    """The strings of a file with another wording; each must be one that exists."""
    data = read_toml(Path(path))
    english = load_language("en").tasks
    for task, table in data.items():
        strings = english[allowed_name(task, "task", english, f"{path}: ")]
        known = strings | format_blocks().get(task, {})
        for key, value in table.items():
            names = _placeholders(
                known[allowed_name(key, "string", known, f"{path}: {task}: ")].text
            )
            if not isinstance(value, str) or _placeholders(value) != names:
                raise ValueError(
                    f"{path}: {task}.{key} must be a string with the placeholders "
                    f"{', '.join(sorted(names)) or '(none)'}, got {value!r}"
                )
    return data


def _placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{[a-z][a-z0-9_]*\}", text))


def _strings(table: Json) -> dict[str, String]:
    """The strings of a table; a plain text has the table's ``source``."""
    return {
        key: String(value, table["source"]) if isinstance(value, str) else String(**value)
        for key, value in table.items()
        if key != "source"
    }


_FLORES = (
    "amh_Ethi arb_Arab ben_Beng deu_Latn ell_Grek eng_Latn spa_Latn pes_Arab fil_Latn fra_Latn "
    "guj_Gujr hau_Latn heb_Hebr hin_Deva ind_Latn ita_Latn jpn_Jpan jav_Latn khm_Khmr kan_Knda "
    "kor_Hang mal_Mlym mar_Deva zsm_Latn mya_Mymr pan_Guru pol_Latn por_Latn rus_Cyrl swh_Latn "
    "tam_Taml tel_Telu tha_Thai tur_Latn ukr_Cyrl urd_Arab uzn_Latn vie_Latn yor_Latn zho_Hans"
)
_CODES = (
    "am ar bn de el en es fa fil fr gu ha he hi id it ja jv km kn ko ml mr ms my pa pl pt ru sw ta "
    "te th tr uk ur uz vi yo zh"
)
"""ISO 639-1 (639-3 where there is none), in the order of the codes above."""
_OTHERS = {
    "ara": "ar", "fas": "fa", "tgl": "fil", "tl": "fil", "cmn": "zh", "zhs": "zh", "msa": "ms",
    "swa": "sw", "uzb": "uz", "iw": "he", "in": "id", "jw": "jv", "mandarin": "zh",
    "simplified chinese": "zh", "farsi": "fa", "tagalog": "fil", "greek": "el", "panjabi": "pa",
}  # fmt: skip
"""Further codes and names."""
_TRADITIONAL = frozenset({"tw", "hk", "mo"})
"""Regions of Chinese in another script than ours."""


def code_of(text: str) -> str:
    """Return the code of a language of xlgo; the text itself where none is meant.

    Args:
        text: ``te``, ``EN``, ``Telugu``, ``tel``, ``tel_Telu`` or ``zh-CN``. A script or region
            that is not that of the prompts is left as it is.
    """
    plain = text.strip().casefold()
    head, *tail = re.split(r"[-_]", plain)
    is_region = len(tail) == 1 and re.fullmatch(r"[a-z]{2}|\d{3}", tail[0]) and len(head) <= 3
    known = head if is_region and tail[0] not in _TRADITIONAL else plain.replace("-", "_")
    return _codes().get(plain) or _codes().get(known, text)


@lru_cache(maxsize=1)
def _codes() -> dict[str, str]:
    """Codes by what they are called, with the script or without."""
    codes = dict(_OTHERS)
    for flores, code in zip(_FLORES.casefold().split(), _CODES.split(), strict=True):
        three, _, script = flores.partition("_")
        language = load_language(code)
        names = (code, three, language.name.casefold(), language.native_name.casefold())
        codes |= dict.fromkeys((*names, flores, f"{code}_{script}"), code)
    codes.pop("", None)
    return codes

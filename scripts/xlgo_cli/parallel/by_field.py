"""Logs that hold several languages in one file: which field names the language, and the question.

lm-evaluation-harness has a task for each language; other tools log the language of each sample.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from fnmatch import fnmatchcase

from ..logs.formats import TABLE, tables
from ..logs.lines import SampleFile, mapping
from ..logs.others import logged_lines
from .answers import ID, Split
from .known import ENGLISH

LANGUAGE = "language"
_NAMES = (LANGUAGE, "lang", "language_code", "lang_code", "locale", "target_language", "subset")
_CODE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z]{2,4})?")
_MOST = 200
"""Languages that one field may name."""


Texts = Mapping[str, set[str | None]]
"""By field; ``None`` where a question has no text in it."""


def files_of(
    pattern: str, files: Mapping[str, SampleFile], given: str | None, wanted: Collection[str]
) -> tuple[Split, dict[str, dict[str, SampleFile]]]:
    """The languages in the logs of some tasks, each with the files that have it.

    Args:
        pattern: names of tasks; ``*`` for all.
        files: by task.
        given: the field that names the language; found by itself if ``None``.
        wanted: the only languages that count; all if there are none.

    Raises:
        ValueError: no field names languages, or it names fewer than two, or too many.
    """
    matching = {name: file for name, file in files.items() if fnmatchcase(name, pattern)}
    if not matching:
        some = ", ".join(sorted(files)[:4])
        raise ValueError(f"--parallel {pattern}: no task of the run fits: there are {some}")
    texts = {name: _texts(file) for name, file in matching.items()}
    asked = [found for found in texts.values() if found]
    every = {
        name: {text for found in asked for text in found.get(name, {None})}
        for name in dict.fromkeys(name for found in asked for name in found)
    }
    usable = {name: values for name, values in every.items() if None not in values}
    split = Split(given or _language_field(usable))
    if len(every.get(split.field, ())) > _MOST:
        raise ValueError(
            f"the field {split.field!r} names more than {_MOST} languages: choose another with "
            "--language-by"
        )
    by_language: dict[str, dict[str, SampleFile]] = {}
    for name, found in texts.items():
        for language in found.get(split.field, ()):
            if language is not None and (not wanted or language in wanted):
                subject = name if len(matching) > 1 else ""
                by_language.setdefault(language, {})[subject] = matching[name]
    if len(by_language) < 2:
        there = ", ".join(by_language) or "none"
        others = ", ".join(name for name in usable if name != split.field)
        choose = f": choose another with --language-by among {others}" if others else ""
        raise ValueError(
            f"the field {split.field!r} names fewer than two languages ({there}), and a gap is "
            f"between two{choose}"
        )
    return split, dict(sorted(by_language.items()))


def _language_field(usable: Texts) -> str:
    """The field that names the language.

    Raises:
        ValueError: none does.
    """
    named = [name for name in _NAMES if len(usable.get(name, ())) > 1]
    coded = [
        name
        for name, found in usable.items()
        if 1 < len(found) <= _MOST
        and all(_CODE.fullmatch(str(one)) for one in found)
        and found & set(ENGLISH)
    ]
    if chosen := [*named, *coded]:
        return chosen[0]
    raise ValueError(
        "no field of the questions names their language: give --language-by FIELD, among "
        f"{', '.join(usable) or 'none'}, or a pattern with {{lang}} where each language is a task"
    )


def _texts(file: SampleFile) -> Texts:
    """The texts in each field of the questions, as far as they are few, and the ends of ids."""
    if file.tool == TABLE:
        return {LANGUAGE: {*tables.languages(file.path, tables.Part(*file.part))}}
    found: dict[str, set[str | None]] = {}
    counts = Counter[str]()
    total = 0
    for _, _, data in logged_lines(file, None):
        total += 1
        fields = {name: value for name, value in mapping(data.get("doc")).items() if name != ID}
        for name, value in (fields | {ID: Split(ID).language(data)}).items():
            if isinstance(value, str):
                counts[name] += 1
                if len(kept := found.setdefault(name, set())) <= _MOST:
                    kept.add(value)
    return {name: kept if counts[name] == total else {*kept, None} for name, kept in found.items()}

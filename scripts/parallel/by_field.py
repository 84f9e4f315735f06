"""Logs that hold several languages in one file: which field names the language, and the question.

lm-evaluation-harness has a task for each language; other tools log the language of each sample.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase

from ..logs.lines import SampleFile
from .answers import ID, Split, logged_lines
from .known import ENGLISH

_NAMES = (
    "language", "lang", "language_code", "lang_code", "locale", "target_language", "subset",
)  # fmt: skip
_CODE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z]{2,4})?")
_MOST = 200
"""Languages that one field may name."""


def files_of(
    pattern: str, files: Mapping[str, SampleFile], given: str | None, wanted: Iterable[str]
) -> tuple[Split, dict[str, dict[str, SampleFile]]]:
    """The languages in the logs of some tasks, each with the files that have it.

    Args:
        pattern: names of tasks; ``*`` for all.
        files: by task.
        given: the field that names the language; found by itself if ``None``.
        wanted: the only languages that count; all if there are none.

    Raises:
        ValueError: no field names languages, or fewer than two are there.
    """
    matching = {name: file for name, file in files.items() if fnmatchcase(name, pattern)}
    if not matching:
        some = ", ".join(sorted(files)[:4])
        raise ValueError(f"--parallel {pattern}: no task of the run fits: there are {some}")
    split = Split(given) if given else _found(matching.values())
    only = set(wanted)
    by_language: dict[str, dict[str, SampleFile]] = {}
    for name, file in matching.items():
        subject = name if len(matching) > 1 else ""
        for language in _languages(file, split):
            if not only or language in only:
                by_language.setdefault(language, {})[subject] = file
    if len(by_language) < 2:
        there = ", ".join(by_language) or "none"
        raise ValueError(
            f"the field {split.field!r} names fewer than two languages ({there}): choose another "
            f"with --language-by among {', '.join(_fields(matching.values()))}"
        )
    return split, dict(sorted(by_language.items()))


def _found(files: Iterable[SampleFile]) -> Split:
    """The field that names the language.

    Raises:
        ValueError: none does.
    """
    files = list(files)
    values = _fields(files)
    named = [name for name in _NAMES if len(values.get(name, ())) > 1]
    coded = [
        name
        for name, found in values.items()
        if 1 < len(found) <= _MOST and all(_CODE.fullmatch(one) for one in found)
        and found & set(ENGLISH)
    ]  # fmt: skip
    if chosen := [*named, *coded]:
        return Split(chosen[0])
    ends = {Split(ID).language(data) for file in files for _, _, data in logged_lines(file, None)}
    if None not in ends and 1 < len(ends) <= _MOST and ends & set(ENGLISH):
        return Split(ID)
    raise ValueError(
        "no field of the questions names their language: give --language-by FIELD, among "
        f"{', '.join(values) or 'none'}, or a pattern with {{lang}} where each language is a task"
    )


def _fields(files: Iterable[SampleFile]) -> dict[str, set[str]]:
    """The texts in each field that every question has, as far as they are few."""
    found: dict[str, set[str]] = {}
    counts: dict[str, int] = {}
    total = 0
    for file in files:
        for _, _, data in logged_lines(file, None):
            total += 1
            doc = data.get("doc")
            for name, value in doc.items() if isinstance(doc, dict) else ():
                if isinstance(value, str):
                    counts[name] = counts.get(name, 0) + 1
                    if len(kept := found.setdefault(name, set())) <= _MOST:
                        kept.add(value)
    return {name: values for name, values in found.items() if counts[name] == total}


def _languages(file: SampleFile, split: Split) -> Iterator[str]:
    """The languages in a file, each once.

    Raises:
        ValueError: a question has none.
    """
    seen = set()
    for number, _, data in logged_lines(file, None):
        language = split.language(data)
        if language is None:
            raise ValueError(f"{file.path}:{number}: the question has no text in {split.field!r}")
        if language not in seen:
            seen.add(language)
            yield language

"""Logs that hold several languages in one file: which field names the language, and the question.

lm-evaluation-harness has a task for each language; other tools log the language of each sample.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from xlgo_dataset.text.language_codes import code_of

from .answers import LANGUAGE, MOST_LANGUAGES, Log, Parts

_NAMES = (LANGUAGE, "lang", "language_code", "lang_code", "locale", "target_language", "subset")
_CODE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z]{2,4})?")


def parts_by(
    logs: Mapping[str, Log], field: str | None, languages: Collection[str]
) -> tuple[str, Parts]:
    """The field that names the language, and the logs of each language by task.

    Args:
        logs: by task.
        field: that names the language; found by itself if ``None``.
        languages: the only languages that count; all if there are none.

    Raises:
        ValueError: no field names languages, or it names fewer than two, or too many.
    """
    names = dict.fromkeys(name for log in logs.values() for name in log.texts)
    texts = {n: {t for log in logs.values() for t in log.texts.get(n, {}).values()} for n in names}
    usable = {
        name: values
        for name, values in texts.items()
        if all(name in log.texts and log.languages(name).notna().all() for log in logs.values())
    }
    field = field or _language_field(usable)
    if len(texts.get(field, ())) > MOST_LANGUAGES:
        raise ValueError(
            f"the field {field!r} names more than {MOST_LANGUAGES} languages: choose another with "
            "--language-by"
        )
    counted = sorted(text for text in texts.get(field, ()) if not languages or text in languages)
    parts = {
        language: {
            task if len(logs) > 1 else "": log
            for task, log in logs.items()
            if language in log.texts.get(field, {}).values()
        }
        for language in counted
    }
    if len(parts) < 2:
        alternatives = ", ".join(name for name in usable if name != field)
        choose = f": choose another with --language-by among {alternatives}" if alternatives else ""
        raise ValueError(
            f"the field {field!r} names fewer than two languages ({', '.join(parts) or 'none'}), "
            f"and a gap is between two{choose}"
        )
    return field, parts


def _language_field(usable: Mapping[str, Collection[str]]) -> str:
    """The field that names the language.

    Raises:
        ValueError: none does.
    """
    usual = [name for name in _NAMES if len(usable.get(name, ())) > 1]
    coded = [
        name
        for name, values in usable.items()
        if len(values) > 1
        and all(map(_CODE.fullmatch, values))
        and any(code_of(value) == "en" for value in values)
    ]
    if fields := [*usual, *coded]:
        return fields[0]
    raise ValueError(
        "no field of the questions names their language: give --language-by FIELD, among "
        f"{', '.join(usable) or 'none'}, or a pattern with {{lang}} where each language is a task"
    )

"""Whether a model reasoned in the language that a prompt asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from xlgo_metric.core import Grade, Record, condition

DETAIL = "reasoning_language"
_CONDITIONS = ("think_english", "think_language")
_ENGLISH = "en"
_MOST = 40_000
"""Characters at the beginning of a response that are examined; the reasoning is there."""


def asked_language(reference: Mapping[str, object]) -> str | None:
    """The language of reasoning that a prompt asked for; ``None`` where it asked for none."""
    name = condition(reference)
    if name not in _CONDITIONS:
        return None
    return _ENGLISH if name == _CONDITIONS[0] else str(reference.get("language") or "") or None


def with_language(found: Grade, prediction: str | None, reference: Mapping[str, object]) -> Grade:
    """A grade with the language of the response among its details, where one was asked for.

    It is an empty text where too little was written to tell: the answer itself does not count.
    """
    if asked_language(reference) is None:
        return found
    from xlgo_metric.language.identify import identify_language

    told = identify_language((prediction or "")[:_MOST]).language
    return replace(found, details={**found.details, DETAIL: told})


def obeyed(records: Sequence[Record]) -> tuple[int, int] | None:
    """How often reasoning was in the language asked for.

    Returns:
        The responses whose language can be told, and how many of them are as asked; ``None``
        where no language was asked for.
    """
    told = as_asked = 0
    wanted = [asked_language(record.reference) for record in records]
    for language, record in zip(wanted, records):
        found = str(record.grade.details.get(DETAIL) or "")
        if language and found:
            told += 1
            as_asked += found.partition("-")[0] == language.partition("-")[0]
    return (told, as_asked) if any(wanted) else None

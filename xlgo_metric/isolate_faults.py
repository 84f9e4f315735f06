"""What keeps one bad row from ending a whole score, and what a score says of mixed rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from .core import Record
from .family import Family, Section

_FIELDS: dict[str, type | tuple[type, ...]] = {
    "task": str, "family": str, "language": str, "split": str, "text": str, "instance_id": str,
    "covariates": dict, "params": dict, "complexity": (int, float), "level": (int, str),
    "index": int, "seed": int, "data": (int, str),
    "condition": str, "tokenizer": str, "romaniser": str, "structure": str,
}  # fmt: skip
_IN_SIGNATURES = (
    "task", "family", "language", "split", "text", "data", "condition", "tokenizer", "romaniser",
)  # fmt: skip
_SHOWN = frozenset((
    *_IN_SIGNATURES, "prompt", "prompt_id", "prompt_sha", "revision", "variant", "mode", "category",
    "subcategory", "rule_id", "model", "setting", "control", "item", "tier", "sequence",
    "data_origin", "text_id", "text_split", "type", "idx",
))  # fmt: skip
_SEPARATORS = "|:"
_LONGEST_NAME = 100
_LARGEST = 10**15
_MOST_FAULTS = 20
_MESSAGE_LENGTH = 300

_MIXED = {
    "data": "data versions",
    "seed": "seeds",
    "split": "splits",
}


class Rejected(NamedTuple):
    """A record that is left out of a score, and why."""

    record: Record
    why: str


def check_fields(reference: Mapping[str, object]) -> None:
    """Validate the fields that all families share in a reference.

    Raises:
        ValueError: a field is of another type, or no name or number of a question.
    """
    for key, kind in _FIELDS.items():
        value = reference.get(key)
        if value is None:
            continue
        if not isinstance(value, kind) or isinstance(value, bool):
            raise ValueError(
                f"{key!r} of a reference is {type(value).__name__}: give the column 'reference' of "
                "the data set"
            )
        if isinstance(value, str) and len(value) > _LONGEST_NAME:
            raise ValueError(f"{key!r} of a reference has {len(value)} characters: it is no name")
        if isinstance(value, int | float) and not abs(value) <= _LARGEST:
            raise ValueError(f"{key!r} of a reference must be a number up to 10^15")
        shown = value if key in _IN_SIGNATURES and isinstance(value, str) else ""
        if any(mark in shown for mark in _SEPARATORS):
            raise ValueError(f"{key!r} of a reference must hold no '|' or ':', got {value!r}")
    for key, value in reference.items():
        if not (key in _SHOWN and isinstance(value, str)):
            continue
        if not value.isprintable():  # it would steer a terminal
            raise ValueError(f"{key!r} of a reference holds signs that cannot be printed")
    for key in ("covariates", "params"):
        given_value = reference.get(key)
        _check_measures(key, given_value if isinstance(given_value, dict) else {})


def _check_measures(key: str, found: Mapping[str, object]) -> None:
    """Refuse what stands for a size and is no number, or cannot be shown."""
    for name, value in found.items():
        if isinstance(value, int | float) and not abs(value) <= _LARGEST:
            raise ValueError(f"{key!r} of a reference holds a size above 10^15, or no number")
        if not (str(name).isprintable() and (not isinstance(value, str) or value.isprintable())):
            raise ValueError(f"{key!r} of a reference holds signs that cannot be printed")


def runs(records: Iterable[Record]) -> int:
    """From how many runs the answers to one task in one language come, at the most."""
    found: dict[tuple[Any, ...], set[str]] = {}
    for record in records:
        if record.run is not None:
            level = record.reference.get("level")
            cell = (
                record.reference.get("task"),
                record.reference.get("language"),
                level if isinstance(level, str) else None,
            )
            found.setdefault(cell, set()).add(record.run)
    return max(map(len, found.values()), default=0)


def mixtures(records: Iterable[Record]) -> list[str]:
    """A sentence for each of data version, seed and split of which a task has several.

    Each language has a data version of its own.
    """
    found: dict[tuple[str, str, str], set[str]] = {}
    for record in records:
        for key in _MIXED:
            value = record.reference.get(key)
            if value is not None:
                language = f" ({record.reference.get('language')})" if key == "data" else ""
                where = (record.reference["task"], language, key)
                found.setdefault(where, set()).add(str(value))
    return [
        f"{task}{language}: the answers come from several {_MIXED[key]} "
        f"({', '.join(sorted(values))}), summarized together: they are different questions"
        for (task, language, key), values in found.items()
        if len(values) > 1
    ]


def summarize_or_drop(
    family: Family, records: Sequence[Record], options: Mapping[str, object]
) -> tuple[Section | None, list[Record], list[Rejected]]:
    """The section of a family, of all records that it can summarize.

    If summarizing all records fails, find the failing ones by bisection.

    Returns:
        The section (``None`` if no record can be used), the records in it, and those left out.

    Raises:
        ValueError: an option is not allowed, or more than 20 records would have to be left out.
    """
    usable, rejected = list(records), list[Rejected]()

    def failure(part: Sequence[Record]) -> Exception | None:
        if not part:
            return None
        try:
            _whole(family, part, options)
        except Exception as error:  # whatever a strange record leads to
            return error
        return None

    while usable:
        try:
            return _whole(family, usable, options), usable, rejected
        except Exception as error:
            if options and failure(usable[:1]) and failure(usable[-1:]):
                raise  # an option is to blame, no record
            if len(rejected) == _MOST_FAULTS:
                raise ValueError(
                    f"more than {_MOST_FAULTS} answers of {family.name} cannot be summarized, for "
                    f"example because: {_said(error)}"
                ) from error
            place = _failing(usable, failure)
            why = failure([usable[place]]) or error
            rejected.append(Rejected(usable.pop(place), f"cannot be summarized ({_said(why)})"))
    return None, usable, rejected


def _whole(family: Family, records: Sequence[Record], options: Mapping[str, object]) -> Section:
    """The section, if its tables and the part for charts can be made too."""
    section = family.summarize(records, **options)
    family.tables(section)
    family.gaps(section)
    return section


def _failing(
    records: Sequence[Record], failure: Callable[[Sequence[Record]], Exception | None]
) -> int:
    """The place of a record without which the others are more likely to be summarized."""
    low, high = 0, len(records)  # the first ``low`` work, the first ``high`` do not
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if failure(records[:middle]) else (middle, high)
    first = high - 1
    if failure([records[first]]):
        return first
    # Alone it works: it disagrees with another one, which may be the odd one.
    low, high = 0, len(records)  # from ``low`` on they do not work, from ``high`` on they do
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if failure(records[middle:]) else (low, middle)
    return first if failure([*records[:low], *records[low + 1 :]]) else low


def _said(error: Exception) -> str:
    text = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
    return " ".join(text[:_MESSAGE_LENGTH].encode("utf-8", "replace").decode().split())

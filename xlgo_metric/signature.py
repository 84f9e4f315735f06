"""Signatures: a line that says everything a score depends on, the version last.

The habit is sacrebleu's. An example::

    task:slt|levels:20|c:100-600|n:50|data:1|text:paper|fit:ls-beta300|seed:0|reader:1|\
statistics:1|version:0.2.0

Scores with the same signature can be compared; where the signatures differ, they say why not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .version import READER_VERSION, STATISTICS_VERSION, __version__

MIXED = "+"
_VERSIONS = ("reader:", "statistics:", "version:")


def signature(fields: Mapping[str, object], version: str = __version__) -> str:
    """Join fields as ``name:value|…``, then the versions of reader, statistics and package.

    Args:
        fields: in their order; those that are ``None`` drop out.
        version: of the package that defines the family.

    Raises:
        ValueError: a name or value with a character that separates.
    """
    versions = {"reader": READER_VERSION, "statistics": STATISTICS_VERSION, "version": version}
    return _joined({**fields, **versions})


def _joined(fields: Mapping[str, object]) -> str:
    parts = []
    for name, value in fields.items():
        if value is None:
            continue
        text = str(value)
        if any(mark in name + text for mark in "|:\n"):
            raise ValueError(f"signature field {name!r} must hold no '|' or ':', got {text!r}")
        parts.append(f"{name}:{text}")
    return "|".join(parts)


def field_of(text: str, name: str) -> str | None:
    """The value of a field of a signature; ``None`` without it."""
    fields = dict(part.partition(":")[::2] for part in text.split("|"))
    return fields.get(name)


def common(references: Iterable[Mapping[str, object]], key: str) -> str | None:
    """The values of ``key`` over references, joined by ``+``; ``None`` if all lack it."""
    values = {str(ref[key]) for ref in references if ref.get(key) is not None}
    return MIXED.join(sorted(values)) or None


def with_field(text: str, name: str, value: object) -> str:
    """A signature with one more field, before its versions.

    Raises:
        ValueError: a name or value with a character that separates.
    """
    fields = text.split("|")
    at = next((n for n, field in enumerate(fields) if field.startswith(_VERSIONS)), len(fields))
    return "|".join([*fields[:at], _joined({name: value}), *fields[at:]])

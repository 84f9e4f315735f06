"""Signatures: a line that says everything a score depends on, the version last.

The habit is sacrebleu's. An example::

    task:slt|levels:20|c:100-600|n:50|data:1|text:paper|fit:ls-beta300|seed:0|version:0.1.0

Scores with the same signature can be compared; where the signatures differ, they say why not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

MIXED = "+"


def signature(fields: Mapping[str, object], version: str) -> str:
    """Join fields as ``name:value|…|version:x``, in their order; fields that are ``None`` drop out.

    Raises:
        ValueError: a name or value with a character that separates.
    """
    parts = []
    for name, value in {**fields, "version": version}.items():
        if value is None:
            continue
        text = str(value)
        if any(mark in name + text for mark in "|:\n"):
            raise ValueError(f"signature field {name!r} must hold no '|' or ':', got {text!r}")
        parts.append(f"{name}:{text}")
    return "|".join(parts)


def common(references: Iterable[Mapping[str, Any]], key: str) -> str | None:
    """The values of ``key`` over references, joined by ``+``; ``None`` if all lack it."""
    values = {str(ref[key]) for ref in references if ref.get(key) is not None}
    return MIXED.join(sorted(values)) or None


def with_field(text: str, name: str, value: object) -> str:
    """A signature with one more field, before its version.

    Raises:
        ValueError: a name or value with a character that separates.
    """
    fields, _, version = text.rpartition("|")
    added = signature({name: value}, "").partition("|")[0]
    return "|".join(filter(None, (fields, added, version)))

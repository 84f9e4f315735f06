"""Chains for people to read: the worst, the middle and the best one, hop by hop."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core import SideBySide, SideBySideText
from ...table import written
from .tables import label
from .views import readable

_SHOWN = 1_500  # characters of a text
_MOST_ERRORS = 12


def exhibits(section: Mapping[str, Any]) -> list[SideBySide]:
    """The worst, the middle and the best chain of each part of a section."""
    return [
        _exhibit(part, example)
        for part, found in section["splits"].items()
        for example in found["examples"]
    ]


def _exhibit(part: str, example: Mapping[str, Any]) -> SideBySide:
    passages = [SideBySideText("original", _short(example["original"]), "en")]
    for place, hop in enumerate(example["hops"], start=1):
        last = place == len(example["hops"])
        note = "another language" if hop["language_ok"] is False else ""
        passages.append(
            SideBySideText(
                "back in English" if last else f"hop {place}",
                _short(hop["output"]),
                hop["tgt"],
                note,
            )
        )
    errors = [_error_told(error) for error in example["errors"]]
    if len(errors) > _MOST_ERRORS:
        errors = [*errors[:_MOST_ERRORS], f"and {len(errors) - _MOST_ERRORS} more errors"]
    return SideBySide(
        f"{part}: {example['text_id']} through {readable(example['sequence'])} "
        f"({label(example['metric'])} {written(example['score'], 1)})",
        tuple(passages),
        tuple(errors),
    )


def _error_told(error: Mapping[str, str]) -> str:
    spans = " → ".join(f"“{error[key]}”" for key in ("original_span", "output_span") if error[key])
    told = f"{error['severity']}, {error['category']}"
    return f"{told}: {spans}" if spans else told


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"

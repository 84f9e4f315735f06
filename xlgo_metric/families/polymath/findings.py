"""PolyMath's main results in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from ...table import percent, right_of
from .section import PolyMathSection, Result

ENGLISH = "en"
_FEW = 0.02
_CONTROLS = {
    "query": "answering in the language of the question",
    "english": "answering in English",
    "preferred": "answering in the language it prefers",
}
_MOST_RESULTS = 3

Told = tuple[str, str]


def findings(section: PolyMathSection) -> list[Told]:
    """How much is right, in which language most and least, and how much could not be read.

    Args:
        section: of a score.

    Returns:
        Pairs of a kind (``warn`` or an empty text) and a sentence, of the first three results.
    """
    return [told for result in section["results"][:_MOST_RESULTS] for told in _result(result)]


def _result(result: Result) -> Iterator[Told]:
    cells = [
        (language, cell) for row in result["accuracy"].values() for language, cell in row.items()
    ]
    if not cells:
        return
    right, total = sum(cell["correct"] for _, cell in cells), sum(cell["n"] for _, cell in cells)
    name = result["model"] or "The model"
    forced = _CONTROLS.get(result["control"], "")
    yield (
        "",
        f"{name}{f', {forced},' if forced else ''} solves {right_of(right, total)} of the "
        "problems.",
    )
    yield from _languages(result)
    unread = sum(
        cell["statuses"].get(status, 0)
        for _, cell in cells
        for status in ("truncated", "no_answer", "bad_format")
    )
    if unread > _FEW * total:
        yield "warn", f"{right_of(unread, total)} responses were unparsable or truncated."


def _languages(result: Result) -> Iterator[Told]:
    weighted = {name: value for name, value in result["dw_acc"].items() if value is not None}
    if len(weighted) < 2:
        return
    best, worst = max(weighted, key=weighted.__getitem__), min(weighted, key=weighted.__getitem__)
    english = ""
    if ENGLISH in weighted and ENGLISH not in (best, worst):
        english = f"; in English it is {percent(weighted[ENGLISH])}"
    yield (
        "",
        f"Its difficulty-weighted accuracy is highest in {best} ({percent(weighted[best])}) and "
        f"lowest in {worst} ({percent(weighted[worst])}){english}. Small "
        "differences may not be significant.",
    )

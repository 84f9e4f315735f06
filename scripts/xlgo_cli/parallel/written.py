"""In which language the answers and the reasoning of a log are written."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from xlgo_dataset.text.language_codes import code_of
from xlgo_metric.language.identify import written_in
from xlgo_metric.reading.thinking import split_thinking
from xlgo_metric.table import Column, Table

from ..logs.others import logged_lines
from .answers import texts_of

if TYPE_CHECKING:
    from .comparing import Compared

OWN, ENGLISH, OTHER, UNTOLD = "the language", "English", "another", "too short"


def language_in(text: str, language: str) -> str:
    """Which language a text is in: ``OWN`` (the one asked for), ``ENGLISH``, ``OTHER``, or
    ``UNTOLD`` where it is too short to tell, or the language is not one of xlgo's."""
    in_language = written_in(text, language)
    if in_language is None:
        return UNTOLD
    return OWN if in_language else ENGLISH if written_in(text, "en") else OTHER


def table(benchmark: Compared) -> Table:
    """For each language, in which language answers and reasoning are, and accuracy by it.

    Args:
        benchmark: one whose log has responses; they are read again.
    """
    rows = {
        (row.file, row.place): row
        for frame in benchmark.frames.values()
        for row in frame.itertuples()
    }
    right: dict[tuple[str, str], dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for file in dict.fromkeys(benchmark.files):
        for _, place, line in logged_lines(file, None):
            row = rows.get((file, place))
            response = next(texts_of(line.get("resps")), "")
            if row is None:
                continue
            parts = split_thinking(response)
            for part, text in (("answer", parts.answer), ("reasoning", parts.thinking)):
                if text and text.strip():
                    written = language_in(text, code_of(row.language))
                    right[row.language, part][written].append(row.correct)
    kinds = (OWN, ENGLISH, OTHER, UNTOLD)
    table_rows = []
    for (language, part), by in right.items():
        n = sum(map(len, by.values()))
        accuracy = (sum(by[kind]) / len(by[kind]) if by[kind] else None for kind in kinds[:3])
        table_rows.append((language, part, n, *(len(by[kind]) / n for kind in kinds), *accuracy))
    columns = (
        Column("Language"),
        Column("Text"),
        Column("Texts", "count"),
        *(Column(f"in {kind}" if kind != UNTOLD else kind, "share", unit="%") for kind in kinds),
        *(Column(f"Accuracy in {kind}", "share", unit="%") for kind in kinds[:3]),
    )
    return Table(
        "written_in",
        f"{benchmark.title}: the language of answers and reasoning",
        columns,
        tuple(table_rows),
        "Shares of the texts. Accuracy: of the answers whose text is in the language."
        " The same questions are not asked in each: a difference is no effect of the language.",
    )

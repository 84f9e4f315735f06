"""In which language the answers and the reasoning of a log are written."""

from __future__ import annotations

import pandas as pd

from xlgo_dataset.text.languages import code_of
from xlgo_metric.language.language_id import written_in
from xlgo_metric.reading.thinking import split_thinking
from xlgo_metric.table import Column, Table

from .answers import lines_of, response_of
from .comparing import Compared

OWN, ENGLISH, OTHER, SHORT = "in the language", "in English", "in another", "too short"


def language_in(text: str, language: str) -> str:
    """Which language a text is in: ``OWN`` (the one asked for), ``ENGLISH``, ``OTHER``, or
    ``SHORT`` where it is too short to tell, or the language is not one of xlgo's."""
    in_language = written_in(text, language)
    if in_language is None:
        return SHORT
    return OWN if in_language else ENGLISH if written_in(text, "en") else OTHER


def table(benchmark: Compared) -> Table:
    """For each language, in which language answers and reasoning are, and accuracy by it.

    Args:
        benchmark: one whose log has responses; they are read again.
    """
    texts = [
        (row.language, part, language_in(text, code_of(row.language)), row.correct)
        for frame in benchmark.frames.values()
        for row, line in lines_of(frame)
        for parts in [split_thinking(response_of(line))]
        for part, text in (("answer", parts.answer), ("reasoning", parts.thinking))
        if text and text.strip()
    ]
    frame = pd.DataFrame(texts, columns=["language", "part", "kind", "correct"])
    rows = []
    for (language, part), group in frame.groupby(["language", "part"], sort=False):
        n, right = group["kind"].value_counts(), group.groupby("kind")["correct"].mean()
        shares = (float(n.get(kind, 0) / n.sum()) for kind in (OWN, ENGLISH, OTHER, SHORT))
        rows.append((language, part, len(group), *shares, *map(right.get, (OWN, ENGLISH, OTHER))))
    columns = (
        Column("Language"),
        Column("Text"),
        Column("Texts", "count"),
        *(Column(kind, "share", unit="%") for kind in (OWN, ENGLISH, OTHER, SHORT)),
        *(Column(f"Accuracy {kind}", "share", unit="%") for kind in (OWN, ENGLISH, OTHER)),
    )
    return Table(
        "written_in",
        f"{benchmark.title}: the language of answers and reasoning",
        columns,
        tuple(rows),
        "Shares of the texts. Accuracy: of the answers whose text is in the language."
        " The same questions are not asked in each: a difference is no effect of the language.",
    )

"""Responses of any log, read again: what of a gap is the log's own filter.

The log's verdict stays beside that of ``xlgo_metric.extract_answer``. What the filter adds to a gap
is the gap as logged minus the gap read again, on the same answers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

import pandas as pd

from xlgo_metric.comparison import AnswerTable, Cell, gap_drafts, settle
from xlgo_metric.comparison.section import mark
from xlgo_metric.reading.answers import extract_answer
from xlgo_metric.table import Column, Table

from ..display import labels
from ..display.formats import ends, percent, points
from ..logs.lines import LogLine, mapping

LOGGED, AGAIN = "as logged", "read again"
LETTERS = "ABCDEFGHIJ"

_OPTION = re.compile(r"(?:option|choice|mc_answer|answer)?_?([A-J]|[a-j]|[1-9])")
_NUMBER = re.compile(r"\s*[-−]?[\d.,٬٫\s]*\d\s*")
_MISSED = 0.02
"""Share of the answers of a language that a filter may miss."""
_SAME = 0.99
"""Share of answers with one verdict from which a measure says nothing."""
LOOKED = 300
"""Wrong answers of a language that are read again unasked."""


def kind_of(line: Mapping[str, object]) -> str:
    """What the answer to a question is, by its gold: one of ``arguments.KINDS``, or empty."""
    gold = _gold(line)
    if gold.upper() in tuple(LETTERS) or options_of(mapping(line.get("doc"))):
        return "choice"
    return "number" if _NUMBER.fullmatch(gold) else ""


def verdict(line: LogLine, response: str, kind: str, language: str) -> bool | None:
    """Whether a response answers its question, read again.

    Args:
        line: of a log, with the gold as its target, and perhaps options in its document.
        response: the model's text.
        kind: one of ``arguments.KINDS``.
        language: of the question.

    Returns:
        ``None`` where the gold is no number, or none of the options.
    """
    gold, choices = _gold(line), options_of(mapping(line.get("doc")))
    if kind == "number":
        read = extract_answer(gold, "number", language).answer
    else:
        read = gold.upper() if gold.upper() in (choices or LETTERS) else _letter(gold, choices)
    return (
        extract_answer(response, kind, language, choices or None).answer == read if read else None
    )


def options_of(doc: Mapping[str, object]) -> dict[str, str]:
    """The options of a choice by their letters; none where the document names none."""
    choices = doc.get("choices", doc.get("options"))
    if isinstance(choices, str) and choices[:1] in ("[", "{"):
        try:
            choices = json.loads(choices)
        except (ValueError, RecursionError):
            return {}
    if isinstance(choices, Mapping) and isinstance(choices.get("text"), list):
        choices = choices["text"]
    if isinstance(choices, Mapping):
        return {str(name).upper(): str(text) for name, text in choices.items()}
    if isinstance(choices, Sequence) and not isinstance(choices, str):
        return dict(zip(LETTERS, map(str, choices)))
    matches = ((_OPTION.fullmatch(name), text) for name, text in doc.items())
    text_by_letter = {match[1]: str(text) for match, text in matches if match}
    return (
        dict(zip(LETTERS, (text_by_letter[name] for name in sorted(text_by_letter))))
        if len(text_by_letter) > 1
        else {}
    )


def _gold(line: Mapping[str, object]) -> str:
    return str(line.get("target", "")).strip()


def _letter(gold: str, choices: Mapping[str, str]) -> str | None:
    """The letter of an option by its text, or by its place from 0, as the harness counts."""
    if letters := [letter for letter, text in choices.items() if text.strip() == gold]:
        return letters[0]
    return LETTERS[int(gold)] if gold.isdecimal() and int(gold) < len(choices or "ABCD") else None


def parts_of_gaps(table: AnswerTable, baseline: str) -> tuple[Cell, ...]:
    """For each language, the gap as logged against the gap read again, on the same answers.

    Args:
        table: the answers, ``correct`` as read again, with the log's verdicts as ``logged``.
        baseline: the language that the gaps are to.

    Returns:
        Cells whose ``baseline_accuracy`` is the gap as logged, ``accuracy`` that read again, and
        ``difference`` the part of the filter; all are tested together.
    """
    before = table.frame.assign(correct=table.frame["logged"], run=LOGGED)
    frame = pd.concat([before, table.frame.assign(run=AGAIN)], ignore_index=True)
    return settle(gap_drafts(AnswerTable(frame.astype({"correct": float})), "run", baseline))


def part_table(cells: Sequence[Cell], title: str, baseline: str) -> Table:
    """What of each gap is the log's filter."""
    rows = tuple(
        (cell.language, cell.n, cell.baseline_accuracy, cell.accuracy, cell.difference,
         mark(cell) or None, cell.ci_low, cell.ci_high, cell.p_value)
        for cell in cells
    )  # fmt: skip
    columns = (
        Column("Language"),
        Column("Questions", "count"),
        Column("Gap as logged", "difference", unit="points"),
        Column("Gap read again", "difference", unit="points"),
        Column("The filter", "difference", unit="points"),
        Column("Significant", after=" "),
        Column("Low", "difference", unit="points"),
        Column("High", "difference", unit="points"),
        Column("p", "p"),
    )
    return Table(
        "filter_parts",
        f"{title}: how much of each gap is the log's filter",
        columns,
        rows,
        f"Gap: accuracy in {baseline} minus accuracy in the language. The filter: the gap as "
        "logged minus the gap read again, question by question. Intervals and p hold for all rows.",
    )


def part_sentences(cells: Sequence[Cell], title: str) -> list[str]:
    """What the filter does to gaps, where that is significant."""
    return [
        f"{title}: {labels.language(cell.language).name}: the gap is "
        f"{points(cell.baseline_accuracy)} points as logged and {points(cell.accuracy)} read "
        f"again: {points(cell.difference)} of it is the log's filter (95% interval "
        f"{ends(cell.ci_low, cell.ci_high)})."
        for cell in cells
        if cell.is_significant
    ]


def doubts(frames: Mapping[str, pd.DataFrame], title: str, metric: str, command: str) -> list[str]:
    """Why the log's own verdicts should not be believed, in sentences; none where nothing is known.

    Args:
        frames: the answers of each language, with ``correct`` and, of wrong ones that were read
            again, ``again``.
        title: of the benchmark.
        metric: the measure of the log.
        command: reads the responses again.
    """
    sentences = []
    every = pd.concat([frame["correct"] for frame in frames.values()])
    value, most = int(every.mean() > 0.5), max(every.mean(), 1 - every.mean())
    if len(every) and most >= _SAME:
        sentences.append(
            f"{title}: {metric} is {value} for {percent(most)} of the answers: such a measure "
            "shows no gap."
        )
    missed = []
    for language, frame in frames.items():
        verdicts = frame["again"].dropna()
        if len(verdicts) and float(verdicts.mean()) * float((~frame["correct"]).mean()) > _MISSED:
            name = labels.language(language).name
            missed.append(f"{int(verdicts.sum())} of {len(verdicts)} in {name}")
    if missed:
        sentences.append(
            f"{title}: the log's {metric} misses correct answers: of wrong ones that xlgo read "
            f"again it calls correct {', '.join(missed)}. Gaps may come from that. "
            f"Read again: {command}"
        )
    return sentences

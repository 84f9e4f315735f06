"""Which questions a log holds, which of them were answered correctly, and what identifies them.

Of every answer only numbers are kept: gigabytes of prompts and answers stay in the file, and lines
that are to be shown are read again (see :func:`lines_of`). Responses of any log can be graded again
by ``xlgo_metric.extract_answer``; the log's verdict stays beside that. What the log's filter adds
to a gap is the gap as logged minus the gap read again, on the same answers.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from xlgo_dataset.text.languages import code_of
from xlgo_metric.comparison import AnswerTable, Cell, gap_drafts, settle
from xlgo_metric.comparison.frames import hashed, key_of
from xlgo_metric.comparison.section import rows_of_cells
from xlgo_metric.core import refuse
from xlgo_metric.language.language_id import written_in
from xlgo_metric.reading.answers import extract_answer
from xlgo_metric.reading.thinking import split_thinking
from xlgo_metric.table import Column, Table, listed

from ..display import labels
from ..display.formats import ends, percent, points
from ..logs import formats, tables
from ..logs.formats import logged_lines
from ..logs.lines import Doc, LogLine, Problems, SampleFile, mapping, single_values

_MOST_FIELDS = 48

MOST_LANGUAGES = 200
"""Languages that one field may name."""

QUESTION = "question"
"""The field that pairs samples whose ids differ in nothing but the language."""

LANGUAGE = "language"
ID = "id"
"""Stands for the end of a sample's id, as in ``mgsm-17-te``."""

FIELD, _MEASURE, _TEXT = "field ", "measure ", "text "
"""Begin the columns that hold a field of the documents, a measure, and a language in words."""

_END = re.compile(r"[-_/:.]([A-Za-z]{2,3})$")


@dataclass(frozen=True)
class Log:
    """The answers in a log, a row each.

    Attributes:
        file: the log.
        frame: ``doc_id``, the place in the data; ``repeat``; ``filter``; ``row`` and ``place``, the
            number of the line and where it is read again; hashes of ``target``, ``prompt`` and of
            fields of the documents; the measures of the filter.
        measures: of each filter, in the harness's order.
        texts: of fields that may name languages, the texts by their values in the frame.
        document: the fields of the first question.
    """

    file: SampleFile
    frame: pd.DataFrame
    measures: Mapping[str, Sequence[str]]
    texts: Mapping[str, Mapping[object, str]]
    document: Doc

    def languages(self, field: str) -> pd.Series[Any]:
        """The text of each answer in a field; missing where it has none, or there are many."""
        column = _TEXT + field if _TEXT + field in self.frame else FIELD + field
        return self.frame[column].map(self.texts[field])


Parts = Mapping[str, Mapping[str, Log]]
"""By language and subject."""


def without_language(question: str, language: str) -> str:
    """The id of a question without the code of its language."""
    return re.sub(rf"((?<=[-_/:.])|\A){re.escape(language)}(?=[-_/:.]|\Z)", "*", question)


def read_log(file: SampleFile, problems: Problems, needed: Sequence[str] = ()) -> Log:
    """Read the answers in a log or table once.

    Args:
        problems: takes up what cannot be read.
        needed: fields of the documents that are kept beside those that are single values.

    Raises:
        ValueError: a line has no ``doc_id``, or there is no answer.
    """
    if file.tool == formats.TABLE:
        return _of_table(file)
    rows: list[dict[str, object]] = []
    measures: dict[str, Sequence[str]] = {}
    texts: dict[str, dict[object, str]] = defaultdict(dict)
    document: Doc = {}
    for number, offset, line in logged_lines(file, problems):
        doc_id, doc = line.get("doc_id"), mapping(line.get("doc"))
        if not isinstance(doc_id, int | str):
            raise ValueError(f"{file.path}:{number}: no doc_id: not a log of lm-eval")
        document = document or doc
        filter_name = str(line.get("filter", "none"))
        names = measures.setdefault(filter_name, _measures(line))
        fields = [*needed, *list(single_values(doc))[:_MOST_FIELDS]]
        values = {name: doc[name] for name in fields if name in doc}
        hashes = {name: key_of(value) for name, value in values.items()}
        ending = _END.search(str(doc_id))
        languages = {name: (key, values[name]) for name, key in hashes.items() if name != ID}
        for name, (key, text) in (languages | {ID: (ending and ending[1],) * 2}).items():
            if isinstance(text, str) and len(texts[name]) <= MOST_LANGUAGES:
                texts[name][key] = text
        rows.append({
            "doc_id": doc_id, "repeat": 0, "filter": filter_name, "row": number, "place": offset,
            "target": key_of(line.get("target")), _TEXT + ID: ending and ending[1],
            "prompt": key_of(line.get("prompt_hash") or line.get("arguments")),
            **{FIELD + name: key for name, key in hashes.items()},
            **{_MEASURE + name: line.get(name) for name in names},
        })  # fmt: skip
    problems.close(file.path)
    if not rows:
        raise ValueError(f"{file.path}: holds no answers")
    frame = pd.DataFrame(rows).astype({"doc_id": object})
    return Log(file, frame, measures, texts, document)


def _of_table(file: SampleFile) -> Log:
    answers, fields = tables.answers(file.path, file.part)
    measures = ["correct"] if answers["correct"].notna().all() else []
    prompt = np.where(answers["prompt"] == "", key_of(None), hashed(answers["prompt"]))
    frame = answers[["repeat", "row", "place"]].assign(
        doc_id=answers[QUESTION].astype(object), filter="none", prompt=prompt,
        target=hashed(answers["gold"]),
        **{_TEXT + LANGUAGE: answers[LANGUAGE]},
        **{FIELD + name: hashed(answers[name]) for name in fields[:_MOST_FIELDS]},
        **{_MEASURE + name: answers[name].astype(bool) for name in measures},
    )  # fmt: skip
    (line,) = tables.lines_at(file.path, answers["place"].iloc[:1])
    texts = {LANGUAGE: {code: str(code) for code in answers[LANGUAGE].unique()}}
    return Log(file, frame, {"none": measures}, texts, line["doc"])


@dataclass(frozen=True)
class Choice:
    """What counts as an answer.

    Attributes:
        filter: the harness's filter.
        metric: its measure, 0 or 1 for every document.
        filters: all filters of the log, with the measures of each.
        read: how responses are read again (``arguments.KINDS``), which then counts; empty for the
            log's own verdict.
    """

    filter: str
    metric: str
    filters: Mapping[str, Sequence[str]]
    read: str = ""


def choose(
    log: Log, metric: str | None, filter_name: str | None, preferred: str, read: str = ""
) -> Choice:
    """Which filter and measure count, out of those in a log.

    Args:
        metric, filter_name: the measure and the filter that were asked for.
        preferred: the filter to take, if it is there, where none was asked for.
        read: see ``Choice``; the log then needs no measure.

    Raises:
        ValueError: the log has no such filter or measure.
    """
    file, filters = log.file, log.measures
    if filter_name is not None and filter_name not in filters:
        raise ValueError(f"--filter {filter_name}: {file.task} has {', '.join(filters)}")
    selected = filter_name or (preferred if preferred in filters else next(iter(filters)))
    measures = filters[selected]
    refuse(
        "",
        (
            not measures and not read,
            f"{file.path}: {file.task} has no verdicts: grade its responses with --read number or "
            "choice",
        ),
        (
            metric is not None and metric not in measures and measures,
            f"--metric {metric}: {file.task} logs {', '.join(measures)}",
        ),
    )
    return Choice(selected, metric or next(iter(measures), ""), filters, read)


def answers_of(
    parts: Parts, choice: Choice, field: str | None = None
) -> Iterator[tuple[str, pd.DataFrame]]:
    """The answers that count, by language.

    Args:
        parts: the logs of each language and subject.
        choice: which answers count.
        field: tells the languages apart in logs that hold several.

    Yields:
        Each language with a frame of ``read_log``, a row an answer, with its ``language``;
        its ``subject``, empty without one; its ``file``; the verdict as ``logged``, and that which
        counts, ``correct``; and ``again``: whether it is correct when read again, missing where it
        was not. Fields are those that all documents have.

    Raises:
        ValueError: a document stands twice, a language is missing, or a measure is not 0 or 1.
    """
    for code, logs in parts.items():
        some = [_part(log, subject, code, choice, field) for subject, log in logs.items()]
        frame = pd.concat([part for part in some if len(part)] or some, ignore_index=True)
        if frame.empty:
            raise ValueError(
                f"{next(iter(logs.values())).file.task}: no answer in {code} has the filter "
                f"{choice.filter!r} (--filter)"
            )
        hashes = [name for name in fields_of(frame) if frame[name].notna().all()]
        frame = frame.drop(columns={*fields_of(frame)} - {*hashes}).astype(
            dict.fromkeys(hashes, "uint64")
        )
        verdicts = _read_again(frame, choice)
        correct = verdicts if choice.read else frame["logged"]
        yield code, frame.assign(again=verdicts, correct=correct.astype(bool))


def fields_of(frame: pd.DataFrame) -> list[str]:
    """The columns of fields of documents."""
    return [name for name in frame if name.startswith(FIELD)]


def _part(log: Log, subject: str, code: str, choice: Choice, field: str | None) -> pd.DataFrame:
    """The answers of a log in one language; see ``answers_of``."""
    frame = log.frame[log.frame["filter"] == choice.filter]
    if field is not None:
        languages = log.languages(field)[frame.index]
        if languages.isna().any():
            where = _where(log.file, frame["row"][languages.isna()].iloc[0])
            raise ValueError(f"{where}: the question has no text in {field!r}")
        frame = frame[languages == code]
    frame = frame.assign(language=code, subject=subject, file=log.file)
    again = frame.duplicated("doc_id") & ~frame.duplicated(["doc_id", "target"])
    for row in frame[frame.duplicated(["doc_id", "repeat"]) | again].itertuples():
        first = frame[frame["doc_id"] == row.doc_id].iloc[0]
        other = "".join(
            f", with another {name}"
            for name in ("target", "prompt")
            if getattr(row, name) != first[name]
        )
        raise ValueError(
            f"{_where(log.file, row.row)}: document {row.doc_id} is duplicated{other}: pass the "
            "log of a single run"
        )
    column = frame.reindex(columns=[_MEASURE + choice.metric])[_MEASURE + choice.metric]
    logged = column if choice.metric else column.fillna(0.0)  # of tables that are to be read
    for row, value in logged[~logged.map(lambda value: value in (0, 1))].items():
        raise ValueError(
            f"{_where(log.file, frame['row'][row])}: {choice.metric} is {value}: a paired test "
            "needs answers that are right or wrong (1 or 0): choose another --metric"
        )
    if (
        field is not None
        and FIELD + QUESTION not in frame
        and isinstance(next(iter(frame["doc_id"]), None), str)
    ):
        names = [without_language(str(doc_id), code) for doc_id in frame["doc_id"]]
        frame[FIELD + QUESTION] = hashed(names)
    columns = [name for name in frame if not name.startswith((_MEASURE, _TEXT))]
    return frame[columns].assign(logged=logged.astype(bool))


def _where(file: SampleFile, row: int) -> str:
    """Where an answer stands, in words."""
    return f"{file.path}{': row ' if file.tool == formats.TABLE else ':'}{row}"


def _read_again(frame: pd.DataFrame, choice: Choice) -> pd.Series[Any]:
    """Verdicts on responses that are read again: on all if asked for, else on some wrong ones.

    Raises:
        ValueError: all are to be read, and there are no responses, or a gold is of another kind.
    """
    verdicts: dict[object, bool | None] = {}
    rows = frame if choice.read else frame[~frame["logged"]].iloc[:LOOKED]
    for file in rows["file"].unique():
        if file.tool == formats.TABLE and not tables.has_responses(file.path):
            rows = rows[rows["file"] != file]
            if choice.read:
                raise ValueError(
                    f"{file.path}: no column of responses: --read {choice.read} has none"
                )
    for row, line in lines_of(rows):
        response = response_of(line)
        kind = choice.read or (kind_of(line) if response else "")
        right = verdict(line, response, kind, code_of(row.language)) if kind else None
        if choice.read and right is None:
            where, gold = _where(row.file, row.row), str(line.get("target"))[:40]
            raise ValueError(f"{where}: --read {kind}: the gold {gold!r} is no {kind}")
        verdicts[row.Index] = right
    return pd.Series(verdicts, dtype=object).reindex(frame.index)


def line_at(file: SampleFile, offset: int) -> LogLine:
    """All that a log says about an answer, read"""
    return next(formats.lines_at(file.path, [int(offset)], file.tool))


def lines_of(frame: pd.DataFrame) -> Iterator[tuple[Any, LogLine]]:
    """The rows of a frame of ``answers_of``, each with all that the log says, read"""
    for file, part in frame.groupby("file", sort=False):
        lines = formats.lines_at(file.path, part["place"].tolist(), file.tool)
        yield from zip(part.itertuples(), lines)


_NOT_MEASURES = frozenset({
    "doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics",
    "doc_hash", "prompt_hash", "target_hash",
})  # fmt: skip


def _measures(line: LogLine) -> Sequence[str]:
    """The measures of a line that are numbers, in the harness's order."""
    names = line.get("metrics")
    listed = names if isinstance(names, list) else [n for n in line if n not in _NOT_MEASURES]
    return [str(name) for name in listed if isinstance(line.get(str(name)), int | float)]


def response_of(line: LogLine) -> str:
    """The response of a generation; empty where there are the numbers of a multiple choice."""
    value = line.get("resps")
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    values = value if isinstance(value, list) else [value]
    return next((text for text in values if isinstance(text, str)), "")


OWN, ENGLISH, OTHER, SHORT = "in the language", "in English", "in another", "too short"


def language_in(text: str, language: str) -> str:
    """Which language a text is in: ``OWN`` (the one asked for), ``ENGLISH``, ``OTHER``, or
    ``SHORT`` where it is too short to tell, or the language is not one of xlgo's."""
    in_language = written_in(text, language)
    if in_language is None:
        return SHORT
    return OWN if in_language else ENGLISH if written_in(text, "en") else OTHER


def written_in_table(frames: Iterable[pd.DataFrame], title: str) -> Table:
    """For each language, in which language answers and reasoning are, and accuracy by it.

    Args:
        frames: of ``answers_of``, whose logs have responses; they are read again.
        title: of the benchmark.
    """
    texts = [
        (row.language, part, language_in(text, code_of(row.language)), row.correct)
        for frame in frames
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
        f"{title}: the language of answers and reasoning",
        columns,
        tuple(rows),
        "Shares of the texts. Accuracy: of the answers whose text is in the language."
        " The same questions are not asked in each: a difference is no effect of the language.",
    )


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
    heads = {
        "language": Column("Language"), "n": Column("Questions", "count"),
        "baseline_accuracy": Column("Gap as logged", "difference", unit="points"),
        "accuracy": Column("Gap read again", "difference", unit="points"),
        "difference": Column("The filter", "difference", unit="points"),
        "mark": Column("Significant", after=" "),
        "ci_low": Column("Low", "difference", unit="points"),
        "ci_high": Column("High", "difference", unit="points"), "p_value": Column("p", "p"),
    }  # fmt: skip
    return listed(
        "filter_parts", f"{title}: how much of each gap is the log's filter",
        rows_of_cells(cells), heads,
        f"Gap: accuracy in {baseline} minus accuracy in the language. The filter: the gap as "
        "logged minus the gap read again, question by question. Intervals and p hold for all rows.",
    )  # fmt: skip


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
    every = pd.concat([frame["correct"] for frame in frames.values()])
    value, most = int(every.mean() > 0.5), max(every.mean(), 1 - every.mean())
    missed = [
        f"{int(verdicts.sum())} of {len(verdicts)} in {labels.language(language).name}"
        for language, frame in frames.items()
        for verdicts in [frame["again"].dropna()]
        if len(verdicts) and float(verdicts.mean()) * float((~frame["correct"]).mean()) > _MISSED
    ]
    alike = (
        f"{title}: {metric} is {value} for {percent(most)} of the answers: such a measure shows no "
        "gap."
    )
    misses = (
        f"{title}: the log's {metric} misses correct answers: of wrong ones that xlgo read "
        f"again it calls correct {', '.join(missed)}. Gaps may come from that. Read again: "
        f"{command}"
    )
    return [alike] * bool(len(every) and most >= _SAME) + [misses] * bool(missed)

"""The samples page: every answer of a run beside the answer to the same question in the baseline.

Where the texts are long, the logs are read a second time, in parts: texts of gigabytes are never
in memory, and nothing is graded again. A page that a browser opens from a disk may not fetch
anything, but it may load scripts. The data therefore stand in scripts, as JSON packed with gzip.
Each calls one function with one text of letters, digits, ``+``, ``/`` and ``=``: nothing that a
model wrote can end the text and become code.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from xlgo_lm_eval.answers import LENGTH
from xlgo_metric.comparison.frames import FAMILY
from xlgo_metric.comparison.table import complexity
from xlgo_metric.core import PLAIN, Record, condition, grouped
from xlgo_metric.reading.thinking import join_thinking

from ..display import labels
from ..display.formats import render
from ..display.labels import ENGLISH
from ..folders import write_text
from ..logs.formats import TABLE, logged_lines, response
from ..logs.graded_run import PROMPT_HEAD, PROMPT_TAIL, GradedRun, Key, shorten
from ..logs.lines import (
    Problems,
    Sample,
    SampleFile,
    request_of,
    request_text,
)
from ..logs.results import read_file

GradedAnswer = tuple[Key, Record, Sample]
"""The id of a graded answer, its grade, and its texts."""


def graded_answers(scored: GradedRun) -> Iterator[GradedAnswer]:
    """Every graded answer with its texts, in the order of the logs.

    Raises:
        OSError: a log cannot be read any more.
    """
    if scored.texts is not None:
        records = dict(scored.records)
        for key, sample in scored.texts.items():
            if sample.reply.is_there and key in records:
                yield key, records[key], sample
        return
    graded = grouped(scored.records, lambda row: row[1].where)
    is_foreign = FAMILY in scored.score["families"]
    for file in scored.run.files:
        for where, sample in (
            _foreign(file)
            if is_foreign
            else ((sample.where, sample) for sample in read_file(file, Problems()))  # told before
        ):
            if not sample.reply.is_there or not (queue := graded.get(where)):
                continue
            reply = sample.reply
            response = join_thinking(
                sample.response, reply.reasoning, is_cut=reply.finish == LENGTH
            )
            yield *queue.pop(0), replace(sample, response=response)


def has_texts(scored: GradedRun) -> bool:
    """Whether the logs hold responses; a table of answers may hold verdicts alone."""
    if any(file.tool != TABLE for file in scored.run.files):
        return True
    from ..logs.tables import has_responses

    return any(has_responses(file.path) for file in scored.run.files)


def _foreign(file: SampleFile) -> Iterator[tuple[str, Sample]]:
    """The answers in the log of a parallel benchmark, by what their records are called."""
    for number, place, line in logged_lines(file, None):
        prompt = request_text(request_of(line)) or json.dumps(line.get("doc"), ensure_ascii=False)
        reference = {"answer": line.get("target")}
        yield (
            f"{file.path}: {place}",
            Sample(file, number, reference, response(line), prompt),
        )


INDEX = "index.js"
CHUNK = 6_000_000
"""Characters of texts after which a file of them ends; a page loads one to see any of its texts."""

_NAME = re.compile(r"[0-9]{5}\.js")
_LEVEL = 4  # of compression: 6 takes twice the time for a fourteenth of the size


def clear(folder: Path, kept: int = 0) -> None:
    """Remove data from a folder but for so many files of texts, and the folder if it is empty.

    Without any texts left the index goes, too; files of others stay.
    """
    for path in folder.iterdir():
        is_text = _NAME.fullmatch(path.name) and int(path.stem) >= kept
        if is_text or (path.name == INDEX and not kept):
            path.unlink(missing_ok=True)
    if not any(folder.iterdir()):
        folder.rmdir()


def _write_data(folder: Path, name: str, data: Any) -> None:
    """Write a script that hands ``data`` to the page under a name, always in the same bytes."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    raw = text.encode(errors="replace")  # a response may end within a pair of surrogates
    packed = base64.b64encode(gzip.compress(raw, _LEVEL, mtime=0)).decode()
    write_text(folder / f"{name}.js", f'xlgoData("{name}","{packed}");\n')


Row = tuple[Key, Record, tuple[int, int]]
"""An answer, and the number of the file of its texts with its place there."""

PAGE, FOLDER = "samples.html", "samples"
RESPONSE_HEAD, RESPONSE_TAIL = 3000, 9000
"""Characters of a long response that the page keeps."""

_ANSWER = 3000


def write_samples(scored: GradedRun, out: Path) -> Path:
    """Write ``samples.html`` and its data into ``out``.

    Args:
        scored: the run.
        out: the folder of the report.

    Returns:
        The path of the page.

    Raises:
        OSError: a log cannot be read, or a file cannot be written.
    """
    folder, files = out / FOLDER, 0
    rows: list[Row] = []
    parts = groupby(_in_files(graded_answers(scored)), itemgetter(0))
    for files, (_, part) in enumerate(parts, start=1):
        batch = [answer for _, answer in part]
        _write_data(folder, f"{files - 1:05}", [texts for *_, texts in batch])
        rows += [(key, record, (files - 1, index)) for index, (key, record, _) in enumerate(batch)]
    _write_data(folder, "index", _index(scored, rows))
    clear(folder, max(files, 1))
    write_text(out / PAGE, render(
        "samples.html", more_scripts=("samples.js",), title=f"{scored.run.model}: all answers",
        model=scored.run.model, contents=[], count=len(rows),
        baseline=labels.language(scored.baseline).name,
    ))  # fmt: skip
    return out / PAGE


def _in_files(
    answers: Iterable[GradedAnswer],
) -> Iterator[tuple[int, tuple[Key, Record, list[str]]]]:
    """Answers with their texts, each with a number that is the same for those of one file."""
    size = 0
    for key, record, sample in answers:
        texts = _texts(record, sample)
        yield size // CHUNK, (key, record, texts)
        size += sum(map(len, texts))


def _texts(record: Record, sample: Sample) -> list[str]:
    """Prompt, response, answer, details and where they stand, as the page shows them."""
    details = {name: v for name, v in record.grade.details.items() if v not in (None, [])}
    return [
        shorten(sample.prompt, PROMPT_HEAD, PROMPT_TAIL),
        shorten(sample.response or "", RESPONSE_HEAD, RESPONSE_TAIL),
        shorten(_text(sample.reference.get("answer")), _ANSWER, 0),
        shorten(_text(details), _ANSWER, 0) if details else "",
        f"{sample.file.path.name}:{sample.line}",
    ]


def remove_samples(out: Path) -> str:
    """Remove the page of an earlier report and its data, and nothing else.

    Returns:
        An empty text: there is nothing to link to.
    """
    (out / PAGE).unlink(missing_ok=True)
    if (out / FOLDER).is_dir():
        clear(out / FOLDER)
    return ""


def _index(scored: GradedRun, rows: Sequence[Row]) -> dict[str, object]:
    """What the page filters by: a list for each column, the rows in the order in which they show.

    Tasks stand in the order of the paper, then sizes (0 where a question has none), questions and
    languages, English first.
    """
    tasks = sorted(
        {key[:2] for key, _, _ in rows}, key=lambda t: (labels.task_order(t[1], t[0]), t)
    )
    codes = sorted(
        {key[2] for key, _, _ in rows}, key=lambda c: (c != ENGLISH, labels.language(c).name)
    )
    statuses = [name for name in labels.STATUSES if any(r.grade.status == name for _, r, _ in rows)]
    conditions = sorted({_condition(r) for _, r, _ in rows}, key=lambda name: (name != "", name))
    questions: dict[str, int] = {}
    columns = [
        (
            tasks.index(key[:2]),
            complexity(record.reference) or 0,
            questions.setdefault(_question(key, record), len(questions)),
            codes.index(key[2]),
            conditions.index(_condition(record)),
            statuses.index(record.grade.status),
            chunk,
            index,
        )
        for key, record, (chunk, index) in rows
    ]
    columns.sort(key=lambda row: row[:5])
    names = (
        "task", "size", "question", "language", "condition", "status", "chunk", "place",
    )  # fmt: skip
    return {
        "base": codes.index(scored.baseline) if scored.baseline in codes else -1,
        "questions": list(questions),
        "tasks": [
            {
                "family": labels.family(family),
                "name": name,
                "title": words.title,
                "unit": words.unit,
            }
            for family, name in tasks
            for words in [labels.task(name)]
        ],
        "conditions": conditions,
        "languages": [vars(labels.language(code)) for code in codes],
        "statuses": [[name, *labels.STATUSES[name]] for name in statuses],
        "rows": dict(zip(names, map(list, zip(*columns)))),
    }


def _condition(record: Record) -> str:
    """How the question was asked; an empty text for the plain prompt."""
    name = condition(record.reference)
    return "" if name == PLAIN else name


def _question(key: Key, record: Record) -> str:
    """The instance and the repeat: the same in all languages and under all conditions."""
    family, task, _, question, repeat = key
    name = f"{family}/{task}/{record.reference.get('instance_id') or question}"
    return f"{name}/{repeat}" if repeat else name


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)

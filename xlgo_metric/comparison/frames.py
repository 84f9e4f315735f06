"""Answers of any tool as a frame: a row an answer, in columns by the names that people use."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from xlgo_metric.comparison.compare import Comparison, compare
from xlgo_metric.comparison.table import FIXED, Answer, AnswerTable
from xlgo_metric.core import PLAIN

FAMILY = "parallel"
"""Of answers that another tool has graded."""

NAMES: Mapping[str, tuple[str, ...]] = {
    "question": (
        "question_id", "qid", "id", "doc_id", "sample_id", "item_id", "item", "idx", "question",
    ),
    "language": ("language", "lang", "language_code", "lang_code", "locale", "target_language"),
    "correct": ("correct", "is_correct", "ok", "acc", "accuracy", "score", "exact_match"),
    "model": ("model", "model_name", "model_id"),
    "task": ("task", "benchmark", "dataset"),
    "subject": ("subject",),
    "response": ("response", "output", "completion", "prediction", "generation"),
    "gold": ("gold", "target", "reference", "label", "correct_answer", "answer"),
    "choices": ("choices", "options"),
    "cluster": ("cluster", "passage_id", "text_id"),
    "repeat": ("repeat", "epoch", "attempt"),
    "prompt": ("prompt", "input", "question", "question_text"),
}  # fmt: skip
"""What a column says, and what people call it, the most common names first."""

_RIGHT = ("1", "1.0", "true", "yes", "correct", "right", "c")
_WRONG = ("0", "0.0", "false", "no", "incorrect", "wrong", "i")
_VERDICTS = dict.fromkeys(_RIGHT, True) | dict.fromkeys(_WRONG, False)
_SHOWN = 60
_SAYS = {"question": "which question", "language": "which language", "correct": "what is correct"}


@dataclass(frozen=True)
class Answers:
    """Answers of any tool, checked.

    Attributes:
        frame: the columns of ``NAMES``, in the order of the rows: ``correct`` is a truth value, or
            ``None`` without such a column; ``question`` holds integers where all are; what the
            table has no column for is empty. ``row`` is where an answer stands, as messages say it.
        taken: the column of the table that was taken for each of ``NAMES``.
        others: the columns that were not taken.
    """

    frame: pd.DataFrame
    taken: Mapping[str, str]
    others: pd.DataFrame


def columns_of(names: Sequence[str], columns: Mapping[str, str] = {}) -> dict[str, str]:
    """Which column of a table says what.

    Args:
        names: its columns.
        columns: the column for some of ``NAMES``; an empty text for none.

    Raises:
        ValueError: ``columns`` names what is not there.
    """
    for role, name in columns.items():
        if role not in NAMES:
            raise ValueError(f"columns: {role!r}: allowed are {', '.join(NAMES)}")
        if name and name not in names:
            listed = ", ".join(map(str, names[:20]))
            raise ValueError(f"columns: {role}={name}: there is no such column: there are {listed}")
    taken = {role: name for role, name in columns.items() if name}
    plain = {str(name).strip().casefold().replace(" ", "_"): name for name in reversed(names)}
    for role, synonyms in NAMES.items():
        free = (plain[name] for name in synonyms if name in plain)
        column = next((one for one in free if one not in taken.values()), None)
        if role not in columns and column is not None:
            taken[role] = column
    return taken


def read_frame(
    data: Any,
    columns: Mapping[str, str] = {},
    *,
    language_of: Callable[[str], str] = str,
    where: str = "row ",
    rows: Sequence[int] = (),
) -> Answers:
    """Check answers and bring them into one form.

    Args:
        data: a pandas ``DataFrame``, a ``datasets.Dataset``, a list of dictionaries, or anything
            that a ``DataFrame`` is made of.
        columns: the column for some of ``NAMES``, such as ``{"question": "qid"}``.
        language_of: the code of a language; raises ``ValueError`` for what is none.
        where: begins the place of a row in messages.
        rows: the number of each row in messages; from 1 if empty.

    Raises:
        ValueError: a column is missing, or a row cannot be used; the message names row and column,
            and what is allowed.
    """
    data = data.to_pandas() if hasattr(data, "to_pandas") else pd.DataFrame(data)
    data = data.reset_index(drop=True)
    names = [str(name) for name in data.columns]
    data.columns = pd.Index(names)
    taken = columns_of(names, columns)
    lacking = [role for role in ("question", "language") if role not in taken]
    if "correct" not in taken and not {"response", "gold"} <= taken.keys():
        lacking.append("correct")
    file = where.removesuffix("row ")
    if lacking:
        wide = " (languages in columns must be put into rows: pandas.melt does so)"
        raise ValueError(
            f"{file}no column says {_SAYS[lacking[0]]} ({', '.join(NAMES[lacking[0]])}): there are "
            f"{', '.join(names[:20]) or 'none'}{wide * ('language' in lacking)}: name columns with "
            "--columns, as in question=qid,correct=ok"
        )
    if data.empty:
        raise ValueError(f"{file}no answers below the names of the columns")
    empty = pd.Series([""] * len(data), dtype=object)
    frame = pd.DataFrame({role: data[taken[role]] if role in taken else empty for role in NAMES})
    frame = frame.astype(object).where(frame.notna(), "")  # pandas drops rows that lack a key
    frame["row"] = rows or range(1, len(data) + 1)

    is_numbered = frame["question"].astype(str).str.fullmatch(r"0|[1-9]\d{0,17}(\.0)?").all()
    readers: dict[str, tuple[Callable[[str], Any], str]] = {
        "language": (
            lambda text: language_of(_filled(text)),
            "codes and names of languages, as te, tel_Telu, te-IN or Telugu",
        ),
        "question": (
            _integer if is_numbered else _filled,
            "ids of questions, the same in every language",
        ),
        "correct": (
            lambda text: _VERDICTS[text.strip().casefold()],
            f"{', '.join(_RIGHT)} and {', '.join(_WRONG)}",
        ),
        "repeat": (_integer, "integers"),
        **dict.fromkeys(("model", "task", "subject"), (str, "texts")),
    }
    for role, (read, allowed) in readers.items():
        texts, values = frame[role].astype(str), {}
        for text in texts.unique() if role in taken else ():
            try:
                values[text] = read(text)
            except (KeyError, ValueError) as error:
                row = frame["row"][(texts == text).idxmax()]
                why = f" ({error})" if isinstance(error, ValueError) and str(error) else ""
                raise ValueError(
                    f"{where}{row}: column {taken[role]}: {text[:_SHOWN]!r}{why}: allowed are "
                    f"{allowed}"
                ) from None
        frame[role] = texts.map(values) if values else (None if role == "correct" else "")
    key = ["model", "task", "subject", "question", "language", "repeat"]
    if (twice := frame.duplicated(key)).any():
        second = frame[twice].iloc[0]
        alike = frame["row"][(frame[key] == second[key]).all(axis=1)]
        raise ValueError(
            f"{where}{second['row']}: a second answer to question {str(second['question'])!r} in "
            f"{second['language']} (the first: row {alike.iloc[0]}): a column model, task, subject "
            "or repeat tells them apart"
        )
    return Answers(frame, taken, data.drop(columns=list(taken.values())))


def _integer(text: str) -> int:
    return int(text.removesuffix(".0"))


def _filled(text: str) -> str:
    """A text that says something."""
    if text.strip() in ("", "nan", "None"):
        raise ValueError("empty")
    return text.strip()


def key_of(value: Any) -> int:
    """A number of 64 bits for a value: the name of a question or cluster, in order."""
    text = _as_json(value).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")


def hashed(values: Any) -> npt.NDArray[np.uint64]:
    """``key_of`` of many values, each different one once; shape (n,)."""
    try:
        codes, different = pd.factorize(np.asarray(values, object), use_na_sentinel=False)
    except TypeError:  # lists
        return np.array([key_of(value) for value in values], np.uint64)
    return np.array([key_of(value) for value in different], np.uint64)[codes]


_as_json = json.JSONEncoder(ensure_ascii=False, sort_keys=True, default=str).encode
"""As ``json.dumps``, which makes an encoder for every value."""


def _table_of(answers: Answers) -> AnswerTable:
    """The answers of a frame as the one table of answers.

    Raises:
        ValueError: no column says what is correct.
    """
    frame = answers.frame
    if "correct" not in answers.taken:
        raise ValueError(f"no column says what is correct ({', '.join(NAMES['correct'])})")
    names = {name: name if isinstance(name, int) else key_of(name) for name in frame["question"]}
    question = frame["subject"] + "/" + frame["question"].map(names).astype(str)
    cluster = frame["task"] + " " + question
    if "cluster" in answers.taken:
        clusters = frame["cluster"].map(lambda name: str(key_of(str(name))))
        cluster = cluster.where(frame["cluster"] == "", clusters)
    return table_of_rows(
        frame.assign(question=question, cluster=cluster, repeat=frame["repeat"].replace("", 0))
    )


def table_of_rows(rows: pd.DataFrame) -> AnswerTable:
    """Answers that another tool has graded as the one table of answers.

    Args:
        rows: with the columns ``language``, ``question``, ``cluster`` and ``correct``, and perhaps
            ``task``, ``model`` and ``repeat``.
    """
    empty = dict.fromkeys(name for name in Answer._fields if name not in (*rows, "measures"))
    texts = dict.fromkeys(set(empty) & {"task", "model", "run", "split", "wording"}, "")
    fixed = {"family": FAMILY, "condition": PLAIN, "design": FIXED,
             **dict.fromkeys(("flagged", "lacking"), False),
             "status": rows["correct"].map({True: "correct", False: "wrong"}),
             **dict.fromkeys(("strict", "in_form"), rows["correct"])}  # fmt: skip
    fixed |= {"repeat": 0} if "repeat" in empty else {}
    columns = {name: rows[name] for name in rows if name in Answer._fields}
    return AnswerTable(rows.assign(**{**empty, **texts, **fixed})[[*{**empty, **fixed, **columns}]])


def gaps(
    data: Any,
    baseline: str = "en",
    *,
    columns: Mapping[str, str] = {},
    common: bool = False,
    language_of: Callable[[str], str] = str,
) -> Comparison:
    """The gaps of every language to a baseline, from a table with a row an answer.

    Args:
        data: a pandas ``DataFrame``, a ``datasets.Dataset`` or a list of dictionaries, with columns
            for question, language and correct, perhaps model, task, subject, cluster and repeat.
        baseline: the language that the others are compared with, as the table has it.
        columns: names of columns that are not found by themselves, as ``{"question": "qid"}``.
        common: leave out questions that were not asked in every language, instead of refusing.
        language_of: one name for each language where the table and ``baseline`` have several, as
            ``Telugu`` and ``te``: ``xlgo_dataset.text.languages.code_of``.

    Returns:
        A cell for each language (and task, and model); all are tested together.

    Raises:
        ValueError: a row cannot be used, the baseline is not there, or a question is missing in a
            language.

    >>> rows = [("q1", "en", 1), ("q1", "te", 0), ("q2", "en", 1), ("q2", "te", 1)]
    >>> table = [dict(zip(("question", "language", "correct"), row)) for row in rows]
    >>> [(cell.other, cell.difference) for cell in gaps(table).cells]
    [('te', 0.5)]
    """
    answers = read_frame(data, columns, language_of=language_of)
    table = _table_of(answers)
    for names, part in () if common else table.frame.groupby(["model", "task"], sort=False):
        languages = part.groupby("question", sort=False)["language"].nunique()
        if (fewer := languages[languages < part["language"].nunique()]).size:
            rows = part[part["question"] == fewer.index[0]]
            absent = ", ".join(sorted({*part["language"]} - {*rows["language"]}))
            of = " ".join(filter(None, map(str, names)))
            name = answers.frame["question"][rows.index[0]]
            raise ValueError(
                f"{of}{': ' * bool(of)}{len(fewer)} of {len(languages)} questions are missing in "
                f"some languages (question {str(name)!r} in {absent}): common=True leaves them out"
            )
    return compare(table, "language", language_of(baseline))

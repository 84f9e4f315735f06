"""Tables of answers: CSV, TSV, JSON lines and Parquet, a row an answer of any tool.

A table is read once and whole; ``xlgo_metric.comparison.frames`` says which column says what.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from pyarrow import ArrowException
from pyarrow.parquet import ParquetFile

from xlgo_dataset.text.languages import code_of
from xlgo_metric import core
from xlgo_metric.comparison.frames import columns_of, read_frame

from .lines import COLUMNS, LogLine, lines, single_values

LARGEST = 1 << 30
"""Bytes of a table; a larger one is not read."""

_SEPARATORS = {".csv": ",;\t", ".tsv": "\t"}
_MOST_COLUMNS = 1000
_HEADER = 1 << 20
_AT_ONCE = 1000
"""Rows that are made into lines together."""
_CODE = re.compile(r"[a-z]{2,3}([-_][a-z0-9]{2,8}){0,3}", re.IGNORECASE)
_OF_LOGS = frozenset({"doc", "resps", "filtered_resps", "arguments"})


Part = tuple[str, str]
"""The answers of a table that count as one log: model and task, each empty where no column names
it; behind ``/`` of the task stands the subject, if there is one."""


class Table(NamedTuple):
    """A table that was read.

    Attributes:
        taken: the column for each of ``frames.NAMES``.
        frame: the columns of ``frames.NAMES``, others, ``row``, the number of the row as
            spreadsheets and editors count, and ``place``, the number of the answer from 0.
        others: the names of the columns that were not taken.
        parts: the places of the answers of each part, in the order in which they first occur.
    """

    taken: Mapping[str, str]
    frame: pd.DataFrame
    others: list[str]
    parts: Mapping[Part, Any]

    def line(self, row: LogLine) -> LogLine:
        """A row as the harness has it."""
        names = ("language", *self.others, *({"cluster", "choices"} & self.taken.keys()))
        line = {
            "doc_id": row["question"],
            "doc": {name: row[name] for name in names},
            "target": row["gold"],
            "filter": "none",
            "resps": [[str(row["response"])]],
            "metrics": [],
        }
        if "prompt" in self.taken:
            line["arguments"] = [[str(row["prompt"])]]
        if "correct" in self.taken:
            line |= {"correct": float(row["correct"]), "metrics": ["correct"]}
        return line


def is_table(path: Path, first: Mapping[str, object]) -> bool:
    """Whether a file is a table of answers.

    Args:
        first: the object in its first line, of JSON lines.
    """
    if path.suffix.lower() in (*_SEPARATORS, ".parquet"):
        return True
    if _OF_LOGS & first.keys():
        return False
    columns = {role: name for role, name in COLUMNS.get({}).items() if name in first}
    roles = columns_of(list(first), columns)
    return {"question", "language"} <= roles.keys() and bool({"correct", "gold"} & roles.keys())


def read(path: Path, part: Part) -> Iterator[tuple[int, int, LogLine, int]]:
    """Number, place, content and repeat of the answers of a part, as the harness has them."""
    numbers_of_part = table_in(path).parts[part]
    numbers = table_in(path).frame.loc[numbers_of_part, ["row", "repeat"]].itertuples(index=False)
    for position, line, (row, repeat) in zip(
        numbers_of_part, lines_at(path, numbers_of_part), numbers
    ):
        yield row, int(position), line, repeat


def lines_at(path: Path, positions: Sequence[int]) -> Iterator[LogLine]:
    """The answers at some places, as the harness has them."""
    table = table_in(path)
    for start in range(0, len(positions), _AT_ONCE):
        rows = table.frame.iloc[positions[start : start + _AT_ONCE]]
        yield from map(table.line, rows.to_dict("records"))


def answers(path: Path, part: Part) -> tuple[pd.DataFrame, list[str]]:
    """The answers of a part with the columns of ``Table.frame``, and its fields of questions."""
    table = table_in(path)
    every = table.frame.iloc[table.parts[part]]
    names = [*table.others, *(["cluster"] if "cluster" in table.taken else [])]
    return every, list(single_values(every[names].iloc[0].to_dict()))


def has_responses(path: Path) -> bool:
    """Whether a table has responses, not verdicts alone."""
    return "response" in table_in(path).taken


def taken(path: Path) -> str:
    """Which column was taken for what, in words."""
    table = table_in(path)
    roles = ", ".join(f"{role} = {name}" for role, name in table.taken.items())
    more = f"; others: {', '.join(table.others)}" if table.others else ""
    return f"columns: {roles}{more} (--columns names others)"


def table_in(path: Path) -> Table:
    """The table in a file.

    Raises:
        ValueError: it cannot be read, or a row cannot be used.
    """
    about = path.stat()
    return _load(path, tuple(COLUMNS.get({}).items()), about.st_mtime_ns, about.st_size)


@lru_cache(maxsize=4)
def _load(path: Path, columns: tuple[tuple[str, str], ...], _changed: int, size: int) -> Table:
    """Read a table; again only where the file or the columns are others."""
    if size > LARGEST:
        raise ValueError(
            f"{path}: {size / 2**30:.1f} GiB: a table of answers has {LARGEST >> 30} GiB at most: "
            "leave out columns of texts"
        )
    kind = path.suffix.lower()
    readers = {".parquet": _parquet, ".csv": _csv, ".tsv": _csv}
    data = readers.get(kind, _json_lines)(path)
    checked = read_frame(
        data, dict(columns), language_of=_language, where=f"{path}: row ", rows=list(data.index)
    )
    frame = checked.frame
    key = ["model", "task", "subject", "question", "language"]
    frame["repeat"] = (
        frame.sort_values("repeat", kind="stable").groupby(key, sort=False).cumcount()
        if "repeat" in checked.taken
        else 0
    )
    # A column "question" that is not the id of the question is its text.
    more_columns = [name for name in checked.others if name not in frame and name != "prompt"]
    frame = frame.assign(
        place=range(len(frame)), **{name: checked.others[name] for name in more_columns}
    )
    task = frame["task"].where(frame["subject"] == "", frame["task"] + "/" + frame["subject"])
    grouped = frame.groupby([frame["model"], task], sort=False).indices
    parts = dict(sorted(grouped.items(), key=lambda item: item[1][0]))
    return Table(checked.taken, frame, more_columns, parts)


def _language(text: str) -> str:
    code = code_of(text)
    if code == text and not _CODE.fullmatch(text):
        raise ValueError("no language")
    return code


def _csv(path: Path) -> pd.DataFrame:
    with path.open("rb") as file:
        header = file.readline(_HEADER)
        nul = mmap(file.fileno(), 0, access=ACCESS_READ).find(b"\0") if header else -1
    core.refuse(
        f"{path}: ",
        (not header.strip(), "the first line is empty: it names the columns"),
        (len(header) == _HEADER, f"the first line has more than {_HEADER >> 20} MiB: no header"),
        (nul >= 0, f"byte {nul} is NUL: save the table as UTF-8 text"),
    )
    names = header.decode(errors="replace")
    separator = max(_SEPARATORS[path.suffix.lower()], key=names.count)
    _check_width(path, names.count(separator) + 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            frame = pd.read_csv(path, sep=separator, dtype="category", encoding="utf-8-sig",
                                keep_default_na=False, index_col=False,
                                skip_blank_lines=False)  # fmt: skip
    except pd.errors.ParserWarning:
        raise ValueError(f"{path}: rows have more cells than the first line has names") from None
    except UnicodeDecodeError as error:
        wrong = error.object[error.start : error.start + 1].hex()
        raise ValueError(f"{path}: not UTF-8 text (a byte {wrong}): save it as UTF-8") from None
    except ValueError as error:  # of pandas, whose messages name the line
        raise ValueError(f"{path}: {str(error).rpartition('C error: ')[2].strip()}") from None
    frame.index += 2
    return frame[frame.ne("").any(axis=1)]


def _parquet(path: Path) -> pd.DataFrame:
    try:
        file = ParquetFile(path)
        _check_width(path, len(file.schema_arrow.names))
        groups = range(file.metadata.num_row_groups)
        size = sum(file.metadata.row_group(group).total_byte_size for group in groups)
        if size > LARGEST:
            raise ValueError(f"{path}: {size / 2**30:.1f} GiB when unpacked: leave out columns")
        frame = pd.read_parquet(path).reset_index(drop=True)
    except (ArrowException, OSError) as error:
        raise ValueError(f"{path}: not a Parquet file ({error})") from None
    frame.index += 1
    return frame


def _json_lines(path: Path) -> pd.DataFrame:
    rows: dict[int, dict[str, object]] = {}
    for number, _, row in lines(path):
        if isinstance(row, ValueError):
            raise ValueError(f"{path}:{number}: {row}")
        _check_width(path, len(row))
        rows[number] = row
    frame = pd.DataFrame([*rows.values()], index=[*rows])
    _check_width(path, frame.shape[1])
    return frame


def _check_width(path: Path, columns: int) -> None:
    if columns > _MOST_COLUMNS:
        raise ValueError(
            f"{path}: {columns:,} columns: a table of answers has at most {_MOST_COLUMNS:,}"
        )

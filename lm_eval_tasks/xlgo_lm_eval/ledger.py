"""The ledger of a run: every answer of a model, written when it arrives.

A ledger is a file of JSON lines. The first line says what kind of file it is, its schema and
which model the answers are from; each further line is one answer. An answer is found by a key made
of everything that it depends on, so a run that is started again asks only for what is missing.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, TypedDict, cast

from filelock import FileLock, Timeout

from .replies import digest

KIND = "xlgo-ledger"
SCHEMA = 1
ERROR = "error"
"""The status of a request that failed. It has no answer, so the next run asks again."""


def request_key(
    *,
    model: str,
    gen_kwargs: Mapping[str, object],
    prompt_id: str,
    chain: str,
    hop: int,
    input_sha: str,
    repeat: int,
) -> str:
    """The name of an answer, made of all that it depends on.

    Args:
        model: digest of what identifies the model.
        gen_kwargs: how the answer is generated.
        prompt_id: version of the prompt's wording.
        chain: name of the chain, the same in every run.
        hop: number of the request in its chain, from 1.
        input_sha: digest of what is sent, so that a changed answer renames those after it.
        repeat: number of the repetition, from 0.
    """
    parts = [model, dict(gen_kwargs), prompt_id, chain, hop, input_sha, repeat]
    return digest(parts)


class Row(TypedDict):
    """A line of a ledger: an answer, and what it depends on. A step's notes stand beside these."""

    key: str
    chain: str
    hop: int
    repeat: int
    prompt_id: str
    gen_kwargs: dict[str, object]
    input_sha: str
    status: str
    output: str
    reasoning: str | None
    finish: str | None
    usage: dict[str, int] | None
    error: str | None
    started: float
    seconds: float


class Ledger:
    """An open ledger, which no other process can open meanwhile.

    Args:
        path: the file; its folder is made if there is none.
        run: what must be the same whenever this ledger is used: which model answers. No
            credentials: it is written down.

    Raises:
        ValueError: another process has it open, it is of another run, or it is damaged.
        OSError: it cannot be read or written.
    """

    def __init__(self, path: str | os.PathLike[str], run: Mapping[str, object]) -> None:
        self.path = Path(path)
        self.run: dict[str, object] = json.loads(json.dumps(dict(run)))
        self.model = digest(self.run)
        self._rows: dict[str, Row] = {}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = FileLock(f"{self.path}.lock")
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise ValueError(
                f"{self.path} is in use by another run: wait until it ends, or give another ledger"
            ) from None
        with contextlib.ExitStack() as undone:  # whatever goes wrong in here
            undone.callback(self._lock.release)
            self._file = undone.enter_context(self.path.open("a+b"))
            self._read()
            undone.pop_all()

    def __enter__(self) -> Ledger:
        """The ledger itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it, whatever happened."""
        self.close()

    def __len__(self) -> int:
        """How many answers it holds."""
        return len(self._rows)

    def get(self, key: str) -> Row | None:
        """The answer of that key, or ``None``; a request that failed has none."""
        return self._rows.get(key)

    def add(self, row: Row) -> None:
        """Write an answer. After this call a kill of the process does not lose it.

        Args:
            row: JSON values; of these, ``key`` and ``status`` are needed here.

        Raises:
            OSError: it cannot be written.
        """
        self._file.write(_line(row))
        self._file.flush()
        if row["status"] != ERROR:
            self._rows[row["key"]] = row

    def sync(self) -> None:
        """Have the system put everything on the disk, so that a power cut does not lose it."""
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Put everything on the disk and let others open it; a second call does nothing."""
        if not self._file.closed:
            self._file.flush()
            self.sync()
            self._file.close()
            self._lock.release()

    def _read(self) -> None:
        self._file.seek(0)
        end = 0
        for number, line in enumerate(self._file, 1):
            if not line.endswith(b"\n"):
                self._mend(line, end, number)
                break
            end += len(line)
            self._take(self._parsed(line, number), number)
        if end == 0 and self._file.seek(0, os.SEEK_END) == 0:
            self._file.write(_line({"kind": KIND, "schema": SCHEMA, "run": self.run}))
            self._file.flush()
            self.sync()

    def _mend(self, line: bytes, end: int, number: int) -> None:
        """A kill may cut the last line: complete it if only its end is missing, else drop it."""
        try:
            row = json.loads(line)
        except ValueError:
            self._file.truncate(end)
            return
        self._file.write(b"\n")
        self._take(row, number)

    def _parsed(self, line: bytes, number: int) -> Any:
        try:
            return json.loads(line)
        except ValueError:
            raise ValueError(
                f"{self.path}, line {number} is damaged: remove that line, or give another ledger"
            ) from None

    def _take(self, row: Any, number: int) -> None:
        if number == 1:
            self._check(row)
        elif not isinstance(row, dict) or not {"key", "status"} <= set(row):
            raise ValueError(f"{self.path}, line {number} is no answer: give another ledger")
        elif row["status"] != ERROR:
            self._rows[row["key"]] = cast(Row, row)

    def _check(self, header: Any) -> None:
        if not isinstance(header, dict) or header.get("kind") != KIND:
            raise ValueError(f"{self.path} is not a ledger: give the path of one, or of a new file")
        if header.get("schema") != SCHEMA:
            raise ValueError(
                f"{self.path} has schema {header.get('schema')!r}, this version reads {SCHEMA}: "
                "give another ledger"
            )
        if header.get("run") != self.run:
            raise ValueError(
                f"{self.path} is the ledger of another run ({_short(header.get('run'))}; this one "
                f"is {_short(self.run)}): give another ledger"
            )


def _short(run: Any) -> str:
    return ", ".join(f"{k}={v}" for k, v in run.items()) if isinstance(run, dict) else repr(run)


def _line(row: Mapping[str, object]) -> bytes:
    try:
        return json.dumps(row, ensure_ascii=False).encode() + b"\n"
    except UnicodeEncodeError:  # a server cut an answer within a character: escape it
        return json.dumps(row).encode() + b"\n"

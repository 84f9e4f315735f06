"""Every answer of a model: a line of an append-only file, found by all that it depends on.

The first line of a file says which model answers and how; each further line is an answer, or an
event of the run such as a file that it wrote. A run that is started again asks only for what is
not in the files of its folder; of several processes each has a file and reads those of all.
"""

import hashlib
import json
import os
import platform
import time
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any

from .arguments import Settings
from .replies import MISSING, Answer, Line, digest

KIND = "xlgo-answers"
SCHEMA = 1
FILE = "xlgo_answers{}.ndjson"
"""The name of a file, in the folder of the results. Not ``.jsonl``: that is how samples end."""

PLANNED, WROTE = "planned", "wrote"
"""Events: the parts of a run, and the files that one of them wrote."""

_SYNC_SECONDS = 1.0


def request_key(model: str, context: Any, settings: Settings, draw: Any = 0) -> str:
    """Return the name of an answer: a digest of all that it depends on.

    Args:
        model: digest of what identifies the model.
        context: what is sent, its chat template applied: a string or the turns of a chat.
        settings: how the answer is generated.
        draw: which of several answers to the same request, as JSON.
    """
    terms = json.dumps([model, dict(settings), draw], sort_keys=True, default=str)
    sha = hashlib.sha256(terms.encode())
    if (chat := getattr(context, "prompt", None)) is not None:  # the harness's chat, as JSON
        # As ``json.dumps([chat])`` has it, which would take most of the time of a long prompt.
        text = '["{}"]'.format(chat.replace("\\", "\\\\").replace('"', '\\"'))
    else:
        text = context if isinstance(context, str) else json.dumps(context, ensure_ascii=False)
    sha.update(text.encode("utf-8", "surrogatepass"))
    return sha.hexdigest()


class Answers(AbstractContextManager["Answers"]):
    """The answers of a run, and the open file of one of its processes.

    Args:
        path: the file; its folder is made.
        run: which model answers, and how. It is written down, so it holds no credentials.
        model: digest of what identifies the model (by default of ``run``).
        siblings: files of the same run that other processes wrote; they are read too.

    Raises:
        ValueError: another process has the file open, it is of another run, or it is damaged.
        OSError: it cannot be read or written.
    """

    def __init__(
        self,
        path: Path,
        run: Line,
        *,
        model: str = "",
        siblings: Iterable[Path] = (),
    ) -> None:
        self.path = path
        self.run: Line = json.loads(json.dumps(dict(run), default=str))
        self.model = model or digest(self.run)
        self._places: dict[str, tuple[Path, int]] = {}
        self._synced = time.monotonic()
        path.parent.mkdir(parents=True, exist_ok=True)
        from filelock import FileLock, Timeout

        with ExitStack() as stack:
            try:
                stack.enter_context(FileLock(f"{path}.lock", timeout=0))
            except Timeout:
                raise ValueError(
                    f"another run is writing to {path.parent}: wait until it ends, or choose "
                    "another --out"
                ) from None
            for file in sorted({path, *siblings}):
                self._read(file)
            self._file = stack.enter_context(path.open("ab"))
            self._stack = stack.pop_all()

    def __exit__(self, *_: object) -> None:
        """Put everything on the disk and let others open the file."""
        with self._stack:
            os.fsync(self._file.fileno())

    def __len__(self) -> int:
        """Number of answers that need not be asked for again."""
        return len(self._places)

    def get(self, key: str) -> Answer | None:
        """Return the answer of that key; ``None`` where it is missing and to be asked for."""
        if key not in self._places:
            return None
        path, offset = self._places[key]
        with path.open("rb") as file:
            file.seek(offset)
            return Answer.from_row(json.loads(file.readline()))

    def add(self, key: str, answer: Answer, notes: Line | None = None) -> None:
        """Write an answer. After this call, killing the process does not lose it.

        Args:
            key: its name.
            answer: what came back; one that is missing is recorded, and asked for again.
            notes: what else to say of it, as JSON values.

        Raises:
            OSError: it cannot be written.
        """
        line = {"key": key, **(notes or {}), **answer.about(), "text": answer.text}
        offset = self._write({**line, "at": round(time.time(), 3)})
        if answer.state != MISSING:
            self._places[key] = (self.path, offset)

    def note(self, kind: str, **values: Any) -> None:
        """Write an event of the run.

        Raises:
            OSError: it cannot be written.
        """
        self._write({"kind": kind, **values})

    def _write(self, line: Line) -> int:
        if not self._file.tell():
            self._file.write(_line({"kind": KIND, "schema": SCHEMA, "run": self.run}))
        offset = self._file.tell()
        self._file.write(_line(line))
        self._file.flush()
        if time.monotonic() - self._synced >= _SYNC_SECONDS:  # a power cut loses a second
            os.fsync(self._file.fileno())
            self._synced = time.monotonic()
        return offset

    def _read(self, path: Path) -> None:
        """Index a file; of the process's own file, remove what a kill has half written."""
        size = 0
        for start, end, row in rows_of(path):
            size = end
            if start == 0:
                if row.get("schema") != SCHEMA:
                    raise ValueError(
                        f"{path} has schema {row.get('schema')!r}, this version reads {SCHEMA}: "
                        "choose another --out"
                    )
                check_run(path, row["run"], self.run)
            elif "key" in row and row.get("state") != MISSING:
                self._places[row["key"]] = (path, start)
        if path == self.path and path.exists():
            os.truncate(path, size)


def _line(row: Line) -> bytes:
    """A line; half a character, as a server may send one, stays as it is."""
    return json.dumps(row, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"


def rows_of(path: Path) -> Iterator[tuple[int, int, Line]]:
    """Yield the whole lines of a file of answers, with where each begins and ends.

    Raises:
        ValueError: it is no such file, or a whole line is damaged.
        OSError: it cannot be read.
    """
    end = 0
    for number, line in enumerate(_lines(path), start=1):
        try:
            row = json.loads(line)
            if not isinstance(row, dict) or (number == 1) != (row.get("kind") == KIND):
                raise ValueError
        except (ValueError, RecursionError):
            remedy = "remove that line" if number > 1 else "move the file away"
            raise ValueError(f"{path}, line {number} is no line of answers: {remedy}") from None
        yield end, end + len(line), row
        end += len(line)


def steps_of(folder: Path) -> tuple[dict[str, list[str]], dict[str, Line]]:
    """Return how far the run of a folder came, without reading its answers.

    Returns:
        The tasks of each of its parts, as planned last, by command; and by command the last event
        in which its files were written.

    Raises:
        OSError: a file cannot be read.
        ValueError: an event does not say what it should.
    """
    lines = (line for path in files_in(folder) for line in _lines(path))
    try:
        events = [json.loads(line) for line in lines if line.startswith(b'{"kind": ')]
        planned = [dict(event["parts"]) for event in events if event["kind"] == PLANNED]
        wrote = {event["command"]: event for event in events if event["kind"] == WROTE}
    except (LookupError, TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"{folder}: an event of its answers cannot be read ({error!r})") from None
    return (planned or [{}])[-1], wrote


def is_complete(folder: Path, event: Line) -> bool:
    """Return whether the files that an event names are there and hold every answer."""
    exist = all((folder / name).is_file() for name in event["files"])
    return bool(event["files"]) and exist and not event["missing"]


def kept_in(folder: Path) -> int:
    """Return how many answers the files of a folder hold, without reading them.

    Raises:
        OSError: a file cannot be read.
    """
    # Within a text, quotation marks are escaped.
    return sum(
        not line.startswith(b'{"kind": ') and b'"state": "missing"' not in line
        for path in files_in(folder)
        for line in _lines(path)
    )


def is_open(path: Path) -> bool:
    """Return whether a process writes to a file of answers."""
    from filelock import FileLock, Timeout

    try:
        with FileLock(f"{path}.lock", timeout=0):
            return False
    except Timeout:
        return True


def _lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file that a kill has not cut; none without a file."""
    if path.exists():
        with path.open("rb") as file:
            yield from (line for line in file if line.endswith(b"\n"))


def own_file(folder: Path, rank: int = 0, processes: int = 1) -> Path:
    """Return the path of a process's file; ranks are local to a node, so names hold it too."""
    suffix = "" if processes == 1 else f".{platform.node() or 'node'}.{rank}"
    return folder / FILE.format(suffix)


def files_in(folder: Path) -> list[Path]:
    """Return the files of answers in a folder."""
    return sorted(folder.glob(FILE.format("*")))


def check_run(path: Path, before: Any, now: Line) -> None:
    """Refuse a file of answers of another run.

    Args:
        path: of the file.
        before: the run that it names.
        now: the run that would use it, as JSON values.

    Raises:
        ValueError: it says what differs.
    """
    if before != now:
        what = differences(before, now) if isinstance(before, dict) else "not known"
        raise ValueError(
            f"{path.parent} holds another run ({what}): choose another --out, or add --fresh to "
            "remove its answers"
        )


def differences(before: Line, now: Line, where: str = "") -> str:
    """Return in words in which entries two descriptions of runs differ."""
    parts = [
        _difference(before.get(name), now.get(name), f"{where}{name}")
        for name in dict.fromkeys([*before, *now])
        if before.get(name) != now.get(name)
    ]
    return "; ".join(parts)


def _difference(before: Any, now: Any, name: str) -> str:
    if isinstance(before, dict) and isinstance(now, dict):
        return differences(before, now, f"{name}.")
    old, new = (json.dumps(value, ensure_ascii=False)[:80] for value in (before, now))
    return f"{name} was {old} and is {new}"

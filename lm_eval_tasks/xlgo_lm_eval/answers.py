"""Every answer of a model: a line of an append-only file, found by all that it depends on.

The harness passes answers on as plain strings. An ``Answer`` is such a string, so that it can go
wherever the harness takes one (filters, caches, logs), and holds what came with it. A request that
failed is no answer: its text is empty and its state ``missing``.

The first line of a file says which model answers and how; each further line is an answer, or an
event of the run such as a file that it wrote. A run that is started again asks only for what is
not in the files of its folder; of several processes each has a file and reads those of all.
"""

import hashlib
import json
import os
import platform
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any

from .arguments import Settings, redacted

Line = dict[str, Any]
"""A line of a file of answers, as JSON values: an answer, or an event of the run."""

ANSWERED, REFUSED, MISSING = "answered", "refused", "missing"
"""States of an answer: it is there; the provider withheld it; the request failed."""

ASKED = "asked"
"""In a question and its reference: ``completion`` where no chat template was applied, if that
matters to the task's grading."""

LENGTH = "length"
"""The finish reason of an answer that reached the limit of tokens."""

_COUNTS = ("prompt_tokens", "completion_tokens", "total_tokens")
_FIELDS = ("state", "finish", "reasoning", "usage", "counted_by", "prompt_cut", "error", "seconds")
_LONGEST = 300

_ENDED = frozenset({"stop", "eos", "eos_token", "end_turn", "stop_sequence", "completed"})
"""Finish reasons with which an empty text is an answer."""
_LIMIT = frozenset({LENGTH, "max_tokens", "max_output_tokens", "model_length"})
_WITHHELD = frozenset({
    "content_filter", "refusal", "sensitive", "safety", "recitation", "prohibited_content",
    "blocklist", "spii",
})  # fmt: skip
"""Finish reasons with which the provider holds an answer back."""
_NONE = frozenset({
    "error", "tool_calls", "tool_use", "function_call", "malformed_function_call", "abort",
    "cancelled", "insufficient_system_resource", "network_error", "other",
})  # fmt: skip
"""Finish reasons with which nothing that came is an answer; nobody offers the models tools."""

KIND = "xlgo-answers"
SCHEMA = 1
FILE = "xlgo_answers{}.ndjson"
"""The name of a file, in the folder of the results. Not ``.jsonl``: that is how samples end."""

PLANNED, WROTE = "planned", "wrote"
"""Events: the parts of a run, and the files that one of them wrote."""

_SYNC_SECONDS = 1.0


class Answer(str):
    """The text of an answer, and what came with it.

    Attributes:
        state: ``answered``, ``refused`` or ``missing``.
        finish: why the model stopped, in the words of its server (``stop``, ``length``, ...);
            ``None`` if it did not say.
        reasoning: thinking that the server gave apart from the text.
        usage: numbers of tokens: ``prompt_tokens``, ``completion_tokens``, ``total_tokens``,
            ``reasoning_tokens``; only those that are known.
        counted_by: ``server`` or ``tokenizer``.
        prompt_cut: the prompt had more tokens than the model takes.
        error: why the answer is missing, in the words of the server or library.
        seconds: from sending the request to the answer.
    """

    state: str
    finish: str | None
    reasoning: str | None
    usage: dict[str, int] | None
    counted_by: str | None
    prompt_cut: bool | None
    error: str | None
    seconds: float | None

    def __new__(cls, text: str = "", state: str = ANSWERED, **more: Any) -> "Answer":
        """A string with attributes; the defaults let it be pickled as strings are."""
        # A server may cut an answer within a character; such a half has no UTF-8.
        answer = super().__new__(
            cls, text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
        )
        answer.__dict__.update(dict.fromkeys(_FIELDS), state=state, **more)
        return answer

    @property
    def text(self) -> str:
        """The text alone."""
        return str.__str__(self)

    @property
    def is_there(self) -> bool:
        """Whether there is an answer, which counts in rates."""
        return self.state == ANSWERED

    @property
    def status(self) -> str:
        """In a chain: ``ok``, ``empty``, ``length`` (cut off), ``refused`` or ``error``.

        Where the model says nothing of it, never ``length`` or ``refused``.
        """
        if self.state != ANSWERED:
            return "refused" if self.state == REFUSED else "error"
        if self.finish == LENGTH:
            return LENGTH
        return "ok" if self.strip() else "empty"

    def about(self) -> Line:
        """What came with the text, as JSON values, without what is not known."""
        return {name: value for name in _FIELDS if (value := self.__dict__[name]) is not None}

    @classmethod
    def from_row(cls, row: Line) -> "Answer":
        """The answer of a row with its ``text`` and what ``about`` says; others are ignored."""
        return cls(str(row.get("text", "")), **{k: row[k] for k in _FIELDS if k in row})


def missing(error: str, **more: Any) -> Answer:
    """An answer that is missing, and why, without credentials."""
    return Answer("", MISSING, error=redacted(" ".join(error.split())[:_LONGEST]), **more)


def read_reply(body: Any, parse: Callable[[], Any]) -> Answer:
    """The answer in the body of a server's reply to one request.

    Args:
        body: the reply as JSON: of an OpenAI-compatible interface, or of any other that ``parse``
            understands.
        parse: what the harness's model makes of it: a list of texts.
    """
    body = body[0] if isinstance(body, list) and len(body) == 1 else body
    try:
        text = next(iter(parse()), None) if isinstance(body, dict) else None
    except (AssertionError, AttributeError, IndexError, KeyError, TypeError, ValueError):
        text = None
    if isinstance(text, Answer):  # by one of our models
        return text
    if isinstance(text, list):  # of parts, as Mistral's models that think send it
        texts = [part.get("text") for part in text if isinstance(part, dict)]
        text = "".join(part for part in texts if isinstance(part, str))
    choices = body.get("choices") if isinstance(body, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    choice = choice if isinstance(choice, dict) else {}
    if isinstance(body, dict) and (error := body.get("error") or choice.get("error")):
        return missing(f"the server sent an error: {words_of(error)}")
    if not (isinstance(body, dict) and (choice or text) and isinstance(text, str | None)):
        return missing(f"the server's reply holds no answer: {words_of(body)}")
    return _answer(text or "", choice, body)


def _answer(text: str, choice: Mapping[str, Any], body: Mapping[str, Any]) -> Answer:
    """The answer in a choice of a reply, as its finish reason and message say."""
    message = choice.get("message")
    message = message if isinstance(message, dict) else {}
    finish = _text(choice.get("finish_reason")) or _text(body.get("stop_reason"))
    reason = (finish or "").lower()
    more: dict[str, Any] = {
        "finish": LENGTH if reason in _LIMIT else finish,
        "reasoning": _text(message.get("reasoning_content")) or _text(message.get("reasoning")),
        "usage": _usage(body.get("usage")) or None,
    }
    if (refusal := _text(message.get("refusal"))) or reason in _WITHHELD:
        return Answer(text, REFUSED, error=f"refusal: {refusal}" if refusal else finish, **more)
    if reason in _NONE or message.get("tool_calls") or message.get("function_call"):
        return missing(f"no answer, but finish reason {finish}: {text}")
    if not text and reason not in _LIMIT and reason not in _ENDED:
        return missing(f"the reply has no content (finish reason {finish})")
    return Answer(text, **more)


def words_of(value: Any) -> str:
    """What a server said, in one line: the message of an error, or everything."""
    for name in ("error", "message"):
        if isinstance(value, dict) and value.get(name):
            value = value[name]
    return value if isinstance(value, str) else json.dumps(value, default=str)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _usage(value: Any) -> dict[str, int]:
    if not isinstance(value, dict):
        return {}
    counts = {name: value[name] for name in _COUNTS if isinstance(value.get(name), int)}
    details = value.get("completion_tokens_details")
    if isinstance(details, dict) and isinstance(details.get("reasoning_tokens"), int):
        counts["reasoning_tokens"] = details["reasoning_tokens"]
    return counts


def sha256_of(path: Path) -> str:
    """SHA-256 of a file."""
    with path.open("rb") as file:
        sha = hashlib.sha256()
        while part := file.read(1 << 20):
            sha.update(part)
    return sha.hexdigest()


def digest(value: Any) -> str:
    """SHA-256, in hexadecimal digits, of a value as JSON with sorted names.

    Raises:
        TypeError: the value holds something that JSON cannot.
    """
    text = json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


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


def is_complete(folder: Path, event: Line | None) -> bool:
    """Return whether the files that an event names are there and hold every answer."""
    if event is None or not event["files"] or event["missing"]:
        return False
    return all((folder / name).is_file() for name in event["files"])


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


def differences(before: Any, now: Any, name: str = "") -> str:
    """Return in words in which entries two descriptions of runs differ."""
    if isinstance(before, dict) and isinstance(now, dict):
        parts = [
            differences(before.get(entry), now.get(entry), f"{name}.{entry}".lstrip("."))
            for entry in dict.fromkeys([*before, *now])
            if before.get(entry) != now.get(entry)
        ]
        return "; ".join(parts)
    old, new = (json.dumps(value, ensure_ascii=False)[:80] for value in (before, now))
    return f"{name} was {old} and is {new}"

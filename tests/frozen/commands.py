"""Commands: exit codes, what they print, and what they write, as values without layout.

``command_lines/NAME.txt`` is a part. Its lines run in this process, in a folder of their own that
holds what ``folders.py`` makes: ``xlgo …`` is a command, ``>>> …`` an expression of DESIGN's Python
names, and ``$ …`` a line for the shell that prepares files. ``{url}`` is a
scripted server; ``use …`` copies folders.
"""

import contextlib
import csv
import gzip
import hashlib
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import warnings
from base64 import b64decode
from collections.abc import Callable, Iterator
from functools import partial
from html.parser import HTMLParser
from importlib.metadata import entry_points
from itertools import takewhile
from pathlib import Path
from typing import Any
from unittest.mock import patch

import matplotlib
import pyarrow.parquet as pq

from .folders import EXPRESSIONS, forget, make, requests, server
from .stored import Part, Values, digest, flat

_ENVIRONMENT = {
    "COLUMNS": "100",
    "NO_COLOR": "1",
    "OPENAI_API_KEY": "sk-secret",
    "MPLCONFIGDIR": matplotlib.get_cachedir(),
}
LINES = Path(__file__).parent / "command_lines"
_LONGEST = 300
"""Characters of a text in a file; of a longer one there is the digest."""
_CHANGING = re.compile(
    r"(wall_|total_evaluation_time_)?seconds(_written)?|date|at|written|(\w+_)?versions?|\w*_?hash"
    r"|pretty_env_info|start_time|end_time|time|environment|hostname|pid|signatures?|python"
)
"""Names of values that are of a moment, a machine or a release."""
_VARIES = [
    (re.compile(pattern), text)
    for pattern, text in (
        (
            r"(?!2026-11-22|2026-03-01)20\d\d-\d\d-\d\d"
            r"([T ]\d\d[-:]\d\d([-:]\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?",
            "DATE",
        ),
        (r"hmac:[0-9a-f]+|\b([0-9a-f]{32}){1,2}\b|\bat 0x[0-9a-f]+|\(choose from .*?\)", ""),
        (r"\[\d\d:\d\d[^\]]*\]", ""),
        (r"127\.0\.0\.1:\d+", "HOST"),
        (r"\b\d+(\.\d+)? (s|seconds|min|h)\b", "TIME"),
        (r"\b(\w*versions?|code|reader|statistics|data):[^|\s]+", ""),
    )
]
_SHORT = 5
"""Words of a text that counts as a value; of a longer one the numbers and names in it count."""
_IN_PROSE = re.compile(
    r"(?<!\w)'[^']{1,40}'(?!\w)|"
    r"[-+−±]?\d[\d.,]*\d?%?|[\w*.-]*[_/=*][\w/=*.-]*|(?<=[\w,(] )[A-Z][\w-]+|[●?†–](?=\s|$)|"
    r"\b(?:ahead|behind|better|equal|not|no|significant(?:ly)?|worse)\b"
)
_CELLS = re.compile(r"\s*[│┃|&]\s*|\t|(?<=\S) {2,}")


def _plain(text: str) -> str:
    """A text without what changes from one time or machine to the next."""
    text = text.replace(str(Path.cwd()), ".")
    for pattern, other in _VARIES:
        text = pattern.sub(other, text)
    return text.strip()


def _prose(text: str) -> str:
    """A short text as it is; of a longer one numbers, names, marks and verdicts, no other words."""
    text = " ".join(_plain(text).split())
    words = text.split(" ")
    if len(words) == 1:
        return text if len(text) <= _LONGEST else digest(text)
    return text if len(words) <= _SHORT else " ".join(_IN_PROSE.findall(text))


def _named(rows: list[tuple[str, object]]) -> dict[str, object]:
    """Rows under their names; a name that was there before is numbered."""
    found: dict[str, object] = {}
    for name, row in rows:
        found[_key(name, found)] = row
    return found


def _row(cells: list[str]) -> tuple[str, object]:
    """A row of a table: its leading texts as its name, and its other cells."""
    cells = [_prose(cell) for cell in cells]
    names = [*takewhile(lambda cell: not re.search(r"\d", cell), cells)]
    return " ".join(names), cells[len(names) :] or "header"


def _text(text: str) -> object:
    """The rows of a text's tables, and the values in its sentences."""
    rows, sentences = [], []
    for line in map(str.strip, text.splitlines()):
        cells = [cell for cell in _CELLS.split(line.strip("│┃|&\\ ")) if cell.strip("─━═:- ")]
        if len(cells) > 1:
            rows.append(_row(cells))
        else:
            sentences.append(line.strip("─━═ "))
    found = {"rows": _named(rows), "text": _prose(" ".join(filter(None, sentences)))}
    return {key: value for key, value in found.items() if value}


class _Page(HTMLParser):
    """Rows of a page's tables, values in its texts, and where the lines of its pictures lie."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.cells: list[str] = []
        self.rows: list[tuple[str, object]] = []
        self.texts: list[str] = []
        self.lines: list[list[list[str]]] = []
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag
        given = {name: value or "" for name, value in attrs}
        if tag in ("td", "th"):
            self.cells.append(given.get("data-sort", ""))
        elif tag == "path":
            points = re.findall(r"(-?\d+)(?:\.\d+)? (-?\d+)", given.get("d", ""))
            self.lines.append([list(points[at]) for at in (0, len(points) // 2, -1) if points])
        for name in ("title", "aria-label", "alt", "href", "lang", "dir"):
            self.texts.append(given.get(name, ""))

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""
        if tag == "tr":
            self.rows.append(_row(self.cells))
            self.cells = []

    def handle_data(self, data: str) -> None:
        if self._inside in ("script", "style"):
            return
        if self.cells:
            self.cells[-1] += f" {data}"
        else:
            self.texts.append(data)

    def values(self) -> dict[str, object]:
        """All of it."""
        found = {
            "rows": _named(self.rows),
            "text": _prose(" ".join(self.texts)),
            "lines": digest(str(self.lines)) if self.lines else "",
        }
        return {key: value for key, value in found.items() if value}


def _without(value: object, prose: Callable[[str], object] = _prose) -> object:
    """Of JSON what does not change; ``prose`` says what counts of its texts."""
    if isinstance(value, dict):
        return {
            _plain(str(key)): _without(one, prose)
            for key, one in value.items()
            if not _CHANGING.fullmatch(str(key))
        }
    if isinstance(value, list):
        return [_without(one, prose) for one in value]
    if isinstance(value, str):
        if value[:1] in ("{", "["):
            with contextlib.suppress(ValueError):
                return _without(json.loads(value), prose)
        return prose(value)
    return value


def _exact(text: str) -> str:
    """A text of which every byte counts: a prompt, an answer."""
    text = _plain(text)
    return text if len(text) <= _LONGEST else digest(text)


def _cell(text: str) -> object:
    if text in ("nan", ""):
        return None
    try:
        return float(text)
    except ValueError:
        return _prose(text)


def _json_lines(text: str) -> list[object]:
    return [_without(json.loads(line), _exact) for line in text.splitlines()]


def _packed(text: str) -> list[object]:
    """The data in a script."""
    packed = re.findall(r'"([\w+/=]{40,})"', text)
    return [_without(json.loads(gzip.decompress(b64decode(one)))) for one in packed]


def _table(text: str) -> dict[str, object]:
    """The rows of a CSV file, by name."""
    rows = [
        {key: _cell(cell or "") for key, cell in row.items()}
        for row in csv.DictReader(io.StringIO(text))
    ]
    names = [" ".join([cell for cell in row.values() if isinstance(cell, str)][:4]) for row in rows]
    return _named([*zip(names, rows)])


def _contents(path: Path) -> object:
    """What a written file says, in its order."""
    if path.suffix == ".parquet":
        return parquet_contents(path)
    if path.suffix in (".py", ".png", ".pdf", ".gz", ".zip"):
        return "there"
    read: dict[str, Callable[[str], object]] = {
        ".json": lambda text: _without(json.loads(text)),
        ".jsonl": _json_lines,
        ".ndjson": lambda text: sorted(_json_lines(text), key=str),
        ".js": _packed,
        ".csv": _table,
        ".html": lambda text: _Page(text).values(),
        ".svg": lambda text: _Page(text).values(),
        **dict.fromkeys((".md", ".tex", ".txt"), _text),
    }
    return read.get(path.suffix, _exact)(path.read_text("utf-8"))


def parquet_contents(path: Path) -> dict[str, str]:
    """The schema of a Parquet file, and a digest of its rows."""
    table = pq.read_table(path)
    rows = hashlib.sha256()
    for row in table.to_pylist():
        rows.update(json.dumps(row, ensure_ascii=False, sort_keys=True).encode() + b"\n")
    schema = ", ".join(f"{field.name} {field.type}" for field in table.schema)
    return {"rows": rows.hexdigest()[:16], "schema": schema}


_FOREIGN = re.compile(
    r"\s|.*\d%\||.*answers/s|Traceback|Exception ignored|Unclosed|Object allocated|.*Warning: "
)
"""Bars of progress, and lines of Python, which it may write long after their cause."""


def _state() -> dict[str, tuple[int, int]]:
    found = (path for path in Path().rglob("[!.]*") if path.is_file() and path.parts[0][0] != ".")
    return {str(path): (path.stat().st_mtime_ns, path.stat().st_size) for path in found}


def _run(line: str, main: Callable[[list[str]], int]) -> object:
    """A command: its exit code, words on both streams, and files that are new or changed."""
    out, err, before = io.StringIO(), io.StringIO(), _state()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code: object = main(shlex.split(line)[1:])
        except SystemExit as end:
            code = end.code
        except Exception as error:
            code = f"{type(error).__name__}: {_prose(str(error))}"
    told = [words for words in err.getvalue().splitlines() if not _FOREIGN.match(words)]
    found: dict[str, object] = {"exit": code, "err": _text("\n".join(told))}
    try:
        found["out"] = _without(json.loads(out.getvalue()))
    except ValueError:
        found["out"] = _text(out.getvalue())
    after = _state()
    written = [Path(name) for name in sorted(after) if after[name] != before.get(name)]
    if line.startswith("xlgo run"):  # how long its answers took is in all of its report but this
        written = [path for path in written if "report" not in path.parts or path.suffix == ".json"]
    found["files"] = {_plain(str(path)): _contents(path) for path in written}
    return {key: value for key, value in found.items() if value not in ("", {})}


def _evaluated(line: str) -> object:
    try:
        return _without(
            json.loads(json.dumps(eval(line, dict(EXPRESSIONS)), default=_as_json)), _exact
        )
    except Exception as error:
        return f"{type(error).__name__}: {_prose(str(error))}"


def _as_json(value: Any) -> object:
    for name in ("to_json", "as_json", "tolist", "_asdict"):
        if hasattr(value, name):
            return getattr(value, name)()
    return vars(value) if hasattr(value, "__dict__") else str(value)


@contextlib.contextmanager
def _in_a_folder(name: str) -> Iterator[None]:
    here = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="frozen") as folder:
        os.chdir(folder)
        try:
            with patch.dict(os.environ, {**_ENVIRONMENT, "HOME": folder}):
                yield
        finally:
            os.chdir(here)


def _lines(path: Path, _one_in: int) -> Values:
    (entry,) = entry_points(group="console_scripts", name="xlgo")
    main = entry.load()
    found: dict[str, object] = {}
    with _in_a_folder(path.stem), server() as asked, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for line in path.read_text("utf-8").splitlines():
            begin, _, rest = line.partition(" ")
            if begin == "$":
                program = rest.replace("python ", f"{shlex.quote(sys.executable)} ")
                subprocess.run(program, shell=True, check=True)
            elif begin == "use":
                make(rest.split())
            elif begin == ">>>":
                found[_key(rest, found)] = _evaluated(rest)
            elif begin == "xlgo":
                forget(asked)
                key = _key(rest, found)
                found[key] = _run(line.replace("{url}", asked.url), main)
                if asked.bodies:
                    found[f"{key} asks"] = _without(requests(asked), _exact)
    return flat(found)


def _key(line: str, found: dict[str, object]) -> str:
    """A line as a name; how often it was there before behind it."""
    times = sum(key.split(" again")[0] == line for key in found)
    return f"{line} again {times}" if times else line


def parts() -> list[Part]:
    """A part for each file of lines."""
    return [Part("commands", p.stem, partial(_lines, p)) for p in sorted(LINES.glob("*.txt"))]

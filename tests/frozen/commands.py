"""Commands: exit codes, what they print, and what they write, as values without layout.

``command_lines/NAME.txt`` is a part. Its lines run in this process, in a folder of their own that
holds what ``folders.py`` makes: ``xlgo …`` is a command, ``>>> …`` an expression of DESIGN's Python
names, and ``$ …`` a line for the shell that prepares files. ``{url}`` is a
scripted server; ``use …`` copies folders; what stands behind ``slow`` is no share of the suite.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from html.parser import HTMLParser
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any
from unittest.mock import patch

from .exports import parquet_contents
from .folders import EXPRESSIONS, make, server
from .stored import Part, Value, Values, digest, flat

_ENVIRONMENT = {"COLUMNS": "100", "NO_COLOR": "1", "OPENAI_API_KEY": "sk-secret"}
LINES = Path(__file__).parent / "command_lines"
_LONGEST = 300
"""Characters of a text in a file; of a longer one there is the digest."""
_CHANGING = re.compile(
    r"(wall_|total_evaluation_time_)?seconds(_written)?|date|written|(\w+_)?versions?|\w*_?hash"
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
        (r"hmac:[0-9a-f]+|\bat 0x[0-9a-f]+", ""),
        (r"\w+: +\d+%.*?\]", ""),
        (r"127\.0\.0\.1:\d+", "HOST"),
        (r"\b\d+(\.\d+)? (s|seconds|min|h)\b", "TIME"),
        (r"\|(version|reader|statistics):[^|\s]+", ""),
        (r"[─━═│┃|]|-{3,}", " "),
        (r"\s+", " "),
    )
]


class _Page(HTMLParser):
    """The words of a page, and the numbers that place the parts of its pictures."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.places: list[str] = []
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag
        for name, value in attrs:
            if name in ("title", "aria-label", "alt", "href", "data-sort", "lang", "dir"):
                self.words.append(value or "")
            elif name in ("d", "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "points"):
                self.places += re.findall(r"-?\d+(?:\.\d)?", value or "")

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside not in ("script", "style") and data.strip():
            self.words.append(data)


def _plain(text: str) -> str:
    """A text without what changes from one time, machine or width to the next."""
    text = text.replace(str(Path.cwd()), ".")
    for pattern, other in _VARIES:
        text = pattern.sub(other, text)
    return text.strip()


def _without(value: object) -> object:
    """Of JSON what does not change, its long texts as digests."""
    if isinstance(value, dict):
        return {
            _plain(str(key)): _without(one)
            for key, one in value.items()
            if not _CHANGING.fullmatch(str(key))
        }
    if isinstance(value, list):
        return [_without(one) for one in value]
    if isinstance(value, str):
        if value[:1] in ("{", "["):
            with contextlib.suppress(ValueError):
                return _without(json.loads(value))
        value = _plain(value)
        return value if len(value) <= _LONGEST else digest(value)
    return value


def _contents(path: Path) -> object:
    """What a written file says, in its order."""
    if path.suffix == ".parquet":
        return parquet_contents(path)
    if path.suffix not in (
        ".json", ".jsonl", ".csv", ".html", ".svg", ".js", ".md", ".tex", ".txt", ".bib", ".toml", ".yaml", ".sha256",
    ):  # fmt: skip
        return "there"
    text = path.read_text("utf-8")
    if path.suffix == ".json":
        return _without(json.loads(text))
    if path.suffix == ".jsonl":
        return [_without(json.loads(line)) for line in text.splitlines()]
    if path.suffix == ".js":
        return digest(_plain(text))
    if path.suffix in (".html", ".svg"):
        page = _Page(text)
        of_ours = "matplotlib" not in text
        return {
            "words": _plain("\n".join(page.words)),
            "places": digest(" ".join(page.places)) if of_ours else "",
        }
    return _plain(text)


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
            code = f"{type(error).__name__}: {_plain(str(error))}"
    found: dict[str, object] = {"exit": code, "err": _plain(err.getvalue())}
    try:
        found["out"] = _without(json.loads(out.getvalue()))
    except ValueError:
        found["out"] = _plain(out.getvalue())
    after = _state()
    written = [Path(name) for name in sorted(after) if after[name] != before.get(name)]
    if line.startswith("xlgo run"):  # how long its answers took is in all of its report but this
        written = [path for path in written if "report" not in path.parts or path.suffix == ".json"]
    found["files"] = {_plain(str(path)): _contents(path) for path in written}
    return {key: value for key, value in found.items() if value not in ("", {})}


def _evaluated(line: str) -> object:
    try:
        return _without(json.loads(json.dumps(eval(line, dict(EXPRESSIONS)), default=_as_json)))
    except Exception as error:
        return f"{type(error).__name__}: {_plain(str(error))}"


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


def _lines(path: Path, one_in: int) -> Values:
    (entry,) = entry_points(group="console_scripts", name="xlgo")
    main = entry.load()
    found: dict[str, object] = {}
    with _in_a_folder(path.stem), server() as asked, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for line in path.read_text("utf-8").splitlines():
            begin, _, rest = line.partition(" ")
            if begin == "slow" and one_in > 1:
                break
            if begin == "$":
                subprocess.run(rest, shell=True, check=True)
            elif begin == "use":
                make(rest.split())
            elif begin == ">>>":
                found[_key(rest, found)] = _evaluated(rest)
            elif begin == "xlgo":
                asked.clear()
                key = _key(rest, found)
                found[key] = _run(line.replace("{url}", asked.url), main)
                if asked.requests:
                    found[f"{key} asks"] = _without(sorted(asked.requests, key=str))
    return flat(found)


def _key(line: str, found: dict[str, object]) -> str:
    """A line as a name; how often it was there before behind it."""
    times = sum(key.split(" again")[0] == line for key in found)
    return f"{line} again {times}" if times else line


def parts() -> list[Part]:
    """A part for each file of lines."""
    return [Part("commands", p.stem, partial(_lines, p)) for p in sorted(LINES.glob("*.txt"))]

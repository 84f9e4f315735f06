"""Other teams' data: rows of a file, of a folder, or of a data set repository of the Hub.

Nothing of such data is part of this package. One way of finding files and one of reading them
serve every family; a family says which files it wants and which columns they must have.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

_HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+")

Record = dict[str, Any]


def find_file(source: str | Path, names: str | Sequence[str], revision: str | None = None) -> Path:
    """One file of a source.

    Args:
        source: the file itself, a folder that has it in it or below it, or the name of a data set
            repository of the Hub.
        names: the file's path in its folder or repository; the first one that is there counts.
        revision: of the repository: a branch, tag or commit.

    Raises:
        ValueError: it is not there; the message says what to give.
    """
    wanted = [names] if isinstance(names, str) else list(names)
    text, path = str(source), Path(source)
    if path.is_file():
        return path
    if path.is_dir():
        for name in wanted:
            if (path / name).is_file():
                return path / name
            if found := sorted(path.rglob(name)):
                return found[0]
    elif _HUB_NAME.fullmatch(text):
        return _from_hub(text, wanted, revision)
    raise ValueError(
        f"no {' or '.join(wanted)} at {text!r}: give the file, a folder that holds it, or a data "
        "set repository of the Hub"
    )


def _from_hub(repository: str, names: Sequence[str], revision: str | None) -> Path:
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import EntryNotFoundError, HfHubHTTPError

    reason = ""
    for name in names:
        try:
            return Path(hf_hub_download(repository, name, repo_type="dataset", revision=revision))
        except EntryNotFoundError as error:
            reason = str(error)
        except (HfHubHTTPError, OSError, ValueError) as error:
            reason = str(error)
            break
    raise ValueError(
        f"{' or '.join(names)} could not be loaded from {repository} on the Hub "
        f"({(reason.strip().splitlines() or ['no reason given'])[0]}): where there is a network, "
        f"download it with 'hf download {repository} --repo-type dataset --local-dir DIR', and "
        "give that folder"
    )


def read_records(
    source: str | Path,
    names: str | Sequence[str],
    required: Sequence[str] = (),
    revision: str | None = None,
) -> tuple[Record, ...]:
    """The rows of one file: JSON (a list of objects), JSON lines, or Parquet, told by its ending.

    Args:
        source, names, revision: see ``find_file``.
        required: columns in which every row must have a value.

    Raises:
        ValueError: there is no such file, or it is malformed; file and row are named.
    """
    path = find_file(source, names, revision)
    changed = path.stat().st_mtime_ns  # an edited file is read again
    return _read(path, tuple(required), changed)


@lru_cache(maxsize=128)
def _read(path: Path, required: tuple[str, ...], changed: int) -> tuple[Record, ...]:
    rows = _READERS.get(path.suffix, _json)(path)
    for number, row in enumerate(rows):
        if not isinstance(row, dict):
            raise ValueError(f"{path}: row {number} is no object")
        for column in required:
            if row.get(column) is None:
                raise ValueError(f"{path}: row {number} has no {column!r}")
    return tuple(rows)


def _json(path: Path) -> list[Any]:
    try:
        rows = json.loads(_text(path))
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"{path} is not JSON: {error}") from None
    if not isinstance(rows, list):
        raise ValueError(f"{path} must hold a list of objects")
    return rows


def _json_lines(path: Path) -> list[Any]:
    rows = []
    # Not splitlines(): a text may hold other marks of a line's end, such as U+2028.
    for number, line in enumerate(_text(path).split("\n"), 1):
        if line.strip():
            try:
                rows.append(json.loads(line))
            except (json.JSONDecodeError, RecursionError) as error:
                raise ValueError(f"{path}, line {number}: not valid JSON ({error})") from None
    return rows


def _parquet(path: Path) -> list[Any]:
    import pyarrow
    import pyarrow.parquet

    try:
        rows: list[Any] = pyarrow.parquet.read_table(path).to_pylist()
    except (pyarrow.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0]
        raise ValueError(f"{path} is no readable parquet file: {reason}") from None
    return rows


_READERS: dict[str, Callable[[Path], list[Any]]] = {
    ".jsonl": _json_lines,
    ".parquet": _parquet,
}


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8 text (byte {error.start})") from None
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror or error}") from None

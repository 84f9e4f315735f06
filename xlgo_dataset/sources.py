"""Other teams' data.

Rows come from a file, a folder, or a dataset repository of the Hub. Nothing of such data is part of
this package. A repository is a folder, too: a copy of its data files at one commit, which the Hub's
own library makes and keeps. A family says which files it wants and which columns they must have.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

Record = dict[str, object]

SUFFIXES = (".jsonl", ".json", ".parquet")
"""The data files that can be read."""

_HUB_NAME = re.compile(r"[\w-][\w.-]*/[\w.-]+")


def digest_of(paths: Iterable[Path]) -> str:
    """One hash over the names and contents of files and of all that lies in folders."""
    digest = hashlib.sha256()
    for top in paths:
        for path in [top] if top.is_file() else sorted(top.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(path.relative_to(top.parent).as_posix().encode() + b"\0")
                digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()[:32]


@dataclass(frozen=True)
class Folder:
    """Where data lies.

    Attributes:
        path: the folder.
        where: what messages call it.
        commit: of the repository that it is a copy of; empty for a folder of the user.
    """

    path: Path
    where: str
    commit: str = ""

    def data_files(self) -> dict[str, Path]:
        """Its data files by their paths in it, sorted."""
        paths = sorted(path for path in self.path.rglob("*") if path.suffix.lower() in SUFFIXES)
        return {path.relative_to(self.path).as_posix(): path for path in paths if path.is_file()}


def folder_of(source: str, revision: str | None = None) -> Folder:
    """The folder of a source.

    Args:
        source: a folder, or the name of a dataset repository of the Hub (``owner/name``), whose
            data files are downloaded, or taken from the cache where there is no network.
        revision: of the repository: a branch, tag or commit.

    Raises:
        ValueError: the source is neither, or cannot be reached.
    """
    if Path(source).expanduser().is_dir():
        return Folder(Path(source).expanduser(), source)
    if not _HUB_NAME.fullmatch(source):
        raise ValueError(
            f"source={source!r} is neither a folder nor the name of a Hub dataset: give a folder, "
            "or owner/name"
        )
    from huggingface_hub import snapshot_download

    try:
        path = Path(
            snapshot_download(
                source,
                repo_type="dataset",
                revision=revision,
                allow_patterns=[f"*{suffix}" for suffix in SUFFIXES],
            )
        )
    except Exception as error:  # the Hub's client raises errors of many libraries
        reason = " ".join(str(error).split()) or "no reason given"
        raise ValueError(
            f"{source} could not be read from the Hub ({type(error).__name__}: {reason}): give the "
            f"folder of a local copy as its source; 'hf download {source} "
            "--repo-type dataset --local-dir FOLDER' makes one where there is a network"
        ) from None
    return Folder(path, f"{source}@{path.name}", path.name)


def read_records(
    source: str | Path,
    names: str | Sequence[str],
    required: Sequence[str] = (),
) -> tuple[Record, ...]:
    """The rows of one file: JSON (a list of objects), JSON lines, or Parquet, told by its ending.

    Args:
        source: the file itself, a folder that has it in it or below it, or the name of a dataset
            repository of the Hub.
        names: the file's path in its folder or repository; the first one that is there counts.
        required: columns in which every row must have a value.

    Raises:
        ValueError: there is no such file, or it is malformed; file and row are named.
    """
    if Path(source).expanduser().is_file():
        return read_rows(Path(source).expanduser(), required)
    paths, files = [names] if isinstance(names, str) else names, folder_of(str(source)).data_files()
    for path in paths:
        if fitting := [file for file in files if f"/{file}".endswith(f"/{path}")]:
            return read_rows(files[min(fitting, key=len)], required)
    raise ValueError(
        f"no {' or '.join(paths)} at {str(source)!r}: give the file, a folder that holds it, or a "
        "dataset repository of the Hub"
    )


def read_rows(path: Path, required: Sequence[str] = ()) -> tuple[Record, ...]:
    """The rows of a file that has been found; see ``read_records``."""
    try:
        return _read(path, tuple(required), path.stat().st_mtime_ns)  # read again if edited
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror or error}") from None


@lru_cache(maxsize=128)
def _read(path: Path, required: tuple[str, ...], changed: int) -> tuple[Record, ...]:
    try:
        rows = _READERS.get(path.suffix.lower(), _json)(path)
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8 text (byte {error.start})") from None
    if not isinstance(rows, list):
        raise ValueError(f"{path} must hold a list of objects")
    for number, row in enumerate(rows):
        if not isinstance(row, dict):
            raise ValueError(f"{path}: row {number} is no object")
        for column in required:
            if row.get(column) is None:
                raise ValueError(f"{path}: row {number} has no {column!r}")
    return tuple(rows)


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"{path} is not JSON: {error}") from None


def _json_lines(path: Path) -> Any:
    rows = []
    # Not splitlines(): a text may hold other marks of a line's end, such as U+2028.
    for number, line in enumerate(path.read_text("utf-8").split("\n"), 1):
        if line.strip():
            try:
                rows.append(json.loads(line))
            except (json.JSONDecodeError, RecursionError) as error:
                raise ValueError(f"{path}, line {number}: not valid JSON ({error})") from None
    return rows


def _parquet(path: Path) -> Any:
    import pyarrow
    import pyarrow.parquet

    try:
        return pyarrow.parquet.read_table(path).to_pylist()
    except (pyarrow.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0]
        raise ValueError(f"{path} is no readable parquet file: {reason}") from None


_READERS: dict[str, Callable[[Path], Any]] = {".jsonl": _json_lines, ".parquet": _parquet}

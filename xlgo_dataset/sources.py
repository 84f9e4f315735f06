"""Other teams' data: rows of a file, of a folder, or of a dataset repository of the Hub.

Nothing of such data is part of this package. One way of finding files and one of reading them
serve every family; a family says which files it wants and which columns they must have.
"""

from __future__ import annotations

import hashlib
import json
import re
import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias, TypeVar
from urllib.parse import urlsplit

_HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+")

Record = dict[str, object]
T = TypeVar("T")


def find_file(source: str | Path, names: str | Sequence[str], revision: str | None = None) -> Path:
    """One file of a source.

    Args:
        source: the file itself, a folder that has it in it or below it, or the name of a dataset
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
            if matches := sorted(path.rglob(name)):
                return matches[0]
    elif _HUB_NAME.fullmatch(text):
        return _from_hub(text, wanted, revision)
    raise ValueError(
        f"no {' or '.join(wanted)} at {text!r}: give the file, a folder that holds it, or a data "
        "set repository of the Hub"
    )


def _from_hub(repository: str, names: Sequence[str], revision: str | None) -> Path:
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import EntryNotFoundError, HfHubHTTPError

    reason = offline = _offline()
    for name in names:
        try:
            return Path(
                hf_hub_download(
                    repository, name, repo_type="dataset", revision=revision,
                    local_files_only=bool(offline),
                )
            )  # fmt: skip
        except EntryNotFoundError as error:
            reason = offline or str(error)
        except (HfHubHTTPError, OSError, ValueError) as error:
            reason = str(error)
            break
    raise ValueError(
        f"{' or '.join(names)} could not be loaded from {repository} on the Hub "
        f"({(reason.strip().splitlines() or ['no reason given'])[0]}): where there is a network, "
        f"download it with 'hf download {repository} --repo-type dataset --local-dir DIR', and "
        "give that folder"
    )


def _offline() -> str:
    """Why the Hub cannot be asked, so that no request is tried again and again; empty if it can."""
    from urllib.request import getproxies

    from huggingface_hub import constants

    if constants.HF_HUB_OFFLINE:
        return "not in the cache, and HF_HUB_OFFLINE is set"
    host = urlsplit(constants.ENDPOINT).hostname or ""
    try:
        if not getproxies():  # a proxy finds the address itself
            socket.getaddrinfo(host, None)
    except OSError as error:
        return f"not in the cache, and {host} has no address: {error.strerror or error}"
    return ""


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
    return read_rows(find_file(source, names, revision), required)


def read_rows(path: Path, required: Sequence[str] = ()) -> tuple[Record, ...]:
    """The rows of a file that has been found; see ``read_records``."""
    try:
        changed = path.stat().st_mtime_ns  # an edited file is read again
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror or error}") from None
    return _read(path, tuple(required), changed)


@lru_cache(maxsize=128)
def _read(path: Path, required: tuple[str, ...], changed: int) -> tuple[Record, ...]:
    rows = _READERS.get(path.suffix.lower(), _json)(path)
    for number, row in enumerate(rows):
        if not isinstance(row, dict):
            raise ValueError(f"{path}: row {number} is no object")
        for column in required:
            if row.get(column) is None:
                raise ValueError(f"{path}: row {number} has no {column!r}")
    return tuple(rows)


@dataclass(frozen=True)
class FolderFiles:
    """A local folder; its revision is a digest of the data files in it."""

    folder: Path

    @property
    def where(self) -> str:
        """The folder."""
        return str(self.folder)

    def names(self) -> list[str]:
        """All files below the folder."""
        found = (path for path in self.folder.rglob("*") if path.is_file())
        return sorted(path.relative_to(self.folder).as_posix() for path in found)

    def path(self, name: str) -> Path:
        """The file itself."""
        return self.folder / name

    def revision(self, used: Mapping[str, Sequence[str]]) -> str:
        """``sha256-`` and twelve digits over the parts and contents of the data files."""
        total = hashlib.sha256()
        for part in sorted(used):
            for name in used[part]:
                content = hashlib.sha256(self.path(name).read_bytes()).hexdigest()
                total.update(f"{part}:{content}\n".encode())
        return f"sha256-{total.hexdigest()[:12]}"


@dataclass(frozen=True)
class HubFiles:
    """A dataset of the Hub at one commit."""

    name: str
    commit: str

    @property
    def where(self) -> str:
        """Name and commit."""
        return f"{self.name}@{self.commit}"

    def names(self) -> list[str]:
        """The files of the commit."""
        from huggingface_hub import HfApi

        api, kind = HfApi(), "dataset"
        return sorted(
            _asked(
                self.name,
                lambda: api.list_repo_files(self.name, repo_type=kind, revision=self.commit),
            )
        )

    def path(self, name: str) -> Path:
        """A downloaded copy."""
        from huggingface_hub import hf_hub_download

        return Path(
            _asked(
                self.name,
                lambda: hf_hub_download(self.name, name, repo_type="dataset", revision=self.commit),
            )
        )

    def revision(self, used: Mapping[str, Sequence[str]]) -> str:
        """The commit."""
        return self.commit


Files: TypeAlias = FolderFiles | HubFiles
"""Where the data lies: ``where`` names it, ``names`` lists its files, ``path`` gives one as a local
file, and ``revision`` pins the content of those that are used, by part."""


def is_folder(source: str) -> bool:
    """Whether a source is a folder of this machine and not a name of the Hub."""
    return Path(source).expanduser().is_dir()


def files_of(source: str, revision: str | None = None) -> Files:
    """All files of a source, for data whose files are recognised by their names.

    Args:
        source: a folder, or the name of a dataset repository of the Hub (``owner/name``).
        revision: of the repository: a branch, tag or commit, which is resolved to its commit.

    Raises:
        ValueError: the source is neither, or cannot be reached.
    """
    if is_folder(source):
        return FolderFiles(Path(source).expanduser())
    if not _HUB_NAME.fullmatch(source) or source.startswith("."):
        raise ValueError(
            f"source={source!r} is neither a folder nor the name of a Hub dataset: give a folder, "
            "or owner/name"
        )
    return HubFiles(source, _commit(source, revision))


def _commit(name: str, revision: str | None) -> str:
    from huggingface_hub import HfApi

    commit = _asked(name, lambda: HfApi().dataset_info(name, revision=revision).sha)
    if not commit:
        raise ValueError(f"{name} has no commit at revision {revision!r}: name another revision")
    return commit


def _asked(name: str, call: Callable[[], T]) -> T:
    """What the Hub answers.

    Raises:
        ValueError: it does not answer, or has no such dataset, revision or file.
    """
    try:
        return call()
    except Exception as error:  # the Hub's client raises errors of many libraries
        lines = str(error).strip().splitlines()
        raise ValueError(
            f"{name} could not be read from the Hub ({type(error).__name__}: "
            f"{lines[0] if lines else 'no reason given'}): give a local copy as source=FOLDER"
        ) from None


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

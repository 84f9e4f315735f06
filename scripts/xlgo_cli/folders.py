"""Files of settings, texts and exported folders: how they are read, written and replaced."""

import contextlib
import errno
import json
import os
import secrets
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from xlgo_lm_eval.answers import sha256_of
from xlgo_lm_eval.arguments import check_names, note

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

CHECKSUMS = "checksums.sha256"
"""Lists every other file of an exported folder, in the format of ``sha256sum``."""
MANIFEST = "export.json"
"""Says what an exported folder holds and how it was made."""

_DIGEST = len(f"{'0' * 64}  ")
"""Where the name begins in a line of checksums."""
_ASIDE = "replaced"
"""Name of the old folder while another takes its place."""
_KINDS = {".json": "JSON", ".yaml": "YAML", ".yml": "YAML"}
"""Of files of settings, by how their names end; others are TOML."""


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield another place to write a file to, which then takes the place of ``path`` in one step.

    A reader sees all of it or what was there before. Several processes may do so at the same time;
    the last one wins.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        yield temporary
        os.replace(temporary, path)
    except OSError as error:
        error.filename, error.filename2 = str(path), None
        raise
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a text file in one step (see ``replacing``).

    Half a character, as a model may have written, becomes a question mark.

    Raises:
        ValueError: it cannot be written; the message says why.
    """
    with explained("write", path), replacing(path) as temporary:
        temporary.write_bytes(text.encode("utf-8", "replace"))


def write_json(path: Path, value: Any) -> None:
    """Write a value as JSON for people and programs; see ``write_text``."""
    write_text(path, json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def read_settings(path: Path, option: str = "", kind: str = "") -> Any:
    """The content of a file of settings: JSON, YAML or TOML, as its name ends.

    Args:
        path: of the file; credentials in it are noted.
        option: that names it on the command line, for messages.
        kind: another than the name says.

    Raises:
        ValueError: it cannot be read; the message says why.
    """
    where = f"{option} {path}".lstrip()
    kind = kind or _KINDS.get(path.suffix.lower(), "TOML")
    try:
        text = path.read_text("utf-8")
        note([text])
        if kind == "JSON":
            return json.loads(text)
        if kind == "TOML":
            return tomllib.loads(text)
        import yaml

        try:
            return yaml.safe_load(text)
        except yaml.YAMLError as error:
            raise ValueError(" ".join(str(error).split())) from None
    except OSError as error:
        raise ValueError(f"{where}: cannot be read ({error.strerror or error})") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{where}: not UTF-8 text (byte {error.start})") from None
    except RecursionError:
        raise ValueError(f"{where}: not valid {kind} (nested too deep)") from None
    except ValueError as error:
        raise ValueError(f"{where}: not valid {kind} ({error})") from error


KINDS: Mapping[str, Callable[[Any], bool]] = {
    "a text": lambda value: isinstance(value, str),
    "a table": lambda value: isinstance(value, dict),
    "a list": lambda value: isinstance(value, list),
    "a list of texts": lambda value: (
        isinstance(value, list) and all(isinstance(entry, str) for entry in value)
    ),
    "a number from 0": lambda value: (
        isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
    ),
    "a boolean": lambda value: isinstance(value, bool),
    "a text or a table": lambda value: isinstance(value, str | dict),
}
"""Kinds of values in files of settings, in words."""


def check_table(where: str, table: Any, kinds: Mapping[str, str], needed: Sequence[str]) -> None:
    """Refuse a table of settings that has another form; an entry that says nothing is ``None``.

    Args:
        where: the table, for messages.
        table: the value.
        kinds: of its entries, by name: keys of ``KINDS``.
        needed: entries that must be there and say something.

    Raises:
        ValueError: with the entry and what is allowed.
    """
    if not isinstance(table, dict):
        raise ValueError(f"{where} must be a table")
    check_names(where, map(str, table), kinds, is_open=False)
    for name, kind in kinds.items():
        value = table.get(name)
        if name in needed and value in (None, "", [], {}):
            raise ValueError(f"{where}: {name} is missing")
        if value is not None and not KINDS[kind](value):
            raise ValueError(f"{where}: {name} must be {kind}")


def checksums(folder: Path, hashes: Mapping[str, str]) -> str:
    """The text of the checksum file; ``hashes`` are those (by relative path) already computed."""
    return "".join(
        f"{hashes.get(name) or sha256_of(folder / name)}  {name}\n"
        for name in listing(folder)
        if name != CHECKSUMS
    )


def write_checksums(folder: Path, hashes: Mapping[str, str]) -> None:
    """Write the checksum file; see ``checksums``."""
    write_text(folder / CHECKSUMS, checksums(folder, hashes))


def check_sums(folder: Path, hashes: Mapping[str, str]) -> None:
    """Require the checksum file of an exported folder to be that of its files; see ``checksums``.

    Raises:
        ValueError: naming a file whose checksum it lacks, else itself.
    """
    listed, expected = (folder / CHECKSUMS).read_bytes(), checksums(folder, hashes).encode()
    if listed != expected:
        unlisted = (line for line in expected.splitlines() if line not in listed)
        name = next(unlisted, b"").decode()[_DIGEST:] or CHECKSUMS
        raise ValueError(f"{folder / name} is damaged: its checksum differs")


def listing(folder: Path, *, hidden: bool = False) -> list[str]:
    """Relative paths of all files, sorted; those in hidden places (.git) only if asked for."""
    names = (p.relative_to(folder) for p in folder.rglob("*") if not p.is_dir() or p.is_symlink())
    return sorted(
        name.as_posix()
        for name in names
        if hidden or not any(part.startswith(".") for part in name.parts)
    )


def check_replaceable(folder: Path) -> None:
    """Refuse to replace anything but an exported folder.

    Raises:
        ValueError: ``folder`` is a file, or holds files that no export has written.
    """
    if not folder.exists():
        return
    if not folder.is_dir():
        raise ValueError(f"{folder} is a file: give the name of a folder")
    names, ours = {path.name for path in folder.iterdir()}, {CHECKSUMS}
    if CHECKSUMS in names:  # a folder without it may be huge
        names = set(listing(folder, hidden=True))
        lines = (folder / CHECKSUMS).read_text("utf-8", "replace").splitlines()
        ours |= {line[_DIGEST:] for line in lines}
    if foreign := sorted(names - ours):
        raise ValueError(
            f"{folder} holds files that no export has written ({', '.join(foreign[:3])}"
            f"{', ...' if len(foreign) > 3 else ''}) and is left alone: give another --out"
        )


def replace_folder(new: Path, target: Path) -> None:
    """Put the folder ``new`` in the place of ``target``; afterwards ``new`` is gone or the old one.

    Both must lie on one file system. The old folder is moved aside first; ``recover_folder`` moves
    it back after a crash in between.
    """
    aside = new.with_name(_ASIDE)
    if target.exists():
        os.replace(target, aside)
    os.replace(new, target)


def recover_folder(new: Path, target: Path) -> None:
    """Undo a replacement that was cut short between its two steps, or end one cut short later."""
    aside = new.with_name(_ASIDE)
    if aside.exists() and not target.exists():
        os.replace(aside, target)
    shutil.rmtree(aside, ignore_errors=True)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock file; it is free again when the process ends, however that happens.

    Raises:
        ValueError: another process holds it.
    """
    from filelock import FileLock, Timeout

    try:
        with FileLock(path, timeout=0):
            yield
    except Timeout:
        raise ValueError(f"another process is writing to {path.parent}") from None


@contextmanager
def explained(action: str, where: Path, advice: str = "") -> Iterator[None]:
    """Turn an error of the file system into a ``ValueError`` of one sentence.

    Args:
        action: what was being done, such as "write".
        where: the file or folder to name if the error names none.
        advice: what to do if the disk is full.
    """
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error) or type(error).__name__
        message = f"cannot {action} {error.filename or where}: {reason}"
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) and advice:
            message += f"; {advice}"
        raise ValueError(message) from error

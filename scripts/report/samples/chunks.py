"""Data of a page that is opened as a file: scripts that hold JSON, packed with gzip.

A page that a browser opens from a disk may not fetch anything, but it may load scripts. Each script
calls one function with one text of letters, digits, ``+``, ``/`` and ``=``: nothing that a model
wrote can end the text and become code.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any

from ...folders import write_text

INDEX = "index.js"
CHUNK = 600_000
"""Characters of texts after which a chunk ends; a page loads one to see any of its texts."""

_NAME = re.compile(r"[0-9]{5}\.js")
_LEVEL = 5  # of compression: 6 takes twice the time for a twentieth of the size


class Chunks:
    """Writes texts into numbered files as they come, a chunk at a time.

    Args:
        folder: made if it is not there.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._number = 0
        self._held: list[Any] = []
        self._size = 0

    def add(self, texts: list[str]) -> tuple[int, int]:
        """Take one group of texts; the number of its chunk, and its place in it.

        Raises:
            OSError: a file cannot be written.
        """
        place = self._number, len(self._held)
        self._held.append(texts)
        self._size += sum(map(len, texts))
        if self._size >= CHUNK:
            self._flush()
        return place

    def close(self, index: Any) -> None:
        """Write what is left and the index, and remove the chunks of an earlier, larger page.

        Raises:
            OSError: a file cannot be written.
        """
        if self._held:
            self._flush()
        write_text(self.folder / INDEX, script("index", index))
        clear(self.folder, self._number)

    def _flush(self) -> None:
        name = f"{self._number:05}"
        write_text(self.folder / f"{name}.js", script(name, self._held))
        self._number += 1
        self._held, self._size = [], 0


def clear(folder: Path, kept: int | None = None) -> None:
    """Remove data from a folder, and the folder if nothing else is in it.

    Args:
        folder: where they stand.
        kept: keep the index and so many chunks; without it nothing is kept.
    """
    for path in folder.iterdir():
        if _NAME.fullmatch(path.name):
            gone = kept is None or int(path.stem) >= kept
        else:
            gone = kept is None and path.name == INDEX
        if gone:
            path.unlink(missing_ok=True)
    if not any(folder.iterdir()):
        folder.rmdir()


def script(name: str, data: Any) -> str:
    """A script that hands ``data`` to the page under a name; the same data give the same bytes."""
    raw = json.dumps(data, separators=(",", ":")).encode()
    packed = base64.b64encode(gzip.compress(raw, _LEVEL, mtime=0)).decode()
    return f'xlgoData("{name}","{packed}");\n'

"""A small copy of PolyMath's data in its published layout, with problems of this project."""

import atexit
import json
import shutil
import tempfile
from pathlib import Path

PROBLEMS = json.loads((Path(__file__).parent / "problems.json").read_text("utf-8"))
"""Rows by ``<language>/<level>``."""


def _written() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="xlgo-polymath-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name, rows in PROBLEMS.items():
        path = folder / f"{name}.jsonl"
        path.parent.mkdir(exist_ok=True)
        lines = (json.dumps(row, ensure_ascii=False) for row in rows)
        path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return folder


FIXTURE = _written()

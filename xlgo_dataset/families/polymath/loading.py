"""Load PolyMath's problems, from the Hub or from a local copy in the same layout."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

HUB_NAME = "Qwen/PolyMath"
SUFFIXES = (".parquet", ".jsonl")
_COLUMNS = ("question", "answer")


def problems(language: str, level: str, path: str | None = None) -> tuple[dict[str, Any], ...]:
    """The problems of one language and level, in the order of the data set.

    Args:
        language: a code of PolyMath; the name of a configuration on the Hub.
        level: low, medium, high or top; the name of a split on the Hub.
        path: a folder that holds ``<language>/<level>.parquet`` (or ``.jsonl``), as the Hub does.

    Returns:
        Rows with ``question`` and ``answer``, and ``id`` if the data has it.

    Raises:
        ValueError: a file is missing or malformed, or the Hub cannot be reached.
    """
    return _from_hub(language, level) if not path else _from_folder(language, level, str(path))


@lru_cache(maxsize=80)
def _from_hub(language: str, level: str) -> tuple[dict[str, Any], ...]:
    import datasets

    try:
        loaded = datasets.load_dataset(HUB_NAME, language, split=level)
    except Exception as error:
        reason = str(error).strip().splitlines()
        raise ValueError(
            f"{HUB_NAME} ({language}, {level}) could not be loaded from the Hub "
            f"({type(error).__name__}: {reason[0] if reason else 'no reason given'}): download it "
            f"with 'hf download {HUB_NAME} --repo-type dataset --local-dir DIR' where there is a "
            "network, and give its folder as polymath_path"
        ) from None
    return _checked(list(loaded), f"{HUB_NAME}, {language}, {level}")


@lru_cache(maxsize=80)
def _from_folder(language: str, level: str, path: str) -> tuple[dict[str, Any], ...]:
    folder = Path(path)
    for suffix in SUFFIXES:
        file = folder / language / f"{level}{suffix}"
        if file.is_file():
            rows = _parquet(file) if suffix == ".parquet" else _jsonl(file)
            return _checked(rows, str(file))
    raise ValueError(
        f"polymath_path={path!r} has no {language}/{level}.parquet (or .jsonl): give a folder in "
        f"the layout of {HUB_NAME}"
    )


def _parquet(file: Path) -> list[dict[str, Any]]:
    import pyarrow
    import pyarrow.parquet

    try:
        rows: list[dict[str, Any]] = pyarrow.parquet.read_table(file).to_pylist()
    except (pyarrow.ArrowException, OSError) as error:
        raise ValueError(
            f"{file} is no readable parquet file: {str(error).splitlines()[0]}"
        ) from None
    return rows


def _jsonl(file: Path) -> list[dict[str, Any]]:
    rows = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip():
            try:
                rows.append(json.loads(line))
            except json.JSONDecodeError as error:
                raise ValueError(f"{file}, line {number}: not valid JSON ({error.msg})") from None
    return rows


def _checked(rows: list[dict[str, Any]], where: str) -> tuple[dict[str, Any], ...]:
    for number, row in enumerate(rows):
        for column in _COLUMNS:
            if not isinstance(row, dict) or row.get(column) is None:
                raise ValueError(f"{where}: row {number} has no {column!r}")
    return tuple(rows)

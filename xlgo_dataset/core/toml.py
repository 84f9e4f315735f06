"""TOML files, read in one way."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def read_toml(path: Path) -> dict[str, Any]:
    """The content of a TOML file.

    Raises:
        ValueError: it is not UTF-8 or not valid TOML; the file is named.
    """
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not UTF-8 text (byte {error.start})") from None
    except RecursionError:
        raise ValueError(f"{path}: not valid TOML: nested too deep") from None
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path}: not valid TOML: {error}") from error

"""TOML files, read in one way."""

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
    except RecursionError:
        raise ValueError(f"{path}: not valid TOML: nested too deep") from None
    except ValueError as error:  # also of its encoding
        raise ValueError(f"{path}: not valid TOML in UTF-8: {error}") from None

"""A copy of the language files that a test may change."""

import shutil
from pathlib import Path

import pytest

from xlgo_dataset.text.languages import FOLDER


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    copy = tmp_path / "languages"
    copy.mkdir()
    for path in FOLDER.glob("*.toml"):
        shutil.copy(path, copy)
    return copy

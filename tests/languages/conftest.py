"""A copy of the language files that a test may change."""

import shutil
from pathlib import Path

import pytest

from xlgo_dataset.text.languages import FOLDER


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    ignored = shutil.ignore_patterns("*.py", "__pycache__")
    return Path(shutil.copytree(FOLDER, tmp_path / "languages", ignore=ignored))

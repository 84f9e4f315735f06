"""A copy of the packages in which a page of the docs is followed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PACKAGES = ("xlgo_dataset", "xlgo_metric", "scripts/xlgo_cli", "lm_eval_tasks/xlgo_lm_eval")


class Copy:
    """The packages in a folder of their own, under the names that they are imported by."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for source in PACKAGES:
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / source, folder / Path(source).name, ignore=ignored)

    def add(self, name: str, path: str) -> None:
        """Put a file of this folder into the copy."""
        shutil.copy(HERE / name, self.folder / path)

    def edit(self, path: str, old: str, new: str) -> None:
        """Change a line."""
        file = self.folder / path
        text = file.read_text("utf-8")
        assert old in text, path
        file.write_text(text.replace(old, new, 1), "utf-8")

    def append(self, path: str, text: str) -> None:
        """Add text at the end of a file, which may be new."""
        with (self.folder / path).open("a", encoding="utf-8") as file:
            file.write(f"\n{text}")

    def run_with_tasks(self, *words: str) -> subprocess.CompletedProcess[str]:
        """``xlgo tasks``, which writes the new task files, and ``xlgo run`` in one process."""
        program = (
            "import sys; from xlgo_cli.cli import main; "
            "written = main(['tasks', '--out', 'xlgo_lm_eval/tasks']); "
            "sys.exit(written or main(['run', *sys.argv[1:]]))"
        )
        return self.run("-c", program, *words)

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run Python in the copy."""
        return subprocess.run(
            [sys.executable, *words],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(self.folder)},
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    return Copy(tmp_path_factory.mktemp("copy"))

"""Writes the task files of single languages where the package is built; see pyproject.toml."""

import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent


class WithTaskFiles(build_py):
    """Copies the packages and writes the files, into the clone if the installation is editable."""

    def run(self) -> None:
        super().run()
        sys.path[:0] = [str(ROOT / folder) for folder in (".", "scripts", "lm_eval_tasks")]
        from xlgo_cli.harness import make_tasks

        parent = ROOT / "lm_eval_tasks" if self.editable_mode else Path(self.build_lib)
        folder = parent / "xlgo_lm_eval" / "tasks"
        files = make_tasks.task_files(make_tasks.BUILT_IN)
        stale = [name for name in make_tasks.stale_files(folder, files) if "/languages/" in name]
        make_tasks.write_files(folder, files, stale)


setup(cmdclass={"build_py": WithTaskFiles})

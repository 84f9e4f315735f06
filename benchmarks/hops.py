"""How many files an answer passes before it is a grade, and how many a report opens.

    python benchmarks/hops.py [--list]

Counted by ``sys.setprofile`` are files of this repository in which a function is called; bodies of
modules and classes, which importing runs, are counted apart, with the comprehensions that stand in
them (from Python 3.12 on most of these are no calls). One right answer to ``slt`` goes from
its response to the values of the harness (``process_results``), everything imported before. The
report is of that puzzle in two languages, from a results folder to files, in one process.
"""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
MOST_FILES_OF_AN_ANSWER, MOST_FILES_OF_A_REPORT = 9, 60
_COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
_PACKAGES = ("xlgo_dataset", "xlgo_metric", "scripts", "lm_eval_tasks")


def counted(work: Callable[[], Any]) -> tuple[set[str], set[tuple[str, str]]]:
    """The files that run while ``work`` does, and the functions with their files."""
    files: set[str] = set()
    functions: set[tuple[str, str]] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event != "call" or not (name := _ours(frame.f_code.co_filename)):
            return
        files.add(name)
        if _is_call(frame):
            functions.add((name, frame.f_code.co_qualname))

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return files, functions


@cache
def _ours(file: str) -> str:
    """The path of a file in the repository; empty for any other."""
    path = Path(file)
    inside = path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in _PACKAGES
    return str(path.relative_to(ROOT)) if inside else ""


def _is_call(frame: FrameType) -> bool:
    """Whether a function runs, not the body of a module or class or a comprehension in one."""
    code, above = frame.f_code, frame.f_back
    if code.co_name in _COMPREHENSIONS and above is not None:
        code = above.f_code
    return bool(code.co_flags & inspect.CO_OPTIMIZED)


def answer() -> tuple[set[str], set[tuple[str, str]]]:
    """A right answer to a puzzle, graded as the harness asks; everything is imported before."""
    import xlgo_dataset as xd
    from xlgo_lm_eval.tasks.utils import process_results

    rows = xd.family_of("slt").rows("slt", ["en", "te"], levels=2, per_level=1, c_min=4, c_max=8)
    row = next(iter(rows))
    process_results(row, [row["answer"]])
    return counted(lambda: process_results(row, [row["answer"]]))


def report() -> tuple[set[str], set[tuple[str, str]]]:
    """A report of one puzzle in two languages, imports and all."""
    sys.path.insert(0, str(ROOT))
    from tests.report.logs import write_run

    with tempfile.TemporaryDirectory() as name:
        write_run(Path(name), languages=("en", "te"))
        code = (
            "import json, sys; sys.path.insert(0, 'benchmarks'); from hops import counted; "
            "from pathlib import Path; from xlgo_cli import workers; "
            "workers.available_processors = lambda: 1; "
            "load = __import__('importlib').import_module; "
            "score = lambda path: load('xlgo_cli.logs.graded_run').score_folder(path); "
            "write = lambda path: load('xlgo_cli.page.write').write_files(score(path), path); "
            f"files, functions = counted(lambda: write(Path({name!r}))); "
            "print(json.dumps([sorted(files), sorted(functions)]))"
        )
        made = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
        )
    files, functions = json.loads(made.stdout.splitlines()[-1])
    return set(files), {(path, function) for path, function in functions}


def main() -> int:
    failed = False
    for name, (files, functions), most in (
        ("one answer", answer(), MOST_FILES_OF_AN_ANSWER),
        ("a report of one puzzle", report(), MOST_FILES_OF_A_REPORT),
    ):
        called = {path for path, _ in functions}
        print(
            f"{name}: {len(functions)} functions in {len(called)} files (at most {most} wanted), "
            f"{len(files)} files with those that are only imported"
        )
        if "--list" in sys.argv:
            print("\n".join(f"  {path}" for path in sorted(called)))
        failed |= len(called) > most
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())

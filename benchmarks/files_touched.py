"""How many files of this package one right answer passes, and the report of one puzzle.

    python benchmarks/files_touched.py

Every call of a function of the package is counted with ``sys.setprofile`` in a fresh process, those
that imports make included. ``--files`` names the files.
"""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOT = Path(__file__).parents[1]


def touched(job: Callable[[], Any]) -> tuple[int, int, list[str]]:
    """Calls, functions and files of the package that a job runs."""
    calls: Counter[CodeType] = Counter()

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        is_ours = code.co_filename.startswith(str(ROOT)) and code.co_filename.endswith(".py")
        if event == "call" and is_ours and code.co_flags & inspect.CO_OPTIMIZED:
            calls[code] += 1  # bodies of modules and classes, which importing runs, are not

    sys.setprofile(note)
    try:
        job()
    finally:
        sys.setprofile(None)
    files = {Path(code.co_filename).relative_to(ROOT).as_posix() for code in calls}
    return calls.total(), len(calls), sorted(files - {"benchmarks/files_touched.py"})


def one_answer() -> Callable[[], Any]:
    """The harness's step of one right answer to ``slt``."""
    import xlgo_dataset as xd
    from xlgo_lm_eval.utils import process_results

    row = next(iter(xd.family_of("slt").rows("slt", ["en"], levels=1, per_level=1)))
    process_results(row, [row["answer"]])
    return lambda: process_results(row, [row["answer"]])


def one_report(folder: Path) -> Callable[[], Any]:
    """The report of ``slt`` in two languages, from the logs of the simulated model."""
    from xlgo_cli import workers

    workers.available_processors = lambda: 1

    def job() -> None:
        from xlgo_cli.report.write import write_report

        write_report(folder)

    return job


def main() -> None:
    """Print the counts."""
    if sys.argv[1:2] in (["answer"], ["report"]):
        job = one_answer() if sys.argv[1] == "answer" else one_report(Path(sys.argv[2]))
        calls, functions, files = touched(job)
        print(json.dumps({"calls": calls, "functions": functions, "files": files}))
        return
    with tempfile.TemporaryDirectory() as folder:
        run = [sys.executable, "-m", "xlgo_cli", "run", "--model", "xlgo-sim", "--tasks",
               "xlgo_slt", "--languages", "en,te", "--preset", "smoke", "--quiet",
               "--output_path", folder]  # fmt: skip
        subprocess.run(run, check=True, stdout=subprocess.DEVNULL)
        for kind in ("answer", "report"):
            done = subprocess.run(
                [sys.executable, __file__, kind, folder], check=True, capture_output=True, text=True
            )
            found = json.loads(done.stdout.splitlines()[-1])
            print(f"{kind}: {found['calls']} calls, {found['functions']} functions, "
                  f"{len(found['files'])} files")  # fmt: skip
            if "--files" in sys.argv:
                print("\n".join(f"    {name}" for name in found["files"]))


if __name__ == "__main__":
    main()

"""Run the benchmarks and record what they print: ``python benchmarks/run.py``.

Writes ``benchmarks/RESULTS.md`` with the machine and the versions. Ratios are of one run each; the
absolute figures are those of the machine at that time.
"""

from __future__ import annotations

import datetime
import os
import platform
import subprocess
import sys
from importlib import metadata
from pathlib import Path

FOLDER = Path(__file__).parent
BENCHMARKS: list[tuple[str, ...]] = [
    ("bench_generation.py",),
    ("bench_graph.py",),
    ("growth.py",),
    ("bench_fits.py",),
    ("bench_polymath.py",),
    ("bench_simple_reasoning.py",),
    ("bench_grading.py",),
    ("bench_scoring.py",),
    ("bench_export.py", "--per-level", "50"),
    ("bench_start.py",),
    ("lm_eval_memory.py",),
]
PACKAGES = ("numpy", "pyarrow", "datasets", "scipy", "lm_eval", "math-verify", "reasoning-gym")


def main() -> int:
    """Run those that are named, or all and record them; 0 if every one went through."""
    wanted = sys.argv[1:]
    versions = []
    for package in PACKAGES:
        try:
            versions.append(f"{package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            versions.append(f"{package} not installed")
    lines = [
        "# Results of the benchmarks",
        "",
        f"{datetime.date.today()}, Python {platform.python_version()}, {os.cpu_count()} "
        f"processors, {platform.machine()}; {', '.join(versions)}.",
    ]
    failed = 0
    for name, *arguments in BENCHMARKS:
        if wanted and name not in wanted:
            continue
        print(f"== {name}", flush=True)
        run = subprocess.run(
            [sys.executable, str(FOLDER / name), *arguments],
            stdout=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
        print(run.stdout)
        failed += run.returncode != 0
        command = " ".join(["python", f"benchmarks/{name}", *arguments])
        lines += ["", f"## `{command}`", "", "```", run.stdout.strip("\n"), "```"]
    if not wanted:  # a part of them would take the place of all
        (FOLDER / "RESULTS.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

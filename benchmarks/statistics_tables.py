"""Every table of benchmarks/statistics.md, by one command.

``python benchmarks/statistics_tables.py [--quick] [--out FOLDER]``

Runs the studies that the page quotes, one after the other, and writes what each prints into the
folder. All take hours on one core; ``--quick`` makes each small, to see that it runs.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
STUDIES: dict[str, tuple[str, str]] = {
    "simulation_study": ("", "--repetitions 8 --size-repetitions 50"),
    "power": ("", "--repeats 50"),
    "claims": ("", "--repeats 1 --questions 10 50"),
    "claims --apart": ("--questions 10 25 50", "--repeats 1 --questions 10"),
    "misfit": ("", "--repeats 2"),
    "multiplicity": ("", "--reports 20"),
    "structure_clusters": ("", "--repeats 20 --covers 2"),
    "equivalence_stop": ("", "--repeats 20"),
    "sentences": ("", "--sets 2"),
    "foreign_causes": ("", "--repeats 4"),
    "published_cells": ("", ""),
    "bench_fits": ("", ""),
}
"""More arguments of each study, whole and quick."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small form of each study")
    parser.add_argument("--out", type=Path, default=Path("statistics-tables"))
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    failed = 0
    for name, more in STUDIES.items():
        script, *given = f"{name} {more[args.quick]}".split()
        command = [sys.executable, str(HERE / f"{script}.py"), *given]
        print(script, *given, flush=True)
        with (args.out / f"{name.replace(' --', '-')}.md").open("w", encoding="utf-8") as file:
            failed += subprocess.run(command, stdout=file, check=False).returncode != 0
    return failed


if __name__ == "__main__":
    raise SystemExit(main())

"""Seconds of a processor that ``xlgo score`` and ``xlgo report`` take, by number of answers.

    python benchmarks/bench_report.py [--per-level 10 36] [--repeat 3]

The simulated model answers the preset ``smoke`` first. Each run is a process of its own on one
processor, start of Python included; score (of more than 5,000) and report take turns, and medians
are shown.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from goals import tell

PER_LEVEL = 5 * 7 * 8
"""Answers of the preset: five tasks, seven languages, eight levels."""


def seconds(*words: str) -> float:
    """User and system time of a command on one processor."""
    before = os.times()
    one = {min(os.sched_getaffinity(0))}
    subprocess.run(
        [sys.executable, "-m", "xlgo_cli", *words],
        check=True,
        capture_output=True,
        preexec_fn=lambda: os.sched_setaffinity(0, one),
    )
    after = os.times()
    children = after.children_user + after.children_system
    return children - before.children_user - before.children_system


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--per-level", type=int, nargs="+", default=[10, 36])
    parser.add_argument("--repeat", type=int, default=3)
    args = parser.parse_args()
    for number in args.per_level:
        with tempfile.TemporaryDirectory() as name:
            run = str(Path(name) / "run")
            seconds(
                "run", "--model", "xlgo-sim", "--preset", "smoke", "--per-level", str(number),
                "--yes", "--quiet", "--output_path", run,
            )  # fmt: skip
            answers = number * PER_LEVEL
            many = answers > 5000
            score, report = [], []
            for _ in range(args.repeat):
                score += [seconds("score", run)] if many else []
                report.append(seconds("report", run, "--out", str(Path(name) / "report")))
        if not many:
            tell(f"report of {answers:,} answers, seconds", median(report), most=5)
            continue
        for kind, found, goal in (("score", score, 45), ("report", report, 60)):
            per = median(found) / answers * 35_000
            tell(f"{kind} of {answers:,} answers, seconds for 35,000", per, most=goal)


if __name__ == "__main__":
    main()

"""Processor seconds of ``--help`` of every command, medians of five.

python benchmarks/bench_start.py
"""

from __future__ import annotations

import os
import subprocess
import sys
from statistics import median

from goals import tell

from xlgo_cli.cli import COMMANDS

GOAL = 0.4
REPEAT = 5


def seconds(command: str) -> float:
    """User and system time of one call, start of Python included."""
    before = os.times()
    subprocess.run(
        [sys.executable, "-m", "xlgo_cli", command, "--help"], check=True, capture_output=True
    )
    after = os.times()
    children = after.children_user + after.children_system
    return children - before.children_user - before.children_system


def main() -> None:
    slowest: dict[str, float] = {}
    for command in COMMANDS:
        slowest[command] = found = median(seconds(command) for _ in range(REPEAT))
        print(f"{command:12} {found:.2f} s")
    worst = max(slowest, key=lambda command: slowest[command])
    tell(f"slowest help (xlgo {worst} --help), seconds", slowest[worst], most=GOAL)


if __name__ == "__main__":
    main()

"""Run the benchmarks, record what they print, and say which goals are missed.

    python benchmarks/run.py                        # all of them, eight to nine minutes
    python benchmarks/run.py bench_export.py        # some

Every benchmark prints its ratios with their goals (``goals.py``). The table of all ratios goes into
``benchmarks/speed.md``, the output of each benchmark into its section of ``benchmarks/RESULTS.md``,
both with date, machine and versions; those that were not run keep theirs. Ratios are of one run, in
seconds of a processor and medians, so that other work on the machine changes them little; seconds
are those of the machine at that time.
"""

from __future__ import annotations

import datetime
import os
import platform
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

from goals import Ratio, told

FOLDER = Path(__file__).parent
RESULTS = FOLDER / "RESULTS.md"
PAGE = FOLDER / "speed.md"
BENCHMARKS: list[tuple[str, ...]] = [
    ("bench_generation.py",),
    ("bench_graph.py",),
    ("growth.py",),
    ("bench_fits.py", "--rounds", "3"),
    ("bench_polymath.py", "--answers", "1500"),
    ("bench_simple_reasoning.py",),
    ("bench_grading.py",),
    ("bench_scoring.py", "--questions", "40", "--repeat", "3"),
    ("bench_report.py",),
    ("bench_export.py", "--per-level", "50", "--repeat", "3"),
    ("bench_start.py",),
    ("lm_eval_memory.py",),
]
_HEAD = "| Ratio | Measured | Goal | | Benchmark |\n|---|---|---|---|---|\n"
PACKAGES = ("numpy", "pyarrow", "datasets", "scipy", "lm_eval", "reasoning-gym")


def machine() -> str:
    """Date, processors, load and versions, in one line."""
    versions = []
    for package in PACKAGES:
        try:
            versions.append(f"{package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            versions.append(f"without {package}")
    load = f", load {os.getloadavg()[0]:.0f}" if hasattr(os, "getloadavg") else ""
    return (
        f"{datetime.date.today()}, Python {platform.python_version()}, {os.cpu_count()} "
        f"processors, {platform.machine()}{load}; {', '.join(versions)}"
    )


def with_section(text: str, title: str, body: str) -> str:
    """The results with the section of a benchmark put in the place of its last one."""
    name = title.split()[1].strip("`")
    new = f"## {title}\n\n{body.strip()}\n"
    old = re.compile(rf"^## `python {re.escape(name)}[^\n]*\n.*?(?=^## |\Z)", re.M | re.S)
    if old.search(text):
        return old.sub(lambda _: f"{new}\n", text, count=1).rstrip() + "\n"
    return f"{text.rstrip()}\n\n{new}"


def with_ratios(page: str, found: list[tuple[Ratio, str, str]]) -> str:
    """The page with ratios (each with its benchmark and when it was measured) in its table."""
    head, _, table = page.partition(_HEAD)
    again = tuple(f"`{name}`" for _, name, _ in found)
    rows = [row for row in table.splitlines() if row and not any(name in row for name in again)]
    for ratio, name, when in found:
        met = "missed" if ratio.is_short else "met"
        rows.append(
            f"| {ratio.name} | {ratio.value:.3g} | {ratio.wanted} | {met} | `{name}`, {when} |"
        )
    return head + _HEAD + "\n".join(rows) + "\n"


def main() -> int:
    """Run those that are named, or all; 0 if every one went through."""
    wanted = sys.argv[1:]
    if unknown := set(wanted) - {name for name, *_ in BENCHMARKS}:
        print(f"unknown: {', '.join(unknown)}: allowed are {', '.join(b[0] for b in BENCHMARKS)}")
        return 2
    # A user's Python keeps its bytecode; without that every start compiles the package.
    usual = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    failed, found = [], list[tuple[Ratio, str, str]]()
    for name, *arguments in BENCHMARKS:
        if wanted and name not in wanted:
            continue
        print(f"== {name}", flush=True)
        when, began = machine(), os.times()
        run = subprocess.run(
            [sys.executable, str(FOLDER / name), *arguments],
            stdout=subprocess.PIPE,
            text=True,
            check=False,
            env=usual,
        )
        ended = os.times()
        used = ended.children_user + ended.children_system
        used -= began.children_user + began.children_system
        print(run.stdout, flush=True)
        print(f"{name}: {ended.elapsed - began.elapsed:.0f} s, {used:.0f} s of a processor\n")
        if run.returncode:
            failed.append(name)
            continue
        command = " ".join(["python", f"benchmarks/{name}", *arguments])
        body = f"{when}.\n\n```\n{run.stdout.strip()}\n```"
        text = with_section(RESULTS.read_text("utf-8"), f"`{command}`", body)
        RESULTS.write_text(text, encoding="utf-8")
        of_run = [(ratio, name, when.partition(";")[0]) for ratio in told(run.stdout)]
        PAGE.write_text(with_ratios(PAGE.read_text("utf-8"), of_run), encoding="utf-8")
        found += of_run
    short = [ratio for ratio, _, _ in found if ratio.is_short]
    print(f"{len(found)} ratios, {len(short)} miss their goal" + (":" if short else ""))
    for ratio in short:
        print(f"  {ratio}")
    for name in failed:
        print(f"{name} failed: its section is the one of an earlier run")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

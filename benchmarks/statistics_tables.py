"""Every table of benchmarks/statistics.md, by one command.

``python benchmarks/statistics_tables.py [--quick] [--out FOLDER]``

Runs the studies that the page quotes, one after the other, and writes what each prints into the
folder, and into ``summary.md`` its table "Measured error rates". All take hours on one core;
``--quick`` makes each small, to see that it runs. ``--only NAME`` runs some; the summary is of all
outputs in the folder.
"""

from __future__ import annotations

import argparse
import re
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
    "gap_study": ("", "--reports 4 --draws 99"),
    "structure_clusters": ("", "--repeats 20 --covers 2"),
    "equivalence_stop": ("", "--repeats 20"),
    "sentences": ("--whole", "--sets 2 --whole"),
    "published_cells": ("", ""),
}
"""More arguments of each study, whole and quick."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small form of each study")
    parser.add_argument("--only", nargs="*", choices=STUDIES, default=list(STUDIES))
    parser.add_argument("--out", type=Path, default=Path("statistics-tables"))
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    failed = 0
    for name in args.only:
        more = STUDIES[name]
        script, *given = f"{name} {more[args.quick]}".split()
        command = [sys.executable, str(HERE / f"{script}.py"), *given]
        print(script, *given, flush=True)
        with _output(args.out, name).open("w", encoding="utf-8") as file:
            failed += subprocess.run(command, stdout=file, check=False).returncode != 0
    (args.out / "summary.md").write_text(summary(args.out), encoding="utf-8")
    return failed


def _output(folder: Path, name: str) -> Path:
    return folder / f"{name.replace(' --', '-')}.md"


ROWS: tuple[tuple[str, str, str, str], ...] = (
    ("paired test without a gap, nominal 5%", "simulation_study",
     r"^  q +\d+  phi [\d.]+  ([\d.]+)$", "{}"),
    ("paired test at 15 questions a level: a shift is found in (McNemar's test)", "power",
     r"^\| 0\.1 \| one half.*\| ([\d.]+) \| ([\d.]+) \|$", "{} ({})"),
    ("a lower steepness", "power",
     r"^\| 0\.1 \| steepness.*\| ([\d.]+) \| ([\d.]+) \|$", "{} ({})"),
    ("a ceiling", "power", r"^\| 0\.1 \| a ceiling.*\| ([\d.]+) \| ([\d.]+) \|$", "{} ({})"),
    ("tests where questions share a structure (without clusters)", "structure_clusters",
     r"^\| (?!slt).*\| ([\d.]+) \| ([\d.]+) \|$", "{1} ({0})"),
    ("95% intervals there cover: difference, informative levels, largest gap", "structure_clusters",
     r"of English \| ([\d.]+)% \| ([\d.]+)% \| ([\d.]+)% \|$", "{}, {}, {}"),
    ("published rule without a gap, independent answers", "simulation_study",
     r"^ +\d+   0\.0  0\.00 +([\d.]+)", "{}"),
    ("published rule without a gap, answers correlated at .4", "simulation_study",
     r"^ +\d+   0\.4  0\.00 +([\d.]+)", "{}"),
    ("gap of 10 points, correlated answers: the paired test finds (the published rule)",
     "simulation_study", r"^ +\d+   0\.4  0\.10 +([\d.]+) +[\d.]+ +([\d.]+)", "{1} ({0})"),
    ("any false claim in 30 independent cells, Holm (published rule)", "simulation_study",
     r"in ([\d.]+)%, Holm's p in ([\d.]+)%$", "{1} ({0})"),
    ("gaps: some language without one is marked, 5% meant", "gap_study",
     r"^\| (?!contrast|a gap).*? \| ([\d.]+) \| ", "{}"),
    ("contrasts of gaps: some is marked without a difference", "gap_study",
     r"^\| contrast.*? \| ([\d.]+) \| ", "{}"),
    ("all intervals of a report hold", "gap_study", r"^\| .*? \| ([\d.]+) \|$", "{}"),
    ("interval of SMD covers, without a gap", "simulation_study",
     r"^ +\d+   0\.\d  0\.00 +[\d.]+ +[\d.]+ +[\d.]+ +([\d.]+)", "{}"),
    ("interval of SMD covers, a gap of 10 points", "simulation_study",
     r"^ +\d+   0\.\d  0\.10 +[\d.]+ +[\d.]+ +[\d.]+ +([\d.]+)", "{}"),
    ("intervals on 2 to 8 levels cover", "claims", r"^  covers ([\d.]+)%", "{}"),
    ("a curve of a pair is rejected where both are right (5% meant)", "misfit",
     r"^\| (?:same curve|gamma|steep|crossing|ceiling .97) \| .*? \| ([\d.]+)%", "{}"),
    ("printed interval of the largest gap covers, twenty kinds of data", "misfit",
     r"^\| .*? \| \d+ × \d+ \| [\d.]+% \| ([\d.]+)%", "{}"),
    ("a sentence of the report is false", "sentences",
     r"^\| .*? \| \d+ \| \S+ \| [\d.]+% \| ([\d.]+)%", "{}"),
    ("published cells reproduced within one standard deviation", "published_cells",
     r"^curves alone: (\d+) of (\d+) cells", "{} of {}"),
)  # fmt: skip
"""Each claim, the study that measures it, where its figures stand, and how they are put."""


def summary(folder: Path) -> str:
    """The ranges of the figures that the studies printed, in percent; a dash without an output."""
    lines = ["| claim | measured, % | command |", "|---|---|---|"]
    for claim, study, pattern, put in ROWS:
        path = _output(folder, study)
        text = path.read_text("utf-8") if path.is_file() else ""
        found = [one.groups() for one in re.finditer(pattern, text, re.MULTILINE)]
        told = put.format(*map(_range, zip(*found))) if found else "–"
        lines.append(f"| {claim} | {told} | `{study}.py` |")
    return "\n".join(lines) + "\n"


def _range(values: tuple[str, ...]) -> str:
    """The least and the largest of figures: shares with three digits, or percent with one."""
    found = [float(one) * (1 if re.fullmatch(r"\d+(\.\d)?", one) else 100) for one in values]
    low, high = (f"{round(end, 1):g}" for end in (min(found), max(found)))
    return low if low == high else f"{low}–{high}"


if __name__ == "__main__":
    raise SystemExit(main())

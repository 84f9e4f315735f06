"""A mutation check of the grading: break each rule in turn, and a test must fail.

Run: python benchmarks/mutate_grading.py [PART_OF_A_NAME …]

Each mutant is a copy of the package with one piece of text replaced (see grading_mutants.toml).
Prints a Markdown table of the mutants with the first test that fails; exits with 1 if one survives.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[1]
# The tests in the order in which they are run: the quick ones first.
TESTS = (
    "metric/grading/test_kendall.py",
    "metric/grading/test_grading_rules.py",
    "metric/grading/test_grading_rules_more.py",
    "metric/test_thinking.py",
    "reading/test_behind_answers.py",
    "metric/test_guard.py",
    "reading/test_retractions.py",
    "reading/test_rules.py",
    "metric/grading/test_grading_languages.py",
    "metric/transcripts/test_transcripts.py",
    "metric/transcripts/test_pretrained_transcripts.py",
    "metric/grading/test_grading_regressions.py",
    "metric/test_attack.py",
    "metric/grading/test_grading_properties.py",
    "reading/test_parity.py",
    "metric/grading/test_grading_time.py",
)
SECONDS = 300


@dataclass(frozen=True)
class Mutant:
    """A rule and the text whose replacement breaks it."""

    rule: str
    file: str
    old: str
    new: str


def read_mutants() -> list[Mutant]:
    """The mutants of `grading_mutants.toml`."""
    with open(Path(__file__).with_name("grading_mutants.toml"), "rb") as file:
        tables = tomllib.load(file)
    return [
        Mutant(rule, name, old, new)
        for name, rules in tables.items()
        for rule, (old, new) in rules.items()
    ]


def stale(mutants: Sequence[Mutant], package: Path) -> list[str]:
    """The mutants whose text does not occur exactly once in their file, each with how often."""
    found = []
    for mutant in mutants:
        file = package / mutant.file
        times = file.read_text("utf-8").count(mutant.old) if file.is_file() else 0
        if times != 1:
            found.append(f"{mutant.rule}: {times} places to change in {mutant.file}")
    return found


def run_tests(package: Path) -> str | None:
    """The first test that fails with the package at a place, ``None`` if none does."""
    tests = [ROOT / "tests" / name for name in TESTS]
    # The package is imported before pytest puts the folder of the tests' package on the path.
    options = ("-x", "-q", "-n0", "-p", "no:cacheprovider", "-p", "xlgo_metric.family")
    command = [sys.executable, "-m", "pytest", *options, *map(str, tests)]
    environment = {**os.environ, "PYTHONPATH": str(package.parent), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command,
            check=False,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            cwd=package.parent,
            env=environment,
        )
    except subprocess.TimeoutExpired:
        return f"no end within {SECONDS} s"
    if done.returncode == 0:
        return None
    failed = re.search(r"^(?:FAILED|ERROR) \S*?(\w+\.py(?:::\w+)?)", done.stdout, re.MULTILINE)
    return failed[1] if failed else f"exit code {done.returncode}"


def main() -> int:
    wanted = sys.argv[1:]
    mutants = [m for m in read_mutants() if not wanted or any(word in m.rule for word in wanted)]
    survivors = 0
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "xlgo_metric"
        shutil.copytree(ROOT / "xlgo_metric", package, ignore=shutil.ignore_patterns("__pycache__"))
        if lost := stale(mutants, package):
            raise SystemExit("\n".join(["not exactly one place to change:", *lost]))
        unbroken = run_tests(package)
        if unbroken is not None:
            raise SystemExit(f"the tests fail without any mutation: {unbroken}")
        print("| rule that is broken | file | first test that fails |\n|---|---|---|")
        for mutant in mutants:
            file = package / mutant.file
            text = file.read_text("utf-8")
            file.write_text(text.replace(mutant.old, mutant.new), "utf-8")
            failed = run_tests(package)
            file.write_text(text, "utf-8")
            survivors += failed is None
            print(f"| {mutant.rule} | {mutant.file} | {failed or '**none**'} |", flush=True)
    print(f"\n{len(mutants)} mutants, {survivors} survive")
    return 1 if survivors else 0


if __name__ == "__main__":
    raise SystemExit(main())

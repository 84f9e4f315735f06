"""Plant faults in a copy of the code, one at a time, and see whether a test finds each.

    python benchmarks/plant_faults.py --list                          # what there is, by file
    python benchmarks/plant_faults.py --under xlgo_metric/statistics  # the faults of a folder
    python benchmarks/plant_faults.py --fault "ties ranked apart"     # one, by a part of its words
    python benchmarks/plant_faults.py --sample 20 --seed 3            # a random sample
    python benchmarks/plant_faults.py --all                           # then the rest of the suite

The list is ``faults/*.toml``: by file, what each fault does = [text, its replacement]. The text has
to occur exactly once in its file; when the code moves, the patch moves with it, and the sentence
stays. ``faults/tests.toml`` names the tests that are run for the files of a folder. A fault is
found if a test fails with it that passes without it; the first such test is kept in
``faults/score.toml`` and is tried first the next time; a part of what is frozen stands in brackets
behind its test. An empty name is a fault that survived.

Exits with 1 if a fault survives, so that the score cannot fall unnoticed.
"""

from __future__ import annotations

import argparse
import os
import queue
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[1]
FOLDER = Path(__file__).with_name("faults")
TESTS = FOLDER / "tests.toml"
SCORE = FOLDER / "score.toml"
PACKAGES = ("", "scripts", "lm_eval_tasks")
"""Folders of the tree that hold packages."""
WRITTEN = "lm_eval_tasks/xlgo_lm_eval/tasks/*/languages/*.yaml"
"""Task files, which git ignores: they are written when the package is installed."""
LEFT_OUT = ("tests/benchmarks/test_plant_faults.py", "tests/frozen")
"""Never run: the first fails wherever a patch is applied, the second wherever anything changes."""
SECONDS = 600
"""Longest run of one set of tests; a fault that makes them run longer counts as found."""
_FAILED = re.compile(r"^(?:FAILED|ERROR) (tests/\S+\.py(?:::\w+)*(?:\[\w+/\w+\])?)", re.MULTILINE)


@dataclass(frozen=True)
class Fault:
    """What a fault does, and the text whose replacement plants it."""

    what: str
    file: str
    old: str
    new: str


@dataclass(frozen=True)
class Outcome:
    """The first test that finds a fault, an empty string if it survived the tests that ran."""

    fault: Fault
    test: str
    seconds: float


def _table(path: Path) -> dict[str, Any]:
    with open(path, "rb") as file:
        return tomllib.load(file)


def read_faults(folder: Path = FOLDER) -> list[Fault]:
    """The faults of all lists in a folder, in the order of files and lines."""
    return [
        Fault(what, file, old, new)
        for path in sorted(folder.glob("*.toml"))
        if path.name not in (TESTS.name, SCORE.name)
        for file, faults in _table(path).items()
        for what, (old, new) in faults.items()
    ]


def read_score() -> dict[str, str]:
    """The first test that found each fault that was run."""
    return _table(SCORE) if SCORE.is_file() else {}


def stale(faults: Sequence[Fault], root: Path = ROOT) -> list[str]:
    """A sentence on each fault whose text is not exactly once in its file."""
    sentences = []
    for fault in faults:
        path = root / fault.file
        times = path.read_text("utf-8").count(fault.old) if path.is_file() else 0
        if times != 1:
            where = f"{times} times" if path.is_file() else "no such file"
            sentences.append(f"{fault.what!r}: {fault.file} ({where}): {fault.old!r:.100}")
    return sentences


def patched(fault: Fault, text: str) -> str:
    """The text of a file with the fault in it."""
    return text.replace(fault.old, fault.new)


def tests_for(file: str, by_folder: Mapping[str, Sequence[str]]) -> list[str]:
    """The tests most likely to find a fault in a file: those of the longest prefix."""
    fitting = [prefix for prefix in by_folder if file.startswith(prefix)]
    if not fitting:
        raise SystemExit(f"{TESTS.name} names no tests for {file}: add its folder")
    return list(by_folder[max(fitting, key=len)])


class Tree:
    """A copy of the working tree, in which one fault at a time is planted.

    Args:
        folder: an empty folder for the copy.
    """

    def __init__(self, folder: Path) -> None:
        self.root = folder
        self._running: subprocess.Popen[str] | None = None
        command = ("git", "ls-files", "-z", "--others")
        listed = b"".join(
            subprocess.run([*command, *more], cwd=ROOT, check=True, capture_output=True).stdout
            for more in (("--cached", "--exclude-standard"), (WRITTEN,))
        )
        for name in filter(None, listed.decode().split("\0")):
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)

    @contextmanager
    def with_fault(self, fault: Fault) -> Iterator[None]:
        """Plant a fault, and take it out again."""
        path = self.root / fault.file
        text, stat = path.read_text("utf-8"), path.stat()
        path.write_text(patched(fault, text), "utf-8")
        # Compiled files are checked by size and whole seconds: no two texts may have the same.
        os.utime(path, (stat.st_atime, stat.st_mtime + 2))
        try:
            yield
        finally:
            path.write_text(text, "utf-8")
            os.utime(path, (stat.st_atime, stat.st_mtime + 4))

    def failing(self, tests: Sequence[str], ignored: Sequence[str] = ()) -> str:
        """The first test that fails, an empty string if none does.

        Args:
            tests: files, folders or tests, relative to the root.
            ignored: those of them that are left out.
        """
        options = ("-x", "-q", "-n0", "-rfE", "-p", "no:cacheprovider")
        left_out = [f"--ignore={name}" for name in ignored]
        command = [sys.executable, "-m", "pytest", *options, *left_out, *tests]
        packages = os.pathsep.join(str(self.root / name) for name in PACKAGES)
        with subprocess.Popen(
            command,
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": packages},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        ) as self._running:
            try:
                output, _ = self._running.communicate(timeout=SECONDS)
            except subprocess.TimeoutExpired:
                self.stop()
                return f"no end within {SECONDS} s"
        process, self._running = self._running, None
        if process.returncode in (0, 5):  # 5: all tests were deselected
            return ""
        match = _FAILED.search(output)
        return match[1] if match else f"pytest exits with {process.returncode}"

    def stop(self) -> None:
        """Kill the tests that run, with every process that they started."""
        if self._running is not None:
            os.killpg(self._running.pid, signal.SIGKILL)


class Runner:
    """Looks for tests that find faults.

    Args:
        everything: also run the rest of the suite for a fault that the declared tests miss.
    """

    def __init__(self, *, everything: bool) -> None:
        self._everything = everything
        self._by_folder = _table(TESTS)
        self.score = read_score()
        self._passing: set[str] = set()

    def outcome(self, fault: Fault, tree: Tree) -> Outcome:
        """Plant a fault and run the tests that may find it, the likely ones first."""
        begun = time.monotonic()
        declared = tests_for(fault.file, self._by_folder)
        earlier = self.score.get(fault.what, "")
        if earlier and not (ROOT / earlier.partition("::")[0]).is_file():
            earlier = ""
        with tree.with_fault(fault):
            test = tree.failing([earlier]) if earlier else ""
            if not test.startswith("tests/"):  # it does not find the fault, or is gone
                test = tree.failing(declared)
            if not test and self._everything:
                test = tree.failing(["tests"], ignored=[*declared, *LEFT_OUT])
        # A test that fails by itself has found nothing.
        if test and test not in self._passing:
            alone = test if test.startswith("tests/") else declared[0]
            if told := tree.failing([alone]):
                raise SystemExit(f"{alone} fails without any fault: {told}")
            self._passing.add(test)
        return Outcome(fault, test, time.monotonic() - begun)

    def sentence(self, outcome: Outcome) -> str:
        """What became of a fault, for the terminal."""
        verdict = f"found by {outcome.test}" if outcome.test else "SURVIVED"
        if not outcome.test and (earlier := self.score.get(outcome.fault.what)):
            verdict += f" (was found by {earlier})"
        return f"{outcome.fault.file}: {outcome.fault.what}: {verdict} ({outcome.seconds:.0f} s)"


def record(outcome: Outcome) -> None:
    """Write what finds a fault into the score, which keeps the order of the lists."""
    score = read_score() | {outcome.fault.what: outcome.test}
    lines = ["# fault = the first test that finds it (written by plant_faults.py)"]
    names = [fault.what for fault in read_faults() if fault.what in score]
    lines += [f"{_quoted(name)} = {_quoted(score[name])}" for name in names]
    partial = SCORE.with_suffix(".partial")
    partial.write_text("\n".join(lines) + "\n", "utf-8")
    partial.replace(SCORE)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description="Plant faults in a copy of the code, and see whether the tests find them."
    )
    add = parser.add_argument
    add("--under", metavar="PATH", default="", help="faults of a file or folder, such as scripts")
    add("--fault", metavar="WORDS", default="", help="faults whose sentences hold these words")
    add("--new", action="store_true", help="faults that no test is known to find")
    add("--sample", type=int, metavar="N", help="a random sample of N faults")
    add("--seed", type=int, default=0, help="seed of the random sample (default: 0)")
    add("--all", action="store_true", help="after the declared tests, run the rest of the suite")
    add("--processes", type=int, default=1, metavar="N", help="trees worked in (default: 1)")
    add("--minutes", type=float, metavar="M", help="start no further fault after M minutes")
    add("--list", action="store_true", help="print the faults and run nothing")
    add("--faults", type=Path, default=FOLDER, metavar="FOLDER", help="another folder of lists")
    return parser


def main() -> int:
    options = _parser().parse_args()
    listed = read_faults(options.faults)
    if sentences := stale(listed):
        raise SystemExit("\n".join(["Patches that do not apply exactly once:", *sentences]))
    runner = Runner(everything=options.all)
    chosen = [
        fault
        for fault in listed
        if fault.file.startswith(options.under)
        and options.fault in fault.what
        and not (options.new and runner.score.get(fault.what))
    ]
    if options.sample is not None:
        chosen = random.Random(options.seed).sample(chosen, min(options.sample, len(chosen)))
    if options.list:
        for fault in chosen:
            print(f"{fault.file}: {fault.what}")
        print(f"{len(chosen)} faults in {len({fault.file for fault in chosen})} files")
        return 0
    # Bytecode of the tree's files must be written, or each process compiles all of them again.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # the copies are taken away then, too
    end = time.monotonic() + 60 * options.minutes if options.minutes else float("inf")
    survivors, done = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        trees = [Tree(Path(folder) / str(number)) for number in range(options.processes)]
        free: queue.SimpleQueue[Tree] = queue.SimpleQueue()
        for tree in trees:
            free.put(tree)

        def work(fault: Fault) -> Outcome | None:
            if time.monotonic() > end:
                return None
            tree = free.get()
            try:
                return runner.outcome(fault, tree)
            finally:
                free.put(tree)

        with ThreadPoolExecutor(options.processes) as pool:
            try:
                for outcome in pool.map(work, chosen):
                    if outcome is None:
                        continue
                    done += 1
                    survivors += not outcome.test
                    print(runner.sentence(outcome), flush=True)
                    if options.faults == FOLDER:
                        record(outcome)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                for tree in trees:
                    tree.stop()
                raise
    counts = f"{done - survivors} found, {survivors} survived, {len(chosen) - done} not run"
    print(f"{len(chosen)} faults: {counts}")
    return 1 if survivors else 0


if __name__ == "__main__":
    raise SystemExit(main())

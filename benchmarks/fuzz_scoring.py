"""Spoil results folders at random, then score them and write their report.

    python benchmarks/fuzz_scoring.py [--minutes 60] [--seed 0] [--base FOLDER]

Small valid folders are made first, with ``xlgo run`` and the simulated model (or found in FOLDER).
In a copy, rows of the samples, the harness's description, the ledger of a judge and what the server
said beside the answers are changed: other types, deep nesting, huge numbers, NaN, lone surrogates,
bidirectional marks, missing keys, cut lines, bytes that are no UTF-8, rows twice, hostile answers.
Then must hold:

- no exception leaves the command line; a user's mistake is one line;
- every row is accounted for: scored, named with file and line, or counted in what is left out;
- an answer alone, whatever it holds, never raises in a grader;
- what is written is valid: JSON without NaN, XML, balanced HTML with no tag or attribute that stood
  in a row, and nothing printed steers a terminal;
- a folder takes less than ``--seconds`` of processor time, this process less than ``--megabytes``.

What breaks one of these is kept in a folder, whose name is printed.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import io
import json
import os
import random
import re
import resource
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

from spoiling import TAG, Row, spoiled_folder

from xlgo_cli.cli import main as xlgo
from xlgo_cli.logs.graded_run import GradedRun, score_folder

TESTS = Path(__file__).parents[1] / "tests"
TEXTS = [
    {"text_id": f"t{n}", "text": "river stone light garden window paper", "subcategory": "stem"}
    for n in range(2)
]
SMALL = ["c_min=4", "c_max=16"]
BASES: dict[str, list[str]] = {
    "puzzles": ["--tasks", "xlgo_slt,xlgo_dsa,xlgo_t_rank", "--languages", "en,te,ja", "--levels",
                "3", "--per-level", "2", "--metadata", *SMALL],
    "simple": ["--tasks", "simple_logic_eval_ru,simple_char_count_en,simple_travel_de,"
               "simple_proof_tree_en,simple_word_count_es", "--limit", "3"],
    "polymath": ["--tasks", "polymath_en,polymath_te", "--limit", "2", "--metadata",
                 f"polymath_path={TESTS / 'polymath' / 'fixture'}"],
    "korbench": ["--tasks", "kor_logic,kor_operation,kor_puzzle", "--limit", "2",
                 "--metadata", f"source={TESTS / 'korbench' / 'fixture'}"],
    "lit": ["--tasks", "lit_e_asia", "--limit", "2", "--metadata", "source=texts.jsonl"],
}  # fmt: skip


class FoundError(Exception):
    """Something that must hold does not."""


def make_bases(folder: Path) -> None:
    """Run the simulated model once for each family."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = folder / "texts.jsonl"
    texts.write_text("".join(json.dumps(text) + "\n" for text in TEXTS), "utf-8")
    for name, options in BASES.items():
        if (folder / name).exists():
            continue
        given = [text.replace("source=texts.jsonl", f"source={texts}") for text in options]
        out = ["--output_path", str(folder / name)]
        if code := xlgo(["run", "--model", "xlgo-sim", *out, *given]):
            shutil.rmtree(folder / name, ignore_errors=True)
            raise SystemExit(f"no base {name}: xlgo run returned {code}")
        for made in ("report", "lit", "ledgers"):
            shutil.rmtree(folder / name / made, ignore_errors=True)


COUNTED = re.compile(r"\b(\d+) (?:more lines like it|answers |lines of another task)")


def check_accounts(folder: Path, written: dict[str, list[Row]], scored: GradedRun) -> None:
    """Every row is scored, named, or counted in what is left out."""
    places = {record.where for _, record in scored.records}
    told: set[str] = set()
    counted: Counter[str] = Counter()
    gone = {str(folder)}
    for problem in scored.problems.items:
        told.add(problem.where)
        counts = COUNTED.findall(problem.message)
        counted[problem.where] += sum(map(int, counts))
        if not counts:
            gone.add(problem.where)
    several = any("several models" in p.message for p in scored.problems.items)
    for name, rows in written.items():
        lines = b"\n".join(row.raw for row in rows).split(b"\n")
        full = [f"{name}:{n}" for n, line in enumerate(lines, 1) if line.strip()]
        missing = [where for where in full if where not in places and where not in told]
        if len(missing) > counted[name] and name not in gone and not several:
            raise FoundError(f"rows not accounted for: {missing}, counted {counted[name]}")
        whole = len(lines) == len(rows)
        for _, record in scored.records:
            file, _, line = record.where.rpartition(":")
            raised = whole and file == name and "error" in record.grade.details
            if raised and not rows[int(line) - 1].touched:
                raise FoundError(f"{record.where}: a grader raised {record.grade.details}")


class Page(HTMLParser):
    """Checks that tags are balanced and that none stood in a row."""

    VOID = frozenset("area base br col hr img input link meta source wbr path".split())  # noqa: SIM905

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an open tag."""
        names = [name for name, _ in attrs]
        if TAG in tag or any(TAG in n or n.startswith("on") for n in names):
            raise FoundError(f"a row became a tag: {tag} {attrs}")
        if len(names) != len(set(names)):
            raise FoundError(f"attributes twice: {tag} {attrs}")
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A tag that closes itself, as in SVG."""
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        """The last open tag ends."""
        if tag not in self.VOID and (not self.open or self.open.pop() != tag):
            raise FoundError(f"unbalanced </{tag}> at {self.getpos()}")

    def handle_data(self, data: str) -> None:
        """A script is none of a row's."""
        if self.open and self.open[-1] in ("script", "style") and TAG in data:
            raise FoundError("a row stands in a script")


def _no_constant(name: str) -> None:
    raise FoundError(f"{name} in JSON")


def check_written(out: Path) -> None:
    """Files of a report are what their names say."""
    for path in (p for p in out.rglob("*") if p.is_file()):
        if path.suffix in (".png", ".parquet"):
            continue
        text = path.read_text("utf-8")
        if path.suffix == ".json":
            json.loads(text, parse_constant=_no_constant)
        elif path.suffix == ".svg":
            ElementTree.fromstring(text)
            if f"<{TAG}" in text:
                raise FoundError(f"{path.name}: a row became a tag")
        elif path.suffix == ".csv":
            cells = [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]
            if bad := [cell for cell in cells if cell.startswith(("=", "@"))]:
                raise FoundError(f"{path.name}: a formula {bad[0][:50]!r}")
        elif path.suffix == ".html":
            page = Page()
            page.feed(text)
            page.close()
            if page.open:
                raise FoundError(f"{path.name}: {page.open} never closed")


def call(*arguments: str) -> tuple[int, str]:
    """Run the command line; its code and what it printed."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = xlgo(arguments)
    told = err.getvalue()
    if code == 2 and sum(line.startswith("xlgo: ") for line in told.split("\n")) != 1:
        raise FoundError(f"no one line: {told[-500:]!r}")
    if code not in (0, 1, 2):
        raise FoundError(f"code {code}")
    if any(ord(c) < 32 and c not in "\n\t\r" for c in out.getvalue() + told):
        raise FoundError("control characters for the terminal")
    return code, out.getvalue()


def once(bases: list[Path], folder: Path, rng: random.Random, found: Counter[str]) -> None:
    """Spoil, score and report one folder; raises what must not be."""
    results = folder / "results"
    written = spoiled_folder(bases, results, rng)
    try:
        scored = score_folder(results, quiet=True)
    except ValueError:
        scored = None
    code, printed = call("score", str(results), "--json", "--quiet")
    found[f"score returned {code}"] += 1
    if (scored is None) != (code == 2):
        raise FoundError(f"score: code {code}")
    if scored is not None:
        check_accounts(results, written, scored)
        json.loads(printed, parse_constant=_no_constant)
        found["rows scored"] += scored.count
        if (code == 1) != scored.problems.lost:
            raise FoundError(f"score: code {code}, lost {scored.problems.lost}")
    found["rows"] += sum(map(len, written.values()))
    call("score", str(results), rng.choice(("--table", "--brief")))
    more = rng.choice(([], ["--no-samples"]))
    report, _ = call("report", str(results), *more)
    if report != code:
        raise FoundError(f"report returned {report}, score {code}")
    for made in ("report", *BASES):
        if report != 2 and (results / made).exists():
            check_written(results / made)


def fuzz(
    bases: list[Path], seed: int, limit: Iterator[object], kept: Path, seconds: float = 60.0
) -> tuple[Counter[str], float]:
    """Spoil folders for as long as ``limit`` yields; what was counted, and the worst time."""
    found: Counter[str] = Counter()
    worst = 0.0
    for number, _ in enumerate(limit):
        folder = Path(tempfile.mkdtemp(prefix="fuzz"))
        start = _processor_time()
        try:
            once(bases, folder, random.Random(f"{seed}-{number}"), found)
            taken = _processor_time() - start
            if taken > seconds:
                raise FoundError(f"{taken:.1f} s")
            worst = max(worst, taken)
        except Exception as error:
            found["failed"] += 1
            shutil.move(folder, kept / f"{seed}-{number}")
            where = traceback.format_exc(limit=-6)
            print(f"{seed}-{number}: {type(error).__name__}: {error}\n{where}"[:3000], flush=True)
        found["folders"] += 1
        shutil.rmtree(folder, ignore_errors=True)
    return found, worst


def _processor_time() -> float:
    """Seconds that this process and those that it waited for have worked."""
    return sum(os.times()[:4])


def until(minutes: float) -> Iterator[float]:
    """Yields until the time is over."""
    stop = time.monotonic() + 60 * minutes
    while (now := time.monotonic()) < stop:
        yield now


def main() -> None:
    """Fuzz, and print the figures; code 1 if anything was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--base", type=Path, default=None)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--megabytes", type=int, default=2_000)
    args = parser.parse_args()
    base = args.base or Path(tempfile.mkdtemp(prefix="bases"))
    with contextlib.redirect_stdout(sys.stderr):
        make_bases(base)
    kept = Path(tempfile.mkdtemp(prefix="found"))
    bases = [base / name for name in BASES]
    found, worst = fuzz(bases, args.seed, until(args.minutes), kept, args.seconds)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    workers = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    print(f"{found['folders']} folders, {dict(found)}")
    print(f"{_processor_time():.0f} s of processor time, worst folder {worst:.1f} s")
    print(f"peak memory {memory} MB, of the largest worker {workers} MB")
    print(f"what was found: {kept}" if found["failed"] else "nothing found")
    sys.exit(bool(found["failed"]) or memory > args.megabytes)


if __name__ == "__main__":
    main()

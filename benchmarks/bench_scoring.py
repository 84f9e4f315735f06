"""``xlgo score`` of long answers to mathematical questions, on one processor and on all.

    python benchmarks/bench_scoring.py

The answers are the project's own pairs (``tests/polymath``), each behind 2,000 characters of
thinking and 1,500 of explanation in its language, in the format of PolyMath's authors. Every run is
a process of its own, start of Python included; the kinds take turns, and medians are shown.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from goals import tell

from xlgo_dataset.families.polymath.problems import LANGUAGES
from xlgo_metric.families.polymath.measures import LEVELS

TESTS = Path(__file__).parent.parent / "tests" / "polymath"


def write_answers(folder: Path, questions: int) -> int:
    """Write a file for every level and language; how many answers there are."""
    texts = json.loads((TESTS / "texts.json").read_text(encoding="utf-8"))
    lines = (TESTS / "pairs.tsv").read_text(encoding="utf-8").splitlines()
    pairs = [line.split("\t") for line in lines]
    draw = random.Random(0)
    for level in LEVELS:
        for language in LANGUAGES:
            text = texts.get(language, texts["id"]) * 30
            rows = []
            for _, _, gold, answer, *_ in draw.choices(pairs, k=questions):
                boxed = answer if "boxed" in answer else rf"\boxed{{{answer}}}"
                row = {"answer": gold, "answer_pred": f"{text[:1500]} {boxed}"}
                rows.append(row | {"thinking_pred": text[:2000]})
            path = folder / "output" / "model" / level / f"{language}.jsonl"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return len(LEVELS) * len(LANGUAGES) * questions


def seconds(folder: Path, processors: set[int]) -> float:
    """One run of the command on these processors."""
    command = [sys.executable, "-m", "xlgo_cli", "score", str(folder)]
    start = time.perf_counter()
    subprocess.run(
        command,
        check=True,
        capture_output=True,
        preexec_fn=lambda: os.sched_setaffinity(0, processors),
    )
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--questions", type=int, default=125, help="of each level and language")
    args = parser.parse_args()
    repeat = args.repeat
    every = os.sched_getaffinity(0)
    times: dict[int, list[float]] = {1: [], len(every): []}
    with tempfile.TemporaryDirectory() as name:
        count = write_answers(Path(name), args.questions)
        for _ in range(repeat):
            for number, found in times.items():
                found.append(seconds(Path(name) / "output", set(sorted(every)[:number])))
    one, all_ = (median(found) for found in times.values())
    print(
        f"{count} answers, medians of {repeat}: 1 processor {one:.1f} s, {len(every)} processors "
        f"{all_:.1f} s"
    )
    tell("score of PolyMath on 1 processor / on all, of the clock", one / all_, least=1.5)


if __name__ == "__main__":
    main()

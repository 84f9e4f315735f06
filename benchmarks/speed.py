"""Speed of generation, export, scoring, reports and the command's start, as ratios with goals.

    python benchmarks/speed.py [--repeat 3]      # three to four minutes

Seconds are those of a processor (other work on the machine changes them little), medians over the
repeats; what is compared takes turns. It prints the table of ``benchmarks/speed.md`` and exits
with 1 if a goal is missed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import pyarrow as pa

import xlgo_dataset as xd
from xlgo_cli.cli import COMMANDS
from xlgo_cli.export.command import Request, rows_in, tables, write_shard
from xlgo_dataset.families.xlgobench import instances
from xlgo_dataset.families.xlgobench.rows import complexities

ANSWERS_PER_LEVEL = 5 * 7 * 8
"""Of the preset ``smoke``: five tasks, seven languages, eight levels."""
PER_LEVEL = 20
"""Questions per level of the export: two fifths of the paper's size."""


def timed(work: Callable[..., object], *arguments: object) -> float:
    """Processor seconds of a call in this process."""
    start = time.process_time()
    result = work(*arguments)
    seconds = time.process_time() - start
    del result
    return seconds


def command(*words: str) -> float:
    """Processor seconds of ``xlgo``, start of Python included, on one processor."""
    before = sum(os.times()[2:4])
    processor = {min(os.sched_getaffinity(0))}
    subprocess.run(
        [sys.executable, "-m", "xlgo_cli", *words],
        check=True,
        capture_output=True,
        preexec_fn=lambda: os.sched_setaffinity(0, processor),
    )
    return sum(os.times()[2:4]) - before


def split(text: str, *names: str) -> list[str]:
    """The pieces of a text between its placeholders, which must be in this order."""
    pieces = []
    for name in names:
        piece, _, text = text.partition(f"{{{name}}}")
        pieces.append(piece)
    return [*pieces, text]


def plain_dsa(code: str, questions: list[Any]) -> list[str]:
    """The prompts of ``dsa`` in a loop of f-strings over ready data, as one writes it for speed."""
    s = xd.load_language(code).strings("dsa")
    move = s["transition"].replace("{room}", s["room"].replace("id", "room"))
    move = move.replace("{next}", s["room"].replace("id", "next"))
    order = sorted(("room", "key", "next"), key=lambda name: move.index(f"{{{name}}}"))
    a, b, c, d = split(move, *order)
    before, after = split(s["start"].replace("{room}", s["room"]), "id")
    rules = s["rules"].replace("{gold}", s["gold"]).replace("{silver}", s["silver"])
    at = [("room", "key", "next").index(name) for name in order]
    prompts = []
    for start, moves, keys in questions:
        lines = [f"- {a}{m[at[0]]}{b}{m[at[1]]}{c}{m[at[2]]}{d}\n" for m in moves]
        numbered = "\n".join([f"{i}. {key}" for i, key in enumerate(keys, 1)])
        prompts.append(
            f"{s['intro']}\n\n{before}{start}{after}\n\n{''.join(lines)}\n{s['question']}\n"
            f"{numbered}{s['question_end']}\n\n{s['example']}\n\n"
            f"{rules}".replace("{n}", str(len(keys)))
        )
    return prompts


def generation(round_number: int) -> float:
    """Drawing, solving and rendering ``dsa`` over the plain loop, which draws nothing."""
    levels = complexities(*instances.PUZZLES["dsa"].RANGES["paper"], 20)
    sizes = [(size, index) for index in (2 * round_number, 2 * round_number + 1) for size in levels]

    plain = instances.CONDITIONS["plain"]
    variants = [instances.PromptVariant(code, plain) for code in xd.LANGUAGES]

    def all_work() -> list[object]:
        prompts: list[object] = []
        for size, index in sizes:
            instance = xd.generate("dsa", complexity=size, seed=99, index=index)
            _ = instance.answer
            prompts.append(instances.render_variants(instance, variants))
        return prompts

    ready: dict[str, list[Any]] = {}
    for size, index in sizes:
        instance = xd.generate("dsa", complexity=size, seed=99, index=index)
        content = instance.to_json()
        for code in xd.LANGUAGES:
            s = xd.load_language(code).strings("dsa")
            moves = [(m["room"], s[m["key"]], m["next"]) for m in content["transitions"]]
            question = (content["start"], moves, [s[key] for key in content["keys"]])
            assert plain_dsa(code, [question]) == [xd.render(instance, code)], code
            ready.setdefault(code, []).append(question)
    plain = timed(lambda: [plain_dsa(code, questions) for code, questions in ready.items()])
    return timed(all_work) / plain


def export(folder: Path) -> float:
    """``xlgo export`` in one process, its start included, over the same rendering and writes."""
    parts = 0.0
    for block in Request(options={"per_level": PER_LEVEL}).blocks():
        ready: list[pa.Table] = []
        parts += timed(lambda block=block, ready=ready: ready.extend(tables(block)))
        for code, path in block.files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            rows = pa.concat_tables([rows_in(code, table) for table in ready])
            parts += timed(write_shard, rows, folder / path)
    words = ("--out", str(folder / "xlgo"), "--per-level", str(PER_LEVEL), "--processes", "1")
    return command("export", *words) / parts


def report(folder: Path, per_level: int, repeat: int) -> tuple[float, float]:
    """Seconds of ``xlgo score`` and ``xlgo report`` for so many answers of the preset smoke."""
    run = str(folder / f"run{per_level}")
    command(
        "run", "--model", "xlgo-sim", "--preset", "smoke", "--per-level", str(per_level), "--yes",
        "--quiet", "--output_path", run,
    )  # fmt: skip
    out = str(folder / f"report{per_level}")
    times = [(command("score", run), command("report", run, "--out", out)) for _ in range(repeat)]
    return median(score for score, _ in times), median(page for _, page in times)


def main() -> int:
    """Measure and print; 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=3)
    args = parser.parse_args()
    rounds = range(args.repeat)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _, small = report(folder, 10, args.repeat)
        score, page = report(folder, 36, 1)
        rows = [
            ("dsa: all work / a plain loop over ready data", median(map(generation, rounds)), 1.25),
            ("export / (rendering + writes)", median(export(folder / str(i)) for i in rounds), 2.0),
            (f"report of {10 * ANSWERS_PER_LEVEL:,} answers, seconds", small, 5),
            ("score of 35,000 answers, seconds", score * 35_000 / (36 * ANSWERS_PER_LEVEL), 45),
            ("report of 35,000 answers, seconds", page * 35_000 / (36 * ANSWERS_PER_LEVEL), 60),
            ("slowest --help, seconds", max(command(name, "--help") for name in COMMANDS), 0.4),
        ]
    print("| what | measured | goal |\n|---|---|---|")
    for what, value, goal in rows:
        print(f"| {what} | {value:.3g} | at most {goal} |{' missed' * (value > goal)}")
    return int(any(value > goal for _, value, goal in rows))


if __name__ == "__main__":
    sys.exit(main())

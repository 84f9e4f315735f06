"""Export against its parts: rendering alone, and the same Parquet writes of ready tables alone.

``--verify`` also verifies what was exported.

    python benchmarks/bench_export.py                            # a fifth of the paper's size
    python benchmarks/bench_export.py --per-level 50 --repeat 1  # all of it

Every run is a process of its own, the kinds take turns, and medians are shown. Ratios of one run
are what counts; seconds depend on the machine.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import pyarrow as pa
from goals import tell

from xlgo_cli.export.plan import Request
from xlgo_cli.export.shards import ShardWriter, by_language, tables, text_bytes


class Clock:
    """Adds up seconds on the wall and of the processor."""

    def __init__(self, spent: dict[str, float], name: str) -> None:
        self.spent, self.name = spent, name

    def __enter__(self) -> None:
        self.start = time.perf_counter(), time.process_time()

    def __exit__(self, *_: object) -> None:
        wall, cpu = time.perf_counter() - self.start[0], time.process_time() - self.start[1]
        self.spent[self.name] = self.spent.get(self.name, 0) + wall
        self.spent[f"cpu_{self.name}"] = self.spent.get(f"cpu_{self.name}", 0) + cpu


def parts(per_level: int, folder: Path) -> dict[str, float]:
    """Seconds of rendering and of writing, block by block, nothing else counted."""
    pa.set_memory_pool(pa.system_memory_pool())  # as the export does
    spent: dict[str, float] = {}
    for block in Request(options={"per_level": per_level}).blocks():
        with Clock(spent, "render"):
            made = list(tables(block))
        ready = [by_language(table) for table in made]
        for code, path in block.files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            with Clock(spent, "write"):
                writer = ShardWriter(folder / path)
                for rows in ready:
                    writer.write(rows[code])
                writer.close()
            spent["text"] = spent.get("text", 0) + sum(text_bytes(r[code]) for r in ready) / 1e6
    return spent


def export(per_level: int, folder: Path, processes: int, verify: bool) -> dict[str, float]:
    """Seconds of the command as a user gives it, start of Python included; MB of one process."""
    words = [sys.executable, "-m", "xlgo_cli", "export", "--out", str(folder / "xlgo")]
    words += ["--per-level", str(per_level), "--processes", str(processes)]
    start = time.perf_counter()
    subprocess.run(words, check=True, capture_output=True)
    seconds = time.perf_counter() - start
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    verified = {}
    if verify:
        words = [sys.executable, "-m", "xlgo_cli", "verify", str(folder / "xlgo")]
        began = time.perf_counter()
        subprocess.run([*words, "--processes", str(processes)], check=True, capture_output=True)
        verified[f"verify{processes}"] = time.perf_counter() - began
    manifest = json.loads((folder / "xlgo" / "export.json").read_text(encoding="utf-8"))
    shards = manifest["shards"]
    return {
        f"export{processes}": seconds,
        f"cpu_export{processes}": used.ru_utime + used.ru_stime,
        f"memory{processes}": used.ru_maxrss / 1e3,
        "prompts": sum(s["rows"] for s in shards),
        "disk": sum(s["size"] for s in shards) / 1e6,
    } | verified


def measure(kind: str, per_level: int, top: str, verify: bool) -> dict[str, float]:
    """One run of one kind, in a process of its own."""
    with tempfile.TemporaryDirectory(dir=top) as name:
        words = [sys.executable, __file__, "--kind", kind, "--per-level", str(per_level)]
        words += ["--verify"] if verify else []
        done = subprocess.run(
            [*words, "--dir", name], check=True, stdout=subprocess.PIPE, text=True
        )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--per-level", type=int, default=10)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--dir", default=tempfile.gettempdir(), help="where to write")
    parser.add_argument("--verify", action="store_true", help="measure xlgo verify as well")
    parser.add_argument("--kind", choices=["parts", "1", "2"], help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.kind:
        folder = Path(args.dir)
        found = (
            parts(args.per_level, folder)
            if args.kind == "parts"
            else export(args.per_level, folder, int(args.kind), args.verify)
        )
        print(json.dumps(found))
        return
    runs: dict[str, list[float]] = {}
    for _ in range(args.repeat):
        for kind in ("parts", "1", "2"):
            for name, value in measure(kind, args.per_level, args.dir, args.verify).items():
                runs.setdefault(name, []).append(value)
    m = {name: median(values) for name, values in runs.items()}
    print(
        f"{m['prompts']:,.0f} prompts, {m['text']:,.0f} MB of text, "
        f"{m['disk']:,.0f} MB on disk; {os.cpu_count()} processors, "
        f"medians of {args.repeat}"
    )
    rows = [
        ("rendering alone", "render", ""),
        ("the same Parquet writes alone", "write", ""),
        ("export, 1 process", "export1", f"{m['memory1']:,.0f} MB"),
        ("export, 2 processes", "export2", f"{m['memory2']:,.0f} MB each"),
    ]
    print("\n| what | seconds | of a processor | MB of text/s | peak memory |")
    print("|---|---|---|---|---|")
    for label, name, memory in rows:
        rate = m["text"] / m[name]
        print(f"| {label} | {m[name]:.2f} | {m[f'cpu_{name}']:.2f} | {rate:,.0f} | {memory} |")
    print()
    together = m["cpu_render"] + m["cpu_write"]
    tell("export / (rendering + writes)", m["cpu_export1"] / together, most=1.3)
    tell("export / bare writes", m["cpu_export1"] / m["cpu_write"], most=2.0)
    more, idle = m["cpu_export2"] - m["cpu_export1"], 2 * m["export2"] - m["cpu_export2"]
    print(
        f"two processes: {m['cpu_export1']:.2f} s are the work of one, {more:.2f} s the start of "
        f"the second and waiting for memory, {idle:.2f} s idle (start, end, last block)"
    )
    # Of the clock: the only ratio that other work on the machine spoils.
    tell("export by 1 process / by 2, of the clock", m["export1"] / m["export2"], least=1.5)
    if args.verify:
        print(f"verify: {m['verify1']:.2f} s by 1 process, {m['verify2']:.2f} s by 2")


if __name__ == "__main__":
    main()

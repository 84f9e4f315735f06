"""Speed of generation and rendering, as ratios of one run.

``python benchmarks/bench_generation.py`` times each task's whole work (draw, solve, render in
seven languages; all prompts are kept) against joining lines that are there already, a plain
``str.format`` generator and, where it is installed, reasoning-gym's ``course_schedule`` and
``shortest_path``. Everything is interleaved, and the median of the rounds is printed. Times are
processor times, so that other work on the machine counts for little.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable

import xlgo_dataset as xd
from xlgo_dataset.core import ids
from xlgo_dataset.families import xlgobench
from xlgo_dataset.families.xlgobench.rows import complexities

LEVELS = 20
QUESTIONS = 2  # of each level: with fewer, all lines stay in the processor's cache


def seconds(work: Callable[..., object], *arguments: object) -> float:
    """The least processor time of three calls."""
    times = []
    for _ in range(3):
        start = time.process_time()
        kept = work(*arguments)
        times.append(time.process_time() - start)
        del kept
    return min(times)


def questions(task: str, round_number: int) -> list[tuple[int, int]]:
    """Complexity and index of the paper's levels; other questions in every round."""
    low, high = xlgobench.PUZZLES[task].RANGES["paper"]
    indexes = range(QUESTIONS * round_number, QUESTIONS * (round_number + 1))
    return [(c, index) for index in indexes for c in complexities(low, high, LEVELS)]


def all_work(task: str, round_number: int) -> list[object]:
    """Draw, solve and render a few questions of every level in seven languages."""
    prompts: list[object] = []
    for complexity, index in questions(task, round_number):
        instance = xd.generate(task, complexity=complexity, seed=99, index=index)
        xlgobench.solve(instance)
        prompts.append(xlgobench.render_all(instance, xd.LANGUAGES))
    return prompts


def ready_lines(task: str, round_number: int) -> list[list[bytes]]:
    """The same prompts, cut into their lines: what joining them costs is the yardstick."""
    found = []
    for complexity, index in questions(task, round_number):
        instance = xd.generate(task, complexity=complexity, seed=99, index=index)
        for language in xd.LANGUAGES:
            found.append(xd.render(instance, language).encode().splitlines(keepends=True))
    return found


def join_all(prompts: list[list[bytes]]) -> list[bytes]:
    return [b"".join(lines) for lines in prompts]


def naive_dsa(round_number: int) -> int:
    """What one would write first: an instance a prompt, and a format call a line."""
    draw = random.Random(round_number)
    size = 0
    for complexity, _ in questions("dsa", round_number)[:LEVELS]:
        for language in xd.LANGUAGES:
            s = xd.load_language(language).strings("dsa")
            rooms = [ids.name(code) for code in draw.sample(range(ids.TOTAL), complexity)]
            line = s["transition"].replace("{room}", s["room"].replace("id", "room"))
            line = line.replace("{next}", s["room"].replace("id", "next"))
            moves = [(r, k, draw.choice(rooms)) for r in rooms for k in ("gold", "silver")]
            draw.shuffle(moves)
            parts = [s["intro"], s["start"].format(room=rooms[0])]
            parts += ["- " + line.format(room=r, key=s[k], next=n) for r, k, n in moves]
            keys = [s[draw.choice(("gold", "silver"))] for _ in range(complexity)]
            parts += [f"{i}. {key}" for i, key in enumerate(keys, 1)]
            size += len("\n".join([*parts, s["question_end"], s["example"]]).encode())
    return size


def peers() -> dict[str, Callable[[int], int]]:
    """Generators of reasoning-gym at comparable length."""
    try:
        import reasoning_gym
    except ImportError:
        return {}

    def course(seed: int) -> int:
        data = reasoning_gym.create_dataset(
            "course_schedule", size=1, seed=seed, min_num_courses=2000, max_num_courses=2000
        )
        return len(data[0]["question"].encode())

    def path(seed: int) -> int:
        data = reasoning_gym.create_dataset(
            "shortest_path", size=1, seed=seed, min_rows=200, max_rows=200, min_cols=200,
            max_cols=200,
        )  # fmt: skip
        return len(data[0]["question"].encode())

    return {"reasoning-gym course_schedule": course, "reasoning-gym shortest_path": path}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    for task in xd.TASKS:
        all_work(task, 0)  # compile the sheets
    rates: dict[str, list[float]] = {}
    ratios: dict[str, list[float]] = {task: [] for task in xd.TASKS}
    whole: list[float] = []
    for number in range(rounds):
        total_size = total_time = 0.0
        for task in xd.TASKS:
            prompts = ready_lines(task, number)
            size = sum(len(line) for lines in prompts for line in lines)
            joined = seconds(join_all, prompts)
            spent = seconds(all_work, task, number)
            ratios[task].append(spent / joined)
            rates.setdefault(f"{task}, all work", []).append(size / spent / 1e6)
            rates.setdefault(f"{task}, join of ready lines", []).append(size / joined / 1e6)
            total_size, total_time = total_size + size, total_time + spent
        whole.append(total_size / total_time / 1e6)
        sized = {"naive format generator, dsa": naive_dsa} | peers()
        for name, generator in sized.items():
            start = time.process_time()
            size = generator(number)
            rates.setdefault(name, []).append(size / (time.process_time() - start) / 1e6)
    print(f"{'':42}{'MB/s':>9}")
    for name, values in rates.items():
        print(f"{name:42}{statistics.median(values):9.1f}")
    print(f"{'five puzzles together':42}{statistics.median(whole):9.1f}")
    print("\ntime of all work / time of joining ready lines (median of", rounds, "rounds)")
    for task, values in ratios.items():
        print(f"  {task:10}{statistics.median(values):6.2f}")
    for name, values in rates.items():
        if name.startswith(("naive", "reasoning")):
            ratio = statistics.median(w / r for w, r in zip(whole, values))
            print(f"five puzzles are {ratio:.0f} times as fast as {name}")


if __name__ == "__main__":
    main()

"""Speed of generation and rendering, as ratios of one run.

``python benchmarks/bench_generation.py`` times each task's whole work (draw, solve, render in
seven languages; all prompts are kept) against joining lines that are there already, a plain loop
of f-strings over puzzles that are drawn already, the words of the language in them (dsa and t_rank:
the same prompts as ``str``, which are not even encoded), a plain ``str.format`` generator and,
where it is installed, reasoning-gym's ``course_schedule`` and ``shortest_path``. Everything is
interleaved, and the median of the rounds is printed. Times are processor times, so that other work
on the machine counts for little.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

from goals import tell

import xlgo_dataset as xd
from xlgo_dataset.core import ids
from xlgo_dataset.families.xlgobench import instances
from xlgo_dataset.families.xlgobench.options import complexities

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
    low, high = instances.PUZZLES[task].RANGES["paper"]
    indexes = range(QUESTIONS * round_number, QUESTIONS * (round_number + 1))
    return [(c, index) for index in indexes for c in complexities(low, high, LEVELS)]


def all_work(task: str, round_number: int) -> list[object]:
    """Draw, solve and render a few questions of every level in seven languages."""
    prompts: list[object] = []
    for complexity, index in questions(task, round_number):
        instance = xd.generate(task, complexity=complexity, seed=99, index=index)
        instances.solve(instance)
        prompts.append(instances.render_all(instance, xd.LANGUAGES))
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


Data = list[Any]
"""What a plain loop needs of a question: names and numbers, nothing left to draw or look up."""


def ready_data(task: str, round_number: int) -> Data:
    """The puzzles of a round as plain texts, in lists."""
    found: Data = []
    for complexity, index in questions(task, round_number):
        instance = xd.generate(task, complexity=complexity, seed=99, index=index)
        content = instance.to_json()
        if task == "dsa":
            moves = [(m["room"], m["key"], m["next"]) for m in content["transitions"]]
            found.append((content["start"], moves, content["keys"]))
        else:
            found.append((content["matches"], content["n"]))
    return found


def cut(text: str, *names: str) -> list[str]:
    """The pieces of a text between its placeholders, which must stand in this order."""
    pieces = []
    for name in names:
        piece, _, text = text.partition(f"{{{name}}}")
        pieces.append(piece)
    return [*pieces, text]


def plain_dsa(s: Any, data: Data) -> list[str]:
    """The prompts of one language in a loop of f-strings, as one would write it for speed."""
    names = {"gold": s["gold"], "silver": s["silver"]}
    move = s["transition"].replace("{room}", s["room"].replace("id", "room"))
    move = move.replace("{next}", s["room"].replace("id", "next"))
    order = sorted(("room", "key", "next"), key=lambda name: move.index(f"{{{name}}}"))
    a, b, c, d = cut(move, *order)
    start = cut(s["start"].replace("{room}", s["room"]), "id")
    rules = s["rules"]
    for key, text in names.items():
        rules = rules.replace(f"{{{key}}}", text)
    found = []
    for first, moves, keys in data:
        if order == ["room", "key", "next"]:
            lines = [f"- {a}{r}{b}{k}{c}{n}{d}\n" for r, k, n in moves]
        elif order == ["room", "next", "key"]:
            lines = [f"- {a}{r}{b}{n}{c}{k}{d}\n" for r, k, n in moves]
        elif order == ["key", "room", "next"]:
            lines = [f"- {a}{k}{b}{r}{c}{n}{d}\n" for r, k, n in moves]
        else:
            raise AssertionError(f"no loop for the order {order}")
        numbered = [f"{i}. {key}" for i, key in enumerate(keys, 1)]
        prompt = (
            f"{s['intro']}\n\n{start[0]}{first}{start[1]}\n\n{''.join(lines)}\n{s['question']}\n"
            + "\n".join(numbered)
            + f"{s['question_end']}\n\n{s['example']}\n\n{rules}".replace("{n}", str(len(keys)))
        )
        found.append(prompt)
    return found


def plain_t_rank(s: Any, data: Data) -> list[str]:
    """The prompts of one language in a loop of f-strings, as one would write it for speed."""
    match = s["match"]
    swapped = match.index("{loser}") < match.index("{winner}")
    a, b, c = cut(match, *(("loser", "winner") if swapped else ("winner", "loser")))
    found = []
    for matches, n in data:
        if swapped:
            lines = [f"{i}. {a}{x}{b}{w}{c}\n" for i, (w, x) in enumerate(matches, 1)]
        else:
            lines = [f"{i}. {a}{w}{b}{x}{c}\n" for i, (w, x) in enumerate(matches, 1)]
        end = "\n\n".join(s[key] for key in ("question", "puzzle_note", "count", "format"))
        prompt = f"{s['header']}\n{''.join(lines)}\n{end.replace('{n}', str(n))}"
        found.append(prompt)
    return found


PLAIN = {"dsa": plain_dsa, "t_rank": plain_t_rank}


def in_languages(task: str, data: Data) -> list[tuple[Any, Data]]:
    """The strings of every language, and the data with the language's own words in them."""
    found = []
    for code in xd.LANGUAGES:
        s = xd.load_language(code).strings(task)
        told = data
        if task == "dsa":
            told = [
                (first, [(r, s[k], n) for r, k, n in moves], [s[k] for k in keys])
                for first, moves, keys in data
            ]
        found.append((s, told))
    return found


def plain_all(task: str, languages: list[tuple[Any, Data]]) -> list[list[str]]:
    """The prompts of a round in every language."""
    return [PLAIN[task](s, data) for s, data in languages]


def check_plain() -> None:
    """The plain loops must make the very prompts of xlgo, or they are no yardstick."""
    for task in PLAIN:
        made = plain_all(task, in_languages(task, ready_data(task, 0)))
        for number, (complexity, index) in enumerate(questions(task, 0)):
            instance = xd.generate(task, complexity=complexity, seed=99, index=index)
            for language, prompts in zip(xd.LANGUAGES, made):
                assert prompts[number] == xd.render(instance, language), (task, language)


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
    check_plain()
    rates: dict[str, list[float]] = {}
    ratios: dict[str, list[float]] = {task: [] for task in xd.TASKS}
    plain: dict[str, list[float]] = {task: [] for task in PLAIN}
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
            if task in PLAIN:
                looped = seconds(plain_all, task, in_languages(task, ready_data(task, number)))
                plain[task].append(spent / looped)
                rates.setdefault(f"{task}, f-strings over ready data", []).append(
                    size / looped / 1e6
                )
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
    print("\ntime of all work / time of a loop of f-strings over ready data")
    for task, values in plain.items():
        print(f"  {task:10}{statistics.median(values):6.2f}")
    worst = max(statistics.median(values) for values in plain.values())
    tell("generation / a loop of f-strings over ready data, worst task", worst, most=1.5)
    for name, values in rates.items():
        if name.startswith(("naive", "reasoning")):
            ratio = statistics.median(w / r for w, r in zip(whole, values))
            print(f"five puzzles are {ratio:.0f} times as fast as {name}")


if __name__ == "__main__":
    main()

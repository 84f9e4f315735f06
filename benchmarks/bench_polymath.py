"""Measure PolyMath's grading and language consistency: accuracy by kind, speed, agreement.

    python benchmarks/bench_polymath.py [--answers 9000] [--library]

``--library`` also gives math-verify alone the same pairs, with its own time limits.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections import defaultdict
from pathlib import Path

from xlgo_metric.language.language_id import language_consistent
from xlgo_metric.mathematics.grading import grade_math
from xlgo_metric.mathematics.worker import WORKER

DATA = Path(__file__).parents[1] / "tests" / "polymath"
CHINESE = "我们再检查一遍计算过程，确认结果没有错误。"
ENGLISH = "Therefore, the final answer is 60."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", type=int, default=9_000)
    parser.add_argument("--library", action="store_true")
    arguments = parser.parse_args()
    pairs = [line.split("\t") for line in (DATA / "pairs.tsv").read_text("utf-8").splitlines()]
    _grading(pairs)
    if arguments.library:
        _library(pairs)
    texts = json.loads((DATA / "texts.json").read_text("utf-8"))
    _agreement(texts)
    _speed_of_languages(texts, arguments.answers)


def _grading(pairs: list[list[str]]) -> None:
    for mode in ("default", "paper"):
        grade_math("x", "y", mode)  # imports
        wrong: dict[str, int] = defaultdict(int)
        total: dict[str, int] = defaultdict(int)
        slowest = 0.0
        start = time.process_time()
        for kind, _, gold, answer, verdict in pairs:
            before = time.process_time()
            total[kind] += 1
            wrong[kind] += grade_math(answer, gold, mode).correct != (verdict == "1")
            slowest = max(slowest, time.process_time() - before)
        seconds = time.process_time() - start
        before_end = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        WORKER.stop()  # its processor time is known once it has ended
        there = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before_end
        right = len(pairs) - sum(wrong.values())
        print(
            f"{mode}: {right} of {len(pairs)} pairs right ({right / len(pairs):.1%}), "
            f"{len(pairs) / (seconds + there):.0f} pairs per second of one core; {seconds:.1f} s "
            f"of the own process, {there:.1f} s of SymPy's; slowest {slowest:.2f} s of the own"
        )
        if mode == "default":
            for kind, count in total.items():
                print(f"  {kind:24} {count - wrong[kind]:4} of {count}")


def _library(pairs: list[list[str]]) -> None:
    from math_verify import parse, verify

    right = 0
    start = time.process_time()
    for _, _, gold, answer, verdict in pairs:
        bare = gold if "$" in gold else f"${gold}$"
        shown = answer if "$" in answer or "boxed" in answer else f"${answer}$"
        right += verify(parse(bare), parse(shown)) == (verdict == "1")
    seconds = time.process_time() - start
    print(
        f"math-verify alone: {right} of {len(pairs)} pairs right ({right / len(pairs):.1%}), "
        f"{len(pairs) / seconds:.0f} pairs per second"
    )


def _agreement(texts: dict[str, str]) -> None:
    """How many mixed texts each mode finds, and how often the two agree."""
    cases: dict[str, list[tuple[str, str, bool]]] = {
        "one language": [(text, code, True) for code, text in texts.items()],
        "another language": [
            (texts[other], code, False) for code in texts for other in texts if other != code
        ],
        "a Chinese paragraph": [
            (f"{text * 2}\n\n{CHINESE}\n\n{text}", code, False)
            for code, text in texts.items()
            if code != "zh"
        ],
        "a last sentence in English": [
            (f"{text * 3} {ENGLISH}", code, False) for code, text in texts.items() if code != "en"
        ],
        "one sentence of another language": [
            (f"{text * 3}\n\n{_sentence(texts[other])}\n\n{text}", code, False)
            for code, text in texts.items()
            for other in texts
            if other != code
        ],
    }
    print("language consistency: right verdicts (Malay has none in mode paper)")
    print(f"  {'texts':34}{'n':>5}{'default':>9}{'paper':>7}{'agree':>7}")
    for name, rows in cases.items():
        found = {
            mode: [language_consistent(text, code, mode) for text, code, _ in rows]
            for mode in ("default", "paper")
        }
        right = {
            mode: sum(verdict == row[2] for verdict, row in zip(verdicts, rows))
            for mode, verdicts in found.items()
        }
        agree = sum(a == b for a, b in zip(found["default"], found["paper"]))
        print(f"  {name:34}{len(rows):5}{right['default']:9}{right['paper']:7}{agree:7}")


def _sentence(text: str) -> str:
    for mark in (". ", "。", "।"):
        text = text.split(mark, maxsplit=1)[0]
    return text + "."


def _speed_of_languages(texts: dict[str, str], answers: int) -> None:
    languages = [list(texts)[place % len(texts)] for place in range(answers)]
    long = [(texts[code] * 20)[:2_000] for code in languages]
    for mode, count in (("default", answers), ("paper", answers // 10)):  # langdetect takes long
        start = time.perf_counter()
        for text, code in zip(long[:count], languages):
            language_consistent(text, code, mode)
        seconds = time.perf_counter() - start
        print(f"language consistency, {mode}, {count} answers of 2,000 characters: {seconds:.1f} s")


if __name__ == "__main__":
    main()

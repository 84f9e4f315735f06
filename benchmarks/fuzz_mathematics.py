"""Grade answers made at random: no exception, no slow pair, every answer equal to itself.

    python benchmarks/fuzz_mathematics.py [--minutes 15] [--seed 0] [--paper 20]

Answers are formulas grown from a grammar, known answers with pieces cut, doubled, swapped or glued
in, and runs of signs. Every answer must equal itself.
Every ``--paper``-th pair is graded in mode paper too.
"""

from __future__ import annotations

import argparse
import re
import resource
import sys
import time
from collections import Counter
from pathlib import Path

import xlgo_metric as xm
from xlgo_dataset.core.rng import Stream
from xlgo_metric.mathematics.worker import WORKER

PAIRS = Path(__file__).parents[1] / "tests" / "polymath" / "pairs.tsv"
PIECES = re.compile(r"\\[A-Za-z]+|\d+|[^\W\d_]+|\s+|.", re.S)
ATOMS = [
    "0", "1", "2", "-3", "7.5", "0,5", "1,234", "10^6", "x", "y", "n", "k", "a_1", "\\pi", "e", "i",
    "\\infty", "C", "5\\%", "30^\\circ", "12 cm", "\\$5", "½", "٣", "三", "α", "\\text{no}", "A",
    "1:00", "x^2_1", "1e3", "f(x)", "\\emptyset", "\\mathbb{R}", "9999999999",
]  # fmt: skip
SHAPES = [
    "{0}+{1}", "{0}-{1}", "{0}{1}", "{0}\\cdot {1}", "\\frac{{{0}}}{{{1}}}", "{0}/{1}",
    "{0}^{{{1}}}",
    "\\sqrt{{{0}}}", "\\sqrt[{1}]{{{0}}}", "({0})", "({0})!", "\\binom{{{0}}}{{{1}}}", "|{0}|",
    "\\left({0},{1}\\right)", "[{0},{1})", "\\{{{0},{1}\\}}", "{0},{1}", "{0}={1}", "{0}<{1}",
    "{0} \\le x < {1}", "{0}:{1}", "{0} \\text{{ or }} {1}", "{0}或{1}", "\\sin({0})", "\\ln {0}",
    "\\log_{{{0}}} {1}", "\\sum_{{k=1}}^{{{0}}} {1}", "\\prod_{{k=1}}^{{{0}}} {1}", "{0} \\cup {1}",
    "\\int_0^{{{0}}} {1} dx", "\\lim_{{x \\to {0}}} {1}", "\\pm {0}", "{0} \\pmod {{{1}}}",
    "\\begin{{pmatrix}} {0} & {1} \\\\[4pt] {1} & {0} \\end{{pmatrix}}", "{0} \\equiv {1} \\pmod 7",
    "\\begin{{cases}} {0} & x>0 \\\\ {1} & x<0 \\end{{cases}}", "\\lfloor {0} \\rfloor",
    "{0}_{{{1}}}",
    "\\{{x : {0} < x\\}}", "{0} \\setminus {1}", "f'({0})", "\\overline{{{0}}}", "{0}, k \\in {1}",
]  # fmt: skip
SIGNS = [
    *list("{}()[]|\\^_!%$&,.;:=<>-+*/'\"~ \n\t0189exiαπ或и५½²"),
    "\\boxed{",
    "\\\\",
    "\\frac",
    "⟦",
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--paper", type=int, default=20)
    arguments = parser.parse_args()
    rng = Stream("fuzz mathematics", arguments.seed)
    corpus = [
        text for line in PAIRS.read_text("utf-8").splitlines() for text in line.split("\t")[2:4]
    ]
    found: Counter[str] = Counter()
    slowest = (0.0, "", "")
    executions = 0
    stop = time.monotonic() + 60 * arguments.minutes
    while time.monotonic() < stop:
        answer = _text(rng, corpus)
        other = corpus[rng.integer(len(corpus))] if rng.integer(2) else _text(rng, corpus)
        if rng.integer(4) == 0:
            other = _mutated(answer, rng)
        modes = ["default"] + ["paper"] * (rng.integer(arguments.paper) == 0)
        for mode in modes:
            start = time.process_time()
            first = xm.grade_math(answer, other, mode)
            boxed = xm.grade_math(rf"so \boxed{{{answer}}}", other, mode)
            executions += 2
            slowest = max(slowest, (time.process_time() - start, answer[:300], other[:300]))
            for grade in (first, boxed):
                found[grade.status] += 1
                if "error" in grade.details:
                    _report("error", found, answer, other, grade.details["error"])
                if "library" in grade.details:
                    found[f"stopped, {mode}"] += 1
        if "boxed" in answer + other:
            continue
        executions += 1
        if answer.strip() and not xm.grade_math(answer, answer).correct:
            _report("not itself", found, answer, answer, "")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    WORKER.stop()
    workers = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    print(f"{executions} gradings, {dict(found)}")
    print(f"slowest {slowest[0]:.2f} s of this process: {slowest[1]!r} against {slowest[2]!r}")
    print(f"peak memory {memory} MB, of the worker {workers} MB")
    sys.exit(bool(found["error"] + found["not itself"]))


def _report(kind: str, found: Counter[str], answer: str, other: str, what: str) -> None:
    found[kind] += 1
    print(f"{kind} {what}: {answer[:500]!r} against {other[:500]!r}", flush=True)


def _text(rng: Stream, corpus: list[str]) -> str:
    kind = rng.integer(6)
    if kind < 3:
        return _grown(rng, 1 + rng.integer(4))
    if kind < 5:
        return _mutated(corpus[rng.integer(len(corpus))], rng)
    return "".join(SIGNS[rng.integer(len(SIGNS))] for _ in range(rng.integer(40))) * (
        1 + rng.integer(3)
    )


def _grown(rng: Stream, depth: int) -> str:
    if depth == 0 or rng.integer(5) == 0:
        return ATOMS[rng.integer(len(ATOMS))]
    shape = SHAPES[rng.integer(len(SHAPES))]
    return shape.format(_grown(rng, depth - 1), _grown(rng, depth - 1))


def _mutated(text: str, rng: Stream) -> str:
    pieces = PIECES.findall(text) or [" "]
    for _ in range(1 + rng.integer(4)):
        place = rng.integer(len(pieces))
        change = rng.integer(6)
        if change == 0 and len(pieces) > 1:
            del pieces[place]
        elif change == 1:
            pieces.insert(place, pieces[rng.integer(len(pieces))])
        elif change == 2:
            pieces.insert(place, SIGNS[rng.integer(len(SIGNS))])
        elif change == 3:
            pieces[place] *= 1 + rng.integer(30)
        elif change == 4:
            other = rng.integer(len(pieces))
            pieces[place], pieces[other] = pieces[other], pieces[place]
        else:
            pieces = [*pieces[:place], _grown(rng, 2), *pieces[place:]]
    return "".join(pieces)[:3_000]


if __name__ == "__main__":
    main()

"""What is misread of real answers: ``python benchmarks/real_answers.py FOLDER [--rules]``.

FOLDER holds ``mgsm.jsonl.xz``, ``global_mmlu.jsonl.xz`` and ``kor.jsonl.xz``: published responses,
which are no part of the project. ``tests/real_answers`` has what they answer. Printed are answers
that are misread by benchmark, language and rule; with ``--rules`` also, for every rule and every
meaning of the tables of words over all languages, how many right answers are lost and how many
verdicts mended with it, against the reader without it. ``--maths`` grades ``maths.jsonl.xz``
instead, here and by math-verify alone.
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
import statistics
import time
import unicodedata
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from xlgo_metric.families.korbench.grading import grade_single
from xlgo_metric.mathematics.grading import grade_math
from xlgo_metric.mathematics.worker import WORKER
from xlgo_metric.reading import answers, values
from xlgo_metric.reading.answers import Answer, extract_answer
from xlgo_metric.reading.sentences import Sentences

LABELS = Path(__file__).parents[1] / "tests" / "real_answers" / "labels.jsonl.xz"
KINDS = {"mgsm": "number", "global_mmlu": "choice"}
RULES = ("label", "bold", "line", "conclusion", "ends", "heading")


class Row(NamedTuple):
    """A response, its label, and what is right."""

    id: str
    benchmark: str
    language: str
    response: str
    label: str
    gold: str
    options: dict[str, str] | None


def lines(path: Path) -> Iterator[dict[str, Any]]:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def rows(folder: Path, benchmark: str) -> Iterator[Row]:
    """The responses of a benchmark whose label is not doubtful."""
    labels = {line["id"]: line for line in lines(LABELS)}
    for line in lines(folder / f"{benchmark}.jsonl.xz"):
        names = (line["model"], line["setting"], line["language"])
        number = line["doc_id"] if benchmark == "mgsm" else line["sample_id"]
        label = labels.get(name := "|".join(map(str, (benchmark, *names, number))))
        if label and not label.get("doubtful"):
            gold, options = str(line["gold"]), line.get("options")
            yield Row(name, benchmark, names[2], line["response"], label["label"], gold, options)


def same(answer: str | None, label: str) -> bool:
    """Whether an answer is the labelled one; both may be none."""
    if answer is None or label == "none":
        return (answer or "none") == label
    try:
        return abs(Fraction(answer) - Fraction(label)) < Fraction(1, 10**6)
    except ValueError:
        return answer == label


def read(row: Row) -> Answer:
    return extract_answer(row.response, KINDS[row.benchmark], row.language, row.options)


@contextmanager
def without(rule: str) -> Iterator[None]:
    """The reader without a rule of ``RULES``, ``thought``, a place, or a meaning: retractions:3."""
    place, _, number = rule.partition(":")
    if rule in RULES:
        with patch.object(Sentences, rule, lambda self, **more: []):
            yield
        return
    if rule == "thought":
        with patch.object(answers._Reader, f"_{rule}", lambda self, *more: None):
            yield
        return
    table = values.table

    def less(code: str) -> dict[str, list[str]]:
        left = dict(table(code))
        phrases = left.get(place, [])
        left[place] = ["\0" if n == int(number) else p for n, p in enumerate(phrases, 1) if number]
        return left

    forget()
    with patch.object(values, "table", less):
        yield
    forget()


def forget() -> None:
    """Drop every pattern that was compiled from the tables."""
    for cached in (values.pattern, values._either, values._labels, values._all_labels):
        cached.cache_clear()  # type: ignore[attr-defined]


def misread(found: list[Row]) -> None:
    """Print what is misread."""
    by: dict[str, Counter[str]] = {"language": Counter(), "rule": Counter()}
    lost = false = other = 0
    for row in found:
        answer = read(row)
        if same(answer.answer, row.label):
            continue
        by["language"][row.language] += 1
        by["rule"][answer.rule] += 1
        lost += same(row.label, row.gold)
        false += answer.answer is not None and same(answer.answer, row.gold)
        other += 1
    print(
        f"{found[0].benchmark}: {other} of {len(found)} misread, {lost} right answers lost, "
        f"{false} falsely correct"
    )
    for name, counts in by.items():
        print(f"  by {name}:", ", ".join(f"{key} {n}" for key, n in counts.most_common()))


def may_matter(name: str, row: Row, answer: Answer) -> bool:
    """Whether a rule can change the reading of a response: no rule does where another one decided,
    and no phrase where it does not stand."""
    if name in (*RULES, "thought"):
        by_label = name == "label" and answer.rule == "heading"
        return by_label or answer.rule in (name, "retraction")
    place = name.partition(":")[0]
    if place in ("retractions", "lead"):
        return values.pattern("retraction", row.language).search(row.response) is not None
    codes = values.codes() if place in ("answer", "placeholder") else {"en", row.language}
    text = plain(row.response)
    return any(
        stands(phrase, text) for code in codes for phrase in values.table(code).get(place, [])
    )


def stands(phrase: str, text: str) -> bool:
    """Whether the first word of a phrase may stand in a text of ``plain``."""
    firsts = (re.split(r"[\s,:'’*]", form)[0] for form in values.spellings(phrase))
    return any(plain(first) in text for first in firsts)


@cache
def plain(text: str) -> str:
    """Lower case, composed, without the dots that the reader takes as left out."""
    return re.sub("[\u093c\u0a3c]", "", unicodedata.normalize("NFC", text).lower())


def effects(found: list[Row], names: list[str]) -> None:
    """Print what each rule and meaning does: right answers erased, and verdicts mended."""
    answers_of = [(row, read(row)) for row in found]
    for name in names:
        concerned = [pair for pair in answers_of if may_matter(name, *pair)]
        with without(name):
            less = [read(row) for row, _ in concerned]
        changes, mended, erased = 0, Counter[str](), []
        for (row, answer), other in zip(concerned, less):
            changes += answer.answer != other.answer
            right, before = (same(each.answer, row.label) for each in (answer, other))
            mended[row.language] += right and not before
            erased += [row.id] if before and not right else []
        languages = ", ".join(f"{code} {n}" for code, n in mended.most_common() if n)
        print(
            f"  {name}: changes {changes}, mends {mended.total()} ({languages}), "
            f"erases {len(erased)} {erased or ''}"
        )


def kor(folder: Path) -> None:
    """Print how many answers that KOR-Bench's own program calls right are not."""
    counts: Counter[str] = Counter()
    for line in lines(folder / "kor.jsonl.xz"):
        names = ("category", "rule_id", "idx", "answer", "question")
        reference = {name: line[name] for name in names if line.get(name)}
        grade = grade_single(line["response"], reference)
        if line["stored"]:
            counts[grade.status] += 1
        counts["mended"] += grade.correct and not line["stored"]
        counts["paper only"] += bool(grade.details["score_paper"]) and not grade.correct
    right = sum(counts[s] for s in ("correct", "wrong", "bad_format", "no_answer", "truncated"))
    print(f"kor: {right - counts['correct']} of {right} right answers lost, {dict(counts)}")


def maths(folder: Path, one_in: int) -> None:
    """Print how real answers to mathematics problems are graded, here and by math-verify alone.

    Times are of the processor, in this process and in math-verify's own.
    """
    graders = {"xlgo": _ours, "math-verify": _library}
    wrong: dict[str, Counter[str]] = {name: Counter() for name in graders}
    times: dict[str, list[float]] = {}
    grade_math("x + 1", r"\sqrt{2}")  # imports, and starts math-verify's process
    pairs = list(lines(folder / "maths.jsonl.xz"))[::one_in]
    for line in pairs:
        answer = line["answer"] if "boxed" in line["answer"] else rf"\boxed{{{line['answer']}}}"
        for name, grader in graders.items():
            start, before = time.process_time(), _worker_seconds()
            correct = grader(answer, line)
            there = _worker_seconds() - before
            seconds = time.process_time() - start + there
            path = name if name != "xlgo" else "xlgo, library" if there else "xlgo, fast path"
            times.setdefault(path, []).append(1000 * seconds)
            if correct != bool(line["correct"]):
                kind = "false correct" if correct else "false wrong"
                wrong[name] += Counter({kind: line["count"], f"{kind}, pairs": 1})
    print(f"maths: {len(pairs)} pairs, {sum(line['count'] for line in pairs)} answers")
    for name, counts in wrong.items():
        print(f"  {name}: {dict(counts)}")
    for name, durations in times.items():
        median, most = statistics.median(durations), max(durations)
        print(f"  {name}: {len(durations)} pairs, median {median:.2f} ms, longest {most:.0f} ms")


def _ours(answer: str, line: dict[str, Any]) -> bool:
    return grade_math(answer, line["gold"], language=line["language"]).correct


def _library(answer: str, line: dict[str, Any]) -> bool:
    """As math-verify's README does it."""
    from math_verify import parse, verify

    gold = line["gold"] if "$" in line["gold"] else f"${line['gold']}$"
    return bool(verify(parse(gold), parse(answer)))


def _worker_seconds() -> float:
    """Processor time of the worker's process so far; Linux alone tells it."""
    return time.clock_gettime((~WORKER.pid << 3) | 2) if WORKER.pid else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder of the responses")
    parser.add_argument("--rules", action="store_true", help="what each rule and meaning does")
    parser.add_argument("--maths", action="store_true", help="grade maths.jsonl.xz")
    parser.add_argument("--one-in", type=int, default=1, metavar="N", help="with either a share")
    arguments = parser.parse_args()
    if arguments.maths:
        maths(arguments.folder, arguments.one_in)
        return
    meanings = [f"retractions:{number}" for number in range(1, len(values.RETRACTIONS) + 1)]
    of_rules = ("answer", "so", "retractions")  # label and conclusion, and the meanings
    places = [place for place in values.PLACES if place not in of_rules]
    for benchmark in KINDS:
        found = list(rows(arguments.folder, benchmark))
        misread(found)
        if arguments.rules:
            effects(
                found[:: arguments.one_in], [*RULES, "thought", "retractions", *meanings, *places]
            )
    kor(arguments.folder)


if __name__ == "__main__":
    main()

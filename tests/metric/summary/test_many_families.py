"""Answers of three families in one score: rates over all of them, mixtures, what is left out."""

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest

import xlgo_metric as xm
from xlgo_metric.core import Grade, Record
from xlgo_metric.scoring import mixtures, runs, summarize_or_drop, summarize_rows, tables_of

STATUSES: Any = ("correct", "wrong", "no_answer", "bad_format", "truncated")


def made(family: str, task: str, n: int, **more: Any) -> list[Record]:
    """``n`` questions in three languages, of which one is asked under a condition, too."""
    rng = random.Random(f"{family} {task}")
    records = []
    for number in range(n):
        for code in ("en", "te", "hi"):
            for name in ("plain", "english_rules") if family == "xlgobench" else ("plain",):
                status = rng.choice(STATUSES[: 2 + 3 * (number % 2)])
                reference = {
                    "family": family, "task": task, "language": code, "answer": {},
                    "instance_id": f"{task}-{number}", "complexity": 10 * (1 + number % 3),
                    "seed": 0, "data": 1, "split": "test", **more,
                }  # fmt: skip
                if name != "plain":
                    reference["condition"] = name
                grade = Grade(status == "correct", status, rng.random() < 0.5)
                records.append(Record(grade, reference))
    return records


@cache
def records() -> tuple[Record, ...]:
    waits = [
        Record(Grade(False, "needs_judge"), {
            "family": "simple_reasoning", "task": "unpuzzles", "language": "en", "answer": {},
            "instance_id": f"u{number}", "item": f"u{number}", "params": {"variant": "original"},
        })
        for number in range(5)
    ]  # fmt: skip
    lost = [
        replace(one, grade=replace(one.grade, details={"error": "unreadable"}), reference={})
        for one in made("xlgobench", "slt", 1)[:4]
    ]
    return (
        *made("xlgobench", "slt", 12), *made("xlgobench", "dsa", 9), *waits, *lost,
        *made("polymath", "polymath", 8, level="low", index=0), *made("easy", "proof_tree", 7),
    )  # fmt: skip


def test_rates_are_over_the_plain_decided_answers_of_all_families() -> None:
    score, rejected = summarize_rows(records(), draws=10, permutations=99)
    decided = [
        one.grade.status
        for one in records()
        if one.reference and "condition" not in one.reference and one.grade.status != "needs_judge"
    ]
    assert len(decided) == 3 * (12 + 9 + 8 + 7)
    headline = score["headline"]
    assert headline["accuracy"] == pytest.approx(decided.count("correct") / len(decided))
    read = decided.count("correct") + decided.count("wrong")
    assert headline["parsed"] == pytest.approx(read / len(decided))
    assert list(score["families"]) == ["xlgobench", "polymath", "simple_reasoning"]
    signatures = [section["signature"] for section in score["families"].values()]
    assert score["signature"] == " ".join(signatures)
    assert score["unusable"] == len(rejected) == 4
    assert {why for _, why in rejected} == {"unreadable"}
    assert {f"{task}_accuracy" for task in ("slt", "dsa")} <= headline.keys()
    names = {name: [t.name for t in tables_of(name, s)] for name, s in score["families"].items()}
    assert xm.tables(score) == [
        table for name, section in score["families"].items() for table in tables_of(name, section)
    ]
    assert all(len(of) == len(set(of)) for of in names.values())


def test_mixtures_name_each_task_and_kind_and_only_data_by_language() -> None:
    def one(task: str, code: str, **more: Any) -> Record:
        about = {"task": task, "language": code, "seed": 0, "data": 1, "split": "test", **more}
        return Record(Grade(True, "correct"), about)

    several = [
        one("slt", "en"), one("slt", "te", data=2), one("slt", "te", data=3), one("slt", "en"),
        one("dsa", "en", seed=1), one("dsa", "te", seed=0), one("dsa", "te", seed=7),
        one("t_rank", "en", split="train"), one("t_rank", "en"), one("t_rank", "hi", data=9),
    ]  # fmt: skip
    asked = "summarized together: they are different questions"
    assert mixtures(several) == [
        f"slt (te): the answers come from several data versions (2, 3), {asked}",
        f"dsa: the answers come from several seeds (0, 1, 7), {asked}",
        f"t_rank: the answers come from several splits (test, train), {asked}",
    ]


def test_runs_are_counted_by_task_language_and_named_level() -> None:
    def one(task: str, code: str, run: str | None, level: Any = 0) -> Record:
        reference = {"task": task, "language": code, "level": level}
        return Record(Grade(True, "correct"), reference, run=run)

    assert runs([one("slt", "en", None), one("slt", "en", None)]) == 0
    apart = [one("slt", "en", "a"), one("slt", "te", "b"), one("dsa", "en", "c")]
    assert runs([*apart, *apart]) == 1
    assert runs([*apart, one("slt", "te", "c"), one("slt", "te", "d", 3)]) == 3
    named = [one("polymath", "en", run, level) for run, level in (("a", "low"), ("b", "top"))]
    assert runs(named) == 1


@pytest.mark.parametrize("bad", [{0}, {39}, {7, 8, 30}, {0, 19, 20, 39}, set(range(0, 40, 2))])
def test_those_records_are_left_out_that_cannot_be_summarized(bad: set[int]) -> None:
    """Twenty of forty at most, wherever they stand."""
    every = [Record(Grade(True, "correct"), {"number": number}) for number in range(40)]

    def summarize(own: Sequence[Record]) -> dict[str, int]:
        if faults := [x for one in own if (x := one.reference["number"]) in bad]:
            raise ValueError(f"number {faults[0]} is odd")
        return {"n": len(own)}

    family: Any = SimpleNamespace(
        name="toy", summarize=summarize, tables=lambda section: [], gaps=lambda section: None
    )
    section, kept, rejected = summarize_or_drop(family, every, {})
    assert section == {"n": 40 - len(bad)}
    assert [one.reference["number"] for one in kept] == sorted(set(range(40)) - bad)
    assert {
        one.record.reference["number"]: one.why for one in rejected
    } == {number: f"cannot be summarized (number {number} is odd)" for number in bad}  # fmt: skip
    bad |= set(range(21))
    with pytest.raises(ValueError, match="more than 20 answers of toy cannot be summarized"):
        summarize_or_drop(family, every, {})

"""Three tasks, four languages, repeats, lost and cut answers: every printed figure counted anew."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from scipy.stats import spearmanr

from xlgo_metric.core import Record
from xlgo_metric.families.xlgobench.summary import headline, summarize
from xlgo_metric.families.xlgobench.tables import tables

from .test_summary import record

SIZES = {"slt": (10, 20, 30, 40), "dsa": (5, 6, 7, 8, 9, 10), "graph_sp": (50, 100)}
CHANCES = {"en": 0.85, "hi": 0.75, "te": 0.5, "zh": 0.6}
STATUSES = ("wrong", "no_answer", "bad_format", "truncated")


@cache
def answers() -> tuple[Record, ...]:
    """Chinese lacks a task; every sixth answer is lost, and every fourth question asked twice."""
    rng = random.Random(17)
    made = []
    for task, sizes in SIZES.items():
        for place, size in enumerate(sizes):
            for code, chance in CHANCES.items():
                if (task, code) == ("graph_sp", "zh"):
                    continue
                for index in range(6 + 3 * place + len(code)):
                    for _ in range(1 + (index % 4 == 1)):
                        right = rng.random() < chance - 0.6 * place / len(sizes)
                        if rng.random() < 1 / 6:
                            continue
                        status = "correct" if right else rng.choice(STATUSES)
                        made.append(
                            record(
                                task, code, size, index, right, status=status,
                                thinking_length=rng.randrange(100) if index % 3 else None,
                                details={"read": rng.random() < 0.5} if index % 2 else {},
                            )
                        )  # fmt: skip
    return tuple(made)


@cache
def section() -> Any:
    return summarize(answers(), draws=20, permutations=99)


def of(**names: Any) -> list[Record]:
    return [
        one for one in answers() if all(one.reference[name] == x for name, x in names.items())
    ]  # fmt: skip


def mean(values: Iterable[Fraction | int]) -> Fraction:
    each = [Fraction(value) for value in values]
    return sum(each, Fraction(0)) / len(each)


def shares(records: list[Record]) -> dict[tuple[int, int], Fraction]:
    """The share of right answers to each question."""
    right: dict[tuple[int, int], list[int]] = defaultdict(list)
    for one in records:
        key = one.reference["complexity"], one.reference["index"]
        right[key].append(int(one.grade.correct))
    return {key: mean(values) for key, values in right.items()}


def gap(task: str, code: str) -> tuple[Fraction, int]:
    """The mean over sizes of the mean difference on common questions, and their number."""
    base, other = shares(of(task=task, language="en")), shares(of(task=task, language=code))
    common = base.keys() & other.keys()
    by_size: dict[int, list[Fraction]] = defaultdict(list)
    for key in common:
        by_size[key[0]].append(base[key] - other[key])
    return mean(mean(values) for values in by_size.values()), len(common)


def test_the_section_counts_every_task_and_language() -> None:
    asked = {(task, code) for task in SIZES for code in CHANCES} - {("graph_sp", "zh")}
    found = {
        (task, code): cell
        for task, one in section()["tasks"].items()
        for code, cell in one["languages"].items()
    }
    assert set(found) == asked
    for (task, code), cell in found.items():
        own = of(task=task, language=code)
        right = sum(one.grade.correct for one in own)
        assert (cell["n"], cell["correct"]) == (len(own), right)
        assert cell["accuracy"] == pytest.approx(right / len(own))
        assert {k: n for k, n in cell["statuses"].items() if n} == dict(
            Counter(one.grade.status for one in own)
        )
        read = sum(one.grade.status in ("correct", "wrong") for one in own)
        assert cell["parsed"] == pytest.approx(read / len(own))
        levels = [
            {
                "level": place, "complexity": size, "n": len(of(**where)),
                "correct": sum(one.grade.correct for one in of(**where)),
            }
            for place, size in enumerate(SIZES[task])
            for where in [{"task": task, "language": code, "complexity": size}]
        ]  # fmt: skip
        assert cell["levels"] == levels
        told = sum(bool(one.grade.details.get("read")) for one in own)
        assert cell["details"] == {"read": pytest.approx(told / len(own))}
        if code == "en":
            assert cell["difference"] is None
        else:
            exact, n = gap(task, code)
            assert (cell["difference"]["difference"], cell["difference"]["n"]) == (
                pytest.approx(float(exact)),
                n,
            )
    for task, sizes in SIZES.items():
        ends = section()["tasks"][task]["c_min"], section()["tasks"][task]["c_max"]
        assert ends == (sizes[0], sizes[-1])


def test_thinking_of_every_task() -> None:
    for task in SIZES:
        of_task = section()["tasks"][task]["languages"]
        lengths = {
            code: mean(
                one.thinking_length
                for one in of(task=task, language=code)
                if one.thinking_length is not None
            )
            for code in of_task
        }
        thinking = section()["thinking"][task]
        assert thinking["mean_characters"] == pytest.approx(
            {code: float(one) for code, one in lengths.items()}
        )
        known = [code for code, cell in of_task.items() if cell["smd"] is not None]
        if len(known) > 2:
            rho = spearmanr(
                [lengths[code] for code in known], [of_task[code]["smd"] for code in known]
            )
            assert thinking["rho"] == pytest.approx(rho.statistic)


def test_the_headline_holds_every_task_and_what_counts_for_all_languages() -> None:
    flat = headline(section())
    for task in SIZES:
        own = of(task=task)
        assert flat[f"{task}_accuracy"] == pytest.approx(
            sum(one.grade.correct for one in own) / len(own)
        )
        for code, cell in section()["tasks"][task]["languages"].items():
            if code != "en":
                assert flat[f"{task}_diff_{code}"] == pytest.approx(float(gap(task, code)[0]))
                assert flat[f"{task}_p_{code}"] == cell["difference"]["p_value"]
            assert (f"{task}_smd_{code}" in flat) == (cell["smd"] is not None)
    # The printed wording of slt in Telugu may cause a gap; Chinese lacks a task.
    over = section()["over_tasks"]
    assert over["tasks"] == ["dsa"]
    assert set(over["left_out"]) == {"slt", "graph_sp"}
    assert set(over["languages"]) == {"hi", "te", "zh"}
    for code in over["languages"]:
        assert flat[f"diff_{code}"] == pytest.approx(float(gap("dsa", code)[0]))


def test_warnings_name_every_language_with_repeats_and_lost_partners() -> None:
    warnings = section()["warnings"]
    for task in SIZES:
        base = of(task=task, language="en")
        for code in section()["tasks"][task]["languages"]:
            own = of(task=task, language=code)
            repeats = len(own) - len(shares(own))
            assert any(
                text.startswith(f"{task}/{code}: {repeats} of {len(own)} answers are to a question")
                for text in warnings
            )
            if code == "en":
                continue
            counts = [
                Counter((one.reference["complexity"], one.reference["index"]) for one in side)
                for side in (base, own)
            ]
            pairs = sum((counts[0] & counts[1]).values())
            lost = len(base) + len(own) - 2 * pairs
            assert any(
                text.startswith(f"{task}/{code}: {lost} answers have no partner")
                and text.endswith(f"use the {pairs} common questions")
                for text in warnings
            )


def test_tables_print_the_figures_of_their_own_task_and_language() -> None:
    found = {table.name: table for table in tables(section())}

    def cells(name: str) -> dict[str, dict[str, Any]]:
        table = found[name]
        return {row[0]: dict(zip(table.names, row, strict=True)) for row in table.rows}

    every = section()["tasks"]
    for task in SIZES:
        of_task = every[task]["languages"]
        for code, cell in of_task.items():
            assert cells("accuracy")[task][code] == cell["accuracy"]
            for name in ("avg_acc",):
                shown = cells(name)[task]
                assert (shown[code], shown[f"{code}, sd"]) == (cell[name], cell[f"{name}_sd"])
            if code != "en":
                assert cells("difference")[task][code] == cell["difference"]["difference"]
        assert cells("accuracy")[task].keys() == {"task", *CHANCES}
    assert cells("accuracy")["graph_sp"]["zh"] is None
    for row in found["status"].rows:
        cell = every[row[0]]["languages"][row[1]]
        shown = dict(zip(found["status"].names, row, strict=True))
        assert shown["answers"] == cell["n"]
        for status, n in cell["statuses"].items():
            assert shown[status] == pytest.approx(n / cell["n"])
        assert (shown["parsed"], shown["exact form"]) == (cell["parsed"], cell["strict"])
    places = {(task, code) for task, one in every.items() for code in one["languages"]}
    assert {row[:2] for row in found["status"].rows} == places
    assert {row[:2] for row in found["details"].rows} == places
    paired = {row[:2]: row for row in found["paired"].rows}
    assert paired.keys() == {place for place in places if place[1] != "en"}
    for (task, code), row in paired.items():
        of_pair = every[task]["languages"][code]["paired"]
        assert row[2:5] == (gap(task, code)[1], of_pair["p"], of_pair["p_holm"])
    for row in found["thinking"].rows:
        shown = dict(zip(found["thinking"].names, row, strict=True))
        for code, length in section()["thinking"][row[0]]["mean_characters"].items():
            assert shown[f"characters in {code}"] == length
    for row in found["pooled"].rows:
        counted = every[row[0]]["languages"][row[1]]["pooled"]
        chosen = set(counted["levels"])
        assert row[2:4] == (min(chosen), max(chosen) if len(chosen) > 1 else None)
        shares_of = counted["k_en"] / counted["n_en"], counted["k_l"] / counted["n_l"]
        assert row[8] == pytest.approx(shares_of[0] - shares_of[1])

"""Answers that lack in several tasks and languages: counts, Fisher's test and bounds, by hand."""

from fractions import Fraction
from math import comb
from typing import Any

import pytest

from xlgo_cli.logs.graded_run import Absent, Place, unequal
from xlgo_metric.core import Grade, Record

BASE = "en"
COUNTS: dict[Place, tuple[int, int, int, int]] = {
    # asked, missing, refused, right
    ("xlgobench", "slt", "en"): (60, 2, 0, 40),
    ("xlgobench", "slt", "te"): (60, 9, 11, 20),
    ("xlgobench", "slt", "ar"): (60, 0, 3, 35),
    ("xlgobench", "dsa", "en"): (50, 15, 3, 25),
    ("xlgobench", "dsa", "te"): (50, 1, 0, 30),
    ("xlgobench", "dsa", "ar"): (50, 7, 1, 10),
    ("xlgobench", "t_rank", "te"): (40, 30, 0, 5),  # its baseline was not asked
    ("lit", "lit_africa", "en"): (40, 0, 0, 0),  # neither right nor wrong
    ("lit", "lit_africa", "te"): (40, 30, 0, 0),
    ("polymath", "polymath", "en"): (30, 0, 0, 9),  # nothing lacks
    ("polymath", "polymath", "te"): (30, 0, 0, 9),
}


def made() -> Absent:
    absent = Absent()
    for place, (_, missing, refused, _) in COUNTS.items():
        for number in range(missing):
            absent.add(place, "missing", "HTTP 500" if number % 3 else None)
        for _ in range(refused):
            absent.add(place, "refused", "refusal: no")
    return absent


ASKED = {place: asked for place, (asked, *_) in COUNTS.items()}


def records() -> list[tuple[tuple[Any, ...], Record]]:
    """The right answers, as many wrong ones, and right ones under a condition, which is no gap."""
    found = []
    for place, (_, _, _, right) in COUNTS.items():
        for number in range(3 * right):
            reference = {"condition": "english_rules"} if number >= 2 * right else {}
            grade = Grade(number % 2 == 0 or number >= 2 * right, "correct")
            found.append(((*place, f"q{number}", 0), Record(grade, reference)))
    return found


def fisher(a: int, n: int, b: int, m: int) -> Fraction:
    """The sum of all tables with these margins that are no more likely than the one at hand."""

    def weight(k: int) -> int:
        return comb(n, k) * comb(m, a + b - k)

    every = [weight(k) for k in range(max(0, a + b - m), min(n, a + b) + 1)]
    return Fraction(sum(one for one in every if one <= weight(a)), sum(every))


def test_languages_that_lack_other_shares_of_answers_than_their_own_baseline() -> None:
    found = {one.place: one for one in unequal(made().by_place, ASKED, records(), BASE)}
    pairs = [
        (place, (*place[:2], BASE))
        for place in COUNTS
        if place[2] != BASE and place[0] == "xlgobench" and place[1] != "t_rank"
    ]
    assert len(pairs) == 4
    expected = {}
    for place, base in pairs:
        (asked, *lost, right), (base_asked, *base_lost, base_right) = COUNTS[place], COUNTS[base]
        absent, base_absent = sum(lost), sum(base_lost)
        if len(pairs) * fisher(absent, asked, base_absent, base_asked) <= Fraction(5, 100):
            low = Fraction(base_right, base_asked) - Fraction(right + absent, asked)
            high = Fraction(base_right + base_absent, base_asked) - Fraction(right, asked)
            expected[place] = (absent, asked, base_absent, base_asked, float(low), float(high))
    assert expected.keys() == {("xlgobench", "slt", "te"), ("xlgobench", "dsa", "te")}
    assert {
        place: (one.absent, one.asked, one.baseline_absent, one.baseline_asked,
                pytest.approx(one.low), pytest.approx(one.high))
        for place, one in found.items()
    } == expected  # fmt: skip
    # Arabic of dsa would be unequal by itself (p = 0.04), and is not among four tests.
    arabic = fisher(8, 50, 18, 50)
    assert Fraction(5, 400) < arabic < Fraction(5, 100)
    told = found["xlgobench", "slt", "te"].sentence(BASE)
    assert ": 20 of 60 answers are missing in Telugu, 2 of 60 in English, " in told
    assert told.endswith("the gap would be between +0 and +37 points: no result")


def test_what_lacks_is_told_by_language_and_reason_over_all_tasks() -> None:
    absent = made()
    total = sum(missing + refused for _, missing, refused, _ in COUNTS.values())
    assert absent.counts.total() == total == 112
    of: dict[tuple[str, str], int] = {}
    for (_, _, code), (_, missing, refused, _) in COUNTS.items():
        for state, n in (("missing", missing), ("refused", refused)):
            of[state, code] = of.get((state, code), 0) + n
    words = absent.words()
    assert words.startswith("112 answers are in no rate: ")
    names = {"en": "English", "te": "Telugu", "ar": "Arabic"}
    for (state, code), n in of.items():
        reason = "HTTP 500; not known" if state == "missing" else "refusal: no"
        assert f"{names[code]} {n} {state} ({reason})" in words
    rows = {(row["family"], row["task"], row["language"]): row for row in absent.as_json(ASKED)}
    assert rows.keys() == {place for place, (_, a, b, _) in COUNTS.items() if a + b}
    for place, row in rows.items():
        asked, missing, refused, _ = COUNTS[place]
        assert (row["asked"], row["missing"], row["refused"]) == (asked, missing, refused)
        assert sum(one["n"] for one in row["reasons"]) == missing + refused
        assert {one["state"] for one in row["reasons"]} == {
            name for name, n in (("missing", missing), ("refused", refused)) if n
        }
    assert [absent.by_place[place] for place in COUNTS] == [a + b for _, a, b, _ in COUNTS.values()]
